"""``callproof breaking`` as users call it: what it prints, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from callproof.cli.breaking import breaking_command
from click.testing import CliRunner, Result

OLD = {"name": "a.b", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer", "maximum": 9}}}}


def _new(**changed: Any) -> dict[str, Any]:
    return {
        "name": "a.b",
        "inputSchema": {"type": "object", "properties": {"n": {"type": "integer", "maximum": 9, **changed}}},
    }


@pytest.fixture
def compare(tmp_path: Path) -> Any:
    """The command over two definitions; a side that is a text is written as it is."""

    def run(old: Any, new: Any, *options: str) -> Result:
        for name, side in (("old", old), ("new", new)):
            (tmp_path / f"{name}.json").write_text(side if isinstance(side, str) else json.dumps(side), "utf-8")
        paths = [str(tmp_path / "old.json"), str(tmp_path / "new.json")]
        return CliRunner().invoke(breaking_command, [*paths, *(options or ("--for", "replay"))])

    return run


def test_nothing_changed_is_exit_code_0(compare: Any) -> None:
    """The last line says that nothing changed."""
    result = compare(OLD, OLD)
    assert (result.exit_code, result.stdout) == (0, "for replay: no change\n")


def test_a_change_that_breaks_is_exit_code_1_and_has_a_place_and_a_sample(compare: Any) -> None:
    """The line has the rule, the tool, the change, the place, and a value that shows it."""
    result = compare(OLD, _new(maximum=5))
    assert result.exit_code == 1
    assert "break  BRK004 a.b: input.n: maximum was 9 and is 5" in result.stdout
    assert "new.json:1:" in result.stdout
    assert "for instance 9" in result.stdout
    assert result.stdout.endswith("for replay: 1 break\n")


def test_the_same_change_only_warns_an_agent(compare: Any) -> None:
    """An agent reads the new definition before it calls."""
    result = compare(OLD, _new(maximum=5), "--for", "agent")
    assert result.exit_code == 0
    assert "warn   BRK004" in result.stdout


def test_a_format_that_is_not_written_is_not_called_null(compare: Any) -> None:
    """An author who reads "null" would look for a null that is not there."""

    def named(**schema: Any) -> dict[str, Any]:
        output = {"type": "object", "properties": {"d": {"type": "string", **schema}}}
        return {"name": "a.b", "inputSchema": {"type": "object"}, "outputSchema": output}

    says = [
        compare(named(**old), named(**new), "--for", "plan").stdout.partition("output.d: ")[2].partition(";")[0]
        for old, new in (({"format": "date"}, {}), ({"format": "date"}, {"format": "time"}))
    ]
    assert says == ['format is no longer "date"', 'format was "date" and is "time"']


def test_what_was_not_decided_is_exit_code_2_until_somebody_has_looked(compare: Any) -> None:
    """It is reported for review."""
    new = {"name": "a.b", "inputSchema": {"$ref": "https://example.com/schema"}}
    result = compare(OLD, new)
    assert result.exit_code == 2
    assert "review BRK012 a.b: input: the two schemas were not compared" in result.stdout
    assert compare(OLD, new, "--for", "replay", "--reviewed").exit_code == 0


def test_what_breaks_nothing_is_printed_on_request(compare: Any) -> None:
    """``--all`` prints it; the last line counts it in any case."""
    assert "BRK005" not in compare(OLD, _new(maximum=20)).stdout
    assert "ok     BRK005 a.b: input.n" in compare(OLD, _new(maximum=20), "--for", "plan", "--all").stdout
    assert compare(OLD, _new(maximum=20)).stdout == "for replay: 1 ok\n"


def test_the_outcome_is_had_as_data(compare: Any) -> None:
    """The JSON has every change, with its pointer and its sample."""
    told = json.loads(compare(OLD, _new(maximum=5), "--for", "plan", "--format", "json").stdout)
    assert (told["purpose"], told["exitCode"], told["counts"]) == ("plan", 1, {"break": 1})
    assert told["changes"][0]["pointer"] == "/inputSchema/properties/n"
    assert told["changes"][0]["sample"] == 9


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[]", OLD, "no tool was found in OLD"),
        (OLD, "{}", "no tool was found in NEW"),
        (OLD, "{", "not JSON"),
        (OLD, {"inputSchema": {"type": "object"}}, "1 definition without a name was not compared"),
    ],
)
def test_what_cannot_be_checked_is_exit_code_2(compare: Any, old: Any, new: Any, says: str) -> None:
    """If there is nothing to compare, the command must not succeed."""
    result = compare(old, new)
    assert (result.exit_code == 2) or "BRK001" in result.stdout
    assert says in result.stderr
    assert "no change" not in result.stdout


@pytest.mark.parametrize(("old", "new", "empty"), [("[]", OLD, "old.json"), (OLD, "{}", "new.json")])
def test_the_file_in_which_there_is_no_tool_is_named(compare: Any, old: Any, new: Any, empty: str) -> None:
    """The user may have named the wrong file, and the words OLD and NEW do not tell which file it is."""
    assert f"{empty}; expected definitions with name and inputSchema" in compare(old, new).stderr


def test_what_was_not_compared_is_not_called_unchanged(compare: Any) -> None:
    """The last line must not call it unchanged, and must mention it beside changes of other tools."""
    assert compare(OLD, "{").stdout == "for replay: not compared\n"
    nameless = {"inputSchema": {"type": "object"}}
    told = compare([OLD, nameless], _new(maximum=5)).stdout
    assert told.endswith("for replay: 1 break; 1 thing could not be compared\n")


def test_standard_input_is_one_catalogue_only() -> None:
    """The other one has to be a path."""
    result = CliRunner().invoke(breaking_command, ["-", "-", "--for", "plan"])
    assert (result.exit_code, "are both -" in result.stderr) == (2, True)


def test_a_purpose_has_to_be_named(compare: Any) -> None:
    """No default would be right for every user."""
    result = compare(OLD, OLD, "--format", "text")
    assert result.exit_code == 2
    assert "--for" in result.stderr


def test_nothing_raw_reaches_the_terminal(compare: Any) -> None:
    """This holds for names and for values."""
    evil = {
        "name": "a.b",
        "inputSchema": {
            "type": "object",
            "properties": {"n\x1b[31m\u202e": {"const": "\x1b]0;x\x07"}},
            "required": ["n\x1b[31m\u202e"],
        },
    }
    out = compare(OLD, evil, "--for", "plan", "--all").stdout
    assert "BRK002" in out
    assert not set(out) & {"\x1b", "\x07", "\u202e"}
