"""A log of an agent loop, linked up: its turns, the calls of each, and everything that is told of every call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from callproof.checks.check import Witness, excerpt
from callproof.protocols.agent_loop.forms import (
    ABORT_CALLED,
    END,
    EXECUTIONS,
    GAVE_UP,
    LOOP_FINISHED,
    MESSAGE_END,
    META,
    MODEL_CONTEXT,
    MODEL_FAILED,
    MODEL_REPLIED,
    PERSIST_HOOK,
    PROBE,
    PROBES,
    RUN_END,
    RUN_START,
    START,
    STEER_CALLED,
    UPDATE,
    Moment,
    Part,
)
from callproof.protocols.laws import Laws
from callproof.protocols.parts import object_of, objects_of
from callproof.trace.run import Flaw
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# The stop reasons of a reply that was not finished: its calls are never carried out.
BROKEN: Final = frozenset({"error", "aborted"})


@dataclass(frozen=True, slots=True)
class Closing:
    """Why no more can be expected of a turn: the model was called again, or the run ended."""

    says: str
    moment: Moment

    @property
    def is_an_end(self) -> bool:
        """Whether the run ended."""
        return self.moment.kind == RUN_END or self.moment.text("probe") == LOOP_FINISHED


@dataclass(eq=False, slots=True)
class Stream:
    """The arguments of one call as they were streamed, in pieces, and the call as the end of the stream tells it."""

    pieces: list[str] = field(default_factory=list[str])
    whole: bool = True
    started: Moment | None = None
    ended: Moment | None = None

    @property
    def text(self) -> str:
        """Everything that was streamed."""
        return "".join(self.pieces)

    @property
    def call(self) -> Mapping[str, Json]:
        """The call that the end of the stream tells."""
        return object_of(self.ended.inner("assistantMessageEvent").get("toolCall")) if self.ended else {}


@dataclass(eq=False, slots=True)
class Turn:
    """One reply of the model, and the calls in it."""

    reply: Moment
    calls: tuple[Call, ...] = ()
    closing: Closing | None = None
    # Whether its driver says that it was given in pieces, and whether the log tells any piece.
    in_pieces: bool = False
    pieces_told: bool = False

    @property
    def stop(self) -> str | None:
        """How the reply ended."""
        found = self.reply.inner("message").get("stopReason")
        return found if isinstance(found, str) else None

    @property
    def pieces_are_missing(self) -> bool:
        """Whether it was given in pieces, but the log tells none of them."""
        return self.in_pieces and not self.pieces_told

    @property
    def is_broken(self) -> bool:
        """Whether the reply was not finished, so that its calls are not carried out."""
        return self.stop in BROKEN

    @property
    def is_refused(self) -> bool:
        """Whether it has calls that share an id, and the run ended with it before anything of it was begun."""
        shares = any(call.shares_its_id for call in self.calls)
        begun = any(call.told or call.results for call in self.calls)
        return shares and not begun and self.closing is not None and self.closing.is_an_end


@dataclass(eq=False, slots=True)
class Call:
    """One call of a reply, and everything that the log tells of it."""

    turn: Turn
    index: int
    block: Mapping[str, Json]
    stream: Stream | None = None
    told: dict[str, list[Moment]] = field(default_factory=dict[str, list[Moment]])
    results: list[Moment] = field(default_factory=list[Moment])
    # Whether the call was put off, and has no other result yet.
    waits: bool = False
    # Whether another call of its reply has the same id, so that events under this id may belong to either.
    shares_its_id: bool = False

    @property
    def id(self) -> str | None:
        """Its id, if that is a text."""
        found = self.block.get("id")
        return found if isinstance(found, str) else None

    @property
    def tool(self) -> str | None:
        """The name of its tool, if that is a text."""
        found = self.block.get("name")
        return found if isinstance(found, str) else None

    @property
    def named(self) -> str:
        """The name of the call in findings."""
        return f"call {excerpt(self.id)} of {excerpt(self.tool)}"

    @property
    def starts(self) -> list[Moment]:
        """Its start events; one in a log that keeps the laws."""
        return self.told.get(START, [])

    @property
    def updates(self) -> list[Moment]:
        """Its progress events."""
        return self.told.get(UPDATE, [])

    @property
    def ends(self) -> list[Moment]:
        """Its end events; one in a log that keeps the laws."""
        return self.told.get(END, [])

    def probes(self, name: str) -> list[Moment]:
        """The probes of this name that tell of it."""
        return self.told.get(name, [])

    @property
    def is_rewritten(self) -> bool:
        """Whether the persist hook made its message; the message then says what the hook makes it say."""
        return any("message" in each.value for each in self.probes(PERSIST_HOOK))

    def is_left_to_the_loop(self, then: Moment) -> bool:
        """Whether the persist hook had failed by then: what becomes of the call is the loop's own rule (HOST-17)."""
        return any(each.value.get("failed") is True and each.at < then.at for each in self.probes(PERSIST_HOOK))

    @property
    def closed(self) -> Closing | None:
        """Why no more can be expected of it; None if the log may end in the middle of it."""
        return self.turn.closing

    @property
    def is_open(self) -> bool:
        """Whether a result is missing and may still come."""
        return not self.turn.is_broken and (self.waits or (not self.results and self.closed is None))

    @property
    def part(self) -> Part | None:
        """The call in a form that is not the loop's own."""
        return self.turn.reply.parts[self.index] if self.turn.reply.parts else None

    @property
    def shape(self) -> tuple[Mapping[str, Json], str, str]:
        """The value of the call, the shape by which it is judged, and the place of the arguments in it."""
        if self.part is not None:
            return self.part.value, self.part.shape, self.part.arguments
        return self.block, "agent-loop-call", "/arguments"

    def asked(self, name: str = "M") -> Witness:
        """The reply that asked for it, as a witness, or the line of the reply that did."""
        return Witness(name, self.part.says, self.part.source) if self.part else self.turn.reply.witness(name)


