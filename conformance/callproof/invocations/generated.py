"""Cases made from a seed: the planner, profiles, tools and providers in them may do anything that is permitted."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from callproof.driven.odd_values import ODD_TEXTS
from callproof.driven.suite import GENERATED
from callproof.invocations.case import (
    CONTRACTS,
    FAILURES,
    LATER,
    USERS,
    Answer,
    Chosen,
    Gives,
    Intent,
    InvocationCase,
    Profile,
    Tool,
)
from callproof.values.jsontext import Json

_TOOLS: Final = ("web_search", "dosage_lookup", "forecast")
_PROFILES: Final = ("large", "small", "medium")
_TEXTS: Final = ("a", "swifts leave in July", '"', "\\", "\u00e9\u2028\U0001f426", "x" * 300, *ODD_TEXTS)
_VALUES: Final[tuple[Json, ...]] = ("", *_TEXTS, 0, -1, 2.5, True, False, None, [], {}, [{"a": [1]}], {"error": "no"})


def generated(seed: int, number: int, claims: Collection[str]) -> InvocationCase:
    """The case of a seed and a number for a system of these claims, always the same one."""
    drawing = _Drawing(Random(f"{seed} {number}"), frozenset(claims))  # noqa: S311  nothing secret
    return drawing.case(f"{GENERATED}/{seed}-{number}")


@dataclass(slots=True)
class _Drawing:
    """One case while it is being drawn."""

    dice: Random
    claims: frozenset[str]

    def case(self, name: str) -> InvocationCase:
        """A case: most cases have one tool that is wanted."""
        contract = self._one([each for each in CONTRACTS if each in self.claims])
        user = self._one([each for feature, each in USERS.items() if feature in self.claims])
        names = self.dice.sample(_TOOLS, self.dice.choice((1, 1, 2, 3)) if "severalTools" in self.claims else 1)
        profiles = tuple(
            Profile(each, self._some(names)) for each in self.dice.sample(_PROFILES, self.dice.choice((1, 2, 3)))
        )
        chosen = self._chosen(profiles[0].name, contract)
        # To use a needed tool, a provider has to be asked, and it also answers; then only the tool decides.
        needed = "requiredTools" in self.claims and user != "provider"
        tools = tuple(Tool(each, optional=not (needed and self._happens(0.3))) for each in names)
        return InvocationCase(
            name,
            "A case generated from a seed.",
            (),
            tuple(self._intent(each) for each in names),
            tools,
            tuple(self.dice.sample(profiles, len(profiles))),
            chosen,
            {each: self._gives() for each in names},
            tuple(self._answer() for _ in range(self.dice.choice((1, 1, 2)))),
            contract,
            user,
        )

    def _happens(self, chance: float) -> bool:
        return self.dice.random() < chance

    def _one(self, of: list[str]) -> str | None:
        return self.dice.choice(of) if of else None

    def _some(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(each for each in names if self._happens(0.7))

    def _chosen(self, profile: str, contract: str | None) -> Chosen:
        may = contract == LATER and "rerouting" in self.claims and self._happens(0.5)
        return Chosen(profile, self.dice.choice(("user", "planner", "default")), may)

    def _intent(self, tool: str) -> Intent:
        members: Mapping[str, Json] = {
            self.dice.choice(("query", "limit", "")): self.dice.choice(_VALUES) for _ in range(self.dice.randrange(3))
        }
        return Intent(tool, self._happens(0.8), members if self._happens(0.7) else None)

    def _gives(self) -> Gives:
        fails = self.dice.choice(FAILURES) if self._happens(0.3) else None
        return Gives(self.dice.choice(_VALUES), fails, used=self._happens(0.7))

    def _answer(self) -> Answer:
        return Answer(
            self.dice.choice(_TEXTS),
            "the provider is overloaded" if self._happens(0.15) else None,
            tells=self._happens(0.9),
            links=("https://birds.example/",) if self._happens(0.3) else (),
        )
