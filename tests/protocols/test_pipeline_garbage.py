"""Odd values wherever a log of the pipeline may have one: no check throws, and inputs and outputs are never told."""

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
# What a driver saw of much more, in which each name has an odd value everywhere at once.
LARGER = {base: read(base) for base in ("conducted", "withheld", "shelved")}
CANARY = "canary-4711"
# Members that hold what went in, what came out, and words about it.
TELLING_NOTHING = (
    "model_input", "observable_input", "permission_input", "call_input", "updated_input", "updated_output",
    "content", "structured_content", "model_facing_content", "message", "reason", "persisted_ref",
    "input", "output", "data",
)  # fmt: skip


def thrown(records: list[Object]) -> list[str]:
    """What checks threw."""
    return [error for one in results(records).values() if one.verdict is Verdict.ERROR for error in one.errors]


def members(records: list[Object]) -> Iterator[tuple[int, str]]:
    """Every member of every record."""
    yield from ((number, name) for number, each in enumerate(records) for name in each)


@pytest.mark.parametrize("base", LOGS)
@pytest.mark.parametrize("odd", ODD, ids=lambda each: ascii(each)[:20])
def test_no_odd_value_makes_a_check_throw(base: str, odd: Json) -> None:
    """Each member of each record in turn has the odd value, and then all members of that name."""
    records = LOGS[base]
    for number, name in members(records):
        edited = [*records[:number], {**records[number], name: odd}, *records[number + 1 :]]
        assert thrown(edited) == [], (number, name)
    for name in {name for _, name in members(records)}:
        assert thrown([{**each, name: odd} if name in each else each for each in records]) == [], name


@pytest.mark.parametrize("odd", ODD, ids=lambda each: ascii(each)[:20])
def test_no_odd_value_inside_a_member_makes_a_check_throw(odd: Json) -> None:
    """The same of the members of an error, of a modifier, and of what lies in arrays."""
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
    """Each name in turn has the odd value wherever it is, and so has each name of the note inside its members."""
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
    """Records of the right members with words of the chapter and anything else in them, in any order."""
    assert thrown(records) == []


def with_canaries(value: Json, number: int) -> Json:
    """A value whose texts are each another one that must not be told."""
    if isinstance(value, dict):
        return {name: with_canaries(inner, number) for name, inner in value.items()}
    if isinstance(value, list):
        return [with_canaries(inner, number) for inner in value]
    return f"{CANARY}-{number}"


@pytest.mark.parametrize("base", [*LOGS, *LARGER])
def test_findings_tell_nothing_of_inputs_and_outputs(base: str) -> None:
    """Inputs and outputs differ wherever they can, which is found, and no text of them is in a finding."""
    records: list[Object] = [
        {name: with_canaries(value, number) if name in TELLING_NOTHING else value for name, value in each.items()}
        for number, each in enumerate((LOGS | LARGER)[base])
    ]
    told = [each.finding for one in results(records).values() for each in one.findings]
    assert CANARY not in repr(told)
    if base == "piped":
        assert told != []
