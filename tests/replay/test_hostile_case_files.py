"""A case file from an attacker: it cannot make the suite write, read or start anything that a case has no need of."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from callproof.live.behaviours import Write
from callproof.live.case import Item, ItemKind
from callproof.live.folders import OutsideTheFolders, furnish, put
from callproof.replay.casefile import BadCaseFile, read_case_file

ECHO = {"replies": [{"ending": "echo"}]}
DESCRIPTOR = {"name": "witness.tool", "inputSchema": {}, "outputSchema": {}}
TOOL: dict[str, Any] = {"descriptor": DESCRIPTOR, "behaviour": ECHO}


def written(tmp_path: Path, **members: Any) -> Path:
    """A case file with a case that has these members."""
    case = {"id": "a", "says": "b", "plan": {}, "policy": {}, **members}
    head = {"callproof": "case/1", "suiteVersion": "0.1.0", "requirement": "RETRY-03", "scenario": None, "seed": None}
    path = tmp_path / "case.json"
    path.write_text(json.dumps({**head, "says": "b", "case": case}), encoding="utf-8")
    return path


def refused(path: Path) -> str:
    """The message with which a file is refused."""
    with pytest.raises(BadCaseFile) as caught:
        read_case_file(path)
    return str(caught.value)


BAD_PATHS = [
    "/etc/passwd",
    "..",
    "../x",
    "../outside",
    "../audit",
    "../audit/calls.jsonl",
    "../outside/../../x",
    "a/../../x",
    "./a",
    "a//b",
    "a/",
    "",
    "a\0b",
    "..\\x",
    "a" * 256,
    "/".join(["a" * 200] * 30),
]
DEEP = "/".join(["a"] * 101)


@pytest.mark.parametrize("path", BAD_PATHS)
def test_an_item_lies_in_the_folders_of_the_run(path: str, tmp_path: Path) -> None:
    """The path alone decides."""
    told = refused(written(tmp_path, folder=[{"path": path}]))
    assert "at /case/folder/0/path: " in told
    assert "permitted: a path of plain names below the root, or below ../outside" in told


def test_a_path_is_not_deep(tmp_path: Path) -> None:
    """Programs that remove folders go down into them, some of them by recursion on a limited stack."""
    for path in (DEEP, f"../outside/{DEEP}"):
        assert "at /case/folder/0/path: there are 101 entries" in refused(written(tmp_path, folder=[{"path": path}]))
    read_case_file(written(tmp_path, folder=[{"path": DEEP[2:]}]))


@pytest.mark.parametrize("path", BAD_PATHS)
def test_what_a_tool_writes_lies_in_the_folders_of_the_run(path: str, tmp_path: Path) -> None:
    """The suite itself writes these files during the run."""
    tool = {**TOOL, "behaviour": {"replies": [{"ending": "echo", "writes": [{"path": path, "content": ""}]}]}}
    assert "at /case/tools/0/behaviour/replies/0/writes/0/path: " in refused(written(tmp_path, tools=[tool]))


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("l", "/etc"),
        ("l", ".."),
        ("l", "../.."),
        ("l", "../root"),
        ("l", "../outside/../.."),
        ("l", "a/../../.."),
        ("d/l", "../../../etc"),
        ("d/l", "../outside/../../outside"),
        ("d/d/l", "../../../srv/keys"),
        ("../outside/l", "../root"),
        ("../outside/l", "../outside/x"),
        ("l", ""),
        ("l", "."),
    ],
)
def test_a_link_leads_no_further(path: str, target: str, tmp_path: Path) -> None:
    """Neither the suite nor the system may be led out of the folders of the run."""
    told = refused(written(tmp_path, folder=[{"path": path, "kind": "link", "text": target}]))
    assert "at /case/folder/0/text: the link leads to " in told
    write = {"path": path, "content": target, "link": True}
    tool = {**TOOL, "behaviour": {"replies": [{"ending": "echo", "writes": [write]}]}}
    assert "the link leads to " in refused(written(tmp_path, tools=[tool]))


@pytest.mark.parametrize(
    ("path", "target"), [("l", "../outside/x"), ("d/l", "../../outside"), ("d/l", "../x"), ("l", "x")]
)
def test_a_link_within_the_folders_is_fine(path: str, target: str, tmp_path: Path) -> None:
    """A scenario needs links that lead beside the root, to see that a lawful system refuses to follow them."""
    file = read_case_file(written(tmp_path, folder=[{"path": path, "kind": "link", "text": target}]))
    assert file.case.folder == (Item(path, ItemKind.LINK, target),)


@pytest.mark.parametrize("below", ["l/x", "L/x", "l/a/b"])
def test_nothing_lies_below_a_link(below: str, tmp_path: Path) -> None:
    """Also not in another spelling, since some systems treat both as the same name."""
    link = {"path": "l", "kind": "link", "text": "../outside"}
    tool = {**TOOL, "behaviour": {"replies": [{"ending": "echo", "writes": [{"path": below, "content": ""}]}]}}
    assert "lies below a link" in refused(written(tmp_path, tools=[tool], folder=[link]))
    assert "is taken, or is below" in refused(written(tmp_path, folder=[link, {"path": below}]))


def test_no_two_items_have_one_place(tmp_path: Path) -> None:
    """The second item would be written through the link that is the first."""
    items = [{"path": "l", "kind": "link", "text": "x"}, {"path": "l"}]
    assert "at /case/folder/1/path: the path 'l' is taken" in refused(written(tmp_path, folder=items))


@pytest.mark.parametrize("kind", ["file", "link"])
def test_where_something_lies_there_is_a_folder_and_nothing_else(kind: str, tmp_path: Path) -> None:
    """This holds whichever of the two the case names first; the folder itself may be named as well."""
    below: dict[str, Any] = {"path": "a/b/c"}
    told = refused(written(tmp_path, folder=[below, {"path": "a/b", "kind": kind, "text": "x"}]))
    assert "at /case/folder/1/path: the path 'a/b' is taken" in told
    assert read_case_file(written(tmp_path, folder=[below, {"path": "a/b", "kind": "folder"}])).case.folder


def test_a_path_of_very_many_names_is_refused_before_anything_is_made_of_it(tmp_path: Path) -> None:
    """The list of all folders above it would be larger than any memory."""
    assert "there are 1000001 entries" in refused(written(tmp_path, folder=[{"path": "a/" * 1_000_000}]))


def test_a_move_waits_for_the_first_invocation_or_a_later_one(tmp_path: Path) -> None:
    """The move would never be made, because no invocation has the number 0."""
    told = refused(written(tmp_path, timeline=[{"act": "cancel", "cue": "invocation", "tool": "t", "count": 0}]))
    assert "at /case/timeline/0/count: the value is 0" in told


def test_the_suite_follows_no_link_that_the_system_made(tmp_path: Path) -> None:
    """The suite checks the path again when it writes, because a system may have made a link there meanwhile."""
    beside = tmp_path / "precious"
    beside.mkdir()
    folders = furnish(tmp_path / "scratch", ())
    os.symlink(beside, folders.root / "moved")
    for write in (Write("moved/x", "gone"), Write("moved/l", "x", link=True)):
        with pytest.raises(OutsideTheFolders, match="leads out of the folders of the run"):
            put(folders.root, write)
    assert list(beside.iterdir()) == []


@pytest.mark.parametrize("number", [-1, 10**9, 10**30])
def test_a_number_is_of_a_sensible_size(number: int, tmp_path: Path) -> None:
    """No case may wait for a year."""
    assert f"at /case/horizonMs: the value is {number}" in refused(written(tmp_path, horizonMs=number))


def test_the_system_is_asked_for_no_tool_but_the_canonical_ones(tmp_path: Path) -> None:
    """A system may have tools of its own that run commands; a stranger's case must not call them."""
    told = refused(written(tmp_path, systemTools=[{"name": "shell.run"}]))
    assert 'at /case/systemTools/0/name: the value is "shell.run"' in told
    own = {**TOOL, "descriptor": {"name": "shell.run", "host": "system"}}
    assert "at /case/tools/0/descriptor/host" in refused(written(tmp_path, tools=[own]))


