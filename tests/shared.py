"""The corpora and yardsticks that lie beside a checkout of this project's developers; other checkouts lack them."""

from __future__ import annotations

from pathlib import Path

SHARED = Path(__file__).parents[2] / "shared"