@dataclass(frozen=True, slots=True, eq=False)
class Stray:
    """A moment that names no call that a reply of its run, or an earlier reply, had asked for."""

    moment: Moment

    @property
    def id(self) -> Json:
        """The id that it names."""
        return message_of(self.moment).get("toolCallId")


@dataclass(frozen=True, slots=True)
class Driving:
    """
    What the program that played everything around a loop says about the case: its mode, and which hooks are set.

    ``excused`` are the requirements that this program itself broke in the replies that it gave as the model.
    """

    mode: str | None
    hooks: frozenset[str]
    excused: frozenset[str]


@dataclass(frozen=True, eq=False)
class Loop:
    """A log as a whole: whether it goes on to an end, and the calls that wait for their results there."""

    name: str
    flaws: tuple[Flaw, ...]
    moments: tuple[Moment, ...]
    turns: tuple[Turn, ...]
    strays: tuple[Stray, ...]
    ended: bool
    open_calls: tuple[Call, ...]
    lacking: frozenset[str]
    # The common name of its form; None for the loop's own forms.
    form: str | None = None
    # What the driver of the loop says about it; None if the loop was not driven.
    driving: Driving | None = None

    @property
    def finished(self) -> bool:
        """Whether it tells the end of every call."""
        return self.ended and not self.open_calls

    @property
    def calls(self) -> Iterator[Call]:
        """Every call of every reply, in order."""
        for turn in self.turns:
            yield from turn.calls

    @cached_property
    def tools(self) -> Mapping[str, Mapping[str, Json]]:
        """The schemas of the tools by name, as far as a capture tells them."""
        told = ((tool.get("parameters", tool.get("input_schema")), name) for name, tool in self.declared.items())
        return {name: schema for schema, name in told if is_object(schema)}

    @cached_property
    def declared(self) -> Mapping[str, Mapping[str, Json]]:
        """Everything that a capture tells about the tools, by their names."""
        noted = (tool for each in self.moments if each.kind == META for tool in objects_of(each.value.get("tools")))
        told = (object_of(tool.get("function")) or tool for tool in noted)
        return {name: tool for tool in told if isinstance(name := tool.get("name"), str)}

    def probes(self, *names: str) -> tuple[Moment, ...]:
        """The probes of some names, in the order of the log."""
        return tuple(each for each in self.moments if each.kind == PROBE and each.text("probe") in names)

    @cached_property
    def acts(self) -> tuple[Moment, ...]:
        """Everything that the user did: aborted a run, or wrote something while it went on."""
        return self.probes(ABORT_CALLED, STEER_CALLED)

    @cached_property
    def contexts(self) -> tuple[Moment, ...]:
        """Each call of the model."""
        return self.probes(MODEL_CONTEXT)

    @cached_property
    def replied(self) -> tuple[Moment, ...]:
        """Each reply as the model gave it."""
        return self.probes(MODEL_REPLIED)

    @cached_property
    def failed(self) -> tuple[Moment, ...]:
        """Each failure of the model."""
        return self.probes(MODEL_FAILED)

    @cached_property
    def endings(self) -> tuple[Moment, ...]:
        """The moments in which runs end, or in which the driver gives up waiting for that."""
        over = {each.at for each in self.probes(LOOP_FINISHED, GAVE_UP)}
        return tuple(each for each in self.moments if each.kind == RUN_END or each.at in over)

    @cached_property
    def bounds(self) -> tuple[int, ...]:
        """The places where runs begin."""
        return tuple(each.at for each in self.moments if each.kind == RUN_START)


EVIDENCE: Final = ("executions", "probes", "streams", "tools", "driver", "names", "failures", "details")
LAWS: Final[Laws[Loop]] = Laws(EVIDENCE)


def message_of(moment: Moment) -> Mapping[str, Json]:
    """The message of a message event; any other moment's own value."""
    return moment.inner("message") if moment.kind == MESSAGE_END else moment.value


def driving_of(moments: tuple[Moment, ...]) -> Driving | None:
    """What the driver of a log says about its case; None if the loop was not driven."""
    for each in moments:
        if each.kind == META and each.value.get("driven") is True:
            return Driving(each.text("mode"), _names(each, "hooks"), _names(each, "excused"))
    return None


def _names(moment: Moment, member: str) -> frozenset[str]:
    found = moment.value.get(member)
    return frozenset(name for name in (found if is_array(found) else ()) if isinstance(name, str))


def lacking(
    moments: tuple[Moment, ...], *, streamed: bool, tools: bool, untold: frozenset[str] = frozenset()
) -> frozenset[str]:
    """The evidence that no moment of a log gives; ``untold`` is what results do not tell in its form."""
    kinds = {each.kind for each in moments}
    had = {
        "executions": not kinds.isdisjoint(EXECUTIONS),
        "probes": any(each.kind == PROBE and each.text("probe") in PROBES for each in moments),
        "streams": streamed,
        "tools": tools,
        "driver": driving_of(moments) is not None,
    }
    return frozenset(name for name, is_there in had.items() if not is_there) | untold


def every(loop: Loop) -> Iterator[Call]:
    """Every call of a log."""
    yield from loop.calls
