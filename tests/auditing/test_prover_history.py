"""The prover and the checks say the same of what calls left at a path, and of what later calls found there."""

from __future__ import annotations

from pathlib import Path

import pytest
from auditing.histories import with_data
from auditing.mutations import Records, changed_in, compact
from auditing.other_logs import one_after_another, with_effects
from callproof.auditing.audited import Rules
from callproof.auditing.one_run import audit_run
from callproof.auditing.prover import prove
from callproof.auditlog.folder import captured_in
from callproof.resources import SPEC
from callproof.values.jsontext import Json

BY_CHECKS = Rules(fast_path=False)
FOLDERS = {name: SPEC / "examples" / name for name in ("unconfirmed", "effects")}
PROVED = {name: compact(captured_in(Path(str(folder)))) for name, folder in FOLDERS.items()}


def test_what_a_call_puts_where_it_took_a_folder_away_is_judged_as_by_the_checks() -> None:
    """A call that puts a file below a folder says that the folder is there, but not since when (EFF-02)."""
    taken: Json = [{"from": "Archive", "to": "Attic"}]
    put: Json = [{"path": "Archive/log.md", "kind": "file"}]
    made: Json = {"created": [{"path": "Archive", "kind": "folder"}]}
    assert prove(with_effects(PROVED["unconfirmed"], {"renamed": taken}, made)) is not None
    run = with_effects(PROVED["unconfirmed"], {"renamed": taken, "created": put}, made)
    assert audit_run(run) == audit_run(run, BY_CHECKS)


@pytest.mark.parametrize("fate", ["created", "modified", "deleted"])
def test_what_changed_places_is_judged_as_by_the_checks(fate: str) -> None:
    """A name that one call emptied and filled again stands for a file, so no later call creates it (EFF-02)."""
    swapped: Json = [{"from": "a.md", "to": "b.md"}, {"from": "b.md", "to": "a.md"}]
    later: Json = {fate: [{"path": "b.md", "kind": "file"}]}
    run = with_effects(PROVED["unconfirmed"], {"renamed": swapped}, later)
    audited = audit_run(run)
    assert ("EFF-02" in audited.broken) is (fate == "created")
    assert not {"EFF-03", "EFF-05", "EFF-07"} & audited.broken.keys()
    assert audited == audit_run(run, BY_CHECKS)


@pytest.mark.parametrize(
    ("later", "law"),
    [
        ({"modified": [{"path": "b.md", "kind": "file", "beforeEtag": "other"}]}, "EFF-04"),
        ({"modified": [{"path": "b.md", "kind": "file", "beforeEtag": "e1"}]}, None),
        ({"deleted": [{"path": "b.md", "kind": "folder"}]}, "EFF-11"),
        ({"deleted": [{"path": "b.md", "kind": "file"}]}, None),
    ],
)
def test_what_was_moved_and_told_as_deleted_is_at_its_new_name_what_it_was(later: Json, law: str | None) -> None:
    """A call that lists the old name of what it moved as deleted still moved a file (EFF-04, EFF-11)."""
    made: Json = {"created": [{"path": "a.md", "kind": "file", "afterEtag": "e1"}]}
    moved: Json = {"deleted": [{"path": "a.md", "kind": "file"}], "renamed": [{"from": "a.md", "to": "b.md"}]}
    run = one_after_another(PROVED["unconfirmed"], made, moved, later)
    audited = audit_run(run)
    assert set(audited.broken) == ({law} if law else set())
    assert audited == audit_run(run, BY_CHECKS)
    assert (prove(run) is None) is bool(law)


@pytest.mark.many
def test_what_many_deletions_cost_grows_with_their_number() -> None:
    """Tens of thousands of deleted files are not each compared with each other: that would take hours."""

    def all_deleted(records: Records) -> None:
        files = [{"path": f"d{number}.md", "kind": "file", "trashed": False} for number in range(50_000)]
        records["result"][1]["effects"]["deleted"] = files

    run = changed_in(PROVED["effects"], all_deleted)
    prove(run)


@pytest.mark.parametrize(("found", "proved"), [("e2", True), ("e1", False)])
@pytest.mark.parametrize("moved", [True, False])
def test_an_etag_that_data_give_is_the_files_from_then_on(found: str, proved: bool, moved: bool) -> None:
    """EFF-04: a rename, or a write of the same bytes, may leave another etag behind, and says so in its data alone."""
    path = "B" if moved else "A"
    made = {"created": [{"path": "A", "kind": "file", "afterEtag": "e1"}]}
    changed = {"modified": [{"path": path, "kind": "file", "beforeEtag": found, "afterEtag": "e3"}]}
    run = one_after_another(
        PROVED["unconfirmed"], {}, made, {"renamed": [{"from": "A", "to": "B"}]} if moved else {}, changed
    )
    told = [{}, {"path": path, "etag": "e2"}, {}]
    run = changed_in(run, lambda records: with_data(records, *told))
    assert (prove(run) is not None) is proved
    assert audit_run(run) == audit_run(run, BY_CHECKS)
    assert ("EFF-04" in audit_run(run).broken) is not proved
