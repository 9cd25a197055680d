"""Forms that are mistaken for the canonical one: well-known slips, which explain a wrong hash (HASH-05)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from itertools import product

from callproof.values.canonical import as_a_double, canonical
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_number, is_object

# Up to here, every integer is exactly a double.
EXACT = 2**53 - 1
# What Go's json.Marshal does, and how to stop it.
HTML_ESCAPED = "<, > and & are escaped, as Go's json.Marshal does"
_PLAIN_IN_GO = "call SetEscapeHTML(false) on a json.Encoder, and take away the line end that it adds"
# Printable characters that some libraries escape.
_OF_MARKUP = frozenset("/<>&")


def edged(value: Json) -> bool:
    """Whether a value holds something over which canonical forms go wrong."""
    if is_object(value):
        return any(not name.isascii() or edged(inner) for name, inner in value.items())
    if is_array(value):
        return any(map(edged, value))
    if isinstance(value, str):
        return not (value.isascii() and value.isprintable() and _OF_MARKUP.isdisjoint(value))
    return is_number(value) and (isinstance(value, float) or abs(value) > EXACT)


def slip_in(value: Json, is_form: Callable[[bytes], bool]) -> str | None:
    """Which slip turns a value into the form that was hashed; None if no slip does."""
    for slip, made in _SLIPS:
        try:
            form = made(value)
        except (ValueError, OverflowError):
            continue
        if is_form(form):
            return slip
        if is_form(form + b"\n"):
            return f"{slip}, with a line end after the last token"
    return None


def help_for(slip: str | None) -> str | None:
    """What to do instead of a slip, if there is something to say."""
    return _PLAIN_IN_GO if slip is not None and HTML_ESCAPED in slip else None


def _sorted_text(args: Json, *, ascii_only: bool = False, spaced: bool = False) -> bytes:
    separators = (", ", ": ") if spaced else (",", ":")
    return json.dumps(args, ensure_ascii=ascii_only, separators=separators, sort_keys=True).encode()


def _written(
    value: Json,
    *,
    number: Callable[[float], bytes] = canonical,
    text: Callable[[str], bytes] = canonical,
    by_code_points: bool = False,
) -> bytes:
    """The canonical form, except for its numbers, its texts or the order of its names."""
    inner = partial(_written, number=number, text=text, by_code_points=by_code_points)
    if is_object(value):
        order = str if by_code_points else _by_utf16_units
        return b"{%b}" % b",".join(text(name) + b":" + inner(value[name]) for name in sorted(value, key=order))
    if is_array(value):
        return b"[%b]" % b",".join(map(inner, value))
    if is_number(value):
        return number(value)
    return text(value) if isinstance(value, str) else canonical(value)


def _by_utf16_units(name: str) -> bytes:
    return name.encode("utf-16-be")


def _spelt(value: float) -> bytes:
    return json.dumps(value).encode()


def _briefly_spelt(value: float) -> bytes:
    """A number as in languages that write ``1e21`` and ``1e-7`` where others write ``1e+21`` and ``1e-07``."""
    return re.sub(rb"e\+?(-?)0*", rb"e\1", _spelt(value))


def _scientifically_spelt(value: float) -> bytes:
    """A number as in languages that write ``1.0E21`` and ``1.0E-7``, as every double outside 0.001 to 10 000 000."""
    if not isinstance(value, float) or not value or 1e-3 <= abs(value) < 1e7:
        return _spelt(value)
    sign, digits, _ = Decimal(repr(value)).normalize().as_tuple()
    first, rest = digits[0], "".join(map(str, digits[1:])) or "0"
    return f"{'-' * sign}{first}.{rest}E{Decimal(repr(value)).adjusted()}".encode()


def _in_capitals(form: bytes) -> bytes:
    """Numeric escapes as written by libraries that use capital digits only: ``\\u001B``."""
    return re.sub(
        rb"\\(?:u[0-9a-f]{4}|.)",
        lambda found: rb"\u" + found[0][2:].upper() if found[0][1:2] == b"u" else found[0],
        form,
    )


def _as_float64(value: float) -> bytes:
    """A number as Go writes it after it was read into ``any``: as RFC 8785 does, except for -0."""
    form = as_a_double(value)
    return b"-0" if form == b"0" and str(value).startswith("-") else form


def _escaping(characters: str) -> Callable[[str], bytes]:
    """Texts in which these characters have numeric escapes."""
    escapes = {canonical(each)[1:-1]: b"\\u%04x" % ord(each) for each in characters}
    # A backslash takes the character after it along, so that an escaped one begins no escape.
    pattern = re.compile(rb"\\\\|" + b"|".join(map(re.escape, escapes)))
    return lambda text: pattern.sub(lambda found: escapes.get(found[0], found[0]), canonical(text))


def _decimals_as_doubles(value: float) -> bytes:
    """A number as in languages whose integers are no doubles and are written with all their digits."""
    return as_a_double(value) if isinstance(value, float) else canonical(value)


def _escaped(args: Json) -> bytes:
    text = canonical(args).decode()
    return "".join(each if each.isascii() else json.dumps(each)[1:-1] for each in text).encode()


def _rounded(value: Json) -> Json:
    if is_object(value):
        return {name: _rounded(inner) for name, inner in value.items()}
    if is_array(value):
        return [_rounded(inner) for inner in value]
    return float(value) if is_number(value) and abs(value) > EXACT else value


# What Go's encoding/json escapes beyond what JSON requires: always, before Go 1.22, and if nobody calls SetEscapeHTML.
_LINES, _FEEDS, _MARKUP = "\u2028\u2029", "\b\f", "<>&"
_OF_GO: tuple[tuple[str, str], ...] = (
    ("U+2028 and U+2029 are escaped, as Go's encoding/json does", _LINES),
    ("\\b and \\f have numeric escapes, as Go's encoding/json did before Go 1.22", _FEEDS),
    ("U+2028, U+2029, \\b and \\f have numeric escapes, as Go's encoding/json did before Go 1.22", _LINES + _FEEDS),
    (HTML_ESCAPED, _MARKUP + _LINES),
    (HTML_ESCAPED, _MARKUP + _LINES + _FEEDS),
)
_NUMBERS: tuple[tuple[str, Callable[[float], bytes]], ...] = (
    ("", canonical),
    ("numbers as they were spelt", _spelt),
    ("numbers as they were spelt", _briefly_spelt),
    ("every number as a float64", _as_float64),
)


def _as_go(value: Json, characters: str, number: Callable[[float], bytes], *, by_code_points: bool) -> bytes:
    if not _holds(value, frozenset(characters)):
        raise ValueError(value)  # it has the form of another slip
    return _written(value, number=number, text=_escaping(characters), by_code_points=by_code_points)


def _holds(value: Json, characters: frozenset[str]) -> bool:
    if is_object(value):
        return any(not characters.isdisjoint(name) or _holds(inner, characters) for name, inner in value.items())
    if is_array(value):
        return any(_holds(each, characters) for each in value)
    return isinstance(value, str) and not characters.isdisjoint(value)


def _slips_of_go() -> Iterator[tuple[str, Callable[[Json], bytes]]]:
    """What Go's encoding/json writes; the slips that alter less stand first."""
    for (numbers, number), (names, by_code_points) in product(_NUMBERS, (("", False), ("names by code points", True))):
        besides = " and ".join(filter(None, (numbers, names)))
        for escaped, characters in _OF_GO:
            made = partial(_as_go, characters=characters, number=number, by_code_points=by_code_points)
            yield f"text in which {escaped}" + (f", with {besides}" if besides else ""), made


