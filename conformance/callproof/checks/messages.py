"""Checks for the requirements in ``spec/messages.md``: what people get to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from callproof.checks.check import Finding, check, excerpt, witness
from callproof.checks.members import owner, under_any
from callproof.checks.subjects import events, results
from callproof.checks.wording import names_command, names_path, unfit
from callproof.trace.once import once_a_run
from callproof.trace.records import Record
from callproof.trace.run import LogicalCall, Run
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import escape_token

# The limit of MSG-02, in characters.  A path of 255 bytes and a sentence around it fit into it.
_LONGEST = 500
_PATHS = ("path", "fromPath", "toPath")
# How many calls of one loop a preview is compared with: enough to find a mix-up, few enough for loops of any length.
_LOOKED_AT = 200


def _with_user_message(run: Run) -> Iterator[Record]:
    return (result for result in run.results if result.text("userMessage"))


@check("MSG-01", each=_with_user_message)
def what_the_user_reads_is_fit(_run: Run, result: Record) -> Iterator[Finding]:
    """A userMessage holds no stack traces, absolute paths, control characters or evident secrets."""
    yield from _unfit_text(result, "userMessage")


@check("MSG-06", each=events, needs=("events",))
def what_an_event_says_is_fit(_run: Run, event: Record) -> Iterator[Finding]:
    """The message of an event holds no stack traces, absolute paths, control characters or evident secrets."""
    yield from _unfit_text(event, "message")


def _unfit_text(record: Record, name: str) -> Iterator[Finding]:
    found = unfit(record.text(name) or "")
    if found is not None:
        yield Finding(
            f"{owner(record)} had {found} in its {name}",
            "text that may be shown to anybody",
            (witness("R", record),),
            help="technical detail belongs in debugMessage and error.details",
        )


@check("MSG-02", each=_with_user_message)
def a_user_message_is_short(_run: Run, result: Record) -> Iterator[Finding]:
    """A userMessage has at most 500 characters."""
    length = len(result.text("userMessage") or "")
    if length > _LONGEST:
        yield Finding(
            f"{owner(result)} had a userMessage of {length} characters", f"at most {_LONGEST}", (witness("R", result),)
        )


def _tried_again(run: Run) -> Iterator[LogicalCall]:
    return (logical for logical in run.logical_calls if len(logical.attempts) > 1)


@check("MSG-02", each=_tried_again)
def a_user_message_is_true(_run: Run, logical: LogicalCall) -> Iterator[Finding]:
    """An attempt that went well and one that failed do not have the same userMessage."""
    ended = [each.result for each in logical.attempts if each.result is not None]
    # A placeholder for a secret says nothing (A42).
    told = [each for each in ended if each.text("userMessage") and not each.is_redacted_in("userMessage")]
    well = {each.text("userMessage"): each for each in told if each.text("status") == "ok"}
    for result in (each for each in told if each.text("status") != "ok"):
        other = well.get(result.text("userMessage"))
        if other is not None:
            yield Finding(
                f"{owner(result)} failed with the userMessage of {owner(other)}, which was ok: "
                f"{excerpt(result.text('userMessage'))}",
                "a message that is true of the outcome",
                (witness("R1", result), witness("R2", other)),
            )


def _previews(run: Run) -> Iterator[tuple[Record, tuple[str, ...]]]:
    """Every call with a preview and its paths.

    MSG-05 checks a step's own preview in a loop; a preview that a hook outdated is no fault (A49).
    """
    for call in run.calls:
        step = run.step(call.step_id)
        shared = step is not None and step.foreach is not None and call.text("preview") == step.preview
        if call.text("preview") and not shared and not _is_outdated(call):
            yield call, _paths(call)


def _is_outdated(call: Record) -> bool:
    """Whether a preview may describe other args than the call has, or is a placeholder for a secret (A42, A49)."""
    return call.hooked != () or call.is_redacted_in("preview")


def _args(call: Record) -> Mapping[str, Json]:
    """The args of a call without placeholders for secrets, which no preview has to name (A42)."""
    args: Mapping[str, Json] = call.object("args") or {}
    if not call.redacted:
        return args
    return {name: value for name, value in args.items() if not _is_hidden(call, f"/args/{escape_token(name)}")}


def _is_hidden(call: Record, place: str) -> bool:
    """Whether a mark of redaction points to a place, into it, or to something that contains it."""
    return under_any(place, call.redacted) or any(mark.startswith(f"{place}/") for mark in call.redacted)


def _paths(call: Record) -> tuple[str, ...]:
    args = _args(call)
    return tuple(value for name in _PATHS if isinstance(value := args.get(name), str) and value.strip("/"))


@check("MSG-04", each=_previews, needs=("plan",))  # only the plan tells which preview a loop shares
def a_preview_names_what_it_is_about(run: Run, subject: tuple[Record, tuple[str, ...]]) -> Iterator[Finding]:
    """A preview names one of its call's paths, or its command."""
    call, paths = subject
    shown = call.text("preview") or ""
    if paths and not any(names_path(shown, path) for path in paths) and not _of_another_iteration(run, call):
        yield Finding(
            f"{owner(call)} had the preview {excerpt(shown)}", f"a preview that names {paths[0]}", (witness("C", call),)
        )
    command = _args(call).get("id")
    is_command = call.text("riskLevel") == "commands" and isinstance(command, str)
    if is_command and isinstance(command, str) and not names_command(shown, command):
        yield Finding(
            f"{owner(call)} had the preview {excerpt(shown)}", f"a preview that names {command}", (witness("C", call),)
        )


