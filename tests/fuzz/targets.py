"""The fuzz targets: each takes bytes, does what a hostile user could cause, and raises if a promise is broken.

The engine is in ``run.py``; the seeds and all inputs that were ever found are run as tests.
"""

from __future__ import annotations

import html.parser
import json
import unicodedata
import zlib
from collections.abc import Callable, Iterator, Mapping
from io import StringIO
from typing import Any

from callproof.auditing.audited import Rules
from callproof.auditing.one_run import audit_run
from callproof.auditing.tally import Tally
from callproof.auditlog.captured import CapturedFile, CapturedRun
from callproof.auditlog.layout import FILES, RUN_FILE
from callproof.auditlog.reader import run_of
from callproof.checks import all_checks
from callproof.judge.judgement import Judgement, RunOutcome, Subject
from callproof.report.document import document, json_text
from callproof.report.files import rendered
from callproof.report.targets import Form
from callproof.report.text import write
from callproof.schema.validator import shape_validator
from callproof.spec.registry import specification
from callproof.trace.references import Bindings, Scope, Unresolved, parse, resolve
from callproof.trace.run import UNREAD, FlawKind
from callproof.values.jsontext import Json, NotStrictJson, read_json, write_json
from callproof.values.jsonvalue import equal, is_object
from callproof_reference.plan import Reference
from callproof_reference.plan import resolve as resolved_by_reference
from callproof_reference.values import Failure
from log_edits import BASES
from rich.console import Console

# The files of a log stand one after the other, separated by a byte that no JSON text holds.
PART = b"\x00"
_NAMES = (RUN_FILE, *FILES.values())


# The checks are imported now, because the engine instruments only modules imported at this moment.
all_checks()


class Broken(AssertionError):
    """A promise was broken; the message says which one."""


def captured(data: bytes) -> CapturedRun:
    """A log of one run made from bytes: one part for each file; a file without a part does not exist."""
    parts = dict(zip(_NAMES, data.split(PART)))
    files = {kind: CapturedFile(name, parts[name]) for kind, name in FILES.items() if name in parts}
    record = CapturedFile(RUN_FILE, parts[RUN_FILE]) if RUN_FILE in parts else None
    return CapturedRun("a run", record, files)


def reader(data: bytes) -> None:
    """Each line is one record, of this run or another, or one flaw; every reader reads strict JSON the same."""
    run = run_of(captured(data))
    lines = sum(sum(1 for _ in file.lines()) for file in captured(data).files.values())
    blank = sum(flaw.kind is FlawKind.BLANK for flaw in run.flaws)
    told = len(run.records) + len(run.strays) + sum(flaw.source.file != RUN_FILE for flaw in run.flaws)
    # An empty last line is no flaw (B-47), so it is not told.
    if not lines - len(captured(data).files) <= told <= lines or blank > lines:
        raise Broken(f"{lines} lines gave {told} records and flaws")
    for raw in data.replace(PART, b"\n").split(b"\n"):
        _read_alike(raw)


def _read_alike(raw: bytes) -> None:
    try:
        value = read_json(raw)
    except NotStrictJson:
        return
    if not equal(value, json.loads(raw.decode("utf-8"))) or not equal(value, read_json(write_json(value).encode())):
        raise Broken("what was read is not what stands there")


def log(data: bytes) -> None:
    """A log is audited without an error and twice with the same result; its report can be read but cannot act."""
    told = captured(data)
    first = audit_run(told)
    seldom = zlib.crc32(data)  # slow checks run only for some inputs, and always for the same ones
    if errors := [error for result in first.broken.values() for error in result.errors]:
        raise Broken(f"a check threw: {errors[0]}")
    if seldom % 8 == 0 and audit_run(told) != first:
        raise Broken("two audits of the same text differ")
    if first.run.outcome is RunOutcome.CONSISTENT and audit_run(told, Rules(fast_path=False)) != first:
        raise Broken("the fast path says something else than the checks")
    if first.kept and any(flaw.kind in UNREAD for flaw in run_of(told).flaws):
        raise Broken("a law passed on a log of which a part was not read")
    tally = Tally(specification())
    tally.add(first)
    said = document(Judgement(Subject("log", "a log"), tally.results(), tuple(tally.runs)))
    if not shape_validator("report").accepts(said) or not json_text(said).isascii():
        raise Broken("the report is none")
    if seldom % 64 == 0:
        _look_at(said)


def resolver(data: bytes) -> None:
    """Our resolver and the reference's resolve a template to the same value, or both refuse it."""
    try:
        value = read_json(data)
    except NotStrictJson:
        return
    if not is_object(value):
        return
    template, item, index = value.get("template"), value.get("item"), value.get("index")
    scope = Scope(_member(value, "steps"), _member(value, "vars"), Bindings("it", "n"), item, _position(index))
    if isinstance(template, str) and not any(parse(template, scope.bindings)) and template:
        raise Broken("a template came to nothing")
    ours, theirs = _ours(template, scope), _theirs(template, scope)
    if (ours is None) is not (theirs is None):
        raise Broken(f"{template!r} resolves to {ours} here and to {theirs} there")
    if ours is not None and theirs is not None and not equal(ours[0], theirs[0]):
        raise Broken(f"{template!r} resolves to {ours} here and to {theirs} there")


