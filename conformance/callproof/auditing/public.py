"""Which words of a run a report may show: those by which a reader finds the place, but no values (SEC-11).

It goes by positions.  A text at a position that is not listed here is a value, whatever it looks like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from callproof.checks.code_names import baseline_of
from callproof.schema.validator import shape_names, shape_schema
from callproof.spec.registry import specification
from callproof.trace.records import Record
from callproof.trace.run import Run
from callproof.values.instants import parse_instant
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_number, is_object
from callproof.values.leaves import texts_in

# A name is short and holds no blank.  A secret in the place of a name is shown, as the specification says.
_NAME = re.compile(r"[^\s\x00-\x1f\x7f]{1,128}")
_CODE = re.compile(r"[A-Z][A-Z0-9_]{1,63}")
_HASH = re.compile(r"[A-Za-z0-9-]{2,20}:[0-9A-Fa-f]{16,128}")
# Every word of the specification is shorter than this, however it is spelt.
_SPELT_BY = 40
# Every hash and every instant has a colon among its first characters, as many as this.
_COLON_BY = 21
_WORD = re.compile(r"[A-Za-z]+")
# The names of the dialects of JSON Schema, which are public and no values.
_DIALECT = re.compile(r"https?://json-schema\.org/(?:draft[-/])?[0-9-]{0,10}(?:/schema|schema)?#?")
# Compounds that only the specification uses: `create-folder`, `plan_invalid`.
_COMPOUND = re.compile(r"`([a-z]+(?:[-_.][a-z]+)+)`")
_NAMES = frozenset(
    {"runId", "callId", "stepId", "tool", "confirmationId", "replayOf", "loopId"}
    | {"plannerVersion", "executorVersion", "toolRegistryVersion"}
)
# Members for which the specification lists every word.  A wrong word is shown, because it has to be known to be fixed.
_OF_FEW_WORDS = ("status", "type", "level", "riskLevel", "decision")
# Members of a record that hold words that may be shown.
_PARTS = ("confirmation", "iteration", "error", "effects", "payload")
_JSON_TYPES = frozenset({"string", "number", "integer", "object", "array", "boolean", "null"})
# Members that count and measure.  A number at any other place is a value.
_NUMBERS = ("attempt", "seq", "durationMs", "timeoutMs")
# Every report has smaller numbers than this in its sentences, and they reveal nothing.
_SMALL = 1_000
_NS_PER_MS = 1_000_000
_QUOTES = frozenset("\"'")


@cache
def prose() -> frozenset[str]:
    """Every word of the specification's text.  Sentences about runs are written in these words."""
    return frozenset(word for chapter in specification().chapters for word in _WORD.findall(chapter.text))


@cache
def words_of_every_run() -> frozenset[str]:
    """Every name of a member in the specification's shapes, every word that they permit, and its compounds."""
    compounds = (word for chapter in specification().chapters for word in _COMPOUND.findall(chapter.text))
    return _JSON_TYPES.union(compounds, *(_words_of_schema(shape_schema(name)) for name in shape_names()))


def public_words(run: Run) -> frozenset[str]:
    """The run's own words that may be shown: ids, names of plan and registry, policy, instants, hashes."""
    found = set(_words_of_plan(run))
    found.update(_words_of_registry(run))
    found.update(texts_in(run.run_record.get("policy") if run.run_record is not None else None))
    for record in _records(run):
        _take_words(record, found)
    return frozenset(found)


def public_numbers(run: Run) -> frozenset[int | float]:
    """The numbers that count and measure, such as the number of an attempt, and the numbers of the policy."""
    found: set[int | float] = set()
    for record in _records(run):
        _take_numbers(record, found)
    policy = run.run_record.get("policy") if run.run_record is not None else None
    found.update(_numbers(policy))
    for step in run.plan.steps if run.plan is not None else ():
        found.update(_numbers([step.value.get("retry"), step.value.get("timeoutMs")]))
    return frozenset(found)


def _take_numbers(record: Record, found: set[int | float]) -> None:
    """Add what one record counts and measures, and how long a call took by its stamps and by its closing event."""
    told, index = record.value, record.iteration_index
    payload = told.get("payload")
    took = payload.get("durationMs") if is_object(payload) else None
    found.update([each for each in (*map(told.get, _NUMBERS), index, took) if is_number(each)])
    if "startedAt" in told:  # without it there are not two stamps
        started, ended = record.began, record.ended
        if started is not None and ended is not None:
            found.add((ended.nanoseconds - started.nanoseconds) / _NS_PER_MS)


def is_public(value: Json, words: frozenset[str], numbers: frozenset[int | float]) -> bool:
    """Whether a value holds only what may be shown."""
    if isinstance(value, str):
        # A pointer consists of names.
        return value in words or not value or (value[0] == "/" and words.issuperset(value[1:].split("/")))
    if is_number(value):
        return abs(value) < _SMALL or value in numbers
    if is_object(value):
        return all(name in words and is_public(inner, words, numbers) for name, inner in value.items())
    return all(is_public(each, words, numbers) for each in value) if is_array(value) else True


