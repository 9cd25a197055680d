"""The corpora and yardsticks that lie beside a working checkout, and that a stranger's checkout does not have."""

from __future__ import annotations

from pathlib import Path

SHARED = Path(__file__).parents[2] / "shared"
