"""PIPE-10 to PIPE-12: what was turned away is not executed, and all else is, once, with what was permitted."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.check import Finding
from callproof.protocols.parts import excerpt, first_listed, object_of
from callproof.protocols.pipeline import probes
from callproof.protocols.pipeline.driving import Call, calls, count_before, finished, ids_of, is_changed_to, last_before
from callproof.protocols.pipeline.obstacles import Obstacle, between, obstacles
from callproof.protocols.pipeline.phases import PERMISSION
from callproof.protocols.pipeline.trace import LAWS, SUCCEEDED, Line, Pipeline, texts_of
from callproof.values.doubles import differences
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import escape_token, is_array

# The sources that may change an input besides a hook and a person, as long as the change is told.
_OTHERS = frozenset({"adapter", "migration", "runtime"})


def _turned_away(log: Pipeline) -> Iterator[tuple[Call, Obstacle]]:
    """Calls that something stood against, with the first such thing."""
    for call in calls(log):
        yield from ((call, each) for each in obstacles(call)[:1])


@LAWS.check("PIPE-10", each=_turned_away, needs=("driver",))
def what_was_turned_away_is_not_executed(_log: Pipeline, found: tuple[Call, Obstacle]) -> Iterator[Finding]:
    """No tool is entered for a call that something stood against."""
    call, obstacle = found
    entered = next((line for line in call.executed if line.at > obstacle.line.at), None)
    if entered is not None:
        yield Finding(
            f"{call.named} was executed, although {obstacle.says}",
            "no execution",
            (obstacle.line.witness("O"), entered.witness("X")),
        )


def _questioned(log: Pipeline) -> Iterator[tuple[Call, Line]]:
    """Executions of calls for which permission had been asked and that no hook had allowed."""
    for call in calls(log):
        allowed = any(line.text("behavior") == "allow" for line in call.seen(probes.PRE_HOOK))
        if not allowed:
            yield from (
                (call, line) for line in call.executed if last_before(call.seen(probes.PERMISSION_ASKED), line.at)
            )


@LAWS.check("PIPE-10", each=_questioned, needs=("driver",))
def what_is_still_asked_is_not_executed(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """No tool is entered before somebody has answered the question for permission."""
    call, entered = found
    asked = call.seen(probes.PERMISSION_ASKED)[0]
    answers = call.seen(probes.PERMISSION_ANSWERED)
    if last_before(answers, entered.at) is None:
        yield Finding(
            f"{call.named} was executed while nobody had answered whether it may be",
            "an execution only after the answer",
            (asked.witness("Q"), entered.witness("X"), *(line.witness("A") for line in answers[:1])),
        )


def _entered(log: Pipeline) -> Iterator[tuple[Line, bool]]:
    """Every execution of a driven log, and whether its call was asked for."""
    asked = ids_of(log)
    yield from ((line, line.text("invocation_id") in asked) for line in log.seen(probes.TOOL_EXECUTED))


@LAWS.check("PIPE-10", each=_entered, needs=("driver",))
def what_nobody_asked_for_is_not_executed(_log: Pipeline, found: tuple[Line, bool]) -> Iterator[Finding]:
    """Every execution is of a call that was asked for."""
    entered, asked = found
    if not asked:
        yield Finding(
            f"a tool was executed for {excerpt(entered.get('invocation_id'))}, which was not asked for",
            "executions of the calls that were asked for",
            (entered.witness("X"),),
        )


def _permitted(log: Pipeline) -> Iterator[Call]:
    """Calls that are over and met no obstacle; not those for which a hook wants a question and nobody is asked."""
    hindered = between(log)
    over = finished(log) is not None
    for call in calls(log):
        unasked = not call.asks(PERMISSION) and any(
            line.text("behavior") == "ask" for line in call.seen(probes.PRE_HOOK)
        )
        if call.accepts(call.input) is True and not obstacles(call) and not hindered.of(call) and not unasked:
            changed = [given for line in _changes(call) if (given := is_changed_to(line)) is not None]
            if all(call.accepts(each) is True for each in changed) and (over or call.result is not None):
                yield call


def _changes(call: Call) -> tuple[Line, ...]:
    return (*call.seen(probes.PRE_HOOK), *call.seen(probes.PERMISSION_ANSWERED))


@LAWS.check("PIPE-11", each=_permitted, needs=("driver",))
def what_nothing_stood_against_is_executed(_log: Pipeline, call: Call) -> Iterator[Finding]:
    """A lawful call that was permitted and not stopped is executed."""
    if not call.executed:
        yield Finding(
            f"nothing stood against {call.named}, but it was never executed",
            "an execution",
            (*call.first(), *call.ended()),
        )


def _tried(log: Pipeline) -> Iterator[Call]:
    """Calls that were executed."""
    yield from (call for call in calls(log) if call.executed)


@LAWS.check("PIPE-11", each=_tried, needs=("driver",))
def a_call_is_executed_once(_log: Pipeline, call: Call) -> Iterator[Finding]:
    """A tool is not entered again for a call, unless it threw."""
    for at, again in enumerate(call.executed[1:], 1):
        if count_before(call.seen(probes.TOOL_THREW), again.at) < at:
            yield Finding(
                f"{call.named} was executed {len(call.executed)} times, but its tool had not thrown before the"
                f" {'second' if at == 1 else 'last'}",
                "once, and again only after a failure",
                (call.executed[0].witness("X1"), again.witness("X2")),
            )
            return


def _succeeded(log: Pipeline) -> Iterator[tuple[Call, Line]]:
    """Calls that nothing stood against and whose result is a success."""
    for call in calls(log):
        result = call.result
        if result is not None and result.text("status") in SUCCEEDED and not obstacles(call):
            yield call, result


@LAWS.check("PIPE-11", each=_succeeded, needs=("driver",))
def what_succeeded_was_executed(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """A success belongs to a call whose tool had returned or was at work."""
    call, result = found
    if not any(line.at < result.at for line in call.executed):
        yield Finding(
            f"the result of {call.named} is a success, but its tool had not been entered",
            "a success only for a call that was executed",
            (*call.first(), result.witness("R")),
        )


@LAWS.check("PIPE-12", each=_tried, needs=("driver",))
def the_tool_is_the_one_that_was_asked_for(_log: Pipeline, call: Call) -> Iterator[Finding]:
    """The tool that is entered is that of the call."""
    entered = call.executed[0]
    if call.tool_id is not None and entered.text("tool_id") != call.tool_id:
        yield Finding(
            f"{call.named} was executed with the tool {excerpt(entered.get('tool_id'))}",
            "the tool that the call names",
            (call.case.witness("C"), entered.witness("X")),
        )


def _asked(log: Pipeline) -> Iterator[tuple[Call, Line, Line, Json]]:
    """Executions after a yes, with the yes and the input that it permitted."""
    for call in _tried(log):
        for entered in call.executed:
            yes = last_before(call.seen(probes.PERMISSION_ANSWERED), entered.at)
            if yes is not None and yes.text("behavior") == "allow":
                asked = last_before(call.seen(probes.PERMISSION_ASKED), yes.at)
                if (changed := is_changed_to(yes)) is not None:
                    yield call, entered, yes, changed
                elif asked is not None:
                    yield call, entered, yes, asked.get("input")


@LAWS.check("PIPE-12", each=_asked, needs=("driver",))
def the_tool_is_given_what_was_allowed(_log: Pipeline, found: tuple[Call, Line, Line, Json]) -> Iterator[Finding]:
    """The tool has the input that permission was asked for, or the one that was permitted instead."""
    call, entered, yes, permitted = found
    if other := first_listed(differences(permitted, entered.get("input"))):
        yield Finding(
            f"the tool of {call.named} was given another input than was permitted, at {other}",
            "the input that permission was asked for, or the one that the yes puts in its place",
            (yes.witness("Y"), entered.witness("X")),
        )


def _given(log: Pipeline) -> Iterator[tuple[Call, Line, Json]]:
    """Executions of calls whose input no person changed, with the input that the tool had to get."""
    for call in _tried(log):
        if any(is_changed_to(line) is not None for line in call.seen(probes.PERMISSION_ANSWERED)):
            continue
        yield from ((call, entered, _base(call, entered.at)) for entered in call.executed)


def _base(call: Call, place: int) -> Json:
    """What the model wrote, or what the last hook before a place made of it."""
    changed = last_before(call.changes, place)
    return call.input if changed is None else changed.get("updated_input")


@LAWS.check("PIPE-12", each=_given, needs=("driver",))
def the_tool_is_given_what_was_asked_for(_log: Pipeline, found: tuple[Call, Line, Json]) -> Iterator[Finding]:
    """The tool has what the model wrote, or what a hook made of it, except for changes that are told."""
    call, entered, base = found
    places = _told_changes(call)
    if places is None:
        return
    other = [each for each in differences(base, entered.get("input")) if not _lies_in(each, places)]
    if other:
        yield Finding(
            f"the tool of {call.named} was given another input than was asked for, at {first_listed(other)}, and no"
            " mutation reports it",
            "what the model wrote, or what a hook made of it, except for changes that a mutation reports",
            (
                call.case.witness("C"),
                *(line.witness("H") for line in call.seen(probes.PRE_HOOK)[-1:]),
                entered.witness("X"),
            ),
        )


def _told_changes(call: Call) -> tuple[str, ...] | None:
    """The places where the pipeline tells that it changed the input itself; None if it does not tell the places."""
    lines = () if call.told is None else call.told.of("mutation")
    fields = [line.get("changed_fields") for line in lines if line.text("source_type") in _OTHERS]
    if not all(map(is_array, fields)):
        return None
    names = [name for each in fields for name in texts_of(each)]
    return tuple(name if name.startswith("/") else f"/{escape_token(name)}" for name in names)


def _lies_in(pointer: str, places: tuple[str, ...]) -> bool:
    return any(pointer == each or pointer.startswith(f"{each}/") for each in places)


def _shown(log: Pipeline) -> Iterator[tuple[Call, Line, tuple[Json, ...]]]:
    """Questions about calls, with the input at that time, and the input that a yes permitted instead, if any."""
    for call in calls(log):
        for name in (probes.TOOL_VALIDATED, probes.PRE_HOOK, probes.PERMISSION_ASKED):
            for line in call.seen(name):
                yes = last_before(call.seen(probes.PERMISSION_ANSWERED), line.at)
                permitted = None if yes is None else is_changed_to(yes)
                yield call, line, (_base(call, line.at), *(() if permitted is None else (permitted,)))


@LAWS.check("PIPE-12", each=_shown, needs=("driver",))
def who_is_asked_is_shown_the_whole_input(
    _log: Pipeline, found: tuple[Call, Line, tuple[Json, ...]]
) -> Iterator[Finding]:
    """Everyone who is asked about a call is shown every member of its input."""
    call, line, inputs = found
    shown = object_of(line.get("input"))
    wanting = min(([name for name in object_of(each) if name not in shown] for each in inputs), key=len)
    if wanting:
        yield Finding(
            f"the {line.text('probe')} of {call.named} was shown an input without"
            f" {first_listed(f'/{escape_token(name)}' for name in wanting)}",
            "every member of the input; its values may be normalised",
            (call.case.witness("C"), line.witness("Q")),
        )
