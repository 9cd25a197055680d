"""A reply of the model in the form for the wire: whole, or in pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest

from callproof.loops.case import Asked, Reply
from callproof.values.jsontext import Json, write_json


def as_message(reply: Reply) -> Mapping[str, Json]:
    """The answer to ``model/call`` with a whole message."""
    content: list[Json] = [] if reply.said is None else [{"type": "text", "text": reply.said}]
    content += ({"type": "toolCall", "id": c.id, "name": c.tool, "arguments": c.arguments} for c in reply.calls)
    return {"message": {"role": "assistant", "content": content, "stopReason": reply.stop}}


def as_pieces(reply: Reply) -> Mapping[str, Json]:
    """The answer to ``model/call`` with the same in pieces."""
    return {"pieces": list(_pieces(reply)), "stopReason": reply.stop}


def _pieces(reply: Reply) -> Iterator[Json]:
    first = 0
    if reply.said is not None:
        yield {"type": "text", "contentIndex": 0, "text": reply.said}
        first = 1
    calls = [_pieces_of(call, index) for index, call in enumerate(reply.calls, first)]
    yield from _by_turns(calls) if reply.woven else chain.from_iterable(calls)


def _pieces_of(call: Asked, index: int) -> Iterator[Json]:
    yield {"type": "toolcall_start", "contentIndex": index, "id": call.id, "name": call.tool}
    for piece in _texts(call):
        yield {"type": "toolcall_delta", "contentIndex": index, "delta": piece}
    yield {"type": "toolcall_end", "contentIndex": index}


def _by_turns(calls: Sequence[Iterator[Json]]) -> Iterator[Json]:
    """One piece of each call, then the next piece of each, until no call has any left."""
    for pieces in zip_longest(*calls):
        yield from (each for each in pieces if each is not None)


def _texts(call: Asked) -> tuple[str, ...]:
    if call.pieces is not None:
        return call.pieces
    whole = write_json(call.arguments)
    return whole[: len(whole) // 2], whole[len(whole) // 2 :]