def report(data: bytes) -> None:
    """A report with any text, in every form, can be read but cannot act."""
    texts = data.decode("utf-8", "surrogateescape").split("\x00")
    said = iter(texts * (40 // len(texts) + 1))
    _look_at(_report(said))


TARGETS: Mapping[str, Callable[[bytes], None]] = {"log": log, "reader": reader, "resolver": resolver, "report": report}


def seeds(name: str) -> Iterator[bytes]:
    """The inputs with which the engine begins."""
    if name in {"log", "reader"}:
        for folder in sorted(each for each in BASES.iterdir() if each.is_dir()):
            held = [folder / each for each in _NAMES]
            yield PART.join(each.read_bytes() for each in held if each.exists())
        return
    if name == "report":
        yield b"\x00".join(
            (b"plain", b"<script>alert(1)</script>", b"\x1b[31m", "\u202e\u2028".encode(), b"::error::x")
        )
        return
    scope: Json = {"steps": {"s1": {"a": [1, {"b": None}]}}, "vars": {"v": "x"}, "item": {"k": [2]}, "index": 3}
    for template in ("$steps.s1.a[1].b", "a{$vars.v}b$$vars.v", "{it.k[0]}{n}{{it}", {"m": ['$steps.s1["a"]']}):
        yield json.dumps({**dict(_member({"s": scope}, "s")), "template": template}).encode()


def _member(value: Mapping[str, Json], name: str) -> Mapping[str, Json]:
    found = value.get(name)
    return found if is_object(found) else {}


def _position(value: Json) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**15 else 0


def _ours(template: Json, scope: Scope) -> tuple[Json] | None:
    try:
        return (resolve(template, scope),)
    except Unresolved:
        return None


def _theirs(template: Json, scope: Scope) -> tuple[Json] | None:
    known: Mapping[str, Mapping[str, Json]] = {"steps": scope.steps, "vars": scope.variables}

    def root(reference: Reference) -> Any:
        if reference.root in known:
            if reference.name not in known[reference.root]:
                raise Failure("NOT_FOUND", "unknown")
            return known[reference.root][reference.name]
        return scope.item if reference.root == "item" else scope.index

    try:
        return (resolved_by_reference(template, {"it": "item", "n": "index"}, root),)
    except Failure:
        return None


def _report(said: Iterator[str]) -> dict[str, Json]:
    requirements = list(specification().requirements)
    findings: list[Json] = [
        {
            "requirement": requirements[place],
            "level": "MUST",
            "run": next(said),
            "class": next(said) or "…",
            "observed": next(said) or "x",
            "permitted": next(said) or "x",
            "witness": [{"name": next(said), "says": next(said), "file": next(said), "line": 1}],
            "because": [next(said)],
            "help": next(said),
        }
        for place in range(2)
    ]
    rows: list[Json] = [
        {"id": name, "level": "MUST", "verdict": "fail", "exercised": 1, "runs": 1, "findings": 1, "required": True,
         "missing": [next(said)]} for name in requirements[:2]
    ]  # fmt: skip
    runs: list[Json] = [{"name": next(said), "outcome": "violations", "notes": [next(said), next(said)]}]
    return {
        "reportVersion": "1.0", "suite": "callproof", "subject": {"kind": "log", "name": next(said)},
        "outcome": "violations", "exitCode": 1, "runs": runs, "requirements": rows, "findings": findings,
        "errors": [next(said), next(said)],
    }  # fmt: skip


def _as_text(value: Any) -> Any:
    """A value with each half of a character as its escape."""
    if isinstance(value, dict):
        return {_as_text(name): _as_text(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_as_text(each) for each in value]
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _look_at(told: dict[str, Json]) -> None:
    if faults := shape_validator("report").errors(json.loads(json.dumps(told))):
        raise Broken(f"the report is none: {faults[0]}")
    text = rendered(told, Form.JSON)
    if not text.isascii() or json.loads(text) != _as_text(told):
        raise Broken("the JSON report does not hold what was reported")
    terminal = StringIO()
    write(told, specification(), Console(file=terminal, width=120, force_terminal=False))
    for form, shown in (("text", terminal.getvalue()), *((each.value, rendered(told, each)) for each in _FORMS)):
        if active := next((sign for sign in shown if _acts(sign)), None):
            raise Broken(f"{form} holds {active!r}")
    _look_at_page(rendered(told, Form.HTML))


_FORMS = (Form.HTML, Form.MARKDOWN, Form.BADGE)


def _acts(sign: str) -> bool:
    return (sign != "\n" and unicodedata.category(sign) in {"Cc", "Cs", "Zl", "Zp"}) or sign in "\u202e\u2066\u200f"


class _Elements(html.parser.HTMLParser):
    """A parser that refuses elements and attributes that could act."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"script", "iframe", "object", "embed", "img", "link", "form", "base"}:
            raise Broken(f"the page holds the element {tag}")
        for name, value in attrs:
            target = (value or "").strip().lower()
            if name.startswith("on") or (name in {"href", "src", "xlink:href"} and not target.startswith("#")):
                raise Broken(f"the page holds {name}={value!r}")


def _look_at_page(page: str) -> None:
    elements = _Elements()
    elements.feed(page)
    elements.close()
