"""Rewrites findings without the values of the run that they are about (SEC-11).

A check says what it saw with the real values, since the suite chose the values of a live run.  A captured log belongs
to others: here every value in a finding's text is replaced by its shape.  Handles texts; does not know about laws.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache

from callproof import limits
from callproof.auditing.public import is_public, prose, public_numbers, public_words, words_of_every_run
from callproof.checks.check import Finding
from callproof.judge.baseline import message_class
from callproof.judge.judging import Result, Results, Root
from callproof.trace.registry import Tool
from callproof.trace.run import Run
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_number, is_object
from callproof.values.leaves import leaves_of
from callproof.values.spans import in_ms

_QUOTES = frozenset('"{[')
# An index, as in ``s3[2]``, is so small that it may be shown.
_QUOTE_OF_A_VALUE = re.compile(r'["{]|\[(?![0-9]{1,3}\])')
_TOKEN = re.compile(r"\w+|[^\w\s]")
# A shorter text cannot be told from a part of a sentence; between quotes, as a value, it is masked anyway.
_SHORTEST = 4
_SHORTEST_RANDOM = 12
_UNBROKEN = re.compile(r"[^\s\"',;:()]+")
# In a longer text, words are looked up one by one.
_SOON_SEEN = 200
_DECODER = json.JSONDecoder()
_CUT = "…"
# What follows the digits of a number that measures.
_MEASURE = re.compile(r"((?:\.[0-9]+)?) ms\b")
_NONE: Set[int] = frozenset()
# The types of values in a document that may need masking; numbers do not.
_TOLD = (str, dict, list, tuple)


@dataclass(frozen=True, slots=True)
class _Telling:
    """What replaces a value: ``value`` makes it of the value, and ``cut`` stands for a value that is quoted in part."""

    value: Callable[[Json], str]
    cut: str


def shape_of(value: Json) -> str:
    """What replaces a value: its type and its length.  No hash, because the value could be guessed from it."""
    if isinstance(value, str):
        return f"[{len(value)} character{'' if len(value) == 1 else 's'}]"
    if is_object(value):
        return f"[object of {len(value)}]"
    if is_array(value):
        return f"[array of {len(value)}]"
    return "[number]" if is_number(value) else json.dumps(value)


_SHAPES = _Telling(shape_of, "[longer than a report shows]")
_NOTHING = _Telling(lambda _: _CUT, _CUT)


class Masking:
    """What may be shown of one run, and the masking of texts about it."""

    def __init__(self, run: Run) -> None:
        own = public_words(run)
        self._own = own
        self._words = own | words_of_every_run()
        self._numbers = public_numbers(run)
        self._measured = frozenset(map(in_ms, self._numbers))
        self._secrets = self._secrets_among(_texts_of(run, self._numbers))
        # The first characters of each secret: a text without any of them holds no secret.
        self._beginnings = {each[:_SHORTEST] for each in self._secrets}
        self._shown: dict[str, str] = {}
        self._random = _random_names_of(run)

    def finding(self, finding: Finding) -> Finding:
        """The finding with shapes instead of values."""
        return replace(
            finding,
            observed=self.text(finding.observed),
            permitted=self.text(finding.permitted),
            witness=tuple(replace(each, says=self.text(each.says)) for each in finding.witness),
            because=tuple(map(self.text, finding.because)),
            help=None if finding.help is None else self.text(finding.help),
        )

    def document(self, value: Json) -> Json:
        """A document about the run, such as a timeline, with shapes instead of values."""
        if isinstance(value, str):
            return self.text(value)
        if is_object(value):
            return {name: self.document(inner) if isinstance(inner, _TOLD) else inner for name, inner in value.items()}
        return [self.document(each) for each in value] if is_array(value) else value

    def bare(self, text: str) -> str:
        """The text with an ellipsis for each value and random call name, so that it is the same for all such values."""
        if self._random:
            text = _UNBROKEN.sub(lambda each: _CUT if each[0] in self._random else each[0], text)
        return "".join(self._told(text, _NOTHING))

    def text(self, text: str) -> str:
        """The text with shapes instead of values."""
        known = self._shown.get(text)  # a timeline repeats texts for many calls and events
        if known is None:
            known = self._shown[text] = "".join(self._told(text, _SHAPES))
        return known

    def _told(self, text: str, telling: _Telling) -> Iterable[str]:
        """The masked text, part by part; nearly every text holds no value, and is its own only part."""
        if len(text) < _SOON_SEEN and _QUOTE_OF_A_VALUE.search(text) is None:
            if text in self._words and not text[:1].isspace() and "[" not in text:
                return (text,)  # an id or the name of a tool, as most texts of a timeline are
            if self._beginnings.isdisjoint(_beginnings_in(text)):
                return (text,)
        return self._parts(text, telling)

    def _parts(self, text: str, telling: _Telling) -> Iterator[str]:
        """The masked parts: values and names where they are known, or are quoted, and what stands between."""
        at = 0
        for token in _TOKEN.finditer(text):
            start = token.start()
            if start < at:
                continue
            end, told = self._part_at(text, start, token[0], telling)
            if end > start:
                yield text[at:start]
                yield told
                at = end
        yield text[at:]

    def _part_at(self, text: str, start: int, token: str, telling: _Telling) -> tuple[int, str]:
        """
        Where a value or a name ends that begins there, and what to show for it; where nothing begins, the place itself.

        A value may itself have quotes and brackets, as `[[swifts]]` has.  So the longer one counts: what can be read
        as quoted, or what is known.
        """
        end, told = self._quoted(text, start, telling) if token in _QUOTES else (start, "")
        known = self._known_at(text, start, token)
        if known is None or start + len(known) <= end:
            return end, told
        return start + len(known), telling.value(known) if known in self._secrets else known

    def _quoted(self, text: str, start: int, telling: _Telling) -> tuple[int, str]:
        """Where a value ends that a check quoted as JSON, or as the beginning of JSON, and what to show for it."""
        cut = start + limits.EXCERPT_CHARACTERS
        # Cut values first: otherwise the quote that opens the next value would seem to close the cut one.
        if text[cut - 1 : cut] == _CUT:
            return cut, telling.cut
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            return start, ""
        return end, text[start:end] if is_public(value, self._words, self._numbers) else telling.value(value)

    def _known_at(self, text: str, start: int, token: str) -> str | None:
        """The longest value or public word of the run that begins there and does not end inside a word."""
        own, of_every_run = self._lengths.get(token), _lengths_of_every_run().get(token)
        if own is None and of_every_run is None:  # nearly always
            return None
        for length in sorted((own or _NONE) | (of_every_run or _NONE), reverse=True):
            end = start + length
            known, after = text[start:end], text[end : end + 1]
            if known not in self._secrets and known not in self._words:
                continue
            if not (_is_letter(known[-1]) and _is_letter(after)) and not self._measures(text, known, end):
                return known
        return None

    def _measures(self, text: str, known: str, end: int) -> bool:
        """Whether a known text is only the digits of a number that is measured there, as in `4000 ms`."""
        if not known.isdigit():
            return False
        found = _MEASURE.match(text, end)
        return found is not None and known + found[1] in self._measured

    @cached_property
    def _lengths(self) -> Mapping[str, Set[int]]:
        """The lengths of known texts by their first word or sign, so that a sentence is gone through only once."""
        return _lengths_of((*self._own, *self._secrets))

    def _secrets_among(self, texts: Iterable[str]) -> frozenset[str]:
        long = {each for each in texts if len(each) >= _SHORTEST} - prose() - self._words
        # Besides the words only pointers are public, and they consist of these words.
        return frozenset({each for each in long if each[0] != "/" or not is_public(each, self._words, self._numbers)})


def _random_names_of(run: Run) -> Set[str]:
    """
    The names of calls that have no digit, because a message class recognises a name by its digits.

    A short name is left out: somebody chose it as a word, and it may be a word of a sentence too.
    """
    named = {each.call_id for each in (*run.calls, *run.results) if each.call_id is not None}
    return {each for each in named if len(each) >= _SHORTEST_RANDOM and not any(map(str.isdigit, each))}


def _lengths_of(words: Iterable[str]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for word in words:
        if (first := _TOKEN.match(word)) is not None:
            known = found.get(first[0])
            if known is None:
                found[first[0]] = {len(word)}
            else:
                known.add(len(word))
    return found


@cache
def _lengths_of_every_run() -> Mapping[str, Set[int]]:
    return _lengths_of(words_of_every_run())


@lru_cache(maxsize=4_096)  # the timelines of all runs contain the same places and steps
def _beginnings_in(text: str) -> frozenset[str]:
    """Every part of a text that is as long as the beginnings of secrets, to compare with these."""
    return frozenset([text[at : at + _SHORTEST] for at in range(len(text) - _SHORTEST + 1)])


def _is_letter(sign: str) -> bool:
    return bool(sign) and (sign.isalnum() or sign == "_")


def _texts_of(run: Run, public: frozenset[int | float]) -> Set[str]:
    """Every text in the records of a run, as a sentence may spell it: strings, names of members, numbers."""
    tools, others = _parted(run)
    texts, numbers = leaves_of((*others, *(each.value for each in (*run.records, *run.strays))), public)
    told = texts.union(numbers, *(tool.leaves.texts for tool in tools))
    return told.union(each for tool in tools for each, number in tool.leaves.numbers.items() if number not in public)


def _parted(run: Run) -> tuple[Sequence[Tool], Sequence[Json]]:
    """The run record in two: its tools, whose texts are known if other runs have the same tools, and all the rest."""
    head: Mapping[str, Json] = run.run_record.value if run.run_record is not None else {}
    listed = head.get("tools")
    if run.registry is None or not is_array(listed):
        return (), (head,)
    if [tool.value for tool in run.registry.tools] != [each for each in listed if is_object(each)]:
        return (), (head,)
    return run.registry.tools, ({**head, "tools": [each for each in listed if not is_object(each)]},)


def masked_results(results: Results, masking: Masking, *, show_values: bool = False) -> Results:
    """
    The results of one run with texts that hold only what a report may show.

    With ``show_values`` the texts stay unchanged.  What distinguishes findings from each other is the same either way.
    """
    return {name: _masked(each, masking, show_values=show_values) for name, each in results.items()}


def _masked(result: Result, masking: Masking, *, show_values: bool) -> Result:
    if not result.findings and not result.errors:
        return result
    named = [replace(each, bare=message_class(masking.bare(each.finding.observed))) for each in result.findings]
    if show_values:
        return replace(result, findings=tuple(named))
    findings = (replace(each, finding=masking.finding(each.finding), root=_root(each.root, masking)) for each in named)
    return replace(result, findings=tuple(findings), errors=tuple(map(masking.text, result.errors)))


def _root(root: Root | None, masking: Masking) -> Root | None:
    return None if root is None else replace(root, because=masking.text(root.because))
