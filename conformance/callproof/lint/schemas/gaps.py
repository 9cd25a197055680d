"""What one schema takes and another does not, as a list of gaps, each at its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from callproof.lint.schemas.walk import Place
from callproof.values.jsontext import Json

# required   the other one requires a member that this one does not
# removed    this one names a member that the other one refuses, as one that it does not name
# closed     this one takes members that it does not name, and the other one does not
# described  the other one names a member, and this one takes any value under that name, since it takes any name
# narrowed   another condition
# format     another format; it is not known who checks it
Kind: TypeAlias = Literal["required", "removed", "closed", "described", "narrowed", "format"]


@dataclass(frozen=True, slots=True)
class Sample:
    """A value that one schema accepts and the other refuses, according to two validators."""

    value: Json


@dataclass(frozen=True, slots=True)
class Gap:
    """
    One way in which a schema takes more than another.

    ``within`` is the path into the value: a name, ``*`` for members with any name, ``[]`` for an item.  ``left`` is the
    place in the schema that takes more, ``right`` in the other one.  ``certain`` is false if it was not decided.
    """

    kind: Kind
    keyword: str
    within: tuple[str, ...]
    left: Place
    right: Place
    before: Json = None
    after: Json = None
    certain: bool = True
    sample: Sample | None = None
    limit: str = ""
