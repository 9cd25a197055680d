"""The pages for authors of systems name the keywords that a validator needs for the schemas of the suite's tools."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from callproof.loops.cases import CASES as OF_LOOPS
from callproof.loops.suite import SUITE as LOOPS
from callproof.pipelines.cases import CASES as OF_PIPELINES
from callproof.pipelines.suite import SUITE as PIPELINES
from callproof.values.jsontext import Json

DOCS = Path(__file__).parents[1] / "docs"


@pytest.mark.parametrize("page", ["loops", "pipelines"])
def test_a_page_names_the_keywords_of_the_schemas_of_cases(page: str) -> None:
    """Schemas of written cases use all of these keywords, and schemas of generated cases use no others."""
    (said,) = re.findall(r"use only the keywords ([^,]+(?:, [^,]+)*?), so a", (DOCS / f"{page}.md").read_text("utf-8"))
    named = set(re.findall(r"`([^`]+)`", said))
    assert {word for schema in written(page) for word in keywords(schema)} == named
    assert {word for schema in generated(page) for word in keywords(schema)} <= named


def written(page: str) -> Iterator[Json]:
    """The schemas of the tools of written cases."""
    if page == "loops":
        yield from (dict(tool.parameters) for case in OF_LOOPS for tool in case.tools)
    else:
        yield from (dict(tool.schema) for case in OF_PIPELINES for tool in case.tools)


def generated(page: str) -> Iterator[Json]:
    """The schemas of the tools of some generated cases."""
    for number in range(50):
        if page == "loops":
            yield from (dict(tool.parameters) for tool in LOOPS.generated(0, number, LOOPS.features).tools)
        else:
            yield from (dict(tool.schema) for tool in PIPELINES.generated(0, number, PIPELINES.features).tools)


def keywords(schema: Json) -> Iterator[str]:
    """Every keyword of a schema that has other schemas only in `properties`, `not` and `additionalProperties`."""
    if not isinstance(schema, Mapping):
        return
    yield from schema
    properties = schema.get("properties")
    for inner in properties.values() if isinstance(properties, Mapping) else ():
        yield from keywords(inner)
    for name in ("not", "additionalProperties"):
        yield from keywords(schema.get(name))
