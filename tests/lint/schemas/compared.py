"""Two schemas compared as the tests write them down: in any draft, each with its own references."""

from __future__ import annotations

from callproof.lint.schemas.comparing import gaps
from callproof.lint.schemas.drafts import DRAFT_2020_12, draft_of
from callproof.lint.schemas.gaps import Gap
from callproof.lint.schemas.modern import modernised
from callproof.lint.schemas.sides import LEFT, RIGHT
from callproof.values.jsontext import Json


def gaps_between(left: Json, right: Json) -> tuple[Gap, ...]:
    """The gaps through which the left schema accepts values that the right one refuses."""
    return gaps(
        modernised(left, draft_of(left) or DRAFT_2020_12, LEFT),
        modernised(right, draft_of(right) or DRAFT_2020_12, RIGHT),
    )