@once_a_run
def _loops(run: Run) -> Mapping[str, tuple[Record, ...]]:
    """The calls of each loop that have a preview and a path, by step."""
    groups: dict[str, list[Record]] = {}
    for call in run.calls:
        if call.iteration_index is not None and call.step_id and call.text("preview") and _paths(call):
            groups.setdefault(call.step_id, []).append(call)
    return {step_id: tuple(group) for step_id, group in groups.items()}


def _iterations(run: Run) -> Iterator[Record]:
    return (call for group in _loops(run).values() for call in group if not _is_outdated(call))


@check("MSG-05", each=_iterations)
def the_preview_of_a_loop_is_true_of_every_item(run: Run, call: Record) -> Iterator[Finding]:
    """A call of a loop does not show another iteration's path instead of its own."""
    other = _of_another_iteration(run, call)
    if other is not None:
        yield Finding(
            f"{owner(call)} had the preview {excerpt(call.text('preview'))}, which names the path of {owner(other)}",
            f"a preview that fits {_paths(call)[0]}",
            (witness("C1", other), witness("C2", call)),
        )


def _of_another_iteration(run: Run, call: Record) -> Record | None:
    """The call of the same loop whose path a preview shows, if it does not show its own."""
    shown, own = call.text("preview") or "", _paths(call)
    if any(names_path(shown, path) for path in own):
        return None
    others = _loops(run).get(call.step_id or "", ()) if call.iteration_index is not None else ()
    looked_at = islice(others, _LOOKED_AT)
    return next((each for each in looked_at if any(names_path(shown, path) for path in _paths(each))), None)


def _planted(run: Run) -> Iterator[tuple[str, Record]]:
    for canary in run.witnessed.canaries if run.witnessed is not None else ():
        for record in (*results(run), *events(run)):
            yield canary, record


def _leaked(subject: tuple[str, Record], name: str, text: Json) -> Iterator[Finding]:
    canary, record = subject
    if isinstance(text, str) and canary in text:
        observed = f"{owner(record)} held a planted secret in its {name}"
        yield Finding(observed, "text without secret values", (witness("R", record),))


@check("MSG-01", each=_planted, needs=("deeds",))
def no_secret_reaches_the_user(_run: Run, subject: tuple[str, Record]) -> Iterator[Finding]:
    """No planted secret stands in a userMessage."""
    return _leaked(subject, "userMessage", subject[1].get("userMessage"))


@check("MSG-03", each=_planted, needs=("deeds",))
def no_secret_reaches_debugging(_run: Run, subject: tuple[str, Record]) -> Iterator[Finding]:
    """No planted secret stands in a debugMessage."""
    return _leaked(subject, "debugMessage", subject[1].get("debugMessage"))


@check("MSG-06", each=_planted, needs=("deeds", "events"))
def no_secret_reaches_an_event(_run: Run, subject: tuple[str, Record]) -> Iterator[Finding]:
    """No planted secret stands in the message of an event."""
    return _leaked(subject, "message", subject[1].get("message"))


@check("MSG-07", each=_planted, needs=("deeds",))
def no_secret_reaches_an_error(_run: Run, subject: tuple[str, Record]) -> Iterator[Finding]:
    """No planted secret stands in the message of an error."""
    return _leaked(subject, "error.message", (subject[1].object("error") or {}).get("message"))
