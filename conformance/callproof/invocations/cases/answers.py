"""Answers: failing providers, odd texts, and the reports of each source."""

from __future__ import annotations

from typing import Final

from callproof.driven.odd_values import ODD_TEXTS
from callproof.invocations.case import LATER, Answer, Chosen, Gives, Intent
from callproof.invocations.cases.building import ANSWERED, SEARCH, USED, WITHOUT, searching
from callproof.protocols.invocation.codes import V1

_FAILS: Final = Answer(fails="the provider is overloaded")
_UNWANTED: Final = (Intent(SEARCH, requested=False),)
_REPORTS: Final = ("reports",)
_LINKED: Final = Answer("See https://birds.example/.", links=("https://birds.example/",))

CASES: Final = (
    searching(
        "IV-09/fails",
        "The provider fails each time it is asked.",
        (*ANSWERED, "INT-01"),
        intents=_UNWANTED,
        answers=(_FAILS,),
    ),
    searching(
        "IV-09/fails-after-a-search",
        "The runtime searched, and the provider fails.",
        (*USED, "INT-16"),
        answers=(_FAILS,),
        user="runtime",
    ),
    searching(
        "IV-09/fails-without-a-search",
        "The search failed, and the provider fails as well.",
        WITHOUT,
        gives={SEARCH: Gives(fails="timeout")},
        answers=(_FAILS,),
        user="runtime",
    ),
    searching(
        "IV-09/fails-where-nothing-is-there",
        "The chosen profile has no search, and its provider fails.",
        WITHOUT,
        chosen=Chosen("small"),
        answers=(_FAILS,),
    ),
    searching(
        "IV-09/second-attempt",
        "The provider fails once, and would answer when it is asked again.",
        (*ANSWERED, "INT-01"),
        intents=_UNWANTED,
        answers=(_FAILS, Answer()),
    ),
    searching(
        "IV-09/odd-text",
        "The answer has quotes, separators and non-ASCII characters.",
        USED,
        answers=(Answer('Swifts: "July" \\ \u2028 \u00e9 \U0001f426\nand\tAugust'),),
    ),
    searching(
        "IV-09/blanks-around",
        "The answer has blanks and line ends around it.",
        USED,
        answers=(Answer(f"\n{ODD_TEXTS[0]}"),),
    ),
    searching(
        "IV-09/odder-text",
        "The answer has signs that are often composed, converted or dropped.",
        USED,
        answers=(Answer("".join(ODD_TEXTS[1:])),),
    ),
    searching(
        "IV-09/a-text-like-a-record",
        "The answer is the JSON of a record of a failure.",
        USED,
        answers=(Answer('{"toolName": "web_search", "status": "failed", "reasonCode": "tool_timeout"}'),),
    ),
    searching("IV-09/long-text", "The answer is long.", USED, answers=(Answer("swifts " * 200 + "leave"),)),
    searching("IV-10/executed", "An executed tool is reported.", (*USED, "INT-05"), needs=_REPORTS),
    searching(
        "IV-10/failed",
        "A failed tool is reported, although the answer has links.",
        (*WITHOUT, "INT-05"),
        gives={SEARCH: Gives(fails="execution_error")},
        answers=(_LINKED,),
        contract=V1,
        needs=_REPORTS,
    ),
    searching(
        "IV-10/left",
        "A tool that the provider did not use is reported, although the answer has links.",
        (*WITHOUT, "INT-05"),
        gives={SEARCH: Gives(used=False)},
        answers=(_LINKED,),
        user="provider",
        needs=_REPORTS,
    ),
    searching(
        "IV-10/absent",
        "A tool that is not available is reported.",
        (*WITHOUT, "INT-05"),
        chosen=Chosen("small"),
        needs=_REPORTS,
    ),
    searching(
        "IV-10/rerouted",
        "The use of another profile is reported.",
        (*USED, "INT-05", "INT-18"),
        chosen=Chosen("small", may_reroute=True),
        contract=LATER,
        needs=("rerouting", *_REPORTS),
    ),
)