def test_a_company_is_held_to_the_same(tmp_path: Path) -> None:
    """The runs beside the case's own run are cases too."""
    companion = {"id": "c", "says": "d", "plan": {}, "policy": {}, "folder": [{"path": "/x"}]}
    told = refused(written(tmp_path, company=[{"case": companion, "when": "before"}]))
    assert "at /case/company/0/case/folder/0/path" in told


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"tools": [{**TOOL, "behaviour": {"replies": []}}]}, "at /case/tools/0/behaviour/replies: the list is empty"),
        (
            {"tools": [{**TOOL, "behaviour": {"replies": [{"ending": "output", "text": "[" * 9_999}]}}]},
            "replies/0/text: ",
        ),
        ({"tools": [{**TOOL, "behaviour": {"replies": [{"ending": "output", "text": "{"}]}}]}, "replies/0/text: "),
        ({"canaries": ["secret", ""]}, "at /case/canaries/1: the text is empty"),
        ({"timeline": [{"act": "kill", "cue": "start"}]}, 'at /case/timeline/0/act: the value is "kill"'),
        ({"timeline": [{"act": "approve", "cue": "start", "confirmationOf": 0}]}, "at /case/timeline/0/confirmationOf"),
        (
            {"company": [{"case": {"id": "c", "says": "d", "plan": {}, "policy": {}}, "when": "before"}] * 11},
            "11 entries",
        ),
    ],
)
def test_what_cannot_be_had_is_refused(members: dict[str, Any], told: str, tmp_path: Path) -> None:
    """It is refused before anything is started, and not by a traceback in the middle of a run."""
    assert told in refused(written(tmp_path, **members))


