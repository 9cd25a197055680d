"""The grammar of a chapter: what the reader takes from it, and which place it names in a broken one."""

from __future__ import annotations

import pytest
from callproof.spec.blocks import BrokenChapter, Implied, Level, Need
from callproof.spec.chapters import read_chapter
from callproof.spec.registry import UnknownRequirement, specification
from callproof.spec.yaml_blocks import examples_of, shapes_in

CHAPTER = """# Examples

Prose.

```yaml shape=thing
type: object
properties:
  when: {type: string, description: "2026-01-01 stays text, and so does {yes: no}."}
```

## A section

### GRP-01 · A law

| level | needs | feature | origin |
| --- | --- | --- | --- |
| MUST | L R | retry foreach | seed 000 §1 |

A system MUST do
one thing.

*Why.* Because.

*Implied by.* GRP-02: whoever breaks this one
breaks that one as well.

```yaml example
name: a-fault
says: It did another.
base: linear
line: calls 1
conforms: {at: 2026-01-01T00:00:00Z, flag: true, word: yes}
violates: absent
also: [GRP-02]
```

### GRP-02 · Nobody sees it

| level | needs | feature | origin |
| --- | --- | --- | --- |
| SHOULD | R | — | A1 |

A system SHOULD think so.

*Why.* Because.

*Excluded.* Thoughts are not
observable.
"""


def read_whole(text: str) -> None:
    """Read a chapter with its requirements, shapes and examples."""
    chapter = read_chapter("examples", text)
    shapes_in(chapter)
    for each in chapter.requirements:
        examples_of(each)


def test_a_chapter_is_read_whole() -> None:
    """Shapes, requirements with every member, examples with JSON values and no YAML surprises."""
    chapter = read_chapter("examples", CHAPTER)
    first, second = chapter.requirements
    assert (first.id, first.title, first.level) == ("GRP-01", "A law", Level.MUST)
    assert first.needs == (Need.L, Need.R)
    assert first.features == ("retry", "foreach")
    assert first.sentence == "A system MUST do one thing."
    assert first.place.line == 13
    assert first.text.startswith("### GRP-01 · A law")
    assert first.text.endswith("```")
    (example,) = examples_of(first)
    assert example.conforms == {"at": "2026-01-01T00:00:00Z", "flag": True, "word": "yes"}
    assert (example.violates, example.also) == ("absent", ("GRP-02",))
    assert first.implied_by == Implied("GRP-02", "whoever breaks this one breaks that one as well.")
    assert second.implied_by is None
    assert (second.features, second.excluded) == ((), "Thoughts are not observable.")
    assert [shape.name for shape in shapes_in(chapter)] == ["thing"]


@pytest.mark.parametrize(
    ("wrong", "right", "says"),
    [
        ("# Examples", "Examples", "level-one heading"),
        ("GRP-01 · A law", "GRP-01: A law", "ID · Title"),
        ("| MUST |", "| OUGHT |", "'OUGHT'"),
        ("| L R |", "| L Q |", "'Q'"),
        ("| level | needs | feature | origin |", "| level | needs | origin | feature |", "table of the columns"),
        ("A system MUST do", "A system does", "MUST, SHOULD or MAY"),
        ("*Why.* Because.", "Because.", "'*Why.*'"),
        ("*Implied by.* GRP-02: ", "*Implied by.* GRP-02, since ", "'*Implied by.*'"),
        ("name: a-fault\n", "", "lacks ['name']"),
        ("base: linear", "basis: linear", "unknown ['basis']"),
        ("type: object", "type: [object", "not YAML"),
    ],
)
def test_a_broken_chapter_is_refused_with_its_place(wrong: str, right: str, says: str) -> None:
    """The reader refuses whatever it does not understand: a requirement that it skipped would never be checked."""
    with pytest.raises(BrokenChapter) as refused:
        read_whole(CHAPTER.replace(wrong, right, 1))
    assert says in str(refused.value)
    assert str(refused.value).startswith("spec/examples.md:")


def test_a_wrong_id_names_the_nearest() -> None:
    """A typo is answered with the ids that were probably meant."""
    with pytest.raises(UnknownRequirement) as unknown:
        specification().requirement("CAL-07")
    assert "CALL-07" in str(unknown.value)


def test_ids_are_found_whatever_their_case() -> None:
    """``call-07`` is CALL-07."""
    assert specification().requirement("call-07").id == "CALL-07"


def test_chapters_stand_in_the_order_of_the_introduction() -> None:
    """The introduction comes first and names every chapter, in the order in which they are read."""
    spec = specification()
    named = [chapter.name for chapter in spec.chapters]
    assert named[:2] == ["introduction", "plan"]
    assert all(f"({name}.md)" in spec.chapters[0].text for name in named[1:])
