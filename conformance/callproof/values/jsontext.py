"""JSON text read strictly: nothing wrong is accepted, nothing crashes.

Every document that comes from outside is read here.  The strict reader is the standard
library's decoder, made to refuse what it would let pass: byte order marks,
encodings other than UTF-8, duplicate members, NaN and infinities, numbers of
absurd length, absurd depth, lone surrogates (LOG-02, LOG-03).

A faster reader is tried first. It takes only text in which nothing of this occurs.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import Final, NoReturn, TypeAlias

import msgspec

from callproof import limits

# What a strict reader returns: dict, list, str, int, float, bool or None.
Json: TypeAlias = "None | bool | int | float | str | Sequence[Json] | Mapping[str, Json]"

# How many characters of a member's name an error shows.
_SHOWN = 60
_NO_BRACKETS = bytes(each for each in range(256) if each not in b"[]{}")
_LEVELS = [(byte in b"[{") - (byte in b"]}") for byte in range(256)]

_DIGITS: Final = bytes.maketrans(b"123456789", b"000000000")
_NUMBER_TOO_LONG: Final = b"0" * (limits.DIGITS + 1)
_decode: Final = msgspec.json.Decoder().decode
_encode: Final = msgspec.json.Encoder().encode
_decode_lines: Final = msgspec.json.Decoder().decode_lines
_encode_lines: Final = msgspec.json.Encoder().encode_lines
# What the faster reader raises for text that it cannot read; the strict reader then says what is wrong.
_UNREAD: Final = (msgspec.MsgspecError, ValueError, OverflowError, RecursionError)


class NotStrictJson(ValueError):
    """
    The bytes are not one strict JSON document; ``reason`` says why, in a clause without any value from them.

    The text of the error also names the value and a remedy, for the owner of the document.

    ``fault`` is ``bytes`` (a byte order mark, or bytes that are not UTF-8), ``empty``, ``strict`` (valid
    JSON with something in it that two readers would read differently) or ``syntax``.
    """

    def __init__(
        self, reason: str, *, fault: str = "syntax", limit: str | None = None, naming: str | None = None
    ) -> None:
        super().__init__(reason if naming is None else naming)
        self.reason = reason
        self.fault = fault
        # The name of the limit that was exceeded, if the text may be JSON but is too big to judge.
        self.limit = limit

    @property
    def clause(self) -> str:
        """The reason as the predicate of a sentence about the document, as in ``it is no JSON: …``."""
        return self._on_the_document(self.reason)

    @property
    def told(self) -> str:
        """The same for the owner of the document: with the value and a remedy."""
        return self._on_the_document(str(self))

    def _on_the_document(self, why: str) -> str:
        return f"is not JSON: {why}" if self.fault == "syntax" and self.limit is None else why


def read_json(raw: bytes, *, repeated: list[str] | None = None, unheld: list[str] | None = None) -> Json:
    """
    The value of one UTF-8 JSON document.

    If ``repeated`` is a list, the names that an object has twice are added to it, and the last of their values counts.
    If ``unheld`` is a list, the numbers that are too long or too large to hold are added to it, and null replaces them.
    Without the list they are refused.  Raises NotStrictJson, and nothing else, for every other input.
    """
    if _may_be_plain(raw):
        try:
            plain: Json = _decode(raw)
            if _is_as_written(raw, plain):
                return plain
        except _UNREAD:
            pass
    text = _decoded(raw)
    refuse_depth(raw)
    decoder = _DECODER if repeated is None and unheld is None else _decoder(repeated, unheld)
    try:
        value: Json = decoder.decode(text)
    except json.JSONDecodeError as error:
        if not text.strip():
            raise NotStrictJson("is empty", fault="empty") from None
        what = error.msg.removesuffix(" at").rstrip(": ")  # some of the decoder's messages expect a position
        line = f"line {error.lineno}, " if "\n" in text else ""  # a record or a message is itself one line
        raise NotStrictJson(f"{what} at {line}column {error.colno}") from None
    if b"\\u" in raw:
        _refuse_surrogates(value)
    if len(raw) > limits.STRING_CHARACTERS:
        _refuse_long_strings(value)
    return value


def is_cut_off(raw: bytes) -> bool:
    """Whether text is only the beginning of a JSON document, as left by a writer that dies while writing."""
    try:
        _decode(raw)
    except msgspec.DecodeError as error:
        # A minus sign or a decimal point at the end begins a number that was cut off.
        return str(error).endswith((" truncated", f"invalid number (byte {len(raw)})"))
    except _UNREAD:
        pass
    return False


def read_plain_lines(text: bytes) -> Sequence[Json] | None:
    """
    The values of lines that each hold one document in its shortest form and end in LF; None for any other text.

    Each value is the same that ``read_json`` reads from the line, only faster.
    """
    if len(text) > limits.LINE_BYTES:
        return None  # to check it, the text is written once more, and there may be no memory for that
    lines = text.split(b"\n")
    if lines.pop() or b"\\u" in text or _NUMBER_TOO_LONG in text.translate(_DIGITS):
        return None
    deepest = max([line.count(b"[") + line.count(b"{") for line in lines], default=0)
    if deepest > limits.NESTING or not _is_short(max(map(len, lines), default=0)):
        return None
    try:
        values: list[Json] = _decode_lines(text)
        # No value is written with a line feed in it, so if the texts are equal, each value has its own line.
        return values if _encode_lines(values) == text else None
    except _UNREAD:
        return None


def write_json(value: Json) -> str:
    """
    Compact JSON text, with the members in their order and non-ASCII characters unescaped.

    Raises ValueError for NaN and infinities.
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def shortest_text(value: Json) -> bytes | None:
    """
    Compact JSON of a value, usable as a cache key: two values that were read and differ have different texts.

    None for what cannot be written quickly, such as an integer of more than 64 bits.
    """
    try:
        return _encode(value)
    except (*_UNREAD, TypeError):
        return None