# One slip may be made in several ways, by languages that spell and sort differently.
_SLIPS: tuple[tuple[str, Callable[[Json], bytes]], ...] = (
    ("text in canonical form", canonical),  # which is wrong with a line end only
    ("names by code points", partial(_written, by_code_points=True)),
    ("numbers as they were spelt", partial(_written, number=_spelt)),
    ("numbers as they were spelt", partial(_written, number=_briefly_spelt)),
    ("numbers as they were spelt", partial(_written, number=_scientifically_spelt)),
    ("numbers as they were spelt and names by code points", _sorted_text),
    (
        "numbers as they were spelt and names by code points",
        partial(_written, number=_briefly_spelt, by_code_points=True),
    ),
    ("escaped characters", _escaped),
    ("escaped characters", partial(_sorted_text, ascii_only=True)),
    ("text with blanks between its tokens", partial(_sorted_text, spaced=True)),
    ("escaped characters and blanks between tokens", partial(_sorted_text, ascii_only=True, spaced=True)),
    ("escapes in capital letters", lambda args: _in_capitals(canonical(args))),
    (
        "numbers as they were spelt and escapes in capital letters",
        lambda args: _in_capitals(_written(args, number=_scientifically_spelt)),
    ),
    ("escaped characters", lambda args: _in_capitals(_escaped(args))),
    ("text in ISO 8859-1 instead of UTF-8", lambda args: canonical(args).decode().encode("latin-1", "replace")),
    ("text in ASCII instead of UTF-8", lambda args: canonical(args).decode().encode("ascii", "replace")),
    ("escaped slashes", lambda args: canonical(args).replace(b"/", b"\\/")),
    ("numbers as RFC 8785 alone writes them", partial(_written, number=as_a_double)),
    ("numbers as RFC 8785 alone writes them", partial(_written, number=_decimals_as_doubles)),
    ("rounded integers", lambda args: canonical(_rounded(args))),
    (
        "members in the order in which they stood",
        lambda args: json.dumps(args, ensure_ascii=False, separators=(",", ":")).encode(),
    ),
    *_slips_of_go(),
)
