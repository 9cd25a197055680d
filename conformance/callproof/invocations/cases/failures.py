"""Tools that fail, in every way, under both contracts, and for both users: the answer is given without them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from callproof.invocations.case import CONTRACTS, FAILURES, LATER, USERS, Answer, Gives, InvocationCase
from callproof.invocations.cases.building import SEARCH, WITHOUT, searching

_HOW: Final = {
    "execution_error": "breaks",
    "timeout": "times out",
    "http_error": "gets an HTTP error",
    "network_error": "fails in the network",
    "invalid_response": "gets a response that cannot be read",
}


def _every() -> Iterator[InvocationCase]:
    for user in USERS.values():
        for contract in CONTRACTS:
            for kind in FAILURES:
                by_kind = ("INT-20",) if contract == LATER else ()
                yield searching(
                    f"IV-04/{user}-{contract}-{kind.replace('_', '-')}",
                    f"The search of the {user} {_HOW[kind]}, under {contract}.",
                    (*WITHOUT, "INT-12", "INT-13", *by_kind),
                    gives={SEARCH: Gives(fails=kind)},
                    contract=contract,
                    user=user,
                )


CASES: Final = (
    *_every(),
    searching(
        "IV-04/failed-with-links",
        "The search of the provider breaks, and its answer still has links.",
        (*WITHOUT, "INT-12", "INT-13"),
        gives={SEARCH: Gives(fails="execution_error")},
        answers=(Answer("See https://birds.example/.", links=("https://birds.example/",)),),
        user="provider",
    ),
)