def _is_short(size: int) -> bool:
    """Whether text of this many bytes is too short for an object of too many members or for a string too long."""
    return size <= limits.MEMBERS_PER_OBJECT and size <= limits.STRING_CHARACTERS


def _may_be_plain(raw: bytes) -> bool:
    """Whether text exceeds no limit, and has no ``\\u`` escape, which could be a lone surrogate (LOG-03)."""
    if not _is_short(len(raw)) or b"\\u" in raw or _is_too_deep(raw):
        return False
    return len(raw) <= limits.DIGITS or _NUMBER_TOO_LONG not in raw.translate(_DIGITS)


def _is_as_written(raw: bytes, value: Json) -> bool:
    """
    Whether writing the value again gives the same text, without blanks or with one after each colon and comma.

    Then it repeats no member and spells no number or character in another way, and all readers read it alike.
    """
    written = _encode(value)
    first = raw.find(b'":') + 2
    if raw[first : first + 1] == b" ":  # a writer that writes one blank writes all of them
        written = msgspec.json.format(written, indent=0)
    return raw in (written, written + b"\n")


def _decoded(raw: bytes) -> str:
    if raw.startswith(b"\xef\xbb\xbf"):
        marked = "starts with a byte order mark"
        raise NotStrictJson(marked, fault="bytes", naming=f"{marked}; save it as UTF-8 without one")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        other = ", and begins as UTF-16 does" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else ""
        strange = f"is not UTF-8 at byte {error.start}{other}"
        raise NotStrictJson(strange, fault="bytes", naming=f"{strange}; save it as UTF-8") from None


def refuse_depth(raw: bytes) -> None:
    """Raises NotStrictJson if text is nested deeper than a document may be."""
    if _is_too_deep(raw):
        raise NotStrictJson(f"is nested deeper than {limits.NESTING} levels", limit="nesting")


def _is_too_deep(raw: bytes) -> bool:
    """Called before any decoder: all of them recurse on the stack of the thread, which may be small."""
    # Few brackets cannot be deep, so for almost every document a count is enough and no scan is needed.
    if raw.count(b"[") + raw.count(b"{") <= limits.NESTING:
        return False
    brackets = _without_strings(raw).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_LEVELS.__getitem__, brackets)), default=0) > limits.NESTING


def _without_strings(raw: bytes) -> bytes:
    # Without escapes every quote begins or ends a string.  A backslash outside of strings stops every decoder.
    unescaped = raw.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in raw else raw
    return b"".join(unescaped.split(b'"')[::2])


def _refuse_surrogates(value: Json) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise NotStrictJson("holds a lone surrogate", fault="strict") from None


def _refuse_long_strings(value: Json) -> None:
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str) and len(node) > limits.STRING_CHARACTERS:
            raise NotStrictJson(f"holds a string of more than {limits.STRING_CHARACTERS} characters", limit="string")
        if isinstance(node, dict):
            waiting += (*node, *node.values())
        elif isinstance(node, list):
            waiting += node


def _object(pairs: list[tuple[str, Json]], repeated: list[str] | None = None) -> dict[str, Json]:
    if len(pairs) > limits.MEMBERS_PER_OBJECT:
        raise NotStrictJson(f"has an object of more than {limits.MEMBERS_PER_OBJECT} members", limit="members")
    value = dict(pairs)
    if len(value) < len(pairs):
        # Only the text for the owner names the member: the reason goes into reports on logs, without values (SEC-11).
        counted = Counter(name for name, _ in pairs).most_common()
        twice = counted[0][0]
        if repeated is not None:
            repeated += [name for name, number in counted if number > 1]
            return value
        raise NotStrictJson("names a member twice", fault="strict", naming=f"names the member {twice[:_SHOWN]!r} twice")
    return value


def _integer(text: str, unheld: list[str] | None = None) -> int | None:
    if not _has_too_many_digits(text):
        return int(text)
    _refuse_unless_wanted(text, unheld)
    return None


def _decimal(text: str, unheld: list[str] | None = None) -> float | None:
    value = math.inf if _has_too_many_digits(text) else float(text)
    if not math.isinf(value):
        return value
    _refuse_unless_wanted(text, unheld)
    return None


def _has_too_many_digits(text: str) -> bool:
    # Most numbers are short. In a long one only digits count, not signs, points and exponent letters.
    return len(text) > limits.DIGITS and sum(map(str.isdigit, text)) > limits.DIGITS


def _refuse_unless_wanted(text: str, unheld: list[str] | None) -> None:
    if unheld is not None:
        unheld.append(text)
    elif _has_too_many_digits(text):
        raise NotStrictJson(f"holds a number of more than {limits.DIGITS} digits", limit="digits")
    else:
        raise NotStrictJson("holds a number that no double can hold", fault="strict")


def _constant(name: str) -> NoReturn:
    raise NotStrictJson(f"holds {name}, which JSON does not have", fault="strict")


def _decoder(repeated: list[str] | None = None, unheld: list[str] | None = None) -> json.JSONDecoder:
    return json.JSONDecoder(
        object_pairs_hook=_object if repeated is None else partial(_object, repeated=repeated),
        parse_int=_integer if unheld is None else partial(_integer, unheld=unheld),
        parse_float=_decimal if unheld is None else partial(_decimal, unheld=unheld),
        parse_constant=_constant,
    )


_DECODER = _decoder()
