"""EFF: effects that were not, and changes that nobody tells."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import Any

from miniatures.miniature import miniature
from miniatures.points import OWN_EFFECTS, RECORD_RESULT, WRITE, Patch, Record


@miniature("told-as-intended", breaks="EFF-01")
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
    """Folders that were made on the way are not among the effects."""

    def change(effects: Record) -> Record:
        created = [each for each in effects.get("created", []) if each["kind"] == "file"]
        return {**effects, "created": created}

    _told(patch, change)


@miniature("new-is-merely-changed", breaks="EFF-03")
def _(patch: Patch) -> None:
    """A new file is told as a modified one."""

    def change(effects: Record) -> Record:
        created = effects.get("created", [])
        files = [{"path": each["path"], "kind": "file"} for each in created if each["kind"] == "file"]
        rest = [each for each in created if each["kind"] != "file"]
        return {**effects, "created": rest, "modified": [*effects.get("modified", []), *files]}

    _told(patch, change)


@miniature("changed-is-told-as-new", breaks="EFF-02")
def _(patch: Patch) -> None:
    """A modified file is told as a created one."""

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
    """What was deleted for good is told to be in the trash."""
    _entries(patch, "deleted", lambda entry: {**entry, "trashed": True})


@miniature("a-move-is-two-things", breaks="EFF-06")
def _(patch: Patch) -> None:
    """A renamed file is told as one deleted and one created."""

    def change(effects: Record) -> Record:
        moved = effects.get("renamed", [])
        gone = [{"path": each["from"], "kind": "file"} for each in moved]
        new = [{"path": each["to"], "kind": "file"} for each in moved]
        deleted, created = [*effects.get("deleted", []), *gone], [*effects.get("created", []), *new]
        return {**effects, "renamed": [], "deleted": deleted, "created": created}

    _told(patch, change)


@miniature("what-lay-there-is-not-mourned", breaks="EFF-07")
def _(patch: Patch) -> None:
    """A rename over another file does not tell that the other is gone."""

    def change(effects: Record) -> Record:
        targets = {each["to"] for each in effects.get("renamed", [])}
        return {**effects, "deleted": [each for each in effects.get("deleted", []) if each["path"] not in targets]}

    _told(patch, change)


@miniature("failures-have-no-effects", breaks="EFF-10")
def _(patch: Patch) -> None:
    """A failed call does not report what it had changed."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        ending = replace(ending, effects={}) if ending.status == "error" and ending.effects else ending
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature("folders-are-files", breaks="EFF-11")
def _(patch: Patch) -> None:
    """A new folder is told as a file."""
    _entries(patch, "created", lambda entry: {**entry, "kind": "file"})


@miniature("paths-from-the-root", breaks="EFF-12")
def _(patch: Patch) -> None:
    """Paths in effects begin with a slash."""
    _entries(patch, "created", lambda entry: {**entry, "path": f"/{entry['path']}"})


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
    """A call that was never dispatched lists a created file."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        if ending.error and ending.error["code"] in ("VALIDATION_ERROR", "POLICY_DENIED") and ending.effects is None:
            ending = replace(ending, effects={"created": [{"path": "a.md", "kind": "file"}]})
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature("names-in-composed-letters", breaks="EFF-22")
def _(patch: Patch) -> None:
    """Names in effects are brought into another Unicode form than the file has."""

    def form(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: form(member) for name, member in value.items()}
        if isinstance(value, list):
            return [form(element) for element in value]
        return unicodedata.normalize("NFC", value) if isinstance(value, str) else value

    _told(patch, form)


@miniature("same-bytes-count-as-a-change", breaks="EFF-25")
def _(patch: Patch) -> None:
    """A file that was written again with the bytes it had is told as modified."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        own = subject.step.tool.own and subject.step.tool.risk_level == "writes"
        path = (ending.data or {}).get("path")
        if ending.ok and own and path and not any((ending.effects or {}).values()):
            ending = replace(ending, effects={"modified": [{"path": path, "kind": "file"}]})
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature("a-retry-claims-what-came-before", breaks="EFF-17")
def _(patch: Patch) -> None:
    """A second attempt reports the changes of the first as its own."""
    seen: dict[tuple[int, str], Record] = {}

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        key = (id(records), subject.step.id)
        before = seen.get(key, {})
        if ending.effects:
            seen[key] = ending.effects
        if before and subject.attempt > 1:
            own = ending.effects or {}
            merged = {name: [*before.get(name, []), *own.get(name, [])] for name in {**before, **own}}
            ending = replace(ending, effects=merged)
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


def _told(patch: Patch, change: Any) -> None:
    """Alter what was observed of our own tools."""
    patch.around(OWN_EFFECTS, lambda original, *looks: change(original(*looks)))


def _entries(patch: Patch, kind: str, change: Any) -> None:
    def all_of_them(effects: Record) -> Record:
        return {**effects, kind: [change(each) for each in effects[kind]]} if effects.get(kind) else effects

    _told(patch, all_of_them)
