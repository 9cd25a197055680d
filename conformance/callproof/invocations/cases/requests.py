"""What the planner wants, and does not want."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from callproof.driven.odd_values import ODD_TEXTS
from callproof.invocations.case import CONTRACTS, USERS, Chosen, Intent, InvocationCase, Tool
from callproof.invocations.cases.building import ANSWERED, SEARCH, USED, WITHOUT, searching

_UNWANTED: Final = (Intent(SEARCH, requested=False),)
_RICH: Final = (
    Intent(
        SEARCH,
        input={
            "query": 'swifts "leave" \u2028 \\ \u00e9\U0001f426',
            "limit": 0,
            "weight": 0.25,
            "recent": False,
            "language": None,
            "sites": ["birds.example", {"exclude": []}],
            "": "",
        },
    ),
)
_ODD: Final = (
    Intent(SEARCH, input={"query": ODD_TEXTS[0], "sites": [*ODD_TEXTS], **{each: each for each in ODD_TEXTS}}),
)
_LEFT: Final = (*ANSWERED, "INT-01", "INT-12")


def _unwanted() -> Iterator[InvocationCase]:
    for user in USERS.values():
        for contract in CONTRACTS:
            yield searching(
                f"IV-01/{user}-{contract}-unwanted",
                f"The planner does not request a search, which the {user} could use, under {contract}.",
                _LEFT,
                intents=_UNWANTED,
                contract=contract,
                user=user,
            )


CASES: Final = (
    searching("IV-01/wanted", "The planner requests a search, and one is available.", USED),
    *_unwanted(),
    searching(
        "IV-01/unwanted-with-an-input",
        "The planner does not request a search, but gives an input for one.",
        _LEFT,
        intents=(Intent(SEARCH, requested=False, input={"query": "swifts"}),),
    ),
    searching(
        "IV-01/unwanted-and-not-there",
        "The planner does not request a search, and the chosen profile has none.",
        _LEFT,
        intents=_UNWANTED,
        chosen=Chosen("small"),
    ),
    searching(
        "IV-01/unwanted-and-needed",
        "The response needs the search, but the planner does not request it.",
        _LEFT,
        intents=_UNWANTED,
        tools=(Tool(SEARCH, optional=False),),
        needs=("requiredTools",),
    ),
    searching(
        "IV-01/without-an-input",
        "The planner requests a search, and leaves its input to the system.",
        USED,
        intents=(Intent(SEARCH),),
    ),
    searching(
        "IV-01/an-empty-input",
        "The planner requests a search with an empty input.",
        USED,
        intents=(Intent(SEARCH, input={}),),
    ),
    searching(
        "IV-01/a-rich-input",
        "The input has texts, numbers, flags, lists and null.",
        USED,
        intents=_RICH,
    ),
    searching(
        "IV-01/a-rich-input-offered",
        "The same input, when the provider uses tools.",
        USED,
        intents=_RICH,
        user="provider",
    ),
    searching(
        "IV-01/odd-texts",
        "The input has texts and names that are often trimmed, composed or converted.",
        USED,
        intents=_ODD,
        user="runtime",
    ),
    searching(
        "IV-01/odd-texts-offered",
        "The same input, when the provider uses tools.",
        USED,
        intents=_ODD,
        user="provider",
    ),
    searching(
        "IV-01/chosen-by-the-user",
        "The user chose the profile, which has a search.",
        USED,
        chosen=Chosen("large", "user"),
    ),
    searching(
        "IV-01/another-tool",
        "The tool is not a search, and no profile has it.",
        WITHOUT,
        intents=(Intent("forecast", input={"place": "Basel"}),),
        tools=(Tool("forecast"),),
    ),
)
