"""util.parseMarkdownBullets and util.slugifyTitle, compared with hand-written answers and independent oracles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from callproof_reference.tools import WORK
from callproof_reference.values import Failure
from callproof_reference.vault import Vault
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Use = Callable[..., tuple[dict[str, Any], dict[str, Any]]]
relaxed = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def bullets(use: Use, text: str, **args: object) -> list[tuple[str, int]]:
    data, effects = use("util.parseMarkdownBullets", text=text, **args)
    assert effects == {}
    assert data["count"] == len(data["items"])
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    assert all(item["raw"] in lines for item in data["items"])
    return [(item["text"], item["depth"]) for item in data["items"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a\n- b", ["a", "b"]),
        ("* a\n+ b\n- c", ["a", "b", "c"]),
        ("- a\r\n- b\r\n", ["a", "b"]),
        ("-\ta\tb  ", ["a\tb"]),
        ("-a\n-\n- ", []),
        ("1. a\n2) b", []),
        ("- - -\n***\n* * *\n- --", []),
        ("    - code", []),
        ("- a\n\n    - nested\n\ntext\n\n    - code", ["a"]),
        ("```\n- code\n```\n- a", ["a"]),
        ("~~~ md\n- code\n```\n- code\n~~~~\n- a", ["a"]),
        ("``` ` \n- a", ["a"]),
        ("```\n- never closed", []),
        ("- [ ] task", ["[ ] task"]),
        ("- a\u2028- b", ["a\u2028- b"]),
        ("- a\n  goes on\n\n  and on", ["a"]),
        ("<div>\n- of HTML\n</div>\n\n- a", ["a"]),
        ("1. - a\n> - b", ["a", "b"]),
        ("", []),
    ],
)
def test_what_is_a_bullet(use: Use, text: str, expected: list[str]) -> None:
    """TOOL-16: a bullet is a marker, a blank and text, outside of code."""
    assert [text for text, _ in bullets(use, text)] == expected


def test_nested_bullets_are_listed_when_allowed(use: Use) -> None:
    """TOOL-16: depth counts the bullets around; a tab reaches to the next multiple of four columns."""
    text = "- a\n  - b\n\t- c\n    - d\n - e\n* f\n"
    assert bullets(use, text, allowNested=True) == [("a", 0), ("b", 1), ("c", 2), ("d", 2), ("e", 0), ("f", 0)]
    assert bullets(use, text) == [("a", 0), ("e", 0), ("f", 0)]


def test_a_long_text_can_be_left(tmp_path: Path) -> None:
    """CANC-02, TIME-04: a call that is told to stop in the middle of a text stops there."""
    looks = iter([False] * 100)

    def told_to_stop() -> None:
        if next(looks, True):
            raise Failure("CANCELLED", "the call was told to stop")

    with pytest.raises(Failure, match="CANCELLED"):
        WORK["util.parseMarkdownBullets"](Vault(tmp_path, told_to_stop), {"text": "- a\n" * 1_000})


TITLES = st.text(alphabet="abcxyz \u00e9\u2602", min_size=1).map(str.strip).filter(bool)
TREES = st.recursive(
    st.lists(st.tuples(TITLES, st.just(())), max_size=3),
    lambda below: st.lists(st.tuples(TITLES, below), max_size=3),
    max_leaves=12,
)


def written(tree: Any, depth: int = 0) -> Iterator[tuple[str, str, int]]:
    for title, below in tree:
        yield "  " * depth + f"- {title}", title, depth
        yield from written(below, depth + 1)


@relaxed
@given(tree=TREES)
def test_a_written_tree_is_read_back(use: Use, tree: Any) -> None:
    """TOOL-16: items come in source order, raw is the whole line, and depth is the level."""
    lines = list(written(tree))
    data, _ = use("util.parseMarkdownBullets", text="\n".join(raw for raw, _, _ in lines), allowNested=True)
    assert [(item["raw"], item["text"], item["depth"]) for item in data["items"]] == lines


def by_hand(text: str) -> list[tuple[int, int]]:
    """Line and depth of every bullet, found by the columns in which the texts of the enclosing bullets begin."""
    seen: list[tuple[int, int]] = []
    around: list[int] = []
    fenced = False
    for number, line in enumerate(text.split("\n")):
        bullet = re.fullmatch(r"( *)[-*+] .+", line)
        if line == "```":
            fenced, around = not fenced, []
        elif bullet and not fenced:
            column = len(bullet[1])
            around = [text_column for text_column in around if text_column <= column]
            if around or column < 4:  # otherwise the line is code
                seen.append((number, len(around)))
                around.append(column + 2)
    return seen


LINES = st.lists(st.sampled_from([*(i + m for i in ("", "  ", "    ") for m in "-*+"), "", "```"]), max_size=8)
MARKDOWN = LINES.map(
    lambda lines: "\n".join(f"{line} {number}" if line.strip(" `") else line for number, line in enumerate(lines))
)


@relaxed
@given(text=MARKDOWN)
def test_a_reader_that_only_counts_columns_sees_the_same_bullets(use: Use, text: str) -> None:
    """TOOL-16: on lists, blank lines and fences, an independent reading gives the same lines and depths."""
    data, _ = use("util.parseMarkdownBullets", text=text, allowNested=True)
    assert [(int(item["text"]), item["depth"]) for item in data["items"]] == by_hand(text)


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("The Wild Iris", "the-wild-iris"),
        ("  Caf\u00e9 -- table_under  the/plum\ttree! ", "cafe-table-under-the-plum-tree"),
        ("M\u00fcller\u2019s Stra\u00dfe", "muller-s-strasse"),
        ("\uff26\uff55\uff4c\uff4c \u2460", "full-1"),
        (
            "\u65e5\u672c\u8a9e \u0438 \u0440\u0443\u0441\u0441\u043a\u0438\u0439",
            "\u65e5\u672c\u8a9e-\u0438-\u0440\u0443\u0441\u0441\u043a\u0438\u0438",
        ),
        ("", "note"),
        ("../..", "note"),
        ("\u2602", "note"),
        ("CON", "note-con"),
        ("lpt1", "note-lpt1"),
    ],
)
def test_a_title_has_one_slug(use: Use, title: str, slug: str) -> None:
    """TOOL-17."""
    assert use("util.slugifyTitle", title=title) == ({"slug": slug}, {})


@relaxed
@given(title=st.text(), longest=st.integers(1, 80))
def test_every_slug_is_a_safe_name_of_bounded_length(use: Use, title: str, longest: int) -> None:
    """TOOL-17: a slug is not empty, not too long and deterministic; it is no path, hidden name or option."""
    data, _ = use("util.slugifyTitle", title=title, maxLength=longest)
    assert 0 < len(data["slug"]) <= longest
    assert re.fullmatch(r"[^\W_]\S*", data["slug"]) or not data["slug"].isascii()
    assert not re.search(r"[/\\.:\s\x00-\x1f]|^-|-$|--", data["slug"])
    assert use("util.slugifyTitle", title=title, maxLength=longest) == (data, {})
