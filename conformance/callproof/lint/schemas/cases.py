"""How many cases a schema makes for one value: alternatives in conditions that must all hold multiply.

Engines evaluate such cases one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

MOST = 512
# The schema to which a reference leads; None if it leads nowhere.
Resolve = Callable[[str], Json]


def most_cases(nodes: Iterable[Json], resolve: Resolve) -> int:
    """The largest number of cases that one of the nodes makes; one more than ``MOST`` stands for any larger number."""
    counting = _Counting(resolve)
    return max((counting.of(node) for node in nodes), default=1)


class _Counting:
    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._known: dict[int, int] = {}

    def of(self, node: Json) -> int:
        """The cases of a node; a reference back to it counts once."""
        if not is_object(node):
            return 1
        if id(node) not in self._known:
            self._known[id(node)] = 1
            self._known[id(node)] = min(MOST + 1, self._product(node))
        return self._known[id(node)]

    def _product(self, node: Json) -> int:
        if not is_object(node):
            return 1
        product = 2 if "if" in node else 1
        for keyword in ("anyOf", "oneOf"):
            listed = node.get(keyword)
            if is_array(listed):
                product *= max(1, sum(self.of(each) for each in listed))
        listed = node.get("allOf")
        for each in listed if is_array(listed) else ():
            product = min(MOST + 1, product * self.of(each))
        reference = node.get("$ref")
        return product * (self.of(self._resolve(reference)) if isinstance(reference, str) else 1)
