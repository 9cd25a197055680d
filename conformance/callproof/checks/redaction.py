"""LOG-17 on a live run: a secret that reached a tool is in the log as it was, or the log marks its place."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.check import Finding, check, witness
from callproof.checks.members import owner, under_any
from callproof.trace.records import Record
from callproof.trace.run import Run
from callproof.trace.witnesses import Deed
from callproof.values.jsonvalue import differences, is_object

# The names of members by which a system that redacts recognises a secret.
_NAMES = frozenset({"password", "token", "secret", "apiKey"})


def _with_secrets(run: Run) -> Iterator[tuple[Deed, Record]]:
    """Invocations with a secret among their args, each with its call."""
    for deed in run.deeds or ():
        attempt = run.attempt_by_call_id.get(deed.call_id)
        if attempt is not None and is_object(deed.args) and _NAMES & deed.args.keys():
            yield deed, attempt.call


@check("LOG-17", each=_with_secrets, needs=("deeds",))
def a_secret_is_not_replaced_in_silence(_run: Run, subject: tuple[Deed, Record]) -> Iterator[Finding]:
    """A secret that reached the tool is in the record as it was, or the record marks its place."""
    deed, call = subject
    secrets = tuple(f"/{name}" for name in _NAMES)
    marks = tuple(mark.removeprefix("/args") for mark in call.redacted if mark.startswith("/args"))
    for place in differences(call.get("args"), deed.args):
        if under_any(place, secrets) and not under_any(place, marks):
            yield Finding(
                f"{owner(call)} holds something else at /args{place} than {deed.tool} received, and does not mark it",
                "a redacted array with a JSON Pointer that leads to the place",
                (witness("C", call), witness("D", deed)),
            )
