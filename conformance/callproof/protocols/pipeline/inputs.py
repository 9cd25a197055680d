"""PIPE-03: what is permitted is what runs, and every change of the input is told."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from callproof.checks.check import Finding, Witness
from callproof.protocols.parts import first_listed
from callproof.protocols.pipeline.phases import PERMISSION
from callproof.protocols.pipeline.trace import (
    COMPLETED,
    LAWS,
    Invocation,
    Line,
    Pipeline,
    listed,
    texts_of,
)
from callproof.values.doubles import differences
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import escape_token, is_array

# If an input is told again, at most this many differing places are searched for one that is not marked.
_LOOKED_AT: Final = 1_000
_PROMPT: Final = "permission_prompt"


def _run(log: Pipeline) -> Iterator[tuple[Invocation, Json]]:
    """Invocations that tell what the tool was given, with that input."""
    yield from ((each, given[-1]) for each in log.invocations if (given := each.told("call_input")))


def _permitted(one: Invocation) -> tuple[str, Json] | None:
    """The name and the value of what was permitted: the last yes's own input, or else what permission was asked for."""
    allowed = [line for line in one.of("decision") if line.text("behavior") == "allow"]
    if allowed and allowed[-1].get("updated_input") is not None:
        return "updated_input", allowed[-1].get("updated_input")
    asked = one.told("permission_input")
    return ("permission_input", asked[-1]) if asked else None


@LAWS.check("PIPE-03", each=_run, needs=("call_input",))
def the_tool_is_given_what_was_permitted(_log: Pipeline, found: tuple[Invocation, Json]) -> Iterator[Finding]:
    """The call_input is the input that was permitted."""
    one, given = found
    permitted = _permitted(one)
    if permitted is None:
        return
    other = [*differing(marked_of(one), permitted, ("call_input", given))]
    if other:
        yield Finding(
            f"the call_input of {one.named} differs from its {permitted[0]} at {_places(other)}",
            "the input that was permitted",
            _inputs(one),
        )


@LAWS.check("PIPE-03", each=_run, needs=("call_input",))
def every_change_of_the_input_is_told(_log: Pipeline, found: tuple[Invocation, Json]) -> Iterator[Finding]:
    """Wherever the call_input differs from the model_input, a mutation or a decision tells of it."""
    one, given = found
    written = one.told("model_input")
    if not written or any(line.get("updated_input") is not None for line in one.of("decision")):
        return
    told = _told(one)
    if told is None:
        return
    other = differing(marked_of(one), ("model_input", written[0]), ("call_input", given))
    silent = [pointer for pointer in other if not told.meet(pointer)]
    if silent:
        yield Finding(
            f"the call_input of {one.named} differs from its model_input at {_places(silent)},"
            " and no mutation reports it",
            "a mutation for every change",
            (*_inputs(one), *(line.witness("M") for line in one.of("mutation")[:1])),
        )


def _written_again(log: Pipeline) -> Iterator[tuple[Invocation, tuple[Line, ...]]]:
    """Invocations that tell their model_input, and the records that do."""
    for each in log.invocations:
        lines = tuple(line for line in each.of("invocation") if line.get("model_input") is not None)
        if lines:
            yield each, lines


@LAWS.check("PIPE-03", each=_written_again)
def the_model_input_is_kept(_log: Pipeline, found: tuple[Invocation, tuple[Line, ...]]) -> Iterator[Finding]:
    """The model_input is the same each time that it is told."""
    one, (first, *others) = found
    marked = marked_of(one)
    for other in others:
        told = [("model_input", line.get("model_input")) for line in (first, other)]
        # If a large input is told again and again, the first differing places say enough.
        if pointers := first_listed(differing(marked, told[0], told[1], _LOOKED_AT)):
            yield Finding(
                f"the model_input of {one.named} was reported again and differs at {pointers}",
                "what the model wrote, kept as it is",
                (first.witness("I1"), other.witness("I2")),
            )


def _changed(log: Pipeline) -> Iterator[tuple[Invocation, Line, list[Line]]]:
    """Every mutation of an invocation, with every yes to the invocation in the order of the log."""
    for each in log.invocations:
        yes = [line for line in each.of("decision") if line.text("behavior") == "allow"]
        yes += [mark.line for mark in each.marks_of(PERMISSION) if mark.status == COMPLETED]
        yes.sort(key=_at)
        yield from ((each, line, yes) for line in each.of("mutation"))


