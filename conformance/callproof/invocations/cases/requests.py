"""What the planner wants, and does not want."""

from __future__ import annotations

from typing import Final

from callproof.invocations.case import LATER, Chosen, Intent, Tool
from callproof.invocations.cases.building import ANSWERED, SEARCH, USED, WITHOUT, searching
from callproof.protocols.invocation.codes import V1

_UNWANTED: Final = (Intent(SEARCH, requested=False),)
_LEFT: Final = (*ANSWERED, "INT-01", "INT-12")

CASES: Final = (
    searching("IV-01/wanted", "The planner wants a search, and there is one.", USED),
    searching("IV-01/unwanted", "The planner does not want a search.", _LEFT, intents=_UNWANTED),
    searching("IV-01/unwanted-v1", "The same under the first contract.", _LEFT, intents=_UNWANTED, contract=V1),
    searching(
        "IV-01/unwanted-later",
        "The same under the later contract, in which what is there may be called eligible.",
        _LEFT,
        intents=_UNWANTED,
        contract=LATER,
    ),
    searching(
        "IV-01/unwanted-with-an-input",
        "The planner does not want a search, and says what it would have searched.",
        _LEFT,
        intents=(Intent(SEARCH, requested=False, input={"query": "swifts"}),),
    ),
    searching(
        "IV-01/unwanted-and-not-there",
        "The planner does not want a search, and the chosen profile has none.",
        _LEFT,
        intents=_UNWANTED,
        chosen=Chosen("small"),
    ),
    searching(
        "IV-01/unwanted-and-needed",
        "The response could not do without the search, and the planner does not want it.",
        _LEFT,
        intents=_UNWANTED,
        tools=(Tool(SEARCH, optional=False),),
        needs=("requiredTools",),
    ),
    searching(
        "IV-01/without-an-input",
        "The planner wants a search, and leaves it to the system what for.",
        USED,
        intents=(Intent(SEARCH),),
    ),
    searching(
        "IV-01/an-empty-input",
        "The planner wants a search, with an input that has no members.",
        USED,
        intents=(Intent(SEARCH, input={}),),
    ),
    searching(
        "IV-01/a-rich-input",
        "The input has texts, numbers, flags, lists, and what is nothing.",
        USED,
        intents=(
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
        ),
    ),
    searching(
        "IV-01/chosen-by-the-user",
        "The user chose the profile, which has a search.",
        USED,
        chosen=Chosen("large", "user"),
    ),
    searching(
        "IV-01/another-tool",
        "The tool is no search, and no profile has it.",
        WITHOUT,
        intents=(Intent("forecast", input={"place": "Basel"}),),
        tools=(Tool("forecast"),),
    ),
)
