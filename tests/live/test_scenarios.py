"""The scenarios as data: complete, valid, and the same each time."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable

import pytest
from callproof.adapters.claims import FEATURES
from callproof.live import scenarios
from callproof.live.canonical_tools import CANONICAL_TOOLS
from callproof.live.case import QUANTUM_MS, Case, Cue, Scenario
from callproof.live.scenarios import SCENARIOS
from callproof.schema.bounds import UnusableSchema
from callproof.schema.validator import SchemaValidator, shape_validator
from callproof.spec.registry import specification
from callproof.trace.plan import Step
from callproof.trace.registry import Tool
from callproof.trace.spellings import spells
from callproof.values.jsontext import Json, read_json, write_json
from callproof.values.jsonvalue import equal, is_array, is_object

CASES = tuple(case for scenario in SCENARIOS for case in scenario.cases)
# Scenarios may be added, but none of these may be removed.
WANTED = {*range(1, 25), 27, 28, 29, 30}

each_scenario = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)


def test_every_scenario_that_was_asked_for_is_there() -> None:
    """Scenarios are in the order of their numbers."""
    numbers = [int(scenario.id.removeprefix("SC-")) for scenario in SCENARIOS]
    assert numbers == sorted(numbers)
    assert set(numbers) >= WANTED


def test_no_two_cases_have_one_id() -> None:
    """An id selects one case."""
    ids = [case.id for case in CASES]
    assert sorted(set(ids)) == sorted(ids)


@each_scenario
def test_cases_are_named_after_their_scenario(scenario: Scenario) -> None:
    """``SC-07/fails1-plan2-policy3``: the scenario, a slash, words and digits."""
    assert all(re.fullmatch(rf"{scenario.id}/[A-Za-z0-9]+(-[A-Za-z0-9]+)*", case.id) for case in scenario.cases)
    assert all(case.says and not case.says.endswith(".") for case in scenario.cases)


@each_scenario
def test_cases_aim_at_requirements_that_exist(scenario: Scenario) -> None:
    """Every id is in the specification, and no case aims at a requirement that is excluded."""
    known = specification().requirements
    aims = {each for case in scenario.cases for each in (*case.provokes, *case.death_proves)}
    assert sorted(aims - set(known)) == []
    assert sorted(each for each in aims if known[each].excluded is not None) == []


@each_scenario
def test_cases_need_features_that_exist(scenario: Scenario) -> None:
    """A misspelt feature would keep a case from ever being run."""
    assert {feature for case in every(scenario) for feature in case.requires} <= set(FEATURES)


@each_scenario
def test_plans_that_are_to_run_are_valid(scenario: Scenario) -> None:
    """Plan and policy have their shapes."""
    for case in lawful(scenario):
        assert shape_validator("plan").errors(case.plan) == (), case.id
        assert shape_validator("policy").errors(case.policy) == (), case.id


@each_scenario
def test_every_tool_is_a_lawful_descriptor(scenario: Scenario) -> None:
    """Descriptors have their shape; what a scenario breaks on purpose is the schema inside."""
    for case in every(scenario):
        for descriptor in case.descriptors:
            assert shape_validator("tool-descriptor").errors(descriptor) == (), case.id


@each_scenario
def test_every_tool_of_a_plan_is_in_its_registry(scenario: Scenario) -> None:
    """A plan gives its name or an alias, and its schemas can be used."""
    for case in lawful(scenario):
        tools = [Tool(each) for each in case.descriptors]
        names = {name for tool in tools for name in (tool.name, *tool.aliases)}
        assert {str(each.get("tool")) for each in steps(case)} <= names, case.id
        assert all(tool.input_validator and tool.output_validator for tool in tools), case.id


@each_scenario
def test_references_and_loops_need_their_features(scenario: Scenario) -> None:
    """A system that resolves no references, or runs no loops, is not asked to."""
    for case in every(scenario):
        assert "references" in case.requires or not any(Step(0, each, {}).references for each in steps(case)), case.id
        assert "foreach" in case.requires or not any("foreach" in each for each in steps(case)), case.id


@each_scenario
def test_every_time_is_a_multiple_of_the_quantum(scenario: Scenario) -> None:
    """Steps of the virtual clock then meet each instant exactly (A77)."""
    for case in every(scenario):
        times = [move.after_ms for move in case.timeline]
        times += [reply.after_ms for tool in case.tools for reply in tool.behaviour.replies]
        times += [ms for tool in case.tools for reply in tool.behaviour.replies for ms in reply.progress_ms]
        times += [int(float(str(each["timeoutMs"]))) for each in steps(case) if "timeoutMs" in each]
        times += [case.confirmation_timeout_ms or 0, case.horizon_ms, case.hook.after_ms if case.hook else 0]
        assert [each for each in times if each % QUANTUM_MS] == [], case.id


@each_scenario
def test_moves_wait_for_tools_that_are_there(scenario: Scenario) -> None:
    """The suite would never make a move whose cue never comes."""
    for case in every(scenario):
        names = {tool.name for tool in case.tools}
        aimed = {Cue.INVOCATION, Cue.ANSWER}
        assert all((move.tool in names) == (move.cue in aimed) for move in case.timeline), case.id


@each_scenario
def test_runs_of_one_case_can_be_told_apart(scenario: Scenario) -> None:
    """Every run of a case has an id of its own, and needs no feature that the case does not need."""
    for case in scenario.cases:
        ids = [case.id, *(each.case.id for each in case.company)]
        assert len(set(ids)) == len(ids)
        assert {feature for each in case.company for feature in each.case.requires} <= set(case.requires)
        assert all(0 <= (move.confirmation_of or 0) <= len(case.company) for move in case.timeline)


@each_scenario
def test_a_case_is_plain_data(scenario: Scenario) -> None:
    """What is sent can be written as strict JSON and read back unchanged."""
    for case in every(scenario):
        sent: Json = {"plan": case.plan, "policy": case.policy, "tools": list(case.descriptors)}
        for value in (sent, dict(case.expectations)):
            assert equal(read_json(write_json(value).encode()), value), case.id


def test_scenarios_are_the_same_each_time() -> None:
    """Building them draws on no clock, no random number and no environment."""
    for scenario in SCENARIOS:
        name = next(name for name in vars(scenarios) if name.startswith(f"sc{scenario.id[-2:]}_"))
        module = importlib.reload(getattr(scenarios, name))
        assert repr(module.SCENARIO.cases) == repr(scenario.cases)


@pytest.mark.parametrize("tool", CANONICAL_TOOLS, ids=lambda tool: str(tool["name"]))
def test_canonical_tools_are_strict_and_readable(tool: dict[str, Json]) -> None:
    """Closed objects, explicit required lists, a host, and schemas that can be used."""
    assert shape_validator("tool-descriptor").errors(tool) == ()
    assert tool["host"] == "system"
    for name in ("inputSchema", "outputSchema"):
        schema = tool[name]
        assert is_object(schema)
        assert schema["additionalProperties"] is False
        assert is_array(schema["required"])
        assert not unusable(schema)


def unusable(schema: Json) -> bool:
    """Whether no validator can be made of a schema."""
    try:
        SchemaValidator(schema)  # type: ignore[arg-type]
    except UnusableSchema:
        return True
    return False


def every(scenario: Scenario) -> list[Case]:
    """The cases, each after the runs that keep it company."""
    return [run for case in scenario.cases for run in (*(each.case for each in case.company), case)]


def lawful(scenario: Scenario) -> list[Case]:
    """The cases whose runs have to start."""
    return [case for case in every(scenario) if not case.expects_refusal and not case.may_refuse]


def steps(case: Case) -> list[dict[str, Json]]:
    """The steps of a case's plan."""
    return json.loads(json.dumps(case.plan["steps"]))  # type: ignore[no-any-return]


