"""Tools that the response cannot do without, and responses with several tools."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from callproof.invocations.case import CONTRACTS, FAILURES, LATER, Chosen, Gives, Intent, InvocationCase, Profile, Tool
from callproof.invocations.cases.building import MISSED, SEARCH, SMALL, USED, WANTED, WITHOUT, searching

_DOSE: Final = "dosage_lookup"
_NEEDED: Final = Intent(_DOSE, input={"drug": "ibuprofen"})
_TABLE: Final = Gives({"maximum": "1200 mg a day"})
_BOTH: Final = (Profile("large", (SEARCH, _DOSE)), SMALL)


def _needing(name: str, says: str, aims: tuple[str, ...], **members: object) -> InvocationCase:
    usual: dict[str, object] = {
        "intents": (_NEEDED,),
        "tools": (Tool(_DOSE, optional=False),),
        "profiles": _BOTH,
        "gives": {_DOSE: _TABLE},
        "needs": ("requiredTools",),
    }
    return searching(name, says, aims, **{**usual, **members})


def _failing() -> Iterator[InvocationCase]:
    for contract in CONTRACTS:
        for kind in FAILURES if contract == LATER else FAILURES[:2]:
            yield _needing(
                f"IV-07/{contract}-{kind.replace('_', '-')}",
                f"A needed tool fails ({kind}), under {contract}.",
                (*MISSED, "INT-12", "INT-13"),
                gives={_DOSE: Gives(fails=kind)},
                contract=contract,
                user="runtime",
            )
        yield _needing(
            f"IV-07/{contract}-absent",
            f"The chosen profile does not have the needed tool, under {contract}.",
            MISSED,
            chosen=Chosen("small", "user"),
            contract=contract,
        )


def _several(name: str, says: str, aims: tuple[str, ...], **members: object) -> InvocationCase:
    usual: dict[str, object] = {
        "intents": (WANTED, _NEEDED),
        "tools": (Tool(SEARCH), Tool(_DOSE)),
        "profiles": _BOTH,
        "gives": {SEARCH: Gives({"sources": []}), _DOSE: _TABLE},
        "needs": ("severalTools",),
    }
    return searching(name, says, aims, **{**usual, **members})


CASES: Final = (
    _needing("IV-07/there", "A needed tool is available and returns something.", USED),
    _needing("IV-07/there-for-the-provider", "The provider uses the needed tool.", USED, user="provider"),
    *_failing(),
    _needing(
        "IV-07/left-by-the-provider",
        "The provider answers without the needed tool.",
        MISSED,
        gives={_DOSE: Gives(used=False)},
        user="provider",
    ),
    _needing(
        "IV-07/fails-for-the-provider",
        "The needed tool fails, and the provider still answers.",
        MISSED,
        gives={_DOSE: Gives(fails="timeout")},
        user="provider",
    ),
    _needing(
        "IV-07/rerouted",
        "The chosen profile does not have the needed tool, but another one does.",
        (*USED, "INT-18"),
        chosen=Chosen("small", may_reroute=True),
        contract=LATER,
        needs=("requiredTools", "rerouting"),
    ),
    _several("IV-08/both", "Two tools are requested, and both are available.", USED),
    _several("IV-08/both-offered", "The provider is offered two tools.", USED, user="provider"),
    _several(
        "IV-08/one-left",
        "The provider uses one of two tools.",
        tuple(dict.fromkeys((*USED, *WITHOUT))),
        gives={SEARCH: Gives(used=False), _DOSE: _TABLE},
        user="provider",
    ),
    _several(
        "IV-08/one-offered",
        "One of two tools is requested, and offered.",
        (*USED, "INT-01"),
        intents=(WANTED, Intent(_DOSE, requested=False)),
        user="provider",
    ),
    _several(
        "IV-08/one-wanted",
        "One of two tools is requested.",
        (*USED, "INT-01"),
        intents=(WANTED, Intent(_DOSE, requested=False)),
    ),
    _several(
        "IV-08/none-wanted",
        "Neither of two tools is requested.",
        (*(each for each in USED if each not in ("INT-06", "INT-13", "INT-14")), "INT-01"),
        intents=(Intent(SEARCH, requested=False), Intent(_DOSE, requested=False)),
    ),
    _several(
        "IV-08/first-fails",
        "The first of two tools fails.",
        tuple(dict.fromkeys((*USED, *WITHOUT))),
        gives={SEARCH: Gives(fails="timeout"), _DOSE: _TABLE},
    ),
    _several(
        "IV-08/second-fails",
        "The second of two tools fails.",
        tuple(dict.fromkeys((*USED, *WITHOUT))),
        gives={SEARCH: Gives({"sources": []}), _DOSE: Gives(fails="http_error")},
    ),
    _several(
        "IV-08/one-there",
        "The chosen profile has one of two tools.",
        tuple(dict.fromkeys((*USED, *WITHOUT))),
        profiles=(Profile("large", (SEARCH,)), SMALL),
    ),
    _several(
        "IV-08/optional-and-needed",
        "The optional tool fails, and the needed one does not.",
        tuple(dict.fromkeys((*USED, *WITHOUT))),
        tools=(Tool(SEARCH), Tool(_DOSE, optional=False)),
        gives={SEARCH: Gives(fails="network_error"), _DOSE: _TABLE},
        needs=("severalTools", "requiredTools"),
    ),
    _several(
        "IV-08/needed-fails",
        "The optional tool does not fail, and the needed one does.",
        (*MISSED, "INT-12"),
        tools=(Tool(SEARCH), Tool(_DOSE, optional=False)),
        gives={SEARCH: Gives({"sources": []}), _DOSE: Gives(fails="timeout")},
        user="runtime",
        needs=("severalTools", "requiredTools"),
    ),
)
