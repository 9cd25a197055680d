"""Messages in turns: successive messages of the model are one reply, which was written down in pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from callproof.protocols.agent_loop.forms import META, PROBE
from callproof.protocols.agent_loop.transcripts.blocks import Block
from callproof.protocols.agent_loop.transcripts.telling import Conversation, Reply, Result, conversation
from callproof.protocols.entries import Entry


def in_turns(
    entries: Sequence[Entry],
    is_of_the_model: Callable[[Entry], bool],
    blocks: Callable[[Entry], Iterable[Block | str]],
    results: Callable[[Entry], Iterable[Result]],
    is_cut: Callable[[Entry], bool] = lambda _: False,
) -> Conversation:
    """
    The conversation in some messages: the calls in each of the model's messages, and the results in the others.

    Among the ``blocks`` of a message, the id alone stands for a call that nobody judges.
    ``is_cut`` says whether a message of the model broke off, so that its calls are not carried out.
    """
    # What a capture put beside them is no message.
    messages = [each for each in entries if each.value.get("kind") not in (META, PROBE)]
    begins_amid_a_reply = bool(messages) and is_of_the_model(messages[0])
    told = _told(messages, is_of_the_model, blocks, results, is_cut)
    return conversation(told, begins_amid_a_reply=begins_amid_a_reply)


def _told(
    messages: Sequence[Entry],
    is_of_the_model: Callable[[Entry], bool],
    blocks: Callable[[Entry], Iterable[Block | str]],
    results: Callable[[Entry], Iterable[Result]],
    is_cut: Callable[[Entry], bool],
) -> Iterator[Reply | Result]:
    reply: Reply | None = None
    for each in messages:
        if is_of_the_model(each):
            reply = reply or Reply(each.source)
            for block in blocks(each):
                reply.blocks.append(None if isinstance(block, str) else block)
                reply.others.update((block,) if isinstance(block, str) else ())
            reply.is_broken |= is_cut(each)
            continue
        yield from () if reply is None else (reply,)
        reply = None
        yield from results(each)
    yield from () if reply is None else (reply,)
