"""The parts of the cases: a search, two profiles, and what every lawful system shows in a kind of case."""

from __future__ import annotations

from typing import Any, Final

from callproof.invocations.case import Chosen, Gives, Intent, InvocationCase, Profile, Tool
from callproof.values.jsontext import Json

SEARCH: Final = "web_search"
LARGE: Final = Profile("large", (SEARCH,))
SMALL: Final = Profile("small")
PROFILES: Final = (LARGE, SMALL)
SOURCES: Final[dict[str, Json]] = {"sources": ["https://birds.example/swifts"]}
WANTED: Final = Intent(SEARCH, input={"query": "when do swifts leave"})

# What every case shows of a system; what a case shows in which nothing is missed; and what a case shows whose tool is
# requested, used, or gone without.
ANY: Final = ("INT-02", "INT-07", "INT-09", "INT-10", "INT-11", "INT-21")
ANSWERED: Final = (*ANY, "INT-15")
REQUESTED: Final = (*ANSWERED, "INT-06", "INT-14")
USED: Final = (*REQUESTED, "INT-12", "INT-13")
WITHOUT: Final = (*REQUESTED, "INT-03", "INT-04", "INT-19")
MISSED: Final = (*ANY, "INT-03", "INT-06", "INT-08", "INT-14", "INT-17")


def searching(name: str, says: str, aims: tuple[str, ...], **members: Any) -> InvocationCase:
    """
    A case of one search: requested, there, and giving something, unless ``members`` say otherwise.

    Its question and its output are unlike those of other cases, so that nothing kept from another case can pass.
    """
    usual: dict[str, Any] = {
        "intents": (Intent(SEARCH, input={"query": f"when do swifts leave {name}"}),),
        "tools": (Tool(SEARCH),),
        "profiles": PROFILES,
        "chosen": Chosen("large"),
        "gives": {SEARCH: Gives({"sources": [f"https://birds.example/{name}"]})},
    }
    return InvocationCase(name, says, aims, **{**usual, **members})
