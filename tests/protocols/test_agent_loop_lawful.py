"""Conversations that keep every law, written in each form of a transcript, in all ways that the form permits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given as holds
from hypothesis import strategies as st
from protocols.loops import Line, Lines, broken, judged
from protocols.transcripts import (
    ASKS,
    SPEAKS,
    ai,
    answer,
    asking,
    assistant,
    back,
    block,
    calls,
    codex,
    done,
    function,
    given,
    item,
    model,
    noted,
    output,
    part,
    parts,
    prose,
    requests,
    responds,
    response,
    returned,
    said,
    seen,
    spans,
    spoken,
    telling,
    told,
    tool,
    use,
    wants,
)

pytestmark = pytest.mark.many

FORMS = ("session", "messages", "items", "codex", "chat", "chain", "converse", "sdk", "otel", "pydantic")
FORMS += ("gemini", "gemini without ids")


@dataclass(frozen=True)
class Turn:
    """A reply: its calls in the order of their results, and how all of it is written down."""

    order: tuple[int, ...]
    # Whether results are written before the next block, and whether the next lines have them as parents.
    early: bool
    through: bool
    # Whether results share a line, whether a program writes notes, and what happens after the turn.
    together: bool
    notes: bool
    behind: str


TURNS = st.builds(
    Turn,
    order=st.integers(0, 3).flatmap(lambda count: st.permutations(range(count)).map(tuple)),
    early=st.booleans(),
    through=st.booleans(),
    together=st.booleans(),
    notes=st.booleans(),
    behind=st.sampled_from(["", "", "prompt", "branch", "compaction", "sub-agent", "again"]),
)
CONVERSATIONS = st.lists(TURNS, min_size=1, max_size=4)


class Session:
    """A session of Claude Code, built line by line; for a dropped result, a text is written instead."""

    def __init__(self, dropped: tuple[int, int] | None) -> None:
        self.dropped = dropped
        self.lines: Lines = [spoken("0", None, ASKS)]
        self.last = "0"

    def add(self, line: Line, *, beside: bool = False) -> str:
        """Write a line; it is the parent of the next one unless it is beside the path."""
        self.lines.append(line)
        self.last = self.last if beside else str(line["uuid"])
        return str(line["uuid"])

    @property
    def fresh(self) -> str:
        """An id that no line has so far."""
        return f"u{len(self.lines)}"

    def results(self, turn: int, names: list[int], parent: str, *, beside: bool = False) -> None:
        """Write a line with some results, or with a text instead of the dropped one."""
        blocks = [prose() if (turn, n) == self.dropped else answer(f"t{turn}.{n}", "ok") for n in names]
        self.add(told(self.fresh, parent, *blocks, timestamp=self.fresh), beside=beside)

    def turn(self, at: int, turn: Turn) -> None:
        """Write a reply, one line for each block, and its results."""
        self.add(said(self.fresh, self.last, f"m{at}", prose()))
        for n in range(len(turn.order)):
            line = self.add(said(self.fresh, self.last, f"m{at}", use(f"t{at}.{n}")))
            if turn.notes:
                self.add(noted(self.fresh, self.last, "progress"), beside=not turn.through)
            if turn.early:
                self.results(at, [n], line if not turn.through else self.last, beside=not turn.through)
        if turn.order and not turn.early:
            groups = [list(turn.order)] if turn.together else [[n] for n in turn.order]
            for group in groups:
                self.results(at, group, self.last)
        self.behind(at, turn.behind)

    def behind(self, at: int, what: str) -> None:
        """Write what happens between two turns."""
        here = self.last
        if what == "prompt":
            self.add(spoken(self.fresh, here, ASKS))
        elif what == "branch":
            line = self.add(said(self.fresh, here, f"left{at}", use(f"left{at}")), beside=True)
            self.add(spoken(self.fresh, line, ASKS), beside=True)
        elif what == "compaction":
            self.add(said(self.fresh, here, f"c{at}", prose()))
            self.add(noted(self.fresh, None, subtype="compact_boundary", logicalParentUuid=self.last))
            self.add(spoken(self.fresh, self.last, ASKS, isCompactSummary=True))
        elif what == "sub-agent":
            begun = self.add(said(self.fresh, None, f"s{at}", use(f"s{at}"), isSidechain=True), beside=True)
            self.add(told(self.fresh, begun, answer(f"s{at}"), isSidechain=True), beside=True)
        elif what == "again":
            self.lines += self.lines[-2:]


def blocks_of(conversation: list[Turn], dropped: tuple[int, int] | None) -> list[tuple[list[str], list[list[str]]]]:
    """For each turn, the names of its calls, and its results in the groups in which they are written."""
    turns = []
    for at, turn in enumerate(conversation):
        answered = [f"t{at}.{n}" for n in turn.order if (at, n) != dropped]
        groups = [answered] if turn.together else [[each] for each in answered]
        turns.append(([f"t{at}.{n}" for n in range(len(turn.order))], groups))
    return turns


def written(form: str, conversation: list[Turn], dropped: tuple[int, int] | None = None) -> Lines:
    """A conversation in a form; it ends with a prompt and a reply without calls."""
    if form == "session":
        session = Session(dropped)
        for at, turn in enumerate(conversation):
            session.turn(at, turn)
        session.add(spoken(session.fresh, session.last, ASKS))
        session.add(said(session.fresh, session.last, "last", prose()))
        return session.lines
    lines: Lines = [ASKS]
    for (names, groups), turn in zip(blocks_of(conversation, dropped), conversation, strict=True):
        lines += [*REPLIES[form](names, turn.early), *RESULTS[form](groups)]
        lines += [ASKS] if turn.behind else []
    lines += [ASKS, *REPLIES[form]([], False)]
    return codex(lines) if form == "codex" else lines


def in_pieces(reply: Callable[..., Line], blocks: list[Any], apart: bool) -> Lines:
    """A reply as one message, or as several with one block each."""
    return [reply(each) for each in blocks] if apart and blocks else [reply(*blocks)]


def responses(groups: list[list[str]], *, with_ids: bool) -> Lines:
    """Results in the form of Gemini's interface; each call has its own tool, which identifies it without an id."""
    return [back(*(response(each if with_ids else None, tool=each) for each in group)) for group in groups if group]