def with_replies(**reply: Any) -> dict[str, Any]:
    """A case with a tool that answers with this reply."""
    return {"tools": [{**TOOL, "behaviour": {"replies": [reply]}}]}


@pytest.mark.parametrize(
    ("members", "told"),
    [
        (
            {"tools": [{**TOOL, "descriptor": {"name": "x"}}]},
            "at /case: the message that the suite would send is out of",
        ),
        ({"tools": [{**TOOL, "descriptor": {**DESCRIPTOR, "name": 7}}]}, "out of shape at /tools/0/name"),
        ({"systemTools": [{"name": "vault.readFile"}]}, "at /case: the message that the suite would send"),
        ({"confirmationTimeoutMs": 0}, "out of shape at /confirmationTimeoutMs"),
        ({"hook": {"tool": "w.tool", "action": "modify"}}, "at /case/hook: the message that the suite would send"),
        (with_replies(ending="failure"), "at /case/tools/0/behaviour/replies/0: the message that the suite would send"),
        (with_replies(ending="failure", error={"code": 7, "message": "x"}), "out of shape at /code"),
        (with_replies(ending="echo", observed={"created": 7}), "out of shape at /observed/created"),
    ],
)
def test_the_suite_is_made_to_say_nothing_that_the_protocol_forbids(
    members: dict[str, Any], told: str, tmp_path: Path
) -> None:
    """A plan may be as wrong as a case likes, but the messages around it must have their shape."""
    assert told in refused(written(tmp_path, **members))


def test_a_case_does_not_excuse_what_it_is_about(tmp_path: Path) -> None:
    """The replay could say nothing about the law."""
    told = refused(written(tmp_path, excused=["RES-05", "RETRY-03"]))
    assert "at /case/excused/1: it excuses RETRY-03, which the file is about" in told


def test_a_file_names_no_command(tmp_path: Path) -> None:
    """Only the user who replays a case says against which system."""
    path = written(tmp_path)
    document = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**document, "adapter": "stdio:rm -rf /"}), encoding="utf-8")
    assert "at /adapter: 'adapter' is not a member" in refused(path)


def test_too_many_items_are_refused(tmp_path: Path) -> None:
    """A file is small, and may ask only for a small run."""
    assert "at /case/folder: there are 1001 entries" in refused(
        written(tmp_path, folder=[{"path": str(n)} for n in range(1001)])
    )


