"""Parts of two schemas that are equal word for word, their references included, found without an engine."""

from __future__ import annotations

from callproof.lint.schemas.sides import LEFT, RIGHT, Sides
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import equal, is_array, is_object

_Addresses = tuple[str, str]


class Alike:
    """Compares parts of the left schema with parts of the right one, and remembers which references mean the same."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides
        self._same: set[_Addresses] = set()
        self._different: set[_Addresses] = set()

    def are(self, left: Json, right: Json) -> bool:
        """Whether two parts are equal; a reference counts as equal to one that leads to an equal part."""
        # Two references that lead back to where both began are equal as long as nothing on the way differs.
        met: set[_Addresses] = set()
        waiting = [(left, right)]
        while waiting:
            one, other = waiting.pop()
            addresses = _addresses(one, other)
            if addresses is not None:
                if addresses in self._different:
                    return False
                if addresses not in met | self._same:
                    met.add(addresses)
                    waiting.append((self._sides.at(addresses[0]), self._sides.at(addresses[1])))
                one, other = ({**each, "$ref": None} for each in (one, other) if is_object(each))
            if not _shallow(one, other, waiting):
                self._different |= met if len(met) == 1 else set()
                return False
        self._same |= met
        return True


def _shallow(one: Json, other: Json, waiting: list[tuple[Json, Json]]) -> bool:
    """Whether two values are equal apart from what is inside them; that is put on the list."""
    if is_object(one) and is_object(other):
        waiting += [(value, other.get(name)) for name, value in one.items()]
        return one.keys() == other.keys()
    if is_array(one) and is_array(other):
        waiting += zip(one, other)
        return len(one) == len(other)
    return equal(one, other)


def _addresses(one: Json, other: Json) -> _Addresses | None:
    """The addresses of two references; None if one of the two is no reference."""
    if not (is_object(one) and is_object(other)):
        return None
    left, right = one.get("$ref"), other.get("$ref")
    if not (isinstance(left, str) and isinstance(right, str)):
        return None
    return (left, right) if left.startswith(f"{LEFT}#") and right.startswith(f"{RIGHT}#") else None
