"""What those references of a JSON Schema lead to that stay inside its document.

A reference is a pointer, whose characters may be percent-encoded as in a URL, or a name that a schema gives itself.
A reference that leaves the document is never followed (SEC-03).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final
from urllib.parse import unquote

from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_index, is_object

# The members by which a schema names itself; in drafts before 2019-09 it does so by an id that is only a fragment.
_NAMES: Final = ("$anchor", "$dynamicAnchor")
_IDS: Final = ("$id", "id")


class LocalReferences:
    """The references inside one document, which is searched for names once, and only if a name is asked for."""

    def __init__(self, root: Json) -> None:
        self._root = root

    def target(self, reference: str) -> Json:
        """What a reference leads to; None if it leads out of the document, or nowhere."""
        if not reference.startswith("#"):
            return None
        fragment = unquote(reference[1:])
        if fragment and not fragment.startswith("/"):
            return self._named.get(fragment)
        here = self._root
        for token in fragment.split("/")[1:]:
            name = token.replace("~1", "/").replace("~0", "~")
            if is_object(here):
                here = here.get(name)
            else:
                here = here[int(name)] if is_array(here) and is_index(name, here) else None
        return here

    @cached_property
    def _named(self) -> Mapping[str, Json]:
        named: dict[str, Json] = {}
        waiting = [self._root]
        while waiting:
            node = waiting.pop()
            if is_object(node):
                names = [node.get(each) for each in _NAMES]
                names += [each[1:] for each in map(node.get, _IDS) if isinstance(each, str) and each.startswith("#")]
                named.update({each: node for each in names if isinstance(each, str)})
                waiting.extend(node.values())
            elif is_array(node):
                waiting.extend(node)
        return named
