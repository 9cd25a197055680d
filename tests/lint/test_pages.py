"""The pages of the rules: complete, in agreement with the rules, and right in their examples."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import callproof.lint
import pytest
from callproof.lint.definition import Catalogue
from callproof.lint.document import read_document
from callproof.lint.page import BrokenPage, Example, UnknownRule, page, pages, read_page
from callproof.lint.rule import all_rules
from callproof.lint.running import Finding, held
from callproof.lint.schemas.resolving import reached
from callproof.lint.settings import DEFAULT_PROFILE, Settings
from callproof.lint.sources.files import gathered

RULES = [each.id for each in all_rules()]
# The modules that make faults: those of the rules, and one that several rules share.
LINT = Path(callproof.lint.__file__).parent
MAKERS = [*sorted((LINT / "rules").glob("*.py")), LINT / "closing.py", LINT / "suppressing.py"]


def found(example: Example, rule: str) -> list[str]:
    """The ids that the linter finds in an example, with the default rules and the one of its page."""
    return [each.rule for each in findings(example, rule)]


def findings(example: Example, rule: str) -> tuple[Finding, ...]:
    """The findings of the linter in that example."""
    # If the fence says "documents", each member of the array is a document of its own.
    apart = [json.dumps(each) for each in json.loads(example.text)] if "documents" in example.words else [example.text]
    read = gathered(read_document(f"{place}.json", text.encode("utf-8")) for place, text in enumerate(apart))
    assert read.found or read.plans
    # An example for a provider does not count for the conventions, which may ask for the opposite.
    profiles = example.profiles or (DEFAULT_PROFILE,)
    outcome = held(
        Catalogue(read.documents, read.found, read.plans, profiles), Settings(extend_select=(rule,), profiles=profiles)
    )
    assert outcome.problems == ()
    return outcome.findings


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_page_whose_examples_are_as_it_says(rule: str) -> None:
    """The bad example gives findings of exactly this rule, the good one none."""
    told = page(rule)
    bad = [each for each in told.examples if "bad" in each.words]
    good = [each for each in told.examples if "good" in each.words]
    assert bad
    assert good
    for each in bad:
        assert set(found(each, rule)) == {rule}, each.text
    for each in good:
        assert found(each, rule) == [], each.text


@pytest.mark.many
@pytest.mark.parametrize("rule", RULES)
def test_a_finding_stands_at_a_place_that_is_there(rule: str) -> None:
    """A missing part is reported at the schema or the tool that lacks it, so every pointer leads to a value."""
    for example in page(rule).examples:
        for each in findings(example, rule):
            assert reached(each.document.value, (), each.pointer) is not None, each.pointer_text


@pytest.mark.many
@pytest.mark.parametrize("rule", RULES)
def test_a_finding_says_the_next_step(rule: str) -> None:
    """It says what was seen, what is permitted, and what to do: a fix that the program makes, or advice in words."""
    for example in page(rule).examples:
        for each in findings(example, rule):
            assert each.fault.observed
            assert each.fault.permitted
            assert each.fault.fix is not None or each.fault.help, each.rule


@pytest.mark.many
@pytest.mark.parametrize("rule", RULES)
def test_a_finding_leaves_the_name_of_its_tool_to_the_form(rule: str) -> None:
    """Each form prints the tool beside the finding, so that the finding itself would name it a second time."""
    for example in page(rule).examples:
        for each in findings(example, rule):
            name = "" if each.tool is None else each.tool.name
            assert not name or name not in f"{each.fault.observed}; {each.fault.permitted}"


def _named_arguments(call: ast.Call) -> dict[str, ast.expr]:
    """The arguments of a call that makes a fault, by the names that the fault has for them."""
    positional = zip(("at", "observed", "permitted", "help", "fix"), call.args, strict=False)
    return {**dict(positional), **{each.arg: each.value for each in call.keywords if each.arg}}


@pytest.mark.parametrize("path", MAKERS, ids=lambda path: path.stem)
def test_every_fault_has_a_next_step_whatever_the_definition(path: Path) -> None:
    """A fix that depends on the definition has help beside it, and no help is empty."""
    for call in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Fault":
            told = _named_arguments(call)
            always_fixed = isinstance(told.get("fix"), ast.Call)
            assert always_fixed or "help" in told, f"{path.name}:{call.lineno}"
            help_ = told.get("help")
            choice = (help_.body, help_.orelse) if isinstance(help_, ast.IfExp) else (help_,)
            empty = [each for each in choice if isinstance(each, ast.Constant) and not each.value]
            assert not empty, f"{path.name}:{call.lineno}"


@pytest.mark.parametrize("rule", RULES)
def test_a_page_says_why(rule: str) -> None:
    """If the rule is off by default, the page says why."""
    told = page(rule)
    assert told.why.endswith((".", ")", "?"))
    assert told.says.endswith(".")
    assert told.on or "\n## Default\n" in told.text


@pytest.mark.parametrize("rule", RULES)
def test_a_page_says_how_safe_a_fix_is(rule: str) -> None:
    """A page has a section on that exactly if its rule has fixes."""
    told = page(rule)
    assert (told.fix == "none") == ("\n## Fix safety\n" not in told.text)


def test_a_wrong_name_gets_the_nearest_ones() -> None:
    """A digit may be missing or extra, or the case and the signs may differ."""
    for wrong, meant in (("TD3", "TD003"), ("td-003", "TD003"), ("TD0003", "TD003")):
        with pytest.raises(UnknownRule, match=meant):
            page(wrong)


def test_the_name_of_a_group_gets_its_members() -> None:
    """The message lists the rules of the group."""
    with pytest.raises(UnknownRule, match="TD003"):
        page("TD")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("# X002 · Title\n", "starts with"),
        ("# X001 · Title\n\nNo table.\n", "has a table"),
        ("| level | certainty | default | fix | source |", "starts with"),
    ],
)
def test_a_page_that_is_not_one_is_refused(text: str, says: str) -> None:
    """The refusal says what is missing."""
    with pytest.raises(BrokenPage, match=says):
        read_page("X001", text)


def test_a_word_that_a_table_does_not_know_is_refused() -> None:
    """The refusal lists the permitted words."""
    wrong = pages()["TD003"].text.replace("| MUST |", "| HAS TO |")
    with pytest.raises(BrokenPage, match="permitted: MUST, SHOULD, MAY, NOTE"):
        read_page("TD003", wrong)
