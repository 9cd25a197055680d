"""Cases made from a seed: the replies, tools, hooks and user in them may do anything that is permitted."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from callproof.driven.odd_values import odd_value
from callproof.driven.suite import GENERATED
from callproof.driven.tools import Wait
from callproof.loops.case import Act, After, Answer, Asked, Before, Hooks, LoopCase, Persist, Reply, text
from callproof.loops.cases.building import ASK, TOOLS
from callproof.values.jsontext import Json, write_json

_TEXTS: Final = (
    "",
    " ",
    "a",
    "swifts leave in July",
    '"',
    "\\",
    "\n",
    "\u00e9\u2028\U0001f426",
    "null",
    "__proto__",
    "e\u0301\r\n",
    "x" * 3_000,
)
_NUMBERS: Final[tuple[Json, ...]] = (0, -1, 7, 2.5, 1e21, -0.5, 2**53 - 1, 5e-324)
_LAWFUL: Final = ("read", "note", "clock")


def generated(seed: int, number: int, claims: Collection[str]) -> LoopCase:
    """The case of a seed and a number for a loop of these claims, always the same one."""
    return _Drawing(Random(f"{seed} {number}"), frozenset(claims)).case(f"{GENERATED}/{seed}-{number}")  # noqa: S311  nothing secret


@dataclass(slots=True)
class _Drawing:
    """One case while it is being drawn."""

    dice: Random
    claims: frozenset[str]
    answers: dict[str, Answer] = field(default_factory=dict[str, Answer])
    entered: list[str] = field(default_factory=list[str])

    def case(self, name: str) -> LoopCase:
        """A case: most cases have few replies, and some of them something rare."""
        streamed = "streaming" in self.claims and self._happens(0.3)
        modes = [each for each in ("parallel", "sequential") if each in self.claims]
        mode = self.dice.choice(modes) if modes else None
        replies = tuple(self._reply(turn, mode, streamed=streamed) for turn in range(self.dice.choice((1, 1, 2, 3))))
        hooks = self._hooks([call.id for reply in replies for call in reply.calls])
        tools = (*TOOLS, ASK) if "clientTools" in self.claims else TOOLS
        says = "A case generated from a seed."
        if self._happens(0.1):
            at = self.dice.randrange(len(replies) + 1)
            replies = (*replies[:at], Reply(fails="the provider is overloaded"), *replies[at:])
        if hooks.before is not None:
            # A hook may keep a sibling away, so no tool waits for one.
            self.answers = {call: self._impatient(each) for call, each in self.answers.items()}
        case = LoopCase(name, says, replies, (), tools, self.answers, hooks, mode=mode, streamed=streamed)
        return self._with_an_act(case)

    @staticmethod
    def _impatient(answer: Answer) -> Answer:
        return answer if answer.waits is Wait.NOTHING else Answer()

    def _happens(self, chance: float) -> bool:
        return self.dice.random() < chance

    def _reply(self, turn: int, mode: str | None, *, streamed: bool) -> Reply:
        calls = tuple(
            self._call(f"call_{turn}_{at}", streamed=streamed) for at in range(self.dice.choice((1, 1, 2, 3, 5)))
        )
        lawful = [each.id for each in calls if each.id in self.entered]
        if mode == "parallel" and len(lawful) == len(calls) in (2, 3) and self._happens(0.3):
            self.answers |= {each: Answer(waits=Wait.SIBLINGS) for each in lawful}
        elif mode == "parallel" and len(lawful) > 1 and self._happens(0.3):
            first, second = lawful[:2]
            self.answers[first] = Answer((text("slow"),), {"who": first}, waits=Wait.RETURN, awaited=second)
        said = self.dice.choice((None, None, " I look:\n"))
        return Reply(calls, said, "toolUse" if self._happens(0.9) else self.dice.choice(("stop", "length")))

    def _call(self, name: str, *, streamed: bool) -> Asked:
        tools = [*_LAWFUL * 3, "read", "shred", *(["ask_user"] if "clientTools" in self.claims else [])]
        tool = self.dice.choice(tools)
        lawful = tool in _LAWFUL
        arguments = self._arguments(tool)
        if lawful and self._happens(0.1):
            lawful = tool == "clock"
            arguments = {} if self._happens(0.5) or tool == "note" else {**arguments, "path": [1]}
        if lawful:
            self.entered.append(name)
            self.answers[name] = self._answer()
        return Asked(name, tool, arguments, tuple(self._pieces(arguments)) if streamed else None)

    def _arguments(self, tool: str) -> Mapping[str, Json]:
        if tool == "note":
            return {"text": self._value(2)}
        if tool == "read":
            more: Mapping[str, Json] = {"lines": self.dice.randrange(100)} if self._happens(0.3) else {}
            return {"path": self.dice.choice(_TEXTS), **more}
        return {}

    def _value(self, depth: int) -> Json:
        return odd_value(self.dice, _TEXTS, _NUMBERS, depth)

    def _answer(self) -> Answer:
        told = "progress" in self.claims
        return Answer(
            tuple(text(self.dice.choice(_TEXTS)) for _ in range(self.dice.choice((1, 1, 1, 2, 0)))),
            {"kept": self._value(1)} if self._happens(0.4) else None,
            self.dice.choice(_TEXTS[:-1]) if self._happens(0.15) else None,
            ("half",) * self.dice.choice((0, 0, 1, 2)) if told else (),
            ("late",) if told and self._happens(0.1) else (),
        )

    def _pieces(self, arguments: Mapping[str, Json]) -> Iterator[str]:
        left = write_json(arguments)
        while left:
            size = self.dice.choice((1, 2, 5, 40, 4_000))
            yield left[:size]
            left = left[size:]

    def _hooks(self, calls: list[str]) -> Hooks:
        before = {each: self._before() for each in calls if self._happens(0.2)}
        after = {each: self._after() for each in calls if self._happens(0.3)}
        persist = {each: Persist((text("(taken out)"),), {"by": "hook"}) for each in calls if self._happens(0.3)}
        return Hooks(
            before if "beforeHook" in self.claims and self._happens(0.4) else None,
            after if "afterHook" in self.claims and self._happens(0.3) else None,
            persist if "persistHook" in self.claims and self._happens(0.3) else None,
        )

    def _before(self) -> Before:
        return self.dice.choice(
            (
                Before(),
                Before(block=True, reason=self.dice.choice(_TEXTS)),
                Before(block=True),
                Before(fails="no connection"),
                Before(params={"path": "other.md", "text": "other"}),
                Before(params={"path": None}),
            )
        )

    def _after(self) -> After:
        return self.dice.choice((After(), After({"content": [text("mine")], "isError": True}), After(fails="no")))

    def _with_an_act(self, case: LoopCase) -> LoopCase:
        """A case in which the user may do something while a tool or the model is at work; no other tool waits then."""
        acts = [each for each in ("abort", "steering") if each in self.claims]
        if not acts or not self.entered or not self._happens(0.2):
            return case
        when, act = self.dice.choice(self.entered), self.dice.choice(acts)
        waits = self.dice.choice((Wait.STOP, Wait.ACT)) if act == "abort" else Wait.ACT
        plain = {name: self._impatient(each) for name, each in self.answers.items()}
        says = None if act == "abort" else "and in August?"
        if self._happens(0.3):
            done = Act(says=says, reply=self.dice.randrange(len(case.replies) + 1))
        else:
            plain[when] = Answer(waits=waits)
            done = Act(when, says)
        return replace(case, answers=plain, act=done)