def _records(run: Run) -> Iterator[Record]:
    if run.run_record is not None:
        yield run.run_record
    yield from run.records
    yield from run.strays


def _take_words(record: Record, found: set[str]) -> None:
    """Add the words of one record to those found in others; nearly all of them are already there."""
    told = record.value
    _take_words_of_members(told, found)
    _take_other_spellings(told, found)
    for name in _PARTS:
        inner = told.get(name)
        if inner is None or not is_object(inner):
            continue
        if name in ("confirmation", "iteration"):
            _take_words_of_members(inner, found)
        if name in ("error", "effects", "iteration"):
            _take_other_spellings(inner, found)
        if name == "error":
            code = inner.get("code")
            if isinstance(code, str) and (_CODE.fullmatch(code) or (len(code) < _SPELT_BY and baseline_of(code))):
                found.add(code)
        if name == "payload":
            named = inner.get("confirmationId")
            if isinstance(named, str) and _NAME.fullmatch(named):
                found.add(named)


def _take_other_spellings(value: Mapping[str, Json], found: set[str]) -> None:
    found |= _other_spellings_among(tuple(value)) if len(value) <= _FEW else set(filter(_is_other_spelling, value))


def _take_words_of_members(value: Mapping[str, Json], found: set[str]) -> None:
    for name, inner in value.items():
        if not isinstance(inner, str) or inner in found:
            continue
        plain = name in _OF_FEW_WORDS and (_is_plain(inner) or _is_other_spelling(inner))
        if plain or (name in _NAMES and _NAME.fullmatch(inner)) or _is_hash_or_instant(inner):
            found.add(inner)


@lru_cache(maxsize=1_024)
def _is_plain(text: str) -> bool:
    """Whether a text consists only of words that the specification uses in its text."""
    words = _WORD.findall(text.lower()) if len(text) < _SPELT_BY else ()
    return bool(words) and not re.search(r"[^A-Za-z_.-]", text) and _prose_in_lower_case().issuperset(words)


@cache
def _prose_in_lower_case() -> frozenset[str]:
    return frozenset(map(str.lower, prose()))


@lru_cache(maxsize=1_024)
def _is_other_spelling(name: str) -> bool:
    """Whether a word is a word of the specification in another case, or with other signs between its parts."""
    return len(name) < _SPELT_BY and _letters_of(name) in _words_by_letters()


# Nearly all records of a kind have the same members, so the answer for few members is cached.
_FEW = 40


@lru_cache(maxsize=128)
def _other_spellings_among(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(filter(_is_other_spelling, names))


@cache
def _words_by_letters() -> frozenset[str]:
    return frozenset(map(_letters_of, words_of_every_run()))


def _letters_of(name: str) -> str:
    return name.replace("_", "").replace("-", "").replace(".", "").lower()


def _is_hash_or_instant(text: str) -> bool:
    if ":" not in text[:_COLON_BY]:
        return False
    # The year of an instant has four digits.
    return (text[4:5] == "-" and parse_instant(text) is not None) or _HASH.fullmatch(text) is not None


def _words_of_plan(run: Run) -> Iterator[str]:
    for step in run.plan.steps if run.plan is not None else ():
        loop = step.value.get("foreach")
        names = (step.value.get("id"), step.value.get("tool"), step.value.get("captureAs"))
        # A reference is no value.  But a reference that spells out a name between quotes may hold anything.
        yield from (each.text for each in step.references if _QUOTES.isdisjoint(each.text))
        bound = (loop.get("itemName"), loop.get("indexName")) if is_object(loop) else ()
        yield from (each for each in (*names, *bound) if isinstance(each, str) and _NAME.fullmatch(each))


def _words_of_registry(run: Run) -> Iterator[str]:
    for tool in run.registry.tools if run.registry is not None else ():
        yield from (each for each in (tool.name, *tool.aliases, tool.category) if each is not None)
        yield from tool.side_effects or ()
        yield from tool.member_names
        for schema in (tool.value.get("inputSchema"), tool.value.get("outputSchema")):
            dialect = schema.get("$schema") if is_object(schema) else None
            if isinstance(dialect, str) and _DIALECT.fullmatch(dialect):
                yield dialect


def _words_of_schema(schema: Json) -> Iterator[str]:
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if is_object(node):
            yield from _words_of_node(node)
            waiting.extend(node.values())
        elif is_array(node):
            waiting.extend(node)


def _words_of_node(node: Mapping[str, Json]) -> Iterator[str]:
    properties, listed = node.get("properties"), node.get("enum")
    yield from properties if is_object(properties) else ()
    yield from (each for each in (listed if is_array(listed) else ()) if isinstance(each, str))
    only = node.get("const")
    if isinstance(only, str):
        yield only


def _numbers(value: Json) -> Iterator[int | float]:
    if is_number(value):
        yield value
    elif is_object(value) or is_array(value):
        for inner in value.values() if is_object(value) else value:
            yield from _numbers(inner)
