"""Tools that the chosen profile does not have: no other profile may be used, or another one is used."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from callproof.invocations.case import CONTRACTS, LATER, USERS, Chosen, Gives, Intent, InvocationCase, Profile
from callproof.invocations.cases.building import (
    ANSWERED,
    LARGE,
    SEARCH,
    SMALL,
    SOURCES,
    USED,
    WITHOUT,
    searching,
)
from callproof.protocols.invocation.codes import V1

_ABSENT: Final = (*WITHOUT, "INT-12")
_MOVED: Final = (*USED, "INT-18")
_REROUTING: Final = ("rerouting",)
_MAY: Final = Chosen("small", "planner", may_reroute=True)
_FAILED: Final = tuple(dict.fromkeys((*WITHOUT, *_MOVED)))


def _absent() -> Iterator[InvocationCase]:
    for user in USERS.values():
        for contract in CONTRACTS:
            yield searching(
                f"IV-05/{user}-{contract}",
                f"The chosen profile has no search for the {user}, and no other profile may be used, under {contract}.",
                _ABSENT,
                chosen=Chosen("small", "user"),
                contract=contract,
                user=user,
            )
            yield searching(
                f"IV-05/{user}-{contract}-nowhere",
                f"No profile has a search for the {user}, under {contract}.",
                _ABSENT,
                profiles=(SMALL,),
                chosen=Chosen("small"),
                contract=contract,
                user=user,
            )


def _unmoved() -> Iterator[InvocationCase]:
    for user in USERS.values():
        yield searching(
            f"IV-05/{user}-v1-stays",
            f"Another profile that may be used has a search for the {user}, but v1 has no rerouting.",
            _ABSENT,
            chosen=Chosen("small", "planner", may_reroute=True),
            contract=V1,
            user=user,
        )


def _moved() -> Iterator[InvocationCase]:
    there = partial(searching, chosen=_MAY, contract=LATER, needs=_REROUTING)
    for user in USERS.values():
        yield there(
            f"IV-06/{user}",
            f"Another profile has a search for the {user}, and may be used.",
            _MOVED,
            user=user,
        )
        yield there(
            f"IV-06/{user}-fails",
            f"Another profile is used, and the search of the {user} times out there.",
            _FAILED,
            gives={SEARCH: Gives(fails="timeout")},
            user=user,
        )
        yield there(
            f"IV-06/{user}-third",
            f"Only the last of three profiles has a search for the {user}.",
            _MOVED,
            profiles=(SMALL, Profile("medium"), LARGE),
            user=user,
        )
    yield there(
        "IV-06/left",
        "Another profile is used, and its provider does not search.",
        tuple(dict.fromkeys((*WITHOUT, *USED, "INT-18"))),
        gives={SEARCH: Gives(SOURCES, used=False)},
        user="provider",
    )


CASES: Final = (
    *_absent(),
    *_unmoved(),
    searching(
        "IV-05/another-one-has-it",
        "Another profile has the search, but only the chosen one is permitted.",
        _ABSENT,
        profiles=(SMALL, Profile("medium", (SEARCH,)), LARGE),
        chosen=Chosen("small", "user"),
        contract=LATER,
    ),
    *_moved(),
    searching(
        "IV-06/nowhere",
        "Another profile may be used, but none has a search.",
        WITHOUT,
        profiles=(SMALL, Profile("medium", ("forecast",))),
        chosen=_MAY,
        contract=LATER,
        needs=_REROUTING,
    ),
    searching(
        "IV-06/no-need",
        "Another profile may be used, but the chosen one has the search.",
        USED,
        profiles=(LARGE, Profile("medium", (SEARCH,))),
        chosen=Chosen("large", may_reroute=True),
        contract=LATER,
        needs=_REROUTING,
    ),
    searching(
        "IV-06/not-wanted",
        "Another profile may be used and has the search, but none was requested.",
        (*ANSWERED, "INT-01"),
        intents=(Intent(SEARCH, requested=False),),
        chosen=_MAY,
        contract=LATER,
        needs=_REROUTING,
    ),
)
