"""A session that Claude Code keeps, or tells as a stream: its lines form a tree, and each has one block of a reply."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from callproof.protocols.agent_loop.transcripts.blocks import Block, results_in, uses_in, was_refused
from callproof.protocols.agent_loop.transcripts.lineage import Line, Way, ways_of
from callproof.protocols.agent_loop.transcripts.telling import Conversation, Form, Reply, Result, conversation
from callproof.protocols.entries import Entry
from callproof.protocols.parts import object_of, text_of
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import equal

# The model that Claude Code names if it wrote a message of the assistant itself.
_NOBODY: Final = "<synthetic>"


def _is_known_by(entry: Entry) -> bool:
    message = object_of(entry.value.get("message"))
    is_of_a_session = any(entry.text(name) is not None for name in ("sessionId", "session_id", "uuid"))
    return entry.value.get("type") in ("user", "assistant") and isinstance(message.get("role"), str) and is_of_a_session


def _read(entries: Sequence[Entry]) -> Iterator[Conversation]:
    """The conversations of a session: the user's, those of sub-agents, and those that a compaction ended."""
    lines = list(_lines_of(entries))
    session = _Session.of(lines)
    for way in ways_of(lines):
        first = next((each for each in way.lines if each.is_spoken), None)
        is_amid = first is not None and first.reply is not None
        yield conversation(_told(way, session), begins_amid_a_reply=is_amid, goes_on=way.goes_on)


def _lines_of(entries: Iterable[Entry]) -> Iterator[Line]:
    """Every line, except those that a session repeats when it is resumed."""
    seen: set[str] = set()
    for at, entry in enumerate(entries):
        name = entry.text("uuid")
        if name is None or name not in seen:
            seen.update(() if name is None else (name,))
            yield _line_of(entry, at)


def _line_of(entry: Entry, at: int) -> Line:
    message, kind = object_of(entry.value.get("message")), entry.value.get("type")
    content = message.get("content")
    # Messages that Claude Code wrote in the model's name, about errors and interruptions, are no replies.
    is_written = message.get("model") == _NOBODY or entry.value.get("isApiErrorMessage") is True
    if kind == "assistant" and not is_written:
        uses = (each for each in uses_in(content, entry.source) if each is not None)
        calls = tuple(name for _, part in uses if (name := text_of(part.value, "id")) is not None)
        names = text_of(message, "id"), entry.text("requestId"), entry.text("uuid")
        return Line(entry, at, next(filter(None, names), f"line {at}"), calls, ())
    return Line(entry, at, None, (), tuple(results_in(content, entry.source)) if kind == "user" else ())


@dataclass(frozen=True, eq=False, slots=True)
class _Session:
    """What the lines of a session contain, at any place of its tree."""

    replies: dict[str, list[Line]]
    answers: Mapping[str, Result]
    called: frozenset[str]

    @classmethod
    def of(cls, lines: Iterable[Line]) -> _Session:
        """The replies by their ids, the first result of each call, and every call."""
        replies: dict[str, list[Line]] = {}
        answers: dict[str, Result] = {}
        called: set[str] = set()
        for line in lines:
            if line.reply is not None:
                replies.setdefault(line.reply, []).append(line)
            called.update(line.calls)
            for each in line.results:
                answers.setdefault(_called_by(each), each)
        return cls(replies, answers, frozenset(called))

    def beside(self, reply: str, on_the_way: Container[int]) -> list[Line]:
        """
        The lines of a reply beside a way whose calls were carried out; they are told only once.

        If a call beside the way has no result, it was taken out of the conversation when the session was resumed.
        """
        others = (each for each in self.replies.pop(reply, ()) if each.at not in on_the_way)
        return [each for each in others if any(name in self.answers for name in each.calls)]


def _told(way: Way, session: _Session) -> Iterator[Reply | Result]:
    """Replies and results on one way through the tree, and those beside the way that belong to it."""
    places = {each.at for each in way.lines}
    whole: dict[str, list[Line]] = {}
    for line in way.lines:
        if line.reply is not None:
            whole.setdefault(line.reply, []).append(line)
    for reply, lines in whole.items():
        lines.extend(session.beside(reply, places))
    called = {name for lines in whole.values() for line in lines for name in line.calls}
    answered = {_called_by(result) for line in way.lines for result in line.results}
    copies = _Copies()
    for line in way.lines:
        told = whole.pop(line.reply, None) if line.reply is not None else None
        if told is not None:
            yield _reply_of(told)
            names = dict.fromkeys(name for each in told for name in each.calls)
            # One result for each call that the way does not answer: its place in the tree does not say when it came.
            yield from (session.answers[name] for name in names if name not in answered and name in session.answers)
        for result in line.results:
            # A result for a call on another branch, or before a compaction, does not belong to this conversation.
            name = _called_by(result)
            is_of_another = name in session.called and name not in called
            if not is_of_another and not copies.has(line, result):
                yield result


def _reply_of(lines: Sequence[Line]) -> Reply:
    reply = Reply(lines[0].entry.source)
    seen: dict[str, Mapping[str, Json]] = {}
    for line in lines:
        message = object_of(line.entry.value.get("message"))
        reply.is_broken |= was_refused(message)
        blocks = list(uses_in(message.get("content"), line.entry.source))
        reply.blocks += [each for each in blocks if not _is_again(each, seen)]
        parts = [each[1] for each in blocks if each is not None]
        seen |= {name: each.value for each in parts if (name := text_of(each.value, "id")) is not None}
    return reply


def _is_again(block: Block, seen: Mapping[str, Mapping[str, Json]]) -> bool:
    """Whether a call repeats one of another line of the reply: it is equal in everything."""
    return block is not None and equal(seen.get(text_of(block[1].value, "id") or ""), block[1].value)


@dataclass(eq=False, slots=True)
class _Copies:
    """The results of a conversation so far; a result that another line of the same time has too is a copy."""

    seen: dict[tuple[str, str], tuple[Line, Result]] = field(default_factory=dict[tuple[str, str], tuple[Line, Result]])

    def has(self, line: Line, result: Result) -> bool:
        """Whether a result came before; if not, it is remembered."""
        name, when = _called_by(result), line.entry.text("timestamp")
        if name == "" or when is None:
            return False
        there, first = self.seen.setdefault((name, when), (line, result))
        return there is not line and equal(first.part.value, result.part.value)


def _called_by(result: Result) -> str:
    """The call that a result names; empty if it names none."""
    return text_of(result.part.value, "tool_use_id") or ""


FORM: Final = Form("a session of Claude Code", _is_known_by, _read, frozenset({"failures"}))
