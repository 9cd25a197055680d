"""The strict reader: the hazards of JSON text, one by one."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from callproof import limits
from callproof.values.jsontext import NotStrictJson, is_cut_off, read_json, read_plain_lines, write_json
from hypothesis import given
from hypothesis import strategies as st

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def accepts(raw: bytes) -> bool:
    """Whether the reader accepts the bytes; any exception other than a refusal fails the test."""
    try:
        read_json(raw)
    except NotStrictJson:
        return False
    return True


@pytest.mark.many
@given(VALUES)
def test_what_is_written_is_read_again(value: object) -> None:
    """Reading inverts writing for every value that JSON can hold."""
    try:
        raw = write_json(value).encode("utf-8")
    except UnicodeEncodeError:
        return
    assert read_json(raw) == value


@pytest.mark.many
@given(st.dictionaries(st.text(), VALUES, min_size=1), st.sampled_from([None, 2]), st.booleans(), st.data())
def test_an_object_that_ends_too_early_is_cut_off(
    value: dict[str, object], indent: int | None, escaped: bool, data: st.DataObject
) -> None:
    """This holds wherever the text ends early; the whole object is not cut off."""
    text = json.dumps(value, indent=indent, ensure_ascii=escaped)
    try:
        raw = text.encode("utf-8")
    except UnicodeEncodeError:
        return
    assert not is_cut_off(raw)
    assert is_cut_off(raw[: data.draw(st.integers(0, len(raw) - 1))])


@pytest.mark.parametrize("raw", [b"{'a': 1}", b"nope", b"{]", b'{"a": 1}}', b'{"a": 01}', b"[" * 5_000 + b"]" * 5_000])
def test_text_that_goes_wrong_before_its_end_is_not_cut_off(raw: bytes) -> None:
    """A writer that died while writing did not leave such text; it was never JSON."""
    assert not is_cut_off(raw)


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        (b"\xef\xbb\xbf{}", "bytes"),
        ('{"a":1}'.encode("utf-16"), "bytes"),
        (b'"\xed\xa0\x80"', "bytes"),
        (b'{"a":1,"\\u0061":2}', "strict"),
        (b'"\\ud800"', "strict"),
        (b"[NaN]", "strict"),
        (b"1e400", "strict"),
        (b"{} \x00", "syntax"),
        (b'"\t"', "syntax"),
        (b"", "empty"),
        (b" \n", "empty"),
    ],
)
def test_a_refusal_names_the_kind_of_fault(raw: bytes, fault: str) -> None:
    """Bytes that are not UTF-8, ambiguities, an empty text and syntax errors are told apart."""
    with pytest.raises(NotStrictJson) as refused:
        read_json(raw)
    assert refused.value.fault == fault


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b'{"a":\n "\t"}', "Invalid control character at line 2, column 3"),
        (b'\n"open', "Unterminated string starting at line 2, column 1"),
        (b'"\\q"\n', "Invalid \\escape at line 1, column 2"),
        (b'{"a": }', "Expecting value at column 7"),
        (b"", "is empty"),
        (b" \n", "is empty"),
    ],
)
def test_a_refusal_names_the_place_once(raw: bytes, reason: str) -> None:
    """A document gets line and column; a single line, which may be one of many in a log, only the column."""
    with pytest.raises(NotStrictJson) as refused:
        read_json(raw)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "is empty"),
        (b"{", "is not JSON: Expecting property name enclosed in double quotes at column 2"),
        ("[]".encode("utf-16"), "is not UTF-8 at byte 0, and begins as UTF-16 does; save it as UTF-8"),
        (b"\xef\xbb\xbf[]", "starts with a byte order mark; save it as UTF-8 without one"),
        (b'{"a": 1, "a": 2}', "names the member 'a' twice"),
    ],
)
def test_the_owner_of_a_document_is_told_what_helps(raw: bytes, told: str) -> None:
    """It is the rest of a sentence. A report on a log shows no values, but the owner of a document sees them."""
    with pytest.raises(NotStrictJson) as refused:
        read_json(raw)
    assert refused.value.told == told


def test_integers_are_exact_up_to_the_limit_of_digits() -> None:
    """A number of 1,024 digits is read exactly; one more digit is over the limit."""
    digits = "9" * limits.DIGITS
    assert read_json(digits.encode()) == int(digits)
    assert read_json(f"-{digits}".encode()) == read_json(f" -{digits} ".encode()) == -int(digits)
    assert read_json(f"0.{digits[1:]}".encode()) == 1.0
    with pytest.raises(NotStrictJson) as refused:
        read_json(b"9" * (limits.DIGITS + 1))
    assert refused.value.limit == "digits"


@pytest.mark.parametrize("number", ["9" * 1_025, "-" + "9" * 5_000, "1." + "0" * 1_024, "1e999", "-1e999"])
def test_a_number_that_cannot_be_held_is_refused_unless_somebody_asks_for_it(number: str) -> None:
    """A caller that passes ``unheld`` gets the number's text, and null instead of it; the rest is read as usual."""
    raw = f'{{"a": [{number}, 1, 1.5], "b": "{number}"}}'.encode()
    with pytest.raises(NotStrictJson):
        read_json(raw)
    with pytest.raises(NotStrictJson):
        read_json(raw, repeated=[])
    unheld: list[str] = []
    assert read_json(raw, unheld=unheld) == {"a": [None, 1, 1.5], "b": number}
    assert unheld == [number]


