"""EFF: effects that did not happen, and changes that nobody reports."""

from __future__ import annotations

import unicodedata
from typing import Any

from miniatures.miniature import miniature
from miniatures.points import (
    OWN_EFFECTS,
    RECORD_RESULT,
    WRITE,
    Patch,
    Record,
)


@miniature("what-the-host-saw-is-left-out", breaks="EFF-01", also=("EFF-08",))
def _(patch: Patch) -> None:
    """A successful call says that nothing was observed, whatever its tool's host has seen."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        if ending.ok and ending.effects and not subject.step.tool.own:
            ending = ending._replace(effects={})
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature("told-as-intended", breaks="EFF-02", also=("EFF-23", "POL-11", "POL-14"), seen_in="SC-16")
def _(patch: Patch) -> None:
    """A call that failed reports the file that it meant to create."""
    intended: dict[str, Record] = {}

    def write(original: Any, journal: Any, kind: str, record: Record) -> None:
        if kind == "call":
            intended[record["callId"]] = record["args"]
        path = intended.get(record.get("callId", ""), {}).get("path")
        if kind == "result" and record["tool"] == "vault.createFile" and record["status"] == "error" and path:
            record = {**record, "effects": {"created": [{"path": path, "kind": "file"}]}}
        original(journal, kind, record)

    patch.around(WRITE, write)


@miniature("modifications-left-out", breaks="EFF-08")
def _(patch: Patch) -> None:
    """A file that was changed is not among the effects."""
    _told(patch, lambda effects: {name: entries for name, entries in effects.items() if name != "modified"})


@miniature("parents-come-for-free", breaks="EFF-08")
def _(patch: Patch) -> None:
    """Folders that were made on the way to a new file are not among the effects."""

    def change(effects: Record) -> Record:
        files = [each for each in effects.get("created", []) if each["kind"] == "file"]
        return {**effects, "created": files} if files else effects

    _told(patch, change)


@miniature("new-is-merely-changed", breaks="EFF-03", also=("EFF-14",), seen_in="SC-16/fresh")
def _(patch: Patch) -> None:
    """A new file is reported as a modified one."""

    def change(effects: Record) -> Record:
        created = effects.get("created", [])
        files = [{"path": each["path"], "kind": "file"} for each in created if each["kind"] == "file"]
        rest = [each for each in created if each["kind"] != "file"]
        return {**effects, "created": rest, "modified": [*effects.get("modified", []), *files]}

    _told(patch, change)


@miniature("changed-is-told-as-new", breaks="EFF-02", also=("EFF-14",))
def _(patch: Patch) -> None:
    """A modified file is reported as a created one."""

    def change(effects: Record) -> Record:
        files = [{"path": each["path"], "kind": "file"} for each in effects.get("modified", [])]
        return {**effects, "modified": [], "created": [*effects.get("created", []), *files]}

    _told(patch, change)


@miniature("etags-the-wrong-way-round", breaks="EFF-04")
def _(patch: Patch) -> None:
    """The etags before and after a change are swapped."""

    def change(effects: Record) -> Record:
        turned = [
            {**each, "beforeEtag": each.get("afterEtag"), "afterEtag": each.get("beforeEtag")}
            for each in effects.get("modified", [])
        ]
        return {**effects, "modified": turned}

    _told(patch, change)


@miniature("everything-is-in-the-trash", breaks="EFF-05")
def _(patch: Patch) -> None:
    """What was deleted for good is reported to be in the trash."""
    _entries(patch, "deleted", lambda entry: {**entry, "trashed": True})


@miniature("a-move-is-two-things", breaks="EFF-06")
def _(patch: Patch) -> None:
    """A renamed file is reported as one deleted and one created."""

    def change(effects: Record) -> Record:
        moved = effects.get("renamed", [])
        if len(moved) != 1 or effects.get("deleted") or not _is_another_note(**moved[0]):
            return effects
        gone, new = ({"path": moved[0][end], "kind": "file"} for end in ("from", "to"))
        return {**effects, "renamed": [], "deleted": [gone], "created": [*effects.get("created", []), new]}

    _told(patch, change)


@miniature("what-lay-there-is-not-mourned", breaks="EFF-07")
def _(patch: Patch) -> None:
    """A rename over another file does not report that the other file is gone."""

    def change(effects: Record) -> Record:
        targets = {each["to"] for each in effects.get("renamed", [])}
        return {**effects, "deleted": [each for each in effects.get("deleted", []) if each["path"] not in targets]}

    _told(patch, change)


@miniature("failures-have-no-effects", breaks="EFF-10", also=("EFF-08",))
def _(patch: Patch) -> None:
    """A failed call does not report what it had changed."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        ending = ending._replace(effects={}) if ending.status == "error" and ending.effects else ending
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature("folders-are-files", breaks="EFF-11")
def _(patch: Patch) -> None:
    """A new folder is reported as a file."""
    _entries(patch, "created", lambda entry: {**entry, "kind": "file"})


