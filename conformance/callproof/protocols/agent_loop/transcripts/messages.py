"""A list of messages as Anthropic's interface takes them, one per line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from callproof.protocols.agent_loop.transcripts.blocks import has_result, has_use, results_in, uses_in, was_refused
from callproof.protocols.agent_loop.transcripts.telling import Conversation, Form, Reply, Result, conversation
from callproof.protocols.entries import Entry

# The stop reasons of a message whose reply goes on in the next message.
_CUT: Final = ("max_tokens", "pause_turn")


def _is_known_by(entry: Entry) -> bool:
    content, role = entry.value.get("content"), entry.value.get("role")
    return (role == "assistant" and has_use(content)) or (role == "user" and has_result(content))


def _read(entries: Sequence[Entry]) -> Iterator[Conversation]:
    first = next((role for each in entries if (role := each.value.get("role")) in ("user", "assistant")), None)
    yield conversation(_told(entries), begins_amid_a_reply=first == "assistant")


def _told(entries: Sequence[Entry]) -> Iterator[Reply | Result]:
    """Replies, each of them whole, and results, in order."""
    reply: Reply | None = None
    last: Entry | None = None
    for each in entries:
        role = each.value.get("role")
        if role == "assistant":
            if reply is None or last is None or _is_another(last, each):
                yield from () if reply is None else (reply,)
                reply = Reply(each.source)
            reply.is_broken |= was_refused(each.value)
            reply.blocks += uses_in(each.value.get("content"), each.source)
            last = each
        elif role == "user":
            yield from () if reply is None else (reply,)
            reply = None
            yield from results_in(each.value.get("content"), each.source)
    yield from () if reply is None else (reply,)


def _is_another(one: Entry, other: Entry) -> bool:
    """
    Whether the second of two messages of the model, with no message of the user between them, is another reply.

    The interface takes them as one reply; they are two only if both were logged whole, each with an id of its own.
    """
    ids = one.text("id"), other.text("id")
    return None not in ids and ids[0] != ids[1] and one.value.get("stop_reason") not in _CUT


FORM: Final = Form("messages of Anthropic's interface", _is_known_by, _read, frozenset({"failures"}))
