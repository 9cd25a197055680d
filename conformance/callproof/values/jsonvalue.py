"""JSON values compared as JSON, and addressed by pointer.

For Python's ``==``, 1, 1.0 and True are equal.  In JSON they are not: booleans are
no numbers, and numbers are equal if their values are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, TypeGuard

from callproof.values.jsontext import Json

# Made once: making the union at each call takes longer than the isinstance check itself.
_NUMBERS: Final = (int, float)
_ARRAYS: Final = (list, tuple)
# An index as RFC 6901 defines it, without leading zeros, and with no more digits than an array can need.
_INDEX: Final = re.compile("0|[1-9][0-9]{0,8}")


def is_number(value: object) -> TypeGuard[int | float]:
    """A JSON number: an integer or a double, and no boolean."""
    return isinstance(value, _NUMBERS) and not isinstance(value, bool)


def is_object(value: object) -> TypeGuard[Mapping[str, Json]]:
    """A JSON object as the strict reader returns it: a dict, which is cheaper to check for than a Mapping."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[Sequence[Json]]:
    """A JSON array: a list, as the strict reader returns it, or a tuple, as in frozen data."""
    return isinstance(value, _ARRAYS)


def as_integer(value: object) -> int | None:
    """The integer that a number is equal to, ``1.0`` included; None for everything else (B-10)."""
    if not is_number(value):
        return None
    if isinstance(value, int):
        return value
    return int(value) if value.is_integer() else None


def equal(left: Json, right: Json) -> bool:
    """
    JSON equality: same type, same value; the order of members does not matter.
    """
    if left is right:  # no JSON value differs from itself, and often the same object is compared
        return True
    if isinstance(left, str) or isinstance(right, str):  # checked first, since most values are strings
        return isinstance(left, str) and isinstance(right, str) and left == right
    if isinstance(left, bool) or isinstance(right, bool):
        return False
    if is_object(left):
        return is_object(right) and left.keys() == right.keys() and _equal_members(left, right)
    if is_array(left):
        return is_array(right) and len(left) == len(right) and _equal_elements(left, right)
    return is_number(left) and is_number(right) and left == right


def _equal_members(left: Mapping[str, Json], right: Mapping[str, Json]) -> bool:
    # A loop: a generator for `all` takes twice as long over the few members that objects have.
    for name, member in left.items():  # noqa: SIM110
        if not equal(member, right[name]):
            return False
    return True


def _equal_elements(left: Sequence[Json], right: Sequence[Json]) -> bool:
    for one, other in zip(left, right):  # noqa: SIM110
        if not equal(one, other):
            return False
    return True


def differences(
    left: Json, right: Json, pointer: str = "", alike: Callable[[Json, Json], bool] = equal
) -> Iterator[str]:
    """The JSON pointers of the smallest parts in which two values differ, in the order of the left one."""
    if is_object(left) and is_object(right):
        # Lazily: a caller that wants only the first few does not wait for a million members.
        for name in chain(left, (name for name in right if name not in left)):
            inner = f"{pointer}/{escape_token(name)}"
            if name in left and name in right:
                yield from differences(left[name], right[name], inner, alike)
            else:
                yield inner
    elif is_array(left) and is_array(right) and len(left) == len(right):
        for index, (one, other) in enumerate(zip(left, right)):
            yield from differences(one, other, f"{pointer}/{index}", alike)
    elif not alike(left, right):
        yield pointer


def depth(value: Json) -> int:
    """How many levels of objects and arrays a value has; 0 for a scalar."""
    inner = list(value.values()) if is_object(value) else value if is_array(value) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


def escape_token(name: str) -> str:
    """One reference token of an RFC 6901 JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def leads(pointer: str, value: Json) -> bool:
    """Whether an RFC 6901 JSON pointer leads to a place inside a value; the value itself does not count."""
    return value_at(pointer, value) is not None


def value_at(pointer: str, value: Json) -> tuple[Json] | None:
    """What an RFC 6901 JSON pointer leads to inside a value, in a tuple; None if it leads to nothing there."""
    here = value
    for token in pointer.split("/")[1:] if pointer.startswith("/") else [""]:
        name = token.replace("~1", "/").replace("~0", "~")
        if is_object(here) and name in here:
            here = here[name]
        elif is_array(here) and is_index(token, here):
            here = here[int(token)]
        else:
            return None
    return (here,)


def is_index(token: str, array: Sequence[Json]) -> bool:
    """Whether a reference token of a pointer names an element of an array."""
    return _INDEX.fullmatch(token) is not None and int(token) < len(array)


def merge_patch(target: Json, patch: Json) -> Json:
    """The target with an RFC 7396 merge patch applied; neither argument is changed."""
    if not is_object(patch):
        return patch
    merged = dict(target) if is_object(target) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = merge_patch(merged.get(name), value)
    return merged
