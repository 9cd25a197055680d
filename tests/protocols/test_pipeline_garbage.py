"""Odd values in every place of a pipeline's log: no check throws, and no finding shows inputs and outputs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from callproof.judge.verdicts import Verdict
from callproof.values.jsontext import Json
from hypothesis import given
from hypothesis import strategies as st
from pipeline_logs import Object, read, results

pytestmark = pytest.mark.many

ODD: tuple[Json, ...] = (
    None, True, False, 0, -1, 1.5, 10**400, "", "x", "\ud800",
    [], [[]], [None, 1, {}], {}, {"a": {"b": [1]}}, {"": None},
)  # fmt: skip
LOGS = {base: read(base) for base in ("piped", "declined", "halted", "abreast")}
# The longer logs of drivers, in which each name gets an odd value in all places at once.
LARGER = {base: read(base) for base in ("conducted", "withheld", "shelved")}
CANARY = "canary-4711"
# Members that hold inputs, outputs, and texts about them.
TELLING_NOTHING = (
    "model_input", "observable_input", "permission_input", "call_input", "updated_input", "updated_output",
    "content", "structured_content", "model_facing_content", "message", "reason", "persisted_ref",
    "input", "output", "data",
)  # fmt: skip


def thrown(records: list[Object]) -> list[str]:
    """What the checks threw."""
    return [error for one in results(records).values() if one.verdict is Verdict.ERROR for error in one.errors]


def members(records: list[Object]) -> Iterator[tuple[int, str]]:
    """Every member of every record."""
    yield from ((number, name) for number, each in enumerate(records) for name in each)


@pytest.mark.parametrize("base", LOGS)
@pytest.mark.parametrize("odd", ODD, ids=lambda each: ascii(each)[:20])
def test_no_odd_value_makes_a_check_throw(base: str, odd: Json) -> None:
    """The odd value replaces each member of each record in turn, and then all members with that name."""
    records = LOGS[base]
    for number, name in members(records):
        edited = [*records[:number], {**records[number], name: odd}, *records[number + 1 :]]
        assert thrown(edited) == [], (number, name)
    for name in {name for _, name in members(records)}:
        assert thrown([{**each, name: odd} if name in each else each for each in records]) == [], name


@pytest.mark.parametrize("odd", ODD, ids=lambda each: ascii(each)[:20])
def test_no_odd_value_inside_a_member_makes_a_check_throw(odd: Json) -> None:
    """The odd value replaces members of an error, of a modifier, and of the elements of arrays."""
    inner: dict[str, Json] = {
        "error": {"error_class": odd, "phase": odd},
        "context_modifier": {"disposition": odd},
        "persistence_refs": [odd],
        "changed_fields": [odd],
        "redacted": [odd],
        "blocked_tools": [odd, {"tool_id": odd}],
        "loaded_tools": [odd, {"tool_id": odd}],
        "persisted_ref": {"uri": odd},
    }
    for records in LOGS.values():
        for name, value in inner.items():
            assert thrown([{**each, name: value} for each in records]) == [], name


@pytest.mark.parametrize("base", LARGER)
@pytest.mark.parametrize("odd", ODD, ids=lambda each: ascii(each)[:20])
def test_no_odd_value_in_what_a_driver_saw_makes_a_check_throw(base: str, odd: Json) -> None:
    """The odd value replaces every member with each name in turn, and members inside the note too."""
    note, *records = LARGER[base]
    for name in {name for _, name in members([note, *records])}:
        assert thrown([{**each, name: odd} if name in each else each for each in (note, *records)]) == [], name
    for name in ("surface", "policy", "calls"):
        inner = note[name]
        parts: list[Json] = [{each: odd} for each in inner] if isinstance(inner, dict) else [[odd], [{"name": odd}]]
        for part in parts:
            assert thrown([{**note, name: part}, *records]) == [], (name, part)
    tools: list[Json] = [{"tool_id": odd}, {"tool_id": "clock", "input_schema": odd, "names": odd, "state": odd}]
    assert thrown([{**note, "surface": {"tools": tools}}, *records]) == []


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(
    sorted({name for each in (LOGS, LARGER) for told in each.values() for _, name in members(told)})
)
WORDS = st.sampled_from(
    sorted(
        {value for records in LOGS.values() for each in records for value in each.values() if isinstance(value, str)}
    )
)


@given(st.lists(st.dictionaries(NAMES, WORDS | VALUES, max_size=8), max_size=12))
def test_no_log_makes_a_check_throw(records: list[Object]) -> None:
    """Records in any order, with the right members, whose values are words of the chapter or anything else."""
    assert thrown(records) == []


def with_canaries(value: Json, number: int) -> Json:
    """A value in which each text is replaced by a different one that no finding may show."""
    if isinstance(value, dict):
        return {name: with_canaries(inner, number) for name, inner in value.items()}
    if isinstance(value, list):
        return [with_canaries(inner, number) for inner in value]
    return f"{CANARY}-{number}"


@pytest.mark.parametrize("base", [*LOGS, *LARGER])
def test_findings_tell_nothing_of_inputs_and_outputs(base: str) -> None:
    """Inputs and outputs differ in every place, which is found, but no finding contains a text of them."""
    records: list[Object] = [
        {name: with_canaries(value, number) if name in TELLING_NOTHING else value for name, value in each.items()}
        for number, each in enumerate((LOGS | LARGER)[base])
    ]
    told = [each.finding for one in results(records).values() for each in one.findings]
    assert CANARY not in repr(told)
    if base == "piped":
        assert told != []
