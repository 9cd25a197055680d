"""Tools that the runtime uses, and tools that the provider uses."""

from __future__ import annotations

from typing import Final

from callproof.driven.odd_values import ODD_TEXTS
from callproof.invocations.case import LATER, Answer, Gives
from callproof.invocations.cases.building import REQUESTED, SEARCH, SOURCES, USED, WITHOUT, searching
from callproof.protocols.invocation.codes import V1

_RUNTIME: Final = (*USED, "INT-16")
_LEFT: Final = (*WITHOUT, "INT-12", "INT-13")
_LEAVES: Final = {SEARCH: Gives(SOURCES, used=False)}
_LINKS: Final = ("https://birds.example/", "https://swifts.example/july")
_CITED: Final = Answer("Swifts leave in July, see https://birds.example/.", links=_LINKS)

CASES: Final = (
    searching("IV-02/v1", "The runtime searches under v1.", _RUNTIME, contract=V1, user="runtime"),
    searching("IV-02/later", "The runtime searches under 2026-05.", _RUNTIME, contract=LATER, user="runtime"),
    searching(
        "IV-02/nothing-found",
        "The search finds no sources, but was executed.",
        _RUNTIME,
        gives={SEARCH: Gives({"sources": []})},
        user="runtime",
    ),
    searching(
        "IV-02/nothing-at-all",
        "The search returns null.",
        _RUNTIME,
        gives={SEARCH: Gives(None)},
        user="runtime",
    ),
    searching(
        "IV-02/a-text",
        "The search returns a text.",
        _RUNTIME,
        gives={SEARCH: Gives('Swifts \u2028 "leave" in July \U0001f426')},
        user="runtime",
    ),
    searching(
        "IV-02/odd-texts",
        "The search returns texts and names that are often trimmed, composed or converted.",
        _RUNTIME,
        gives={SEARCH: Gives({"sources": [*ODD_TEXTS], **{each: each for each in ODD_TEXTS}})},
        user="runtime",
    ),
    searching(
        "IV-02/blanks-around",
        "The search returns a text with blanks and line ends around it.",
        _RUNTIME,
        gives={SEARCH: Gives(ODD_TEXTS[0])},
        user="runtime",
    ),
    searching(
        "IV-02/an-error-in-words",
        "The search returns an object with an error in it, but has not failed.",
        _RUNTIME,
        gives={SEARCH: Gives({"error": "no index for swifts", "status": "failed"})},
        user="runtime",
    ),
    searching(
        "IV-02/three-sources",
        "The search returns three sources in a certain order.",
        _RUNTIME,
        gives={SEARCH: Gives({"sources": [f"https://birds.example/{at}" for at in (3, 1, 2)]})},
        user="runtime",
    ),
    searching(
        "IV-02/no-links",
        "The search is executed, but the answer has no link.",
        _RUNTIME,
        answers=(Answer("I found nothing that I would cite."),),
        user="runtime",
    ),
    searching("IV-03/v1", "The provider searches under v1.", USED, contract=V1, user="provider"),
    searching("IV-03/later", "The provider searches under 2026-05.", USED, contract=LATER, user="provider"),
    searching("IV-03/left", "The provider does not search.", _LEFT, gives=_LEAVES, user="provider"),
    searching(
        "IV-03/left-v1",
        "The provider does not search, under v1.",
        _LEFT,
        gives=_LEAVES,
        contract=V1,
        user="provider",
    ),
    searching(
        "IV-03/left-later",
        "The provider does not search, under 2026-05.",
        _LEFT,
        gives=_LEAVES,
        contract=LATER,
        user="provider",
    ),
    searching(
        "IV-03/left-with-links",
        "The provider does not search, but its answer has links.",
        _LEFT,
        gives=_LEAVES,
        answers=(_CITED,),
        user="provider",
    ),
    searching(
        "IV-03/used-without-links",
        "The provider searches, but its answer has no link.",
        USED,
        answers=(Answer("I found nothing that I would cite."),),
        user="provider",
    ),
    searching("IV-03/used-with-links", "The provider searches, and cites.", USED, answers=(_CITED,), user="provider"),
    searching(
        "IV-03/untold",
        "The provider does not say whether it searched.",
        tuple(each for each in REQUESTED if each != "INT-14"),
        answers=(Answer(tells=False),),
        user="provider",
    ),
)