# What two readers may read differently, and what looks like it.
_ODD = (
    rb'"a":1,', rb'"\u0061":1,', b" ", b"\n", b"0", b"-", b"-0", b"-0.0", b"1.0", b"1e5", b"1e22", b"1E400", b"5e-324",
    b"NaN", b"null", b"9" * limits.DIGITS, b"9" * (limits.DIGITS + 1), b"9.5" + b"0" * limits.DIGITS,
    b"9223372036854775808", rb"\ud83d\ude00", rb"\ud800", rb"\u0000", rb"\/", rb"\n", b"\x00", b"\x7f", b"\xff",
    b"\xed\xa0\x80", b"\xe2\x80\xa8", b"[" * limits.NESTING, b"]" * limits.NESTING, b'{"a":', b"}", b"[", b"]",
    b'"', b",", b":",
)  # fmt: skip


def outcome(raw: bytes) -> tuple[str, str | None, str]:
    """The outcome of reading the bytes: the value, spelt so that its types show, or the kind of refusal."""
    try:
        return "read", None, repr(read_json(raw))
    except NotStrictJson as error:
        return error.fault, error.limit, ""


@pytest.mark.many
@given(st.data())
def test_text_as_programs_write_it_is_read_like_any_other(data: st.DataObject) -> None:
    """A blank at the end rules out the quick path; good or broken, the text has the same outcome with it."""
    value, signs = data.draw(VALUES), data.draw(st.sampled_from([(",", ":"), (", ", ": ")]))
    raw = json.dumps(value, ensure_ascii=data.draw(st.booleans()), separators=signs).encode("utf-8", "surrogatepass")
    for _ in range(data.draw(st.integers(0, 3))):
        start = data.draw(st.integers(0, len(raw)))
        raw = raw[:start] + data.draw(st.sampled_from(_ODD)) + raw[start + data.draw(st.integers(0, 4)) :]
    assert outcome(raw) == outcome(raw + b" ") == outcome(raw + b"\n")


@pytest.mark.parametrize("odd", _ODD)
@pytest.mark.parametrize("frame", [b'{"a":%s}', b'[0,"%s"]', b"%s", b'{"b":2,%s"c":[3]}', b'{"b": 2, %s"c": [3]}'])
def test_every_oddity_is_read_alike_both_ways(frame: bytes, odd: bytes) -> None:
    """The same for each oddity alone."""
    assert outcome(frame % odd) == outcome(frame % odd + b" ") == outcome(frame % odd + b"\n")


