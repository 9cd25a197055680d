"""The one door to the validators: schemas of others are bounded, offline and linear; our own explain their faults."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from callproof import limits
from callproof.schema import validator
from callproof.schema.bounds import BeyondTheEngine, UnusableSchema
from callproof.schema.validator import SchemaValidator, UnknownSchema, shape_validator
from callproof.values.jsontext import Json


@pytest.fixture
def hits() -> Iterator[list[object]]:
    """A local port, followed by the address of every client that connected to it."""
    seen: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        stop = threading.Event()

        def listen() -> None:
            while not stop.is_set():
                try:
                    connection, address = server.accept()
                except TimeoutError:
                    continue
                seen.append(address)
                connection.close()

        listener = threading.Thread(target=listen)
        listener.start()
        seen.append(server.getsockname()[1])
        yield seen
        stop.set()
        listener.join()


@pytest.mark.parametrize("keyword", ["$ref", "$dynamicRef", "$schema", "$id"])
def test_no_reference_ever_reaches_the_network(hits: list[object], keyword: str) -> None:
    """Whatever address a schema names, the validator connects to none (SEC-03)."""
    schema: dict[str, Json] = {
        keyword: f"http://127.0.0.1:{hits[0]}/schema.json",
        "properties": {"a": {"$ref": "x.json"}},
    }
    with pytest.raises(UnusableSchema):
        SchemaValidator(schema).accepts({})
    assert hits[1:] == []


def test_no_reference_reads_a_file(tmp_path: Path) -> None:
    """A ``file:`` reference is refused without opening the file."""
    (tmp_path / "schema.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UnusableSchema, match="outside the document"):
        SchemaValidator({"$ref": (tmp_path / "schema.json").as_uri()})


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"type": "strnig"}, "not a usable schema"),
        (
            {"$schema": "http://json-schema.org/draft-07/schema#"},
            "names the dialect 'http://json-schema.org/draft-07/schema#'",
        ),
        (
            {"$schema": "https://json-schema.org/draft/2019-09/schema"},
            "permitted: draft 2020-12",
        ),
        ({"$schema": 7}, "not a usable schema"),
        ({"pattern": "("}, "not a usable schema"),
        ({"pattern": "(?=look)ahead"}, "not a usable schema"),
        ({"pattern": "a" * (limits.PATTERN_CHARACTERS + 1)}, "a pattern of more than"),
        ({"enum": ["x" * limits.SCHEMA_BYTES]}, "larger than"),
        ({"enum": [0] * limits.SCHEMA_NODES}, "nodes"),
    ],
)
def test_a_schema_that_cannot_judge_is_refused_with_the_reason(schema: dict[str, Json], says: str) -> None:
    """A schema that is not of the dialect, has an unportable pattern or is over a limit gets that reason (VAL-09)."""
    with pytest.raises(UnusableSchema) as refused:
        SchemaValidator(schema)
    assert says in refused.value.reason


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"properties": {"a": {"pattern": "("}}}, 'at /properties/a/pattern, the value is not a "regex"'),
        ({"$ref": "#/$defs/a"}, "Pointer '/$defs/a' does not exist"),
        ({"$ref": "#/$defs/a\nb"}, "Invalid URI reference '#/$defs/a b': unexpected character at index 9"),
    ],
)
def test_what_is_wrong_with_a_schema_is_told_in_one_line(schema: dict[str, Json], says: str) -> None:
    """The reason names the place in the schema; a finding quotes it, and the text of a finding is one line (VAL-09)."""
    with pytest.raises(UnusableSchema) as refused:
        SchemaValidator(schema)
    assert refused.value.reason == f"is not a usable schema: {says}"


@pytest.mark.parametrize("scheme", ["https", "http"])
@pytest.mark.parametrize("end", ["", "#"])
def test_a_schema_may_say_that_it_is_of_our_dialect(scheme: str, end: str) -> None:
    """The name of the dialect may begin with http or https, and may end with ``#``."""
    schema = {"$schema": f"{scheme}://json-schema.org/draft/2020-12/schema{end}", "type": "string"}
    assert SchemaValidator(schema).accepts("a")
    assert not SchemaValidator(schema).accepts(1)


def test_a_schema_may_be_nested_to_the_limit_and_not_deeper() -> None:
    """64 levels are read, 65 are not."""

    def nested(levels: int) -> dict[str, Json]:
        schema: dict[str, Json] = {}
        for _ in range(levels - 1):
            schema = {"not": schema}
        return schema

    SchemaValidator(nested(limits.SCHEMA_DEPTH))
    with pytest.raises(UnusableSchema, match="deeper"):
        SchemaValidator(nested(limits.SCHEMA_DEPTH + 1))


