"""SC-16: creating over what exists, making parents, contents that differ in little, stale etags, files in a loop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from callproof.live.behaviours import returns
from callproof.live.canonical_tools import CREATE_FILE, ENSURE_FOLDER, PATCH_FILE, READ_FILE, WRITE_FILE
from callproof.live.case import Case, Cue, Item, ItemKind, Move, Scenario
from callproof.live.scenarios.aims import FAILURE, OWN_TOOLS
from callproof.live.scenarios.building import Object, closed, hosted, plan, policy, step
from callproof.trace.witnesses import ActKind
from callproof.values.jsontext import Json

_OBSERVED = ("EFF-08", "EFF-12", "EFF-13", "EFF-14", "EFF-21", "EFF-15")
_CREATED = (*_OBSERVED, "EFF-02", "EFF-11", "EFF-20", "EFF-22")
_MODIFIED = (*_OBSERVED, "EFF-03", "EFF-04", "EFF-20")
_TOOLS = (CREATE_FILE, ENSURE_FOLDER, PATCH_FILE, READ_FILE, WRITE_FILE)
_THERE = "Notes/there.md"


def _files(name: str, says: str, *steps: Object, aims: tuple[str, ...]) -> Case:
    return Case(
        id=f"SC-16/{name}",
        says=says,
        plan=plan(*steps, risk="writes"),
        policy=policy(),
        system_tools=_TOOLS,
        folder=(
            Item(_THERE, text="as it was\n"),
            Item("Notes/there 1.md", text="a namesake\n"),
            Item("Notes/Über é.md", text="umlaut\n"),
        ),
        requires=("files", "effects", "references"),
        provokes=aims,
    )


def _refused(case: Case, **codes: str) -> Case:
    """A case in which a step has to fail with this code."""
    return replace(case, expectations={**case.expectations, "codes": codes})


def _kept(case: Case, *paths: str, **appended: str) -> Case:
    """A case that leaves these paths as they are (EFF-26), or that only appends to one file, up to ``to_hold``."""
    others = dict.fromkeys(paths) if not appended else {_THERE: appended["to_hold"]}
    return replace(case, expectations={**case.expectations, "kept": others}, provokes=(*case.provokes, "EFF-26"))


def _create(step_id: str, path: str, **args: str | bool) -> Object:
    return step(step_id, "vault.createFile", {"path": path, "content": "new\n", **args}, onError="skip")


def _write(step_id: str, path: str, content: str, **args: str) -> Object:
    return step(step_id, "vault.writeFile", {"path": path, "content": content, **args}, onError="skip")


_READ = step("read", "vault.readFile", {"path": _THERE})
_PATCH: Json = {"replaceRange": {"start": 0, "end": 2, "text": "A"}}
# Longer than what a tool reads at once; only its last character changes.
_LONG = "a page of a long note, " * 3_100
# Files with odd names, changed in odd ways: for each name, what the file holds, and what is written to it.
_REWRITTEN: Mapping[str, tuple[str, str]] = {
    ".emptied": ("it was\n", ""),
    "Notes/deep/er/filled.md": ("", "it is\n"),
    "Two words/of one size.md": ("one\n", "two\n"),
    "Übersicht/line ends.md": ("a\r\nb\r\n", "a\nb\n"),
    "Notes/the other way": ("a\nb\n", "a\r\nb\r\n"),
    "Notes/[no] #last, line end.txt": ("one\n", "one"),
    "Notes/it's marked~": ("text\n", "\ufefftext\n"),
    "Notes/form & case.md": ("Cafe\u0301\n", "caf\u00e9\n"),
    "-100%25 binary": ("x\n", "x\u0000y\n"),
    "Notes/long.md": (f"{_LONG}a", f"{_LONG}b"),
    "Notes/same.md": ("as it is\n", "as it is\n"),
}


def _contents() -> Case:
    """Every file in a step of its own, and then those that tools other than vault.writeFile make or change."""
    steps = [_write(f"s{number}", path, new) for number, (path, (_, new)) in enumerate(_REWRITTEN.items(), 1)]
    others = (
        _create("made", "Notes/made/empty", content=""),
        _create("again", "Notes/again.md", content="as it is\n", collisionStrategy="overwrite"),
        step("headed", "vault.createFile", {"path": "headed.md", "content": "x\n", "frontmatter": {"a": 1}}),
        _write("nothing", "Notes/there 1.md", "", mode="append"),
        _write("first", "Notes/first.md", "x\n", mode="append"),
        step("patched", "vault.patchFile", {"path": _THERE, "patch": _PATCH}),
    )
    case = _files(
        "contents",
        "Contents that differ slightly, in files with odd names",
        *(*steps, *others),
        aims=(*OWN_TOOLS, *_CREATED, *_MODIFIED, "EFF-25"),
    )
    files = (Item(path, text=old) for path, (old, _) in _REWRITTEN.items())
    return replace(case, folder=(*case.folder, *files, Item("Notes/again.md", text="as it is\n")))


def _by_a_link() -> Case:
    """Through links that stay inside: a system may refuse to follow them; if it follows one, it says where that led."""
    case = _files(
        "by-a-link",
        "Existing and new files, written through a link to the folder or to the file",
        _write("s1", "Way/there.md", "changed\n"),
        _create("s2", "Way/made/new.md"),
        _write("s3", "file.md", "changed too\n"),
        aims=("EFF-08", "EFF-12", "EFF-22"),
    )
    links = (Item("Way", ItemKind.LINK, "Notes"), Item("file.md", ItemKind.LINK, "Notes/there 1.md"))
    return replace(case, folder=(*case.folder, *links))


def _left_alone() -> Case:
    """Under ``ifNotExists``, alone or against the strategy: the step ends in a conflict, or has created nothing."""
    case = _files(
        "exists-left",
        "Creating over an existing file with ifNotExists, whatever the strategy is",
        _create("s1", _THERE, ifNotExists=True),
        _create("s2", _THERE, ifNotExists=True, collisionStrategy="overwrite"),
        step("s3", "vault.readFile", {"path": _THERE}),
        aims=(*OWN_TOOLS, "EFF-08"),
    )
    return _kept(case, _THERE)


def _fails_in_a_loop() -> Case:
    """For each item of a loop, a file that does not exist and a file that is in the way."""
    items: Json = {"items": ["nowhere.md", "gone/astray.md"]}
    source = hosted("witness.items", returns(items), takes=closed(), gives=closed(items={"type": "array"}))
    loop: Json = {"from": "$steps.src.items", "itemName": "name"}
    case = _files(
        "fails-in-a-loop",
        "Loops that read missing files and create an existing one",
        step("src", "witness.items"),
        step("missed", "vault.readFile", {"path": "Notes/{name}"}, onError="skip", foreach=loop),
        {**_create("met", _THERE, collisionStrategy="error"), "foreach": loop},
        aims=(*OWN_TOOLS, *FAILURE, "ERR-01", "ERR-02"),
    )
    case = _refused(case, missed="NOT_FOUND", met="CONFLICT")
    return replace(case, tools=(source,), requires=(*case.requires, "foreach"))


def _in_a_loop() -> Case:
    """One file for each item, two at once, each with a preview and a time limit, in a run that was approved."""
    items: Json = {"items": [{"name": f"{each}.md", "text": f"{each}\n"} for each in ("one", "two", "three", "four")]}
    source = hosted("witness.items", returns(items), takes=closed(), gives=closed(items={"type": "array"}))
    each = step("each", "vault.createFile", {"path": "Notes/{note.name}", "content": "{note.text}"})
    loop: Json = {"from": "$steps.src.items", "itemName": "note", "concurrency": 2}
    case = _files(
        "in-a-loop",
        "An approved run creates a file for each item of a loop, two at once",
        step("src", "witness.items"),
        {**each, "foreach": loop, "preview": "Make {note.name}", "timeoutMs": 5_000},
        aims=(*OWN_TOOLS, *_CREATED),
    )
    return replace(
        case,
        policy=policy({"maxConcurrency": 2}, confirm=True),
        timeline=(Move(ActKind.APPROVE, Cue.CONFIRMATION),),
        tools=(source,),
        requires=(*case.requires, "foreach", "confirmation", "concurrency", "timeout"),
    )


SCENARIO = Scenario(
    "SC-16",
    "Creating over existing files, making parents, writing the same bytes, stale etags",
    (
        _files("fresh", "Creating a new file", _create("s1", "Notes/new.md"), aims=(*OWN_TOOLS, *_CREATED)),
        _files(
            "parents", "Creating missing parent folders", _create("s1", "a/b/c/new.md"), aims=(*OWN_TOOLS, *_CREATED)
        ),
        _kept(
            _refused(
                _files(
                    "exists-error",
                    "Creating over an existing file under strategy error",
                    *(
                        _create("s1", _THERE, collisionStrategy="error"),
                        _create("s2", _THERE, ifNotExists=True, collisionStrategy="error"),
                    ),
                    aims=(*OWN_TOOLS, *FAILURE, "ERR-02", "EFF-08", "VAL-14"),
                ),
                s1="CONFLICT",
                s2="CONFLICT",
            ),
            _THERE,
        ),
        _kept(
            _files(
                "exists-unique",
                "Creating over an existing file under strategy create-unique",
                _create("s1", _THERE, collisionStrategy="create-unique", ifNotExists=False),
                aims=(*OWN_TOOLS, *_CREATED),
            ),
            _THERE,
            "Notes/there 1.md",
        ),
        _files(
            "exists-overwrite",
            "Creating over an existing file under strategy overwrite",
            _create("s1", _THERE, collisionStrategy="overwrite", ifNotExists=False),
            aims=(*OWN_TOOLS, *_MODIFIED),
        ),
        _files("overwrite", "Writing over a file", _write("s1", _THERE, "changed\n"), aims=(*OWN_TOOLS, *_MODIFIED)),
        _kept(
            _files(
                "append",
                "Appending to a file",
                _write("s1", _THERE, "more\n", mode="append"),
                aims=(*OWN_TOOLS, *_MODIFIED),
            ),
            to_hold="as it was\nmore\n",
        ),
        _files(
            "write-new", "Writing a file that does not exist", _write("s1", "x/y.md", "z"), aims=(*OWN_TOOLS, *_CREATED)
        ),
        _files(
            "identical",
            "Writing the bytes that the file already holds",
            _write("s1", _THERE, "as it was\n"),
            aims=(*OWN_TOOLS, *_OBSERVED, "EFF-25", "EFF-20"),
        ),
        _refused(
            _files(
                "stale-etag",
                "Writing with a stale etag, then with the current one, then with the same one again",
                _write("s1", _THERE, "lost\n", expectedEtag="stale"),
                _READ,
                _write("s2", _THERE, "won\n", expectedEtag="$steps.read.etag"),
                {**_write("s3", _THERE, "off\n", expectedEtag="$steps.read.etag"), "dependsOn": ["s2"]},
                aims=(*OWN_TOOLS, *FAILURE, *_MODIFIED, "ERR-02", "VAL-14", "EFF-26"),
            ),
            s1="CONFLICT",
            s3="CONFLICT",
        ),
        _kept(
            _refused(
                _files(
                    "guarded",
                    "Only writes with an etag that no file has, which all fail",
                    _write("s1", _THERE, "lost\n", expectedEtag="stale"),
                    _write("s2", "Notes/none.md", "lost\n", expectedEtag="stale"),
                    step(
                        "s3",
                        "vault.patchFile",
                        {"path": _THERE, "patch": _PATCH, "expectedEtag": "stale"},
                        onError="skip",
                    ),
                    aims=(*OWN_TOOLS, *FAILURE, "ERR-02", "EFF-08", "VAL-14"),
                ),
                s1="CONFLICT",
                s3="CONFLICT",
            ),
            _THERE,
            "Notes/none.md",
        ),
        _files(
            "folders",
            "Making a missing folder and an existing one",
            *(step("s1", "vault.ensureFolder", {"path": "a/b"}), step("s2", "vault.ensureFolder", {"path": "Notes"})),
            aims=(*OWN_TOOLS, *_CREATED),
        ),
        _files(
            "names",
            "File names keep their code points",
            _write("s1", "Notes/Über é.md", "changed\n"),
            _create("s2", "Notes/e\u0301 😀 \u202e.md"),
            _create("s3", "Notes/ends with a blank .md"),
            aims=(*OWN_TOOLS, *_CREATED, "LOG-12"),
        ),
        _refused(
            _files(
                "missing",
                "Reading a file that does not exist",
                step("s1", "vault.readFile", {"path": "Notes/nowhere.md"}, onError="skip"),
                _READ,
                aims=(*OWN_TOOLS, *FAILURE, "ERR-01", "EFF-09", "RETRY-19"),
            ),
            s1="NOT_FOUND",
        ),
        _files(
            "dry-run",
            "A dry run changes nothing",
            *(_create("s1", "Notes/dry.md", dryRun=True), _write("s2", "Notes/dry.md", "x")),
            aims=(*OWN_TOOLS, *_OBSERVED, "POL-11", "EFF-23"),
        ),
        _files(
            "in-sequence",
            "One file, created, changed and changed back by three calls",
            _create("s1", "Notes/seq.md"),
            {**_write("s2", "Notes/seq.md", "other\n"), "dependsOn": ["s1"]},
            {**_write("s3", "Notes/seq.md", "new\n"), "dependsOn": ["s2"]},
            aims=(*OWN_TOOLS, *_CREATED, *_MODIFIED),
        ),
        _files(
            "exists-unsaid",
            "Creating over an existing file, without ifNotExists or a strategy",
            _create("s1", _THERE),
            aims=(*OWN_TOOLS, "EFF-08"),
        ),
        _left_alone(),
        _contents(),
        _by_a_link(),
        _in_a_loop(),
        _fails_in_a_loop(),
    ),
    spared=("VAL-14",),
)