@miniature("paths-with-a-dot-before-them", breaks="EFF-12", also=("EFF-02",))
def _(patch: Patch) -> None:
    """Paths in effects are not normalised."""
    _entries(patch, "created", lambda entry: {**entry, "path": f"./{entry['path']}"})


@miniature("created-and-changed", breaks="EFF-13")
def _(patch: Patch) -> None:
    """A new file is listed as modified as well."""

    def change(effects: Record) -> Record:
        files = [
            {"path": each["path"], "kind": "file"} for each in effects.get("created", []) if each["kind"] == "file"
        ]
        return {**effects, "modified": [*effects.get("modified", []), *files]}

    _told(patch, change)


@miniature("refused-calls-had-effects", breaks="EFF-19")
def _(patch: Patch) -> None:
    """A call whose arguments were refused reports a side effect."""

    def change(record: Record) -> None:
        if record.get("error", {}).get("details", {}).get("reason") == "input_schema":
            record["effects"] = {"sideEffectsObserved": ["create-file"]}

    patch.record("result", change)


@miniature("names-in-composed-letters", breaks="EFF-22", also=("EFF-02",))
def _(patch: Patch) -> None:
    """Names in effects are brought into another Unicode form than the file has."""

    def form(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: form(member) for name, member in value.items()}
        if isinstance(value, list):
            return [form(element) for element in value]
        return unicodedata.normalize("NFC", value) if isinstance(value, str) else value

    _entries(patch, "created", form)


@miniature("same-bytes-count-as-a-change", breaks="EFF-25", also=("EFF-03", "EFF-23", "POL-11"))
def _(patch: Patch) -> None:
    """A file that was written again with the bytes it had is reported as modified."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        own = subject.step.tool.name == "vault.writeFile"
        path = (ending.data or {}).get("path")
        if ending.ok and own and path and not any((ending.effects or {}).values()):
            ending = ending._replace(effects={"modified": [{"path": path, "kind": "file"}]})
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature("a-retry-claims-what-came-before", breaks="EFF-17", also=("EFF-01",))
def _(patch: Patch) -> None:
    """A second attempt reports what the first one created as its own."""
    seen: dict[tuple[int, str], list[Record]] = {}

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        own = (ending.effects or {}).get("created", [])
        before = seen.setdefault((id(records), subject.step.id), [])
        if before and subject.attempt > 1:
            ending = ending._replace(effects={**(ending.effects or {}), "created": [*before, *own]})
        before.extend(own)
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature("case-does-not-matter", breaks="EFF-24", also=("EFF-08", "EFF-14"))
def _(patch: Patch) -> None:
    """A file whose name changed only in case is reported as unchanged."""

    def change(effects: Record) -> Record:
        moved = [each for each in effects.get("renamed", []) if each["from"].casefold() != each["to"].casefold()]
        return {**effects, "renamed": moved}

    _told(patch, change)


def _is_another_note(**names: str) -> bool:
    forms = {unicodedata.normalize("NFC", name).casefold() for name in names.values()}
    return len(forms) == 2 and names["to"].endswith(".md")


def _told(patch: Patch, change: Any) -> None:
    """Alter the effects that the system observed of its own tools."""
    patch.around(OWN_EFFECTS, lambda original, *looks: change(original(*looks)))


def _entries(patch: Patch, kind: str, change: Any) -> None:
    def all_of_them(effects: Record) -> Record:
        return {**effects, kind: [change(each) for each in effects[kind]]} if effects.get(kind) else effects

    _told(patch, all_of_them)


@miniature("what-moved-away-is-mourned", breaks="EFF-06", also=("EFF-15",), seen_in="SC-17")
def _(patch: Patch) -> None:
    """What was renamed is listed as renamed, and its old name as deleted too."""

    def change(effects: Record) -> Record:
        gone = [{"path": each["from"], "kind": "file"} for each in effects.get("renamed", [])]
        return {**effects, "deleted": [*effects.get("deleted", []), *gone]}

    _told(patch, change)
