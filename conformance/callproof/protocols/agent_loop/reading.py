"""How a log is read, whichever form it has: what conversations it tells of, and what evidence its form can give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from callproof.protocols.agent_loop import forms
from callproof.protocols.agent_loop.transcripts import chat, claude_code, messages, responses
from callproof.protocols.agent_loop.transcripts.telling import Conversation, Form, notes_of_a_capture
from callproof.protocols.entries import Entries

# What a result may tell of its call; the loop's own forms tell all of it.
TOLD_OF_CALLS: Final = ("names", "failures", "details")
_TRANSCRIPTS: Final = (claude_code.FORM, messages.FORM, responses.FORM, chat.FORM)


@dataclass(frozen=True, slots=True)
class Reading:
    """A log, read: its conversations, what form it has, None of the loop's own, and what results do not tell in it."""

    conversations: tuple[Conversation, ...]
    form: str | None = None
    untold: frozenset[str] = frozenset()


def is_known(log: Entries) -> bool:
    """Whether a log is of the protocol, in any form."""
    return forms.is_loop(log) or _transcript(log) is not None


def read(log: Entries) -> Reading:
    """What a log tells; one that has no form at all is read as events."""
    form = None if forms.is_loop(log) else _transcript(log)
    if form is None:
        return Reading((Conversation(forms.moments_of(log)),))
    # What a capture noted stands first, so that it holds of everything.
    told = (notes_of_a_capture(log), *form.read(log.entries))
    has_names = any("toolName" in moment.inner("message") for each in told for moment in each.moments)
    gives = {*form.gives, *(("names",) if has_names else ())}
    return Reading(told, form.name, frozenset(TOLD_OF_CALLS) - gives)


def _transcript(log: Entries) -> Form | None:
    """The form of a transcript, by the first line that only one of them has."""
    return next((form for each in log.entries for form in _TRANSCRIPTS if form.is_known_by(each)), None)