@pytest.mark.parametrize("odd", _ODD)
@pytest.mark.parametrize("frame", [b'{"a":%s}', b'[0,"%s"]', b"%s", b'{"b":2,%s"c":[3]}', b'{"b": 2, %s"c": [3]}'])
def test_lines_that_are_read_in_one_go_are_read_as_each_by_itself(frame: bytes, odd: bytes) -> None:
    """Each line has the value that the strict reader gives it, or the quick reader gives None for them all."""
    line = frame % odd
    for text in (b'{"z":0}\n' + line + b'\n{"y":[]}\n', line + b"\n", line, b'{"z":0}\n\n' + line + b"\n"):
        values = read_plain_lines(text)
        if values is not None:
            assert repr(values) == repr([read_json(each) for each in text.split(b"\n")[:-1]])


def test_lines_without_an_oddity_are_read_in_one_go() -> None:
    """Compact JSON, one document a line. A line over a limit gives None; another reader then names the limit."""
    assert read_plain_lines('{"a":[1,-2.5,"é\\n",null,true]}\n[]\n'.encode()) == [
        {"a": [1, -2.5, "é\n", None, True]},
        [],
    ]
    assert read_plain_lines(b"") == []
    assert read_plain_lines(b"[" * (limits.NESTING + 1) + b"]" * (limits.NESTING + 1) + b"\n") is None
    assert read_plain_lines(b'"' + b"a" * limits.MEMBERS_PER_OBJECT + b'"\n') is None


def test_nesting_is_limited_by_us_and_not_by_the_stack() -> None:
    """128 levels are read, 129 are over the limit, and brackets inside strings do not count."""
    for opened, closed in ((b"[", b"]"), (b'{"a":', b"}")):
        for levels in (limits.NESTING, limits.NESTING + 1):
            assert accepts(opened * levels + b"0" + closed * levels) is (levels == limits.NESTING)
    with pytest.raises(NotStrictJson) as refused:
        read_json(b"[" * 100_000)
    assert refused.value.limit == "nesting"
    assert accepts(json.dumps("[" * 1_000).encode())
    assert accepts(json.dumps(['\\"[', "[" * 500]).encode())


def test_a_small_stack_is_enough_for_text_of_any_depth() -> None:
    """Depth is refused before any decoder recurses: threads of some systems have 128 KB of stack."""
    reading = (
        "import threading; from callproof.values.jsontext import read_json, NotStrictJson\n"
        "def read():\n"
        "    for raw in (b'[' * 60_000, b'[' * 30_000 + b']' * 30_000, b'{\"a\":' * 9_000):\n"
        "        try: read_json(raw)\n"
        "        except NotStrictJson as error: print(error.limit)\n"
        "threading.stack_size(131_072); thread = threading.Thread(target=read); thread.start(); thread.join()\n"
    )
    done = subprocess.run([sys.executable, "-c", reading], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, ["nesting"] * 3)


def test_an_object_holds_at_most_so_many_members() -> None:
    """65,536 members are read; one more is over the limit."""

    def text(members: int) -> bytes:
        return json.dumps({str(i): 0 for i in range(members)}).encode()

    assert accepts(text(limits.MEMBERS_PER_OBJECT))
    assert not accepts(text(limits.MEMBERS_PER_OBJECT + 1))


def test_whoever_owns_a_file_with_a_byte_order_mark_is_told_how_to_save_it() -> None:
    """The error suggests the remedy; ``reason``, which a report on a log shows, names only the fault."""
    with pytest.raises(NotStrictJson, match=r"^starts with a byte order mark; save it as UTF-8") as refused:
        read_json(b"\xef\xbb\xbf{}")
    assert refused.value.reason == "starts with a byte order mark"
