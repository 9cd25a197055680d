"""Tools that write when no system expects it: at their answer, some time after it, or a link instead of a folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from callproof.adapters.messages import Message
from callproof.live.behaviours import Behaviour, Reply, Stage, Write, echo, secretly, sleeper, stubborn
from callproof.live.case import Case, Item, ItemKind
from callproof.live.driver import drive
from callproof.live.folders import furnish, put
from callproof.live.judged import judge_scenario
from callproof.live.scenarios.building import hosted, plan, policy, step
from callproof.live.session import CaseOutcome
from callproof.trace.run import Run
from callproof.values.jsontext import Json
from scripted_system import FINISHED, ScriptedSystem, abort, invoke


def one_call(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
    """A system that makes one call and ends with it."""
    if method == "run/start":
        yield invoke(1, args={"a": 1})
    if method in {"answer", "refuse"}:
        yield FINISHED


def aborting(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
    """A system that aborts its call at once."""
    if method == "run/start":
        yield invoke(1, args={"a": 1})
        yield abort(1)
    if method in {"answer", "refuse"}:
        yield FINISHED


def seen(reply: Reply, folder: Path, react: object = one_call, *items: Item) -> Run:
    """The run of one call of a tool that answers with this reply."""
    tool = hosted("w.tool", Behaviour((reply,)), takes={}, gives={})
    case = Case("SC-00/case", "A case", plan(step("s1", "w.tool")), policy(), tools=(tool,))
    return drive(case, ScriptedSystem(react), furnish(folder, items))  # type: ignore[arg-type]


@pytest.mark.parametrize(("stage", "at_the_end"), [(Stage.ENTRY, True), (Stage.ANSWER, True), (Stage.LATER, False)])
def test_a_tool_writes_when_it_was_told_to(stage: Stage, at_the_end: bool, tmp_path: Path) -> None:
    """The suite looks at the folder when the run ends and some time later; the deed names what its tool made."""
    run = seen(secretly(sleeper(100, {}), Write("Out/a.md", "a", stage)), tmp_path)
    assert run.world is not None
    assert run.world.at_the_end is not None
    assert ("Out/a.md" in run.world.at_the_end) is at_the_end
    assert "Out/a.md" in run.world.after
    (deed,) = run.deeds or ()
    assert deed.writes == ("Out", "Out/a.md")


def test_a_tool_that_was_told_to_stop_writes_as_it_ends_and_once(tmp_path: Path) -> None:
    """An obedient tool writes as it stops, before its answer; a stubborn one writes at its own end."""
    write = Write("late.md", "x", Stage.ANSWER)
    obedient = seen(secretly(sleeper(5_000, {}), write), tmp_path / "one", aborting)
    stubbornly = seen(secretly(stubborn(200, {}), write), tmp_path / "two", aborting)
    assert (obedient.world, stubbornly.world) != (None, None)
    assert [deed.writes for run in (obedient, stubbornly) for deed in run.deeds or ()] == [("late.md",), ("late.md",)]


def test_a_link_takes_the_place_of_an_empty_folder(tmp_path: Path) -> None:
    """A path that was checked then leads elsewhere when it is used (POL-08)."""
    folders = furnish(tmp_path, (Item("Drop", ItemKind.FOLDER),))
    put(folders.root, Write("Drop", "../outside", link=True))
    tree, _ = folders.look()
    assert (tree["Drop"].kind, tree["Drop"].content) == ("link", "../outside")


def test_a_link_that_finds_no_room_is_not_put(tmp_path: Path) -> None:
    """What the system put there meanwhile stays; the tool still answers, and its deed claims no write."""
    reply = secretly(echo(), Write("Drop", "../outside", Stage.ANSWER, link=True))
    run = seen(reply, tmp_path, one_call, Item("Drop", ItemKind.FOLDER), Item("Drop/new.md", text="written before"))
    (deed,) = run.deeds or ()
    assert deed.writes == ()
    assert deed.answer is not None
    assert run.world is not None
    assert "Drop/new.md" in run.world.after


def test_what_a_cases_own_tools_break_is_held_against_nobody(tmp_path: Path) -> None:
    """An excused law has no result, neither for the live run nor for its log."""
    run = seen(echo(), tmp_path)
    case = Case("SC-00/case", "A case", plan(step("s1", "w.tool")), policy())
    assert "EFF-09" in judge_scenario([CaseOutcome(case, run)], frozenset()).results
    excused = replace(case, excused=("EFF-09",))
    assert "EFF-09" not in judge_scenario([CaseOutcome(excused, run)], frozenset()).results
