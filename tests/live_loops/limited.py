"""Loops that are broken beyond a limit, in one mode only, or for names, ids and messages that are rarely met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from altered_wire import Message, every
from callproof_reference.loops.calls import Calls, Refused
from callproof_reference.loops.loop import Loop
from callproof_reference.values import Json, Object, as_object

from live_loops.kinds import Kind, carrying_out, kept, with_kept


class TwentyFiveTurns(Loop):
    """A run ends after twenty-five turns."""

    def _turn(self) -> bool:
        self.__dict__["_turns"] = self.__dict__.get("_turns", 0) + 1
        return super()._turn() and self.__dict__["_turns"] < 25


class TwentyCalls(Loop):
    """Calls of a reply after the twentieth are refused."""

    class Counting(Calls):
        """Calls that know which of them come too late in their reply."""

        def _entered_or_put_off(self, named: Object, arguments: Json) -> tuple[Object, bool]:
            if named["toolCallId"] in self.__dict__.get("_many", ()):
                raise Refused("error", error="too many calls in one reply")
            return super()._entered_or_put_off(named, arguments)

    how = Counting

    def _reply(self) -> tuple[Object, set[object]]:
        reply, halves = super()._reply()
        calls = [block["id"] for block in reply["content"] if block.get("type") == "toolCall"]
        self.calls.__dict__["_many"] = set(calls[20:])
        return reply, halves


class EveryTool(Calls):
    """Tools of earlier runs stay, each in its last definition."""

    known: ClassVar[dict[str, Object]] = {}

    def __init__(self, peer: Any, tools: list[Object], hooks: list[str]) -> None:
        self.known.update({str(each["name"]): each for each in tools})
        super().__init__(peer, list(self.known.values()), hooks)


class Unheeded(Calls):
    """A hook that says no is ignored."""

    def _permitted(self, named: Object, tool: Object, arguments: Json) -> Object:
        try:
            return super()._permitted(named, tool, arguments)
        except Refused as refused:
            if refused.envelope["status"] != "blocked":
                raise
            return as_object(arguments)


class UnheededOneByOne(Loop):
    """In sequential mode, a call that a hook blocks is carried out."""

    def __init__(self, peer: Any, start: Object) -> None:
        super().__init__(peer, start)
        if self._width == 1:
            self.calls = Unheeded(peer, [*start["tools"]], [*start["hooks"]])


class UnheededAfterFailures(Unheeded):
    """In sequential mode and otherwise, a call that a hook blocks is carried out if a call has failed before it."""

    def _permitted(self, named: Object, tool: Object, arguments: Json) -> Object:
        asked = super() if self.__dict__.get("_failed") else super(Unheeded, self)
        return asked._permitted(named, tool, arguments)

    def _entered_or_put_off(self, named: Object, arguments: Json) -> tuple[Object, bool]:
        result, failed = super()._entered_or_put_off(named, arguments)
        self.__dict__["_failed"] = failed or self.__dict__.get("_failed", False)
        return result, failed


class _Last(list[str]):
    """Keeps only what was added last."""

    def append(self, text: str, /) -> None:
        self[:] = [text]


class LastMessage(Loop):
    """If the user writes several messages, only the last is kept."""

    def __init__(self, peer: Any, start: Object) -> None:
        super().__init__(peer, start)
        self.steered = _Last(self.steered)


class _First(list[str]):
    """Keeps only what was added first."""

    def append(self, text: str, /) -> None:
        if not self:
            super().append(text)


class FirstMessage(Loop):
    """If the user writes several messages, only the first is kept."""

    def __init__(self, peer: Any, start: Object) -> None:
        super().__init__(peer, start)
        self.steered = _First(self.steered)


class _AnyCase(dict[str, Object]):
    """Finds a name in other letters, or with blanks around it."""

    def get(self, name: str, otherwise: Any = None, /) -> Any:
        lowered = {known.lower(): tool for known, tool in self.items()}
        return super().get(name) or lowered.get(self.of(name), otherwise)

    @staticmethod
    def of(name: str) -> str:
        """The name by which a tool is looked up, if it has none."""
        return name.strip().lower()


class _Stripped(_AnyCase):
    """Finds a name with blanks around it."""

    @staticmethod
    def of(name: str) -> str:
        return name.strip()


class AnyCase(Calls):
    """A tool is found by its name in other letters, or with blanks around it."""

    by: ClassVar[type[_AnyCase]] = _AnyCase

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._tools = self.by(self._tools)


class Stripped(AnyCase):
    """A tool is found by its name with blanks around it."""

    by = _Stripped


def short_ids(message: Message) -> Iterator[Message]:
    """Results have the first forty characters of the id of their call."""
    yield with_kept(message, toolCallId=kept(message)["toolCallId"][:40]) if kept(message) else message


def stripped_ids(message: Message) -> Iterator[Message]:
    """Results have the id of their call without the blanks around it."""
    yield with_kept(message, toolCallId=kept(message)["toolCallId"].strip()) if kept(message) else message


def small_letters(message: Message) -> Iterator[Message]:
    """Results name their tool in small letters."""
    yield with_kept(message, toolName=kept(message)["toolName"].lower()) if kept(message) else message


LIMITED: Final = (
    Kind("twenty-five-turns", "A run ends after twenty-five turns.", "HOST-22", (), None, TwentyFiveTurns),
    Kind("twenty-calls", "Calls after the twentieth of a reply are refused.", "HOST-15", (), None, TwentyCalls),
    Kind("every-tool", "Tools of earlier runs stay.", "HOST-14", (), None, carrying_out(EveryTool)),
    Kind(
        "unheeded-one-by-one",
        "A call that a hook blocks is carried out in sequential mode.",
        "HOST-03",
        (),
        None,
        UnheededOneByOne,
    ),
    Kind(
        "unheeded-after-failures",
        "A call that a hook blocks is carried out after a failure.",
        "HOST-03",
        (),
        None,
        carrying_out(UnheededAfterFailures),
    ),
    Kind("last-message", "Of several messages of the user, the last is kept.", "HOST-21", (), None, LastMessage),
    Kind("first-message", "Of several messages of the user, the first is kept.", "HOST-21", (), None, FirstMessage),
    Kind("any-case", "A tool is found by a name in other letters.", "HOST-14", (), None, carrying_out(AnyCase)),
    Kind("stripped-names", "A tool is found by a name with blanks.", "HOST-14", (), None, carrying_out(Stripped)),
    Kind("short-ids", "Ids of results are cut.", "HOST-01", (), every(short_ids)),
    Kind("stripped-ids", "Ids of results lose their blanks.", "HOST-01", ("HOST-21",), every(stripped_ids)),
    Kind("small-letters", "Results name their tool in small letters.", "HOST-01", ("HOST-05",), every(small_letters)),
)
