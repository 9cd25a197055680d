"""Reading a log in any form: the conversations that it tells, and the evidence that its form can give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from callproof.protocols.agent_loop import forms
from callproof.protocols.agent_loop.forms import META, PROBE
from callproof.protocols.agent_loop.transcripts import (
    ai_sdk,
    chat,
    claude_code,
    converse,
    gemini,
    langchain,
    messages,
    opentelemetry,
    pydantic_ai,
    responses,
)
from callproof.protocols.agent_loop.transcripts.telling import Conversation, Form, notes_of_a_capture
from callproof.protocols.documents import OF_ONE, elements_of
from callproof.protocols.entries import Entries, Entry
from callproof.protocols.parts import objects_of
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array

# What a result may tell about its call; the loop's own forms tell all of it.
TOLD_OF_CALLS: Final = ("names", "failures", "details")
_TRANSCRIPTS: Final = (
    *(claude_code.FORM, messages.FORM, responses.FORM, chat.FORM),
    *(converse.FORM, gemini.FORM, opentelemetry.FORM),
    *(ai_sdk.FORM, langchain.FORM, pydantic_ai.FORM),
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A log, read: its conversations, its form (None for the loop's own), and what results do not tell in this form."""

    conversations: tuple[Conversation, ...]
    form: str | None = None
    untold: frozenset[str] = frozenset()


def is_known(log: Entries) -> bool:
    """Whether a log belongs to the protocol, in any form."""
    return forms.is_loop(log) or _transcript(log) is not None


def read(log: Entries) -> Reading:
    """What a log tells; a log without any form is read as events."""
    form = None if forms.is_loop(log) else _transcript(log)
    if form is None:
        return Reading((Conversation(forms.moments_of(log)),))
    # What a capture noted comes first, so that it applies to everything.
    several = _conversations(log)
    told = (notes_of_a_capture(log), *chain.from_iterable(map(form.read, several or (log.entries,))))
    results = [moment.inner("message") for each in told for moment in each.moments if moment.part is not None]
    gives = set(form.gives)
    # A name is compared with the call if there is one; failures are known if all results tell them.
    gives.update(("names",) if any("toolName" in each for each in results) else ())
    gives.update(("failures",) if results and all("isError" in each for each in results) else ())
    name = f"{form.name}, a conversation a line" if several else form.name
    return Reading(told, name, frozenset(TOLD_OF_CALLS) - gives)


def _transcript(log: Entries) -> Form | None:
    """The form of a transcript, by the first line, or message of a line, that only one of the forms has."""
    told = chain.from_iterable(_conversations(log) or (log.entries,))
    return next((form for each in told for form in _TRANSCRIPTS if form.is_known_by(each)), None)


def _conversations(log: Entries) -> Sequence[Sequence[Entry]]:
    """The conversations of a log that has a whole one in each line; none of any other log."""
    lines = [each for each in log.entries if each.value.get("kind") not in (META, PROBE)]
    wholes = [_whole(each) for each in lines]
    if not all(is_array(each) for each in wholes):
        return ()
    told = zip(lines, wholes, strict=True)
    return [[Entry(message, line.source) for message in objects_of(whole)] for line, whole in told]


def _whole(entry: Entry) -> Json:
    """The messages of a line that holds a whole conversation; None for any other line."""
    name = elements_of(entry.value) if entry.value.keys().isdisjoint(OF_ONE) else None
    return None if name is None else entry.value[name]
