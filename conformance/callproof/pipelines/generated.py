"""Cases made from a seed: the calls, tools, hooks, people, store and user in them may do anything that is permitted."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from callproof.driven.odd_values import ODD_TEXTS, odd_value
from callproof.driven.suite import GENERATED
from callproof.driven.tools import Wait
from callproof.pipelines.case import (
    ORDERED,
    SERIAL,
    UNORDERED,
    Act,
    Answer,
    Asked,
    Asking,
    Permit,
    PipelineCase,
    Post,
    Pre,
)
from callproof.pipelines.cases.building import FETCH, SHELL, TOOLS
from callproof.values.jsontext import Json

_TEXTS: Final = ("", " ", "a", "swifts leave in July", '"', "\\", "\n", "\u00e9\u2028\U0001f426", "x" * 300, *ODD_TEXTS)
_NUMBERS: Final[tuple[Json, ...]] = (0, -1, 7, 2.5, 1e21, -0.5)
_VALUES: Final = ("invalid_arguments", "setup_required", "sandbox_violation")
_THROWN: Final = ("execution_failed", "timeout", "dependency_unavailable")
_LARGE: Final = {"text": "swift " * 4_000}


def generated(seed: int, number: int, claims: Collection[str]) -> PipelineCase:
    """The case of a seed and a number for a pipeline of these claims, always the same one."""
    return _Drawing(Random(f"{seed} {number}"), frozenset(claims)).case(f"{GENERATED}/{seed}-{number}")  # noqa: S311  nothing secret


@dataclass(slots=True)
class _Drawing:
    """One case while it is being drawn."""

    dice: Random
    claims: frozenset[str]
    answers: dict[str, Answer] = field(default_factory=dict[str, Answer])

    def case(self, name: str) -> PipelineCase:
        """A case: most cases have few calls, and some of them something rare."""
        calls = tuple(self._call(f"i-{at}") for at in range(1, self.dice.choice((1, 1, 2, 2, 3, 5)) + 1))
        ids = [call.id for call in calls]
        ordering = self._ordering()
        asking = self._asking(ids)
        limit = 2_000 if asking.unstored is not None else None
        if limit is not None:
            self.answers |= {each: Answer(_LARGE) for each in ids if self._happens(0.3)}
        tools = (*TOOLS, *(tool for tool in (FETCH, SHELL) if tool.state in self.claims))
        siblings = "cancel_siblings" if "siblings" in self.claims and self._happens(0.3) else "ignore"
        context = self.dice.choice(("allow_serial_only", "defer_until_batch_complete", "forbid"))
        says = "A case generated from a seed."
        case = PipelineCase(
            name, says, calls, (), tools, self.answers, asking, limit, None, ordering, siblings, context
        )
        return self._with_an_act(case)

    def _happens(self, chance: float) -> bool:
        return self.dice.random() < chance

    def _ordering(self) -> str | None:
        ways = {UNORDERED: "concurrent", ORDERED: "ordered", SERIAL: "serial"}
        found = [way for way, feature in ways.items() if feature in self.claims]
        return self.dice.choice(found) if found else None

    def _call(self, name: str) -> Asked:
        more = [tool.id for tool in (FETCH, SHELL) if tool.state in self.claims]
        more += ["read"] if "otherNames" in self.claims else []
        tool = self.dice.choice(("notes.read", "notes.add", "clock", *("notes.read", "notes.add") * 2, "shred", *more))
        if self._happens(0.6):
            self.answers[name] = self._answer()
        given = self._input(tool)
        return Asked(name, tool, self.dice.choice(({}, "a", {"path": [1]}, None)) if self._happens(0.1) else given)

    def _input(self, tool: str) -> Mapping[str, Json]:
        if tool == "notes.add":
            return {"text": self._value(2)}
        if tool in ("notes.read", "read"):
            more: Mapping[str, Json] = {"lines": self.dice.randrange(100)} if self._happens(0.3) else {}
            return {"path": self.dice.choice(_TEXTS), **more}
        return {}

    def _value(self, depth: int) -> Json:
        return odd_value(self.dice, _TEXTS, _NUMBERS, depth)

    def _answer(self) -> Answer:
        told = "progress" in self.claims
        modifies = "contextModifiers" in self.claims and self._happens(0.2)
        return Answer(
            self._value(1),
            {"folder": "/notes"} if modifies else None,
            self.dice.choice(_THROWN) if self._happens(0.2) else None,
            ("half",) * self.dice.choice((0, 0, 1, 2)) if told else (),
            ("late",) if told and self._happens(0.1) else (),
        )

    def _asking(self, ids: list[str]) -> Asking:
        """Who is asked, among those that are claimed: each is more often left out than set."""
        refused = {each: self.dice.choice(_VALUES) for each in ids if self._happens(0.2)}
        pre = {each: self._pre() for each in ids if self._happens(0.4)}
        permits = {each: self._permit() for each in ids if self._happens(0.5)}
        post = {each: self._post() for each in ids if self._happens(0.4)}
        return Asking(
            refused if self._is_set("validate") else None,
            pre if self._is_set("preHook") else None,
            permits if self._is_set("permission") else None,
            tuple(each for each in ids if self._happens(0.1)) if self._is_set("mapping") else None,
            post if self._is_set("postHook") else None,
            tuple(each for each in ids if self._happens(0.3)) if self._is_set("persistence") else None,
        )

    def _is_set(self, feature: str) -> bool:
        return feature in self.claims and self._happens(0.4)

    def _pre(self) -> Pre:
        decides = [Pre(behavior=each) for each in ("allow", "ask", "deny") if "hookDecisions" in self.claims]
        changes = (Pre(input={"path": "other.md", "text": "other"}), Pre(input={"path": "other.md"}))
        return self.dice.choice((Pre(), Pre(block=True), Pre(fails="no connection"), *changes, *decides))

    def _permit(self) -> Permit:
        changed = [Permit(updated_input={"path": "third.md"})] if "updatedInput" in self.claims else []
        return self.dice.choice((Permit(), Permit(), Permit("person"), Permit("policy"), *changed))

    def _post(self) -> Post:
        return self.dice.choice((Post(), Post(output={"text": "mine"}), Post(block=True), Post(fails="no connection")))

    def _with_an_act(self, case: PipelineCase) -> PipelineCase:
        """A case in which the user may abort while a tool takes its time."""
        if "abort" in self.claims and self._happens(0.08):
            when = self.dice.choice(case.calls).id
            waits = Answer(waits=self.dice.choice((Wait.STOP, Wait.ACT)))
            call = self.dice.choice((None, None, *(each.id for each in case.calls)))
            return replace(case, answers={**case.answers, when: waits}, act=Act(when, call=call))
        return case
