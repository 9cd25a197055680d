"""Models and schemas describe the same shapes: each accepts exactly what the other accepts.

Documents are drawn from the generated schemas, so that most are valid or nearly so.  They are
then broken, in each place by itself and in up to three places at once.  Text with lone
surrogates is left out: the strict reader refuses it before a schema or a model sees it
(LOG-03).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from callproof.models.catalogue import MODELS
from callproof.schema.validator import protocol_shape_names, shape_names, shape_schema, shape_validator
from hypothesis import HealthCheck, Phase, example, find, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

pytestmark = pytest.mark.many

Json = Any
Schema = Mapping[str, Any]
Place = tuple[Json, Any]

# A busy machine must not fail a test.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
# A case is a dataclass of its suite, not a model; tests/replay/ compares it with its schema.
CASES = {"case", "replay", "driven-replay", "loop-case", "pipeline-case", "invocation-case"}
PARTS = {"case-requirements", "case-texts", "case-number", "case-waits"}
MODELLED = [name for name in (*shape_names(), *protocol_shape_names()) if name not in CASES | PARTS]
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS
ANYTHING = SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(TEXTS, SCALARS, max_size=2)
# Values that are wrong in many places and right in some.
SUSPECTS = (
    *(None, True, False, 0, 1, 1.0, 0.0, -0.0, 0.5, -1, 4, 10, 11, 1001, 600_001, 1e300, 10**30, 2**53 + 1),
    *("", " ", "\ufeff", "\x85", "\x1c", "x", "ok", "TIMEOUT", "CANCELLED", "modify", "2.0", "1.0", "1.0\n", "a\n"),
    *([], ["x"], ["x", "x"], [1], [None], {}, {"code": "TIMEOUT", "message": "m"}, {"by": 1, "members": []}),
)
# Each is a copy, since it ends up inside a document that is changed further.
TELLING: st.SearchStrategy[Json] = st.sampled_from(SUSPECTS).map(copy.deepcopy)


def documents(schema: Schema, root: Schema) -> st.SearchStrategy[Json]:
    """Documents that the schema accepts, or nearly accepts."""
    if "$ref" in schema:
        return documents(root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root)
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    branches = schema.get("oneOf") or schema.get("anyOf")
    if branches:
        rest = {name: value for name, value in schema.items() if name not in {"oneOf", "anyOf"}}
        return st.one_of([documents(merged(rest, branch), root) for branch in branches])
    kinds = schema.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return st.one_of([BY_TYPE[kind](schema, root) for kind in kinds]) if kinds else ANYTHING


def merged(schema: Schema, branch: Schema) -> Schema:
    """A schema and one branch of its union, merged member by member."""
    if "$ref" in schema:
        return {**schema}
    properties = dict(schema.get("properties", {}))
    for name, inner in branch.get("properties", {}).items():
        properties[name] = merged(properties.get(name, {}), inner)
    required = [*schema.get("required", ()), *branch.get("required", ())]
    both = {**schema, **branch}
    return {**both, "properties": properties, "required": required} if properties else both


def objects(schema: Schema, root: Schema) -> st.SearchStrategy[Json]:
    """Objects with every required member and some of the others."""
    members = {
        name: documents(inner, root) for name, inner in schema.get("properties", {}).items() if inner.get("not") != {}
    }
    if not members:
        return st.dictionaries(TEXTS, SCALARS, max_size=2)
    required = {name: members.pop(name) for name in schema.get("required", ()) if name in members}
    return st.fixed_dictionaries({**required, **members}) | st.fixed_dictionaries(required, optional=members)


def texts(schema: Schema, _: Schema) -> st.SearchStrategy[Json]:
    """Strings of the right pattern or length."""
    if "pattern" in schema:
        return st.from_regex(schema["pattern"].replace("$", r"\Z"), alphabet=st.characters(codec="ascii"))
    return st.text(st.characters(exclude_categories=["Cs"]), min_size=schema.get("minLength", 0), max_size=4)


def integers(schema: Schema, _: Schema) -> st.SearchStrategy[Json]:
    """Whole numbers within the bounds, some of them written as decimals."""
    low = schema.get("minimum", -3)
    numbers = st.integers(low, schema.get("maximum", low + 20))
    return numbers | numbers.map(float)


BY_TYPE: Mapping[str, Callable[[Schema, Schema], st.SearchStrategy[Json]]] = {
    "object": objects,
    "array": lambda schema, root: st.lists(documents(schema.get("items", {}), root), max_size=2),
    "string": texts,
    "integer": integers,
    "number": lambda *_: NUMBERS,
    "boolean": lambda *_: st.booleans(),
    "null": lambda *_: st.none(),
}


def broken(name: str) -> st.SearchStrategy[Json]:
    """Documents of a shape, changed in up to three places."""
    whole = documents(shape_schema(name), shape_schema(name))

    @st.composite
    def break_some(draw: st.DrawFn) -> Json:
        document = draw(whole)
        for _ in range(draw(st.integers(0, 3))):
            document = changed(draw, document)
        return document

    return break_some()


def changed(draw: st.DrawFn, document: Json) -> Json:
    """The document with one part removed, replaced, repeated, or added."""
    places = list(parts(document))
    if not places:
        return draw(TELLING)
    holder, key = draw(st.sampled_from(places))
    act = draw(st.sampled_from(["remove", "replace", "replace", "add", "borrow"]))
    if act == "remove":
        del holder[key]
    elif act == "replace":
        holder[key] = draw(TELLING | ANYTHING)
    elif act == "add" and isinstance(holder, list):
        holder.append(copy.deepcopy(holder[key]))
    elif act == "add":
        holder[draw(st.sampled_from(["data", "error", "result", "args", "extra"]) | TEXTS)] = draw(TELLING)
    else:
        holder[key] = copy.deepcopy(draw(st.sampled_from(places))[0])
    return document


def parts(document: Json) -> list[Place]:
    """Every member and item of a document, as the container and the key in it."""
    if isinstance(document, dict):
        own: list[Place] = [(document, name) for name in document]
        return own + [place for inner in document.values() for place in parts(inner)]
    if isinstance(document, list):
        own = [(document, index) for index in range(len(document))]
        return own + [place for inner in document for place in parts(inner)]
    return []


def model_accepts(name: str, document: Json) -> bool:
    """Whether the model of a shape accepts the document."""
    try:
        MODELS[name].validate_python(document)
    except ValidationError:
        return False
    return True


def test_every_shape_has_a_model_and_no_model_is_without_its_shape() -> None:
    """If the chapters gain a shape, this test fails until its model is written."""
    assert sorted(MODELS) == sorted(MODELLED)


def single_changes(document: Json) -> Iterator[Json]:
    """The document with each part in turn removed, and replaced by each suspect; restored afterwards."""
    yield document
    for holder, key in parts(document):
        kept = holder[key]
        for suspect in SUSPECTS:
            holder[key] = suspect
            yield document
        holder[key] = kept
        if isinstance(holder, dict):
            del holder[key]
            yield document
            holder[key] = kept


@pytest.mark.parametrize("name", MODELLED)
def test_a_model_and_its_schema_agree_about_every_single_change(name: str) -> None:
    """Neither the model nor the schema accepts more than the other in any single member."""
    judge = shape_validator(name)
    # A union needs more documents, since each branch is a shape of its own.
    once = 40 if "oneOf" in shape_schema(name) else 6

    @settings(UNTIMED, max_examples=once)
    @given(documents(shape_schema(name), shape_schema(name)))
    def agree(whole: Json) -> None:
        for document in single_changes(whole):
            assert model_accepts(name, document) is judge.accepts(document), (document, judge.errors(document))

    agree()


@pytest.mark.parametrize("name", MODELLED)
def test_a_model_and_its_schema_accept_and_refuse_the_same_documents(name: str) -> None:
    """They also agree if several members are changed at once, and about documents of another kind."""
    judge = shape_validator(name)

    @settings(UNTIMED, max_examples=60)
    @given(broken(name))
    @example(None)
    @example({})
    @example([])
    @example("")
    def agree(document: Json) -> None:
        assert model_accepts(name, document) is judge.accepts(document), (document, judge.errors(document))

    agree()


@pytest.mark.parametrize("name", MODELLED)
def test_the_documents_reach_both_verdicts(name: str) -> None:
    """The comparison would show nothing if every document were refused, or every one accepted."""
    strategy, judge = broken(name), shape_validator(name)
    once = settings(UNTIMED, max_examples=2_000, database=None, phases=[Phase.generate])
    find(strategy, judge.accepts, settings=once)
    find(strategy | ANYTHING, lambda document: not judge.accepts(document), settings=once)