def test_a_file_that_is_none_is_refused_without_a_wait(tmp_path: Path) -> None:
    """A pipe, a folder, a link and a missing file are refused at once."""
    os.mkfifo(tmp_path / "pipe")
    os.symlink(written(tmp_path), tmp_path / "link")
    told = [refused(tmp_path / name) for name in ("pipe", "link", ".", "missing.json")]
    assert [each.rpartition(": ")[2] for each in told] == [
        "is a named pipe, not a regular file",
        "is a symbolic link, not a regular file",
        "is a folder, not a regular file",
        "No such file or directory",
    ]


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf{}", "starts with a byte order mark"),
        (b"{} x", "Extra data"),
        (b'{"a": 1, "a": 2}', "names the member 'a' twice"),
        (b"[" * 200, "is nested deeper than"),
        (b'{"seed": NaN}', "holds NaN"),
        (b'"\\ud800"', "holds a lone surrogate"),
        (b"[]", "at the top: the value is []; permitted: an object"),
        (b"{}", 'at /callproof: the member is missing; permitted: "case/1"'),
        (b'{"callproof": "case/2"}', 'at /callproof: the value is "case/2"; permitted: "case/1"'),
        (b" " * (4 * 1024 * 1024 + 1), "is larger than 4194304 bytes"),
    ],
)
def test_bytes_that_are_no_case_file_are_refused(raw: bytes, told: str, tmp_path: Path) -> None:
    """The refusal gives the reason, and never a traceback."""
    path = tmp_path / "case.json"
    path.write_bytes(raw)
    assert told in refused(path)


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"requirement": "RETRY-99"}, "at /requirement: 'RETRY-99' is not a requirement; permitted: an id"),
        ({"requirement": "RETRY-O3"}, "did you mean 'RETRY-"),
        ({"seed": "7"}, 'at /seed: the value is "7"; permitted: a whole number'),
        ({"scenario": 7}, "at /scenario: the value is 7; permitted: a string"),
        ({"found": {"observed": "x"}}, "at /found: the member 'permitted' is missing"),
    ],
)
def test_the_head_of_a_file_is_read_as_strictly(members: dict[str, Any], told: str, tmp_path: Path) -> None:
    """Each member must have its type, and each word must be known."""
    path = written(tmp_path)
    document = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**document, **members}), encoding="utf-8")
    assert told in refused(path)


def test_a_feature_is_one_that_there_is(tmp_path: Path) -> None:
    """A case that needs an unknown feature would be inapplicable to every system."""
    told = refused(written(tmp_path, requires=["forech"]))
    assert "at /case/requires/0: 'forech' is not a feature" in told
    assert "did you mean 'foreach'?" in told


@pytest.mark.parametrize("member", ["provokes", "excused", "deathProves"])
def test_a_requirement_is_one_that_there_is(member: str, tmp_path: Path) -> None:
    """Such a case would aim at nothing, excuse nothing, or its death prove nothing; the same holds for its company."""
    told = refused(written(tmp_path, **{member: ["RES-05", "RES-O5"]}))
    assert f"at /case/{member}/1: 'RES-O5' is not a requirement" in told
    companion: dict[str, Any] = {"id": "c", "says": "d", "plan": {}, "policy": {}, member: ["RES-O5"]}
    told = refused(written(tmp_path, company=[{"case": companion, "when": "before"}]))
    assert f"at /case/company/0/case/{member}/0: 'RES-O5' is not a requirement" in told


def test_no_two_runs_of_a_case_have_one_name(tmp_path: Path) -> None:
    """Otherwise one run would be judged by what the case says about the other."""
    one, other = ({"id": name, "says": "d", "plan": {}, "policy": {}} for name in ("c", "a"))
    told = refused(written(tmp_path, company=[{"case": one, "when": "before"}, {"case": other, "when": "before"}]))
    assert 'at /case/company/1/case/id: another run of the case is called "a"' in told
    told = refused(written(tmp_path, company=[{"case": one, "when": "before"}, {"case": one, "when": "beside"}]))
    assert "at /case/company/1/case/id" in told


def test_a_case_needs_the_features_that_its_company_needs(tmp_path: Path) -> None:
    """A system that does not claim these features cannot run the company, so the case does not apply to it."""
    companion: dict[str, Any] = {"id": "c", "says": "d", "plan": {}, "policy": {}, "requires": ["foreach"]}
    file = read_case_file(written(tmp_path, requires=["events"], company=[{"case": companion, "when": "before"}]))
    assert file.case.missing(("events",)) == ("foreach",)
    assert file.case.missing(("events", "foreach")) == ()
