"""Generated work on files: lawful, only for systems with files, and doomed only if the folder says so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from callproof.adapters.claims import FEATURES
from callproof.checks.changes import folded
from callproof.generated.doomed import codes_due, folders_above
from callproof.generated.filework import NEEDS, files_by
from callproof.generated.judged import judged_case
from callproof.generated.lawful import is_lawful, plan_faults
from callproof.generated.odd import FILE_NAMES, FOLDER_NAMES
from callproof.generated.reductions import plainer, smaller
from callproof.generated.running import Wanted, generated
from callproof.judge.verdicts import Verdict
from callproof.live.canonical_tools import CANONICAL_TOOLS
from callproof.live.case import Case, Item, ItemKind
from callproof.live.scenarios.building import Object, plan, policy, step
from callproof.live.session import LiveSession
from callproof.replay.codec import from_json, to_json
from callproof.trace.plan import Plan
from callproof.values.jsontext import Json
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FOLDER = (Item("Notes/a.md", text="a"), Item("Notes/b.md", text="b"), Item("Empty", ItemKind.FOLDER))
CASES = st.randoms(use_true_random=True).map(lambda dice: files_by(dice, FEATURES))
_CLOSED: Object = {"enabled": True, "allowedRoots": [], "denyPatterns": []}
EXAMPLES = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _case(*steps: Object, folder: tuple[Item, ...] = FOLDER) -> Case:
    tools = CANONICAL_TOOLS
    return Case("files", "files", plan(*steps, risk="writes"), policy(), system_tools=tools, folder=folder)


def _one(tool: str, **args: Json) -> Object:
    return step("s", f"vault.{tool}", args, onError="skip")


@EXAMPLES
@given(CASES)
def test_work_on_files_can_be_carried_out(case: Case) -> None:
    """Every disk can hold the folder, arguments have their shapes, and a file can keep the case."""
    assert is_lawful(case), list(plan_faults(case))
    assert case.missing(tuple(FEATURES)) == ()
    assert from_json(Case, to_json(case)) == case


@pytest.mark.many
@settings(EXAMPLES, max_examples=60)
@given(CASES)
def test_what_is_made_smaller_is_still_lawful_and_expects_what_its_folder_says(case: Case) -> None:
    """A refusal may depend on a file that is left out."""
    for offers in (smaller, plainer):
        for _, (_, less) in zip(range(5), offers(case), strict=False):
            assert is_lawful(less)
            assert less.expectations.get("codes", {}) == codes_due(less)


@pytest.mark.parametrize("claimed", [(), ("files",), ("effects", "references")], ids="+".join)
def test_files_are_asked_of_systems_with_files_only(claimed: tuple[str, ...]) -> None:
    """They are also asked only of systems that tell their effects."""
    assert not any(case.folder for case in generated(claimed, Wanted(30)))
    assert [case.id for case in generated((*claimed, *NEEDS), Wanted(30)) if case.folder] == [
        f"GEN/0-{place}" for place in (5, 15, 25)
    ]


def test_names_are_distinct_to_a_disk_that_is_blind() -> None:
    """A disk may ignore case and Unicode form; two names would then be one file, and the law leaves the effect open."""
    names = {*FILE_NAMES, *FOLDER_NAMES}
    assert len(set(map(folded, names))) == len(names)
    assert folders_above("a/b/c.md") == ["a/b", "a"]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (_one("readFile", path="Notes/c.md"), "NOT_FOUND"),
        (_one("readFile", path="notes/A.md"), None),  # it exists on a disk that ignores case
        (_one("delete", path="Notes/c.md"), "NOT_FOUND"),
        (_one("delete", path="Notes/c.md", requireExists=False), None),
        (_one("delete", path="Notes"), None),
        (_one("rename", fromPath="Notes/c.md", toPath="d.md"), "NOT_FOUND"),
        (_one("rename", fromPath="Notes/c.md", toPath="Notes/a.md", collisionStrategy="error"), None),  # both are right
        (_one("rename", fromPath="Notes/a.md", toPath="Notes/b.md", collisionStrategy="error"), "CONFLICT"),
        (_one("rename", fromPath="Notes/a.md", toPath="Notes/a.md", collisionStrategy="error"), None),
        (_one("rename", fromPath="Notes/a.md", toPath="Notes/b.md"), None),
        (_one("createFile", path="Notes/a.md", content="", collisionStrategy="error"), "CONFLICT"),
        (_one("createFile", path="Notes/a.md", content="", collisionStrategy="create-unique"), None),
        (_one("createFile", path="Notes/c.md", content="", collisionStrategy="error"), None),
        (_one("createFile", path="Empty", content="", collisionStrategy="error"), None),
        (_one("writeFile", path="Notes/a.md", content="", expectedEtag="of long ago"), "CONFLICT"),
        (_one("writeFile", path="Notes/c.md", content="", expectedEtag="of long ago"), None),
    ],
    ids=str,
)
def test_a_step_is_doomed_where_the_folder_says_so(asked: Object, code: str | None) -> None:
    """A missing file is NOT_FOUND, a name in use is a CONFLICT, and if two codes are right, none is expected."""
    assert codes_due(_case(asked)) == ({} if code is None else {"s": code})


@pytest.mark.parametrize(
    "other",
    [
        step("t", "vault.createFile", {"path": "Notes/c.md", "content": ""}),
        step("t", "vault.delete", {"path": "Notes"}),
        step("t", "vault.ensureFolder", {"path": "NOTES/c.md/d"}),
        step("t", "vault.readFile", {"path": "$steps.s.path"}),
    ],
    ids=lambda each: str(each["tool"]),
)
def test_where_another_step_has_a_hand_in_it_nothing_is_expected(other: Object) -> None:
    """The law leaves open which of two ready steps runs first."""
    doomed = _one("readFile", path="Notes/c.md")
    assert codes_due(_case(doomed)) != {}
    assert codes_due(_case(doomed, other)) == {}


@pytest.mark.parametrize(
    ("asked", "rules"),
    [
        (_one("createFile", path="Notes/a.md", collisionStrategy="error"), policy()),
        (_one("readFile", path="Notes/c.md"), policy(denied=("vault.readFile",))),
        (
            _one("readFile", path="Notes/c.md"),
            policy(sandbox={"enabled": True, "allowedRoots": [], "denyPatterns": []}),
        ),
    ],
    ids=["arguments that do not fit", "a denied tool", "a folder out of bounds"],
)
def test_what_is_refused_for_another_reason_expects_nothing(asked: Object, rules: Object) -> None:
    """A case that is being made small may lose an argument or a root, and must then expect nothing."""
    assert codes_due(replace(_case(asked), policy=rules)) == {}


@pytest.fixture(scope="module")
def session() -> Iterator[LiveSession]:
    """The reference executor, started once."""
    with LiveSession("stdio:callproof-reference stdio") as opened:
        yield opened


@pytest.mark.many
@settings(EXAMPLES, max_examples=60)
@given(case=CASES)
def test_a_system_that_tells_what_it_did_is_accused_of_nothing(session: LiveSession, case: Case) -> None:
    """Files are created, deleted and moved under odd names, several times, and at the same time."""
    outcome = session.run_case(replace(case, id="work-on-files"))
    assert outcome.error is None
    judged = judged_case(outcome, frozenset(session.claims.features))
    broken = {name: each.findings for name, each in judged.results.items() if each.verdict is not Verdict.PASS}
    assert {name: found for name, found in broken.items() if found} == {}
    assert len(Plan(case.plan).steps) > 1