def _of_python(text: str) -> str:
    return re.sub(r"[^\x00-\x7f]", lambda found: json.dumps(found.group())[1:-1], text)


def _of_php(text: str) -> str:
    return text.replace("/", "\\/")


def _of_go(text: str) -> str:
    return re.sub("[<>&\u2028\u2029]", lambda found: f"\\u{ord(found.group()):04x}", text)


@pytest.mark.parametrize("escaped", [_of_python, _of_php, _of_go])
def test_what_writers_of_json_escape_without_need_is_put_into_a_text(escaped: Callable[[str], str]) -> None:
    """Inside longer text every character is written as itself, not as some languages write it by default (A62)."""
    case = next(each for each in CASES if each.id == "SC-01/in-text")
    source = next(each for each in case.tools if each.name == "witness.source")
    output = source.behaviour.reply(0).output
    assert is_object(output)
    data: Json = {"itself": output["itself"]}
    assert spells(write_json(data), [(data,)])
    assert not spells(escaped(write_json(data)), [(data,)])


@pytest.mark.parametrize("grace", [0, 1, 200, 1000])
def test_a_late_answer_meets_the_next_attempt_after_whatever_grace(grace: int) -> None:
    """A58, RETRY-14: a system may wait up to a second before it tries again; only a later answer can close that."""
    (case,) = (each for each in CASES if each.id == "SC-09/late-after-any-grace")
    (limit,) = (int(str(each["timeoutMs"])) for each in steps(case) if "timeoutMs" in each)
    does = case.tools[0].behaviour
    dead, alive = does.reply(0), does.reply(1)
    begins = limit + grace
    assert begins < dead.after_ms < begins + alive.after_ms
    assert alive.after_ms < limit
