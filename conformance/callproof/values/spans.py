"""How a length of time is written in a sentence."""

from __future__ import annotations


def in_ms(milliseconds: float) -> str:
    """Milliseconds to the microsecond, as in `4000` and `12.5`: without an exponent, however large they are."""
    if isinstance(milliseconds, int):
        return str(milliseconds)
    written = f"{milliseconds:.3f}"
    return written.rstrip("0").rstrip(".") if "." in written else written
