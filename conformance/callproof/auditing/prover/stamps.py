"""Instants proved by their shape: texts that are spelt alike compare like the instants that they mean.

Only one spelling is proved here, date, time and the same number of digits of a second, in UTC.
Then the order of the texts is the order of the instants, and no tolerance needs to be asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from callproof.auditing.prover.unproved import Unproved, demand
from callproof.values.instants import parse_instant

_ZEROS: Final = bytes.maketrans(b"123456789", b"000000000")
_SHAPES: Final = frozenset(
    f"0000-00-00T00:00:00{fraction}{zone}\n".encode()
    for fraction in ("", *("." + "0" * digits for digits in range(1, 10)))
    for zone in ("Z", "+00:00")
)


def instants(texts: Sequence[str]) -> list[datetime]:
    """
    The instants that texts of one and the same spelling mean, to the microsecond; what is finer, only the texts tell.

    Raises Unproved for any other spelling.
    """
    joined = ("\n".join(texts) + "\n").encode()
    shape = joined[: len(texts[0]) + 1].translate(_ZEROS)
    demand(shape in _SHAPES and joined.translate(_ZEROS) == shape * len(texts), "an unusual spelling of an instant")
    if shape.endswith(b"+00:00\n"):
        demand(joined.count(b"+00:00") == len(texts), "instants of several zones")
    try:
        return list(map(datetime.fromisoformat, texts))
    except ValueError:
        raise Unproved("an instant that no calendar has") from None


def nanoseconds(text: str) -> int:
    """The exact instant of a text that was proved, since 1970.  Raises Unproved."""
    instant = parse_instant(text)
    if instant is None:
        raise Unproved("no instant")
    return instant.nanoseconds
