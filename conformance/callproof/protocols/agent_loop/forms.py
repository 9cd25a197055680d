"""The loop's own two forms of a log: a stream of events, bare or wrapped, and a session file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from callproof.checks.check import Witness
from callproof.protocols.entries import Entries, Entry
from callproof.protocols.parts import object_of, text_of
from callproof.trace.records import Source
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

START: Final = "tool_execution_start"
UPDATE: Final = "tool_execution_update"
END: Final = "tool_execution_end"
MESSAGE_START: Final = "message_start"
MESSAGE_UPDATE: Final = "message_update"
MESSAGE_END: Final = "message_end"
RUN_START: Final = "agent_start"
RUN_END: Final = "agent_end"
PROBE: Final = "probe"
META: Final = "meta"
EXECUTIONS: Final = (START, UPDATE, END)
EVENTS: Final = frozenset(
    {RUN_START, RUN_END, "turn_start", "turn_end", MESSAGE_START, MESSAGE_UPDATE, MESSAGE_END, *EXECUTIONS}
)
_SESSION: Final = "session"
_MESSAGE: Final = "message"


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """
    A call or a result in a form that is not the loop's own: its value, and the line that contains it.

    ``shape`` is the shape by which it is judged, and ``arguments`` the place of the arguments in it.  If a call has its
    arguments as a text, ``text`` is that text.
    """

    value: Mapping[str, Json]
    shape: str
    source: Source
    says: str
    arguments: str = ""
    text: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """
    One thing that a log tells: its kind, its value, its place, and how many moments came before it.

    In the loop's own forms ``parts`` is empty.  In another form they are what the value was put together from: for a
    reply, one for each of its blocks, which may stand in several lines, and None for a block that is no call.
    """

    kind: str
    value: Mapping[str, Json]
    source: Source
    at: int
    parts: tuple[Part | None, ...] = ()
    says: str = ""

    def text(self, name: str) -> str | None:
        """A member if it is a text; None for everything else."""
        found = self.value.get(name)
        return found if isinstance(found, str) else None

    def inner(self, name: str) -> Mapping[str, Json]:
        """A member if it is an object; an empty one for everything else."""
        return object_of(self.value.get(name))

    @property
    def part(self) -> Part | None:
        """A result in another form; None for a reply, and in the loop's own forms."""
        is_result = self.inner("message").get("role") == "toolResult"
        return self.parts[0] if is_result and self.parts else None

    def witness(self, name: str) -> Witness:
        """The moment as a named witness: its kind, and never its content."""
        if (part := self.part) is not None:
            return Witness(name, part.says, part.source)
        if self.says:
            return Witness(name, self.says, self.source)
        role = self.inner("message").get("role")
        of = f" of the role {role}" if self.kind == MESSAGE_END and role in ("assistant", "toolResult") else ""
        probe = self.text("probe") if self.kind == PROBE else None
        return Witness(name, f"{self.kind} {probe}" if probe in PROBES else f"{self.kind}{of}", self.source)


# What a capture may tell from inside; probes with other names are the capture's own.
BEFORE_HOOK: Final = "before_hook"
TOOL_CALLED: Final = "tool_called"
TOOL_THREW: Final = "tool_threw"
AFTER_HOOK: Final = "after_hook"
PERSIST_HOOK: Final = "persist_hook"
MODEL_CONTEXT: Final = "model_context"
TOOL_RETURNED: Final = "tool_returned"
TOOL_ABORTED: Final = "tool_aborted"
TOOL_WAITED: Final = "tool_waited"
TOOL_TOLD: Final = "tool_told"
ABORT_CALLED: Final = "abort_called"
STEER_CALLED: Final = "steer_called"
GAVE_UP: Final = "gave_up"
MODEL_REPLIED: Final = "model_replied"
MODEL_FAILED: Final = "model_failed"
LOOP_FINISHED: Final = "loop_finished"
# What a tool does after it was entered; if its entry is stray, this is no news.
AFTERWARDS: Final = (TOOL_RETURNED, TOOL_THREW, TOOL_ABORTED, TOOL_WAITED, TOOL_TOLD)
PROBES: Final = (
    BEFORE_HOOK,
    TOOL_CALLED,
    TOOL_THREW,
    AFTER_HOOK,
    PERSIST_HOOK,
    MODEL_CONTEXT,
    TOOL_RETURNED,
    TOOL_ABORTED,
    TOOL_WAITED,
    TOOL_TOLD,
    ABORT_CALLED,
    STEER_CALLED,
    GAVE_UP,
    MODEL_REPLIED,
    MODEL_FAILED,
    LOOP_FINISHED,
)


def is_loop(log: Entries) -> bool:
    """Whether a log has a form of the loop's own, by a driver's note or its first entry that a capture did not note."""
    first = next(
        (each for each in log.entries if each.value.get("kind") not in (META, PROBE) or _is_driven(each)), None
    )
    if first is not None and _is_driven(first):
        return True
    if first is None:
        return False
    if first.value.get("kind") == "event":
        return text_of(object_of(first.value.get("event")), "type") in EVENTS
    return first.text("type") in EVENTS or _is_header(first) or _is_session_message(first)


def _is_driven(entry: Entry) -> bool:
    """Whether an entry is the note of a driver; the driven loop may have told no event at all."""
    note = entry.value
    return note.get("kind") == META and note.get("driven") is True and is_array(note.get("hooks")) and "mode" in note


def moments_of(log: Entries) -> tuple[Moment, ...]:
    """What a log tells, in order; of a session file only what lies on the way to its leaf."""
    entries = log.entries
    if any(map(_is_session_message, entries)):
        told = [(MESSAGE_END, each.value, each.source) for each in _way_to_the_leaf(entries) if _is_message(each)]
    else:
        told = [found for each in entries if (found := _told(each)) is not None]
    return tuple(Moment(*each, at) for at, each in enumerate(told))


def _told(entry: Entry) -> tuple[str, Mapping[str, Json], Source] | None:
    """The kind, value and source of a line of a stream; None for any other line."""
    kind = entry.value.get("kind")
    if kind in (META, PROBE):
        return str(kind), entry.value, entry.source
    event = object_of(entry.value.get("event")) if kind == "event" else entry.value
    named = event.get("type")
    return (named, event, entry.source) if isinstance(named, str) and named in EVENTS else None


def _is_header(entry: Entry) -> bool:
    return entry.value.get("type") == _SESSION and entry.text("id") is not None


def _is_message(entry: Entry) -> bool:
    return entry.value.get("type") == _MESSAGE and is_object(entry.value.get("message"))


def _is_session_message(entry: Entry) -> bool:
    """A message of a session file; files of its first version had no ids, and no branches."""
    return _is_message(entry) and isinstance(object_of(entry.value["message"]).get("role"), str)


def _way_to_the_leaf(entries: Sequence[Entry]) -> Sequence[Entry]:
    """The entries from the root to the last one: a session is a tree, and its other branches were abandoned."""
    if not any("parentId" in each.value for each in entries):
        return entries
    leaf = [each for each in entries if "parentId" in each.value][-1]
    by_id = {name: each for each in entries if (name := each.text("id")) is not None and not _is_header(each)}
    return tuple(_upwards(leaf, by_id))[::-1]


def _upwards(leaf: Entry, by_id: Mapping[str, Entry]) -> Iterator[Entry]:
    seen: set[int] = set()
    here: Entry | None = leaf
    while here is not None and id(here) not in seen:
        seen.add(id(here))
        yield here
        parent = here.text("parentId")
        here = by_id.get(parent) if parent is not None else None
