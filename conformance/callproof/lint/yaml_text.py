"""YAML read like JSON: the same values, and where each of them is.

It refuses what JSON does not have, or leaves it text: dates, keys that are not text, tags, several documents.
An alias stands for a copy of its anchor, and the number of copies is bounded.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import yaml

from callproof import limits
from callproof.lint.document import ONE_VALUE, NotReadable
from callproof.values.jsontext import Json
from callproof.values.positions import Member, Span

_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_TAGS = frozenset({"tag:yaml.org,2002:str", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"})


class _Loader(yaml.CSafeLoader):
    """YAML whose plain scalars this module tells apart: the rules of YAML would turn text into dates and yes/no."""


_Loader.yaml_implicit_resolvers = {}
# The error of a scanner that reads far ahead: it meets its own limit first, though that is higher than ours.
_TOO_DEEP_TO_SCAN = "exceeded maximum nesting depth"


class ReadYaml(NamedTuple):
    """
    A text and its value.

    ``repeated`` says that some object names a member twice, ``unheld`` that null stands for some number that is too
    long or too large to hold.
    """

    text: str
    value: Json
    repeated: bool
    unheld: bool


def read_yaml(name: str, raw: bytes) -> ReadYaml:
    """The value that a text writes down.  Raises NotReadable."""
    if len(raw) > limits.LINT_YAML_BYTES:
        raise NotReadable(name, f"is YAML of more than {limits.LINT_YAML_BYTES // limits.MIB} MiB", "YAML size")
    try:
        text = raw.decode("utf-8")
        _refuse_deep(name, text)
        node = yaml.compose(text, Loader=_Loader)
    except UnicodeDecodeError as error:
        raise NotReadable(name, f"is not UTF-8 at byte {error.start}; save it as UTF-8") from None
    except yaml.YAMLError as error:
        told = " ".join(str(error).split())
        if _TOO_DEEP_TO_SCAN in told:
            raise _too_deep(name) from None
        several = f"; {ONE_VALUE}" if "but found another document" in told else ""
        raise NotReadable(name, f"not YAML: {told}{several}") from None
    reader = _Reader(name)
    value = None if node is None else reader.value(node, 0)
    return ReadYaml(text, value, reader.repeated, reader.unheld)


def _refuse_deep(name: str, text: str) -> None:
    """Raise NotReadable for a text nested so deep that the composer, which calls itself, would end the process."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > limits.NESTING:
                raise _too_deep(name)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _too_deep(name: str) -> NotReadable:
    return NotReadable(name, f"is nested deeper than {limits.NESTING} levels", "nesting")


class _Reader:
    """Values of nodes, counted while they are made."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._nodes = 0
        self.repeated = False
        self.unheld = False

    def value(self, node: yaml.Node, depth: int) -> Json:
        """The value of a node.  Raises NotReadable."""
        self._nodes += 1
        if self._nodes > limits.LINT_YAML_NODES:
            raise NotReadable(self._name, f"has more than {limits.LINT_YAML_NODES} values", "YAML nodes")
        if depth > limits.NESTING:
            raise _too_deep(self._name)
        if node.tag not in _TAGS:
            raise self._refused(node, f"has the tag {node.tag!r}; permitted: none")
        if isinstance(node, yaml.MappingNode):
            return self._object(node, depth)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(each, depth + 1) for each in node.value]
        return self._scalar(node)

    def _object(self, node: yaml.MappingNode, depth: int) -> dict[str, Json]:
        found: dict[str, Json] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise self._refused(key, "uses an object or an array as the name of a member; permitted: a string")
            self.repeated = self.repeated or key.value in found
            found[key.value] = self.value(value, depth + 1)
        return found

    def _scalar(self, node: yaml.Node) -> Json:
        text: Any = node.value
        if getattr(node, "style", None):  # quoted, or a block of text
            return str(text)
        if text in _WORDS:
            return _WORDS[text]
        if not _DECIMAL.fullmatch(text):
            return str(text)
        if len(text) <= limits.DIGITS:
            if _INTEGER.fullmatch(text):
                return int(text)
            if not math.isinf(number := float(text)):
                return number
        self.unheld = True
        return None

    def _refused(self, node: yaml.Node, reason: str) -> NotReadable:
        return NotReadable(f"{self._name}:{node.start_mark.line + 1}", reason)


class YamlPositions:
    """Where values are in a YAML text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._root = yaml.compose(text, Loader=_Loader)
        self._nodes: dict[Span, yaml.Node] = {}

    def root(self) -> Span:
        """The whole value."""
        return Span(0, 0) if self._root is None else self._span(self._root)

    def members(self, container: Span) -> Sequence[Member]:
        """The members of the object or array at a span, in order, repeated names included."""
        node = self._nodes.get(container)
        if isinstance(node, yaml.MappingNode):
            return [Member(key.value, self._span(key), self._span(value)) for key, value in node.value]
        if isinstance(node, yaml.SequenceNode):
            return [Member(place, None, self._span(each)) for place, each in enumerate(node.value)]
        return ()

    def _span(self, node: yaml.Node) -> Span:
        # A block ends where the next token begins; the blanks between them belong to the block.
        start, end = node.start_mark.index, node.end_mark.index
        span = Span(start, start + len(self._text[start:end].rstrip()))
        # A mapping and its first member can have the same span; the mapping was looked up first.
        self._nodes.setdefault(span, node)
        return span
