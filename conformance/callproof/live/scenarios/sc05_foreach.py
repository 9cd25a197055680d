"""SC-05: loops over no item, one, two, many; equal items, falsy items, and a tool that alters what it is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from callproof.live.behaviours import Behaviour, Reply, echo, fails, gated, mutant, returns, script, sleeper
from callproof.live.case import Case, Scenario
from callproof.live.scenarios.aims import ENVELOPE, FAILURE, RESOLUTION, TROUBLE
from callproof.live.scenarios.building import ANYTHING, Object, closed, hosted, plan, policy, step
from callproof.values.jsontext import Json

_LOOPS = ("LOOP-01", "LOOP-02", "LOOP-03", "LOOP-04", "LOOP-09", "LOOP-11", "LOOP-14", "REF-07", "REF-08", "REF-09")


def _each(value: Json = None, loop: Object | None = None, **members: Json) -> Object:
    """The looping step; by default it echoes its item, its place, and both in a text."""
    usual: Json = {"item": "{note}", "at": "{index}", "text": "{index}: {note}"}
    foreach: Json = {"from": "$steps.src.items", "itemName": "note", **(loop or {})}
    preview = {"preview": "Echo each item with witness.echo"}
    return {**step("each", "witness.echo", {"value": value or usual}), "foreach": foreach, **preview, **members}


_AFTER = step("after", "witness.echo", {"value": "$steps.each"})
_USUAL = (_each(), _AFTER)


def _loop(
    name: str,
    says: str,
    items: Json,
    *aims: str,
    does: Reply | Behaviour | None = None,
    steps: Sequence[Object] = _USUAL,
) -> Case:
    source = hosted("witness.items", returns({"items": items}), takes=closed(), gives=closed(items=ANYTHING))
    return Case(
        id=f"SC-05/{name}",
        says=says,
        plan=plan(step("src", "witness.items"), *steps),
        policy=policy(),
        tools=(source, hosted("witness.echo", does or echo())),
        requires=("references", "foreach"),
        provokes=(*ENVELOPE, *RESOLUTION, *aims),
    )


def _at_once(case: Case, calls: int) -> Case:
    return replace(case, policy=policy({"maxConcurrency": calls}), requires=(*case.requires, "concurrency"))


def _stops_what_comes_later(case: Case) -> Case:
    """Adds to the loop, which stops the run, a slow step and a step that waits only for the slow one."""
    slow = hosted("witness.slow", sleeper(100, {}), takes=closed(), gives=closed())
    later = (
        step("slow", "witness.slow", dependsOn=["src"]),
        step("late", "witness.echo", {"value": 1}, dependsOn=["slow"]),
    )
    return replace(case, plan=plan(step("src", "witness.items"), *_USUAL, *later), tools=(*case.tools, slow))


_OBJECTS: Json = [{"title": "One", "tags": ["x", {"y": 1}]}, {"title": "Two", "tags": []}]
_LISTS: Json = [{"n": 1, "list": [1]}, {"n": 2, "list": [2]}, {"n": 1, "list": [1]}]
_OTHER_LOOP: Object = {
    **step("more", "witness.echo", {"value": "{thing} {index}"}),
    "foreach": {"from": "$steps.src.items", "itemName": "thing"},
}
_LOOP_WITH_TEXT: Object = {
    **step("more", "witness.echo", {"value": "{thing} at {place}, {note}, {note.title} and {index}"}),
    "foreach": {"from": "$steps.src.items", "itemName": "thing", "indexName": "place"},
}
_SECOND_FAILS = script(echo(), fails("NOT_FOUND", retryable=False), echo())
_THIRD_WORKS = script(fails("INTERNAL_ERROR", True), fails("INTERNAL_ERROR", True), echo(), by_args=True)

SCENARIO = Scenario(
    "SC-05",
    "Loops of every length, with equal and falsy items and a tool that alters its arguments",
    (
        _loop("none", "No item: no call, and the step is done", [], "LOOP-06", "REF-20"),
        _loop("one", "One item", ["only"], *_LOOPS, "REF-20"),
        _loop("two", "Two items", ["first", "second"], *_LOOPS, "REF-20", "HASH-03"),
        _loop("many", "A hundred and one items, none of them lost", list(range(101)), *_LOOPS, "LOOP-10"),
        _loop("equal", "Each equal item has its own iteration", ["same"] * 3, *_LOOPS, "LOOP-12", "HASH-02"),
        _loop("falsy", "Falsy items have iterations too", [False, 0, "", None, [], {}], *_LOOPS, "REF-18"),
        _loop("alike", "Items that some languages treat as equal", [1, True, "1", 0, False, ""], *_LOOPS, "LOOP-12"),
        _loop(
            "missing-field",
            "The second item lacks a field, and the iterations of the others run",
            [{"title": ""}, {}, {"title": 0}],
            *(*FAILURE, *_LOOPS, "REF-18", "LOOP-08"),
            steps=(_each({"text": "a {note.title}!"}, onError="skip"),),
        ),
        _loop(
            "fields",
            "References to fields of the items",
            _OBJECTS,
            *_LOOPS,
            steps=(
                _each({"title": "{note.title}", "tags": "{note.tags}", "whole": "{note}", "text": "a {note.title}!"}),
            ),
        ),
        _loop(
            "names",
            "The loop renames its bindings, and the default names are text",
            _OBJECTS,
            *(*_LOOPS, "REF-16"),
            steps=(
                _each(
                    {"item": "{bullet.title}", "at": "{place}", "other": "{index} {note} {bullets}"},
                    {"itemName": "bullet", "indexName": "place"},
                ),
            ),
        ),
        _loop(
            "mutator",
            "The tool returns altered arguments, and nothing else changes",
            _LISTS,
            *(*_LOOPS, "LOOP-07", "REF-12", "REF-13"),
            does=mutant(),
            steps=(
                step("before", "witness.echo", {"value": "$steps.src.items"}),
                _each(dependsOn=["before"]),
                step("again", "witness.echo", {"value": "$steps.src.items"}, dependsOn=["each"]),
            ),
        ),
        _loop("two-loops", "Two loops over one source", ["a", "b"], *_LOOPS, "LOOP-05", steps=(_each(), _OTHER_LOOP)),
        _loop(
            "names-of-another-loop",
            "In a loop, the names that another loop gives to its item and index are text",
            _OBJECTS,
            *(*_LOOPS, "REF-16"),
            steps=(_each(), _LOOP_WITH_TEXT),
        ),
        _at_once(
            _loop(
                "side-by-side",
                "Three iterations at once, the last to start ending first",
                ["a", "b", "c", "d", "e"],
                *(*_LOOPS, "LOOP-13", "RES-23", "EVT-21", "REF-20", "REF-22", "CALL-02"),
                does=gated(echo(), 3),
                steps=(_each(loop={"concurrency": 3}), _AFTER),
            ),
            3,
        ),
        _at_once(
            _loop(
                "clamped",
                "The plan wants five iterations at once and the policy allows two",
                ["a", "b", "c", "d", "e"],
                *(*_LOOPS, "DEP-03"),
                does=gated(echo(), 2),
                steps=(_each(loop={"concurrency": 5}),),
            ),
            2,
        ),
        _loop(
            "one-fails-skip",
            "The second iteration fails and the loop goes on",
            ["a", "b", "c"],
            *(*FAILURE, *_LOOPS, "LOOP-08", "REF-02", "DEP-02", "RES-11", "RES-19"),
            does=_SECOND_FAILS,
            steps=(_each(onError="skip"), _AFTER),
        ),
        _loop(
            "one-fails-stop",
            "The second iteration fails and the run stops",
            ["a", "b", "c"],
            *(*FAILURE, "LOOP-08", "DEP-04", "RES-11", "RES-19"),
            does=_SECOND_FAILS,
        ),
        _stops_what_comes_later(_loop("no-array", "The source is an object", {"a": 1}, *TROUBLE, "REF-26", "DEP-04")),
        _loop("text", "The source is a string", "abc", *TROUBLE, "REF-26"),
        _loop(
            "nothing",
            "The source is null and the run goes on",
            None,
            *(*TROUBLE, "REF-26"),
            steps=(_each(onError="skip"), _AFTER),
        ),
        _loop(
            "own-budgets",
            "Each iteration fails twice and has its own three attempts",
            ["a", "b"],
            *(*TROUBLE, "RETRY-01", "RETRY-02", "RETRY-11", "RETRY-12", "LOOP-08"),
            does=_THIRD_WORKS,
            steps=(_each(retry={"maxAttempts": 3, "backoffMs": 0}),),
        ),
    ),
    spared=("RETRY-11", "RETRY-12"),
)
