"""Where the specification, its schemas and the examples live.

A wheel carries them inside this package.  A checkout keeps them at the root of
the repository, so an editable install reads the files that are being edited.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_CHECKOUT = Path(__file__).parents[2]


def _root() -> Traversable:
    packaged = files("callproof") / "_data"
    return packaged if packaged.is_dir() else _CHECKOUT


EXAMPLES = _root() / "examples"
SCHEMAS = _root() / "schemas"
SPEC = _root() / "spec"