# For each form, how to write a reply with named calls, in pieces if the form permits that, and results in groups.
REPLIES: dict[str, Callable[[list[str], bool], Lines]] = {
    "messages": lambda names, apart: in_pieces(assistant, [prose(), *map(use, names)], apart),
    "items": lambda names, _: [SPEAKS, *map(item, names)],
    "codex": lambda names, _: [SPEAKS, *map(item, names)],
    "chat": lambda names, _: [calls(*((each, "{}") for each in names))],
    "chain": lambda names, _: [ai(*names)],
    "converse": lambda names, apart: in_pieces(asking, names, apart),
    "sdk": lambda names, apart: in_pieces(wants, names, apart),
    "gemini": lambda names, apart: in_pieces(model, [function(each, tool=each) for each in names], apart),
    "gemini without ids": lambda names, apart: in_pieces(model, [function(tool=each) for each in names], apart),
    "otel": lambda names, apart: in_pieces(spans, names, apart),
    "pydantic": lambda names, apart: in_pieces(responds, names, apart),
}
RESULTS: dict[str, Callable[[list[list[str]]], Lines]] = {
    "messages": lambda groups: [given(*map(answer, group)) for group in groups if group],
    "items": lambda groups: [output(each) for group in groups for each in group],
    "codex": lambda groups: [output(each) for group in groups for each in group],
    "chat": lambda groups: [tool(each) for group in groups for each in group],
    "chain": lambda groups: [done(each) for group in groups for each in group],
    "converse": lambda groups: [telling(*map(block, group)) for group in groups if group],
    "sdk": lambda groups: [parts(*map(part, group)) for group in groups if group],
    "gemini": lambda groups: responses(groups, with_ids=True),
    "gemini without ids": lambda groups: responses(groups, with_ids=False),
    "otel": lambda groups: [seen(*group) for group in groups if group],
    "pydantic": lambda groups: [requests(*map(returned, group)) for group in groups if group],
}


@pytest.mark.parametrize("form", FORMS)
@holds(conversation=CONVERSATIONS)
def test_a_lawful_conversation_is_never_accused(form: str, conversation: list[Turn]) -> None:
    """A lawful conversation has no findings in any form, no matter where its log begins and ends."""
    lines = written(form, conversation)
    for first in range(0, len(lines), 3):
        for last in range(first, len(lines) + 1, 2):
            assert broken(judged(lines[first:last])) == {}, (first, last)
    assert broken(judged(lines)) == {}


@st.composite
def dropped(draw: st.DrawFn) -> tuple[list[Turn], tuple[int, int]]:
    """A conversation, and one of its calls."""
    conversation = draw(CONVERSATIONS.filter(lambda turns: any(each.order for each in turns)))
    at = draw(st.sampled_from([at for at, each in enumerate(conversation) if each.order]))
    return conversation, (at, draw(st.sampled_from(conversation[at].order)))


def call_in(line: Line, name: str) -> bool:
    """Whether a line, in any form, asks for the call with a name."""
    value: Any = line
    asks = value.get("type") in ("assistant", "ai") or value.get("role") in ("assistant", "model")
    asks = asks or value.get("kind") == "response" or "function_call" in repr(value)
    return asks and repr(name) in repr(value) and "function_call_output" not in repr(value)


@pytest.mark.parametrize("form", FORMS)
@holds(case=dropped())
def test_a_result_that_is_wanting_is_found_at_its_call(form: str, case: tuple[list[Turn], tuple[int, int]]) -> None:
    """Without the result of one call, the conversation breaks one law, and the finding names the line of that call."""
    conversation, call = case
    lines = written(form, conversation, call)
    results = judged(lines)
    assert set(broken(results)) == {"HOST-01"}
    (found,) = results["HOST-01"].findings
    name = f"t{call[0]}.{call[1]}"
    at = next(number for number, each in enumerate(lines, 1) if call_in(each, name))
    assert found.finding.witness[0].source.line == at
