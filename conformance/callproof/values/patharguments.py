"""Which arguments of a call are vault paths (A70, A84).

Only names that the tool's own schema declares count: a `path` inside an object that the schema leaves open, such as
front matter, is the user's data. This module reads schemas as plain JSON and judges no path.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from callproof.values.declaring import by_name, of_element, of_others, parts
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import escape_token, is_array, is_object

_ONE_PATH: Final = frozenset({"path", "fromPath", "toPath"})
_MANY_PATHS: Final = "paths"
_PREFIX_TOOL: Final = "vault.listFiles"


def path_arguments(tool: str, args: Json, schema: Json) -> Iterator[tuple[str, str]]:
    """Each path-valued argument of a call, as its JSON pointer into the args and its text.

    They are the strings `path`, `fromPath` and `toPath` and the elements of `paths`, wherever `schema` (the tool's
    inputSchema) declares them, and `prefix` of vault.listFiles.
    """
    if is_object(args) and tool == _PREFIX_TOOL:
        yield from _texts(args.get("prefix"), "/prefix")
    yield from _walk(args, (schema,), schema, "")


def _walk(value: Json, schemas: tuple[Json, ...], root: Json, pointer: str) -> Iterator[tuple[str, str]]:
    here = tuple(parts(schemas, root))
    if not here:
        return  # no schema declares this value, so nothing in it counts
    if is_object(value):
        for name, member in value.items():
            is_whole = is_object(member) or is_array(member)
            if not is_whole and name not in _ONE_PATH:
                continue
            named = tuple(by_name(here, name))
            inner = f"{pointer}/{escape_token(name)}"
            if named and name in _ONE_PATH and isinstance(member, str):
                yield inner, member
            elif named and name == _MANY_PATHS and is_array(member):
                yield from (pair for index, each in enumerate(member) for pair in _texts(each, f"{inner}/{index}"))
            elif is_whole:
                yield from _walk(member, named or tuple(of_others(here)), root, inner)
    elif is_array(value):
        for index, element in enumerate(value):
            yield from _walk(element, tuple(of_element(here, index)), root, f"{pointer}/{index}")


def _texts(value: Json, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield pointer, value