@LAWS.check("PIPE-03", each=_changed)
def nothing_is_changed_after_permission(
    _log: Pipeline, found: tuple[Invocation, Line, list[Line]]
) -> Iterator[Finding]:
    """No mutation comes after the last yes to what is executed."""
    one, change, yes = found
    run = one.executed
    before = bisect_left(yes, change.at, key=_at)
    again = before < len(yes) and (run is None or yes[before].at < run.at)
    if before and not again and not _is_of_the_yes(one, change):
        yield Finding(
            f"the input of {one.named} was changed after it had been permitted",
            "no change after permission, unless permission is asked for again",
            (yes[before - 1].witness("Y"), change.witness("M")),
        )


def _is_of_the_yes(one: Invocation, change: Line) -> bool:
    """Whether a mutation tells the change of a person who permitted the call, after the decision that contains it."""
    if change.text("source_type") != _PROMPT:
        return False
    decisions = one.of("decision")
    last = bisect_left(decisions, change.at, key=_at)
    yes = decisions[last - 1] if last else None
    return yes is not None and yes.text("behavior") == "allow" and yes.get("updated_input") is not None


def _decided(log: Pipeline) -> Iterator[tuple[Invocation, list[tuple[Line, list[Line]]]]]:
    """Invocations that were executed, what tells of that, and what was decided before it."""
    for each in log.invocations:
        # A record that came too early, such as a status, does not hide the execution itself.
        runs = (each.executed.line if each.executed is not None else None, each.at_work, each.ran)
        told = [(run, [line for line in each.of("decision") if line.at < run.at]) for run in runs if run is not None]
        if decided := [(run, decisions) for run, decisions in told if decisions]:
            yield each, decided


@LAWS.check("PIPE-03", each=_decided)
def nothing_is_executed_without_a_yes(
    _log: Pipeline, found: tuple[Invocation, list[tuple[Line, list[Line]]]]
) -> Iterator[Finding]:
    """No execution follows a deny, or an ask that was not answered."""
    one, decided = found
    for run, decisions in decided:
        denied = next((line for line in decisions if line.text("behavior") == "deny"), None)
        open_question = decisions[-1] if decisions[-1].text("behavior") == "ask" else None
        refused = denied or open_question
        if refused is not None:
            yield Finding(
                f"{one.named} was executed after the decision {refused.text('behavior')}",
                "an execution only after allow: deny is final, and ask must be answered first",
                (refused.witness("D"), run.witness("X")),
            )
            return


def _at(line: Line) -> int:
    return line.at


class _Places:
    """Places in a value, by their pointers."""

    def __init__(self, pointers: Iterable[str]) -> None:
        self._all = frozenset(pointers)
        self._sorted = sorted(self._all)

    def meet(self, pointer: str) -> bool:
        """Whether a pointer leads to one of them, into one, or to a place around one."""
        cuts = (at for at, character in enumerate(pointer) if character == "/")
        if pointer in self._all or any(pointer[:cut] in self._all for cut in cuts):
            return True
        inside = bisect_left(self._sorted, f"{pointer}/")
        return inside < len(self._sorted) and self._sorted[inside].startswith(f"{pointer}/")


def marked_of(one: Invocation) -> _Places:
    """The places that are marked as redacted."""
    return _Places(each for told in one.told("redacted") for each in texts_of(told))


def differing(
    marked: _Places, left: tuple[str, Json], right: tuple[str, Json], most: int | None = None
) -> Iterator[str]:
    """Where two named inputs differ, except at marked places; at most ``most`` places are looked at."""
    for pointer in islice(differences(left[1], right[1]), most):
        if not any(marked.meet(f"/{name}{pointer}") for name, _ in (left, right)):
            yield pointer


def _told(one: Invocation) -> _Places | None:
    """The places where mutations tell changes; None if a mutation has no list, which covers any place."""
    fields = [line.get("changed_fields") for line in one.of("mutation")]
    if not all(map(is_array, fields)):
        return None
    return _Places(pointer for each in fields for field in texts_of(each) for pointer in _pointers(field))


def _pointers(field: str) -> Iterator[str]:
    """The possible meanings of a field: a JSON pointer, the name of a member, or names with dots between them."""
    if field == "" or field.startswith("/"):
        yield field
        return
    yield f"/{escape_token(field)}"
    yield "".join(f"/{escape_token(name)}" for name in field.split("."))


def _places(pointers: list[str]) -> str:
    return listed(pointers)


def _inputs(one: Invocation) -> tuple[Witness, ...]:
    """The last record that tells what the tool was given, as a witness."""
    return tuple(line.witness("I") for line in one.of("invocation") if line.get("call_input") is not None)[-1:]