def test_a_billion_laughs_are_counted_before_they_are_laughed() -> None:
    """References that double forty times are refused by counting them, without following each (SEC-05)."""
    definitions: dict[str, Json] = {"d0": {"type": "integer"}}
    for level in range(1, 41):
        definitions[f"d{level}"] = {"allOf": [{"$ref": f"#/$defs/d{level - 1}"}, {"$ref": f"#/$defs/d{level - 1}"}]}
    with pytest.raises(UnusableSchema, match="references"):
        SchemaValidator({"$defs": definitions, "$ref": "#/$defs/d40"})


def test_a_recursive_schema_is_welcome() -> None:
    """A schema that refers to itself is permitted, since the instance limits how deep it is followed."""
    tree = SchemaValidator({"properties": {"children": {"type": "array", "items": {"$ref": "#"}}}})
    assert tree.accepts({"children": [{"children": []}]})
    assert not tree.accepts({"children": [{"children": 1}]})


_PATTERNS = [
    *(("^a.b$", "a\rb", False), ("^a.b$", "a\u2028b", False), ("^a.b$", "a\tb", True), ("^a.b$", "a😀b", True)),
    *((r"^a\.b$", "a\rb", False), (r"^a\.b$", "a.b", True), (r"^\\.$", "\\\r", False), (r"^\\.$", "\\a", True)),
    *(("^[.]$", ".", True), ("^[.]$", "\r", False), ("^[^.]$", "\r", True), (r"^[\].]$", ".", True)),
    *((r"^\s$", "\u00a0", True), (r"^\s$", "\u0085", False)),
    *((r"^\d$", "\u0661", False), (r"^\w$", "é", False), ("^a$", "a\n", False)),
]


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(("pattern", "text", "accepted"), _PATTERNS)
def test_a_pattern_is_read_as_in_ecma_262(
    pattern: str, text: str, accepted: bool, exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """VAL-03: engines of other languages differ in what `.`, `$` and classes match; jsonschema-rs did before 0.61."""
    if not exact:
        monkeypatch.setattr(validator, "engine_is_exact", lambda: False)
    assert SchemaValidator({"pattern": pattern}).accepts(text) is accepted


@pytest.mark.parametrize(
    ("schema", "instance", "accepted"),
    [
        ({"const": {"pattern": "."}}, {"pattern": "."}, True),
        ({"enum": [{"pattern": "."}]}, {"pattern": "."}, True),
        ({"properties": {"const": {"pattern": "^.$"}}}, {"const": "\r"}, False),
        ({"properties": {"pattern": {"type": "string"}}}, {"pattern": "."}, True),
        ({"patternProperties": {"^.$": False}}, {"\r": 1}, True),
        ({"patternProperties": {"^.$": False}}, {"a": 1}, False),
        ({"$defs": {"enum": {"pattern": "^.$"}}, "items": {"$ref": "#/$defs/enum"}}, ["\u2029"], False),
        ({"anyOf": [{"pattern": "^.$"}, {"not": {"pattern": "."}}]}, "\r", True),
    ],
)
def test_points_are_rewritten_in_schemas_and_not_in_data(
    schema: dict[str, Json], instance: Json, accepted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """VAL-03: what `const` and `enum` name is a value, a member called `const` has a schema, names may be patterns."""
    monkeypatch.setattr(validator, "engine_is_exact", lambda: False)
    assert SchemaValidator(schema).accepts(instance) is accepted


def test_a_rewritten_pattern_is_told_as_it_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads a finding looks for the pattern in the schema."""
    monkeypatch.setattr(validator, "engine_is_exact", lambda: False)
    (fault,) = SchemaValidator({"pattern": "^a.b$"}).errors("c")
    assert '"^a.b$"' in fault.message


@pytest.mark.parametrize(
    ("pattern", "kind"),
    [
        ("^(?=a)b$", BeyondTheEngine),
        ("^(?:.b){1,10000}$", BeyondTheEngine),
        ("^(?=a).{1,1000000}$", BeyondTheEngine),
        ("^(.{1,10000}$", UnusableSchema),
        ("^a{2,1}$", UnusableSchema),
    ],
)
def test_a_pattern_that_only_the_engine_refuses_makes_no_schema_wrong(pattern: str, kind: type[UnusableSchema]) -> None:
    """VAL-09: an engine refuses a large pattern in the words in which it refuses a broken one."""
    schemas: list[dict[str, Json]] = [
        {"pattern": pattern},
        {"properties": {"a": {"patternProperties": {pattern: {}}}}},
    ]
    for schema in schemas:
        with pytest.raises(UnusableSchema) as refused:
            SchemaValidator(schema)
        assert refused.type is kind


def test_a_reference_through_a_rewritten_name_is_beyond_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """VAL-09 is about schemas that are wrong; this one is right, but an older engine has another name at that place."""
    monkeypatch.setattr(validator, "engine_is_exact", lambda: False)
    with pytest.raises(BeyondTheEngine):
        SchemaValidator({"patternProperties": {"^.$": True}, "not": {"$ref": "#/patternProperties/%5E.%24"}})


def test_a_catastrophic_pattern_takes_linear_time() -> None:
    """``^(a+)+$`` over fifty thousand characters simply fails (SEC-04)."""
    assert not SchemaValidator({"pattern": "^(a+)+$"}).accepts("a" * 50_000 + "!")


def test_faults_never_quote_the_instance() -> None:
    """A message names the place and the keyword, and never the value (SEC-11)."""
    (fault,) = SchemaValidator({"properties": {"key": {"maxLength": 3}}}).errors({"key": "hunter2-secret"})
    assert (fault.pointer, fault.keyword) == ("/key", "maxLength")
    assert "hunter2" not in str(fault)


def test_a_lone_surrogate_is_a_fault_and_no_crash() -> None:
    """Text that UTF-8 cannot encode is refused."""
    assert SchemaValidator({}).errors("\ud800") != ()
    assert shape_validator("plan").errors({"goal": "\ud800"}) != ()


def test_a_union_is_explained_by_the_branch_that_came_furthest() -> None:
    """For a result of status ok the faults name what ok lacks, and not what the four other statuses require."""
    faults = shape_validator("tool-result").errors({"status": "ok", "ok": True})
    assert {fault.keyword for fault in faults} == {"required"}
    assert any("'data'" in fault.message for fault in faults)


def test_an_unknown_schema_names_the_nearest() -> None:
    """A typo in a schema's name is answered with the name that was probably meant."""
    with pytest.raises(UnknownSchema, match="tool-call"):
        shape_validator("toolcall")


def test_a_slip_gets_the_nearest_member_or_word() -> None:
    """A misspelt member or word of a plan gets a suggestion; one that is unlike every permitted one gets none."""
    step: Json = {"id": "a", "tol": "vault.readFile", "args": {}, "onError": "skipp"}
    plan: Json = {"version": "1.0", "goal": "x", "riskLevel": "read-only", "steps": [step], "zzz": 1}
    faults = {f"{each.pointer} {each.keyword}": each.message for each in shape_validator("plan").errors(plan)}
    assert faults["/steps/0 additionalProperties"].endswith("('tol' was unexpected); did you mean 'tool'?")
    assert faults["/steps/0/onError enum"].endswith("; did you mean 'skip'?")
    assert faults[" additionalProperties"].endswith("('zzz' was unexpected)")


def test_what_is_permitted_is_told_behind_a_long_value() -> None:
    """A long value is cut, so that the message still shows what is permitted."""
    step: Json = {"id": "a", "tool": "t", "args": {}, "onError": "skip" * 10_000}
    plan: Json = {"version": "1.0", "goal": "x", "riskLevel": "read-only", "steps": [step]}
    (fault,) = shape_validator("plan").errors(plan)
    assert fault.message.startswith("'skipskip")
    assert "… is not one of ['stop', 'skip', 'retry']" in fault.message


def test_several_slips_are_told_one_by_one() -> None:
    """Each slip gets its own suggestion."""
    assert _strange({"id": "a", "tol": "t", "argss": {}}).endswith(
        "; for 'tol', did you mean 'tool'?; for 'argss', did you mean 'args'?"
    )


def test_of_many_strangers_only_the_first_are_looked_at() -> None:
    """A document that is full of unknown members is still refused, with a few suggestions at most."""
    strangers: dict[str, Json] = {f"too{number}": 1 for number in range(100_000)}
    assert _strange({"id": "a", **strangers, "tol": "t"}).count("did you mean") <= 5


def _strange(step: dict[str, Json]) -> str:
    plan: Json = {"version": "1.0", "goal": "x", "riskLevel": "read-only", "steps": [step]}
    faults = shape_validator("plan").errors(plan)
    return next(each.message for each in faults if each.keyword == "additionalProperties")
