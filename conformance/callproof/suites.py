"""The suites for live systems of the other protocols, by the word that names their command and pytest's option."""

from __future__ import annotations

from typing import Any, Final

from callproof.driven.suite import Suite
from callproof.invocations.suite import SUITE as INVOCATIONS
from callproof.loops.suite import SUITE as LOOPS
from callproof.pipelines.suite import SUITE as PIPELINES

SUITES: Final[dict[str, Suite[Any]]] = {each.word: each for each in (LOOPS, PIPELINES, INVOCATIONS)}
