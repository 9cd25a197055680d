"""One schema against another, held against a validator that knows nothing of comparing."""

from __future__ import annotations

from typing import Any

from callproof.lint.schemas.gaps import Sample
from callproof.lint.schemas.sampling import samples
from hypothesis import event, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from lint.schemas.compared import gaps_between
from lint.schemas.made_schemas import CONDITIONS, SCHEMAS, VALUES


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Any, Any]:
    """A schema and another one that differs from it in a little, or in everything."""
    old = draw(SCHEMAS)
    new = draw(st.one_of(SCHEMAS, st.one_of(*CONDITIONS).map(lambda part: {**old, **part}), st.just(old)))
    dropped = draw(st.sets(st.sampled_from([*new]), max_size=1)) - {"$defs"}
    return old, {keyword: value for keyword, value in new.items() if keyword not in dropped}


def _valid(schema: Any, value: Any) -> bool:
    try:
        return bool(Draft202012Validator(schema).is_valid(value))
    except RecursionError:
        return False


@settings(max_examples=80, deadline=None)
@given(pair=pairs(), data=st.data())
def test_where_no_gap_is_reported_every_value_of_the_old_schema_is_one_of_the_new(
    pair: Any, data: st.DataObject
) -> None:
    """Whatever is not called narrowed is not narrowed; and a sample is what it says."""
    old, new = pair
    found = gaps_between(old, new)
    event("gaps" if found else "none")
    proposed = [*samples([old], lambda node: node, [new])][:200]
    values = [*proposed, *data.draw(st.lists(VALUES, max_size=5))]
    if not found:
        refused = [value for value in values if _valid(old, value) and not _valid(new, value)]
        assert refused == []
    for gap in found:
        if isinstance(gap.sample, Sample) and gap.within == ():
            assert _valid(old, gap.sample.value)
            assert not _valid(new, gap.sample.value)
