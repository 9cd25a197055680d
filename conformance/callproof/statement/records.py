"""A live run as lines of JSON, one per record, and back: everything that a check may need.

Within a case the lines stand in the order of the wire.  A line has one member, whose name says
what it holds: ``run`` opens a run, ``sibling`` another run of the same case, ``log`` the log that
the run left behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import quote, unquote_to_bytes

from callproof.replay.codec import Misfit, from_json, to_json
from callproof.trace.records import Kind, Record
from callproof.trace.registry import registry_of
from callproof.trace.run import Flaw, Run
from callproof.trace.witnesses import Act, Deed, Entry, Snapshot, Witnessed, World
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

Line = Mapping[str, Json]
# Names of files are bytes, and some of them are not valid text.
_PLAIN = "/ !#$&'()*+,:;=?@[]^`{|}~\"<>\\"
_TREES = ("before", "after", "trash_before", "trash_after", "at_the_end")


def lines_of(run: Run) -> Iterator[Line]:
    """Every line of a run, including its siblings and their logs."""
    yield from _lines("run", run)
    for sibling in run.siblings:
        yield from _lines("sibling", sibling)


def run_of(lines: Iterable[Line]) -> Run:
    """The run that the lines of ``lines_of`` describe.  Raises Misfit if they describe none."""
    parts: list[_Part] = []
    for line in lines:
        if len(line) != 1:
            raise Misfit("", f"a line has the members {', '.join(line)}", "one member")
        ((word, value),) = line.items()
        if word in {"run", "sibling", "log"}:
            parts.append(_Part(word, _object(value)))
        elif not parts:
            raise Misfit("", f"the first line is {word!r}", "run")
        else:
            parts[-1].add(word, value)
    return _assembled(parts)


@dataclass
class _Part:
    """What belongs to one run or one log, while it is being read."""

    word: str
    head: Mapping[str, Json]
    records: list[Record] = field(default_factory=list[Record])
    deeds: list[Deed] = field(default_factory=list[Deed])
    acts: list[Act] = field(default_factory=list[Act])

    def add(self, word: str, value: Json) -> None:
        if word == "record":
            self.records.append(from_json(Record, value))
        elif word == "deed":
            self.deeds.append(from_json(Deed, value))
        elif word == "act":
            self.acts.append(from_json(Act, value))
        else:
            raise Misfit("", f"{word!r} is not a kind of line", "run, sibling, log, record, deed or act")


def _lines(word: str, run: Run) -> Iterator[Line]:
    witnessed = run.witnessed
    head: dict[str, Json] = {"name": run.name, "events": run.events is not None}
    if run.flaws:
        head["flaws"] = [to_json(each) for each in run.flaws]
    if witnessed is not None:
        head["witnessed"] = to_json(replace(witnessed, deeds=(), acts=(), world=None))
        if witnessed.world is not None:
            head["world"] = {name: _tree_told(getattr(witnessed.world, name)) for name in _TREES}
    yield {word: head}
    yield from _told(run, witnessed)
    if run.audit is not None:
        yield from _lines("log", run.audit)


def _told(run: Run, witnessed: Witnessed | None) -> Iterable[Line]:
    """Records, deeds and acts; those of a live run in the order of the wire, those of a log file by file."""
    records = (*((run.run_record,) if run.run_record is not None else ()), *run.records)
    told: list[tuple[int, Line]] = [(each.arrival or 0, {"record": to_json(each)}) for each in records]
    if witnessed is not None:
        told += [(each.arrival, {"deed": to_json(each)}) for each in witnessed.deeds]
        told += [(each.arrival, {"act": to_json(each)}) for each in witnessed.acts]
    return [line for _, line in sorted(told, key=lambda each: each[0])]


def _assembled(parts: list[_Part]) -> Run:
    """The run of the first part, with the other parts where they belong."""
    runs: list[Run] = []
    for part in parts:
        if part.word == "log" and runs:
            runs[-1] = replace(runs[-1], audit=_run(part))
        else:
            runs.append(_run(part))
    if not runs:
        raise Misfit("", "there is no line", "a run")
    return replace(runs[0], siblings=tuple(runs[1:]))


def _run(part: _Part) -> Run:
    of_kind = {kind: tuple(each for each in part.records if each.kind is kind) for kind in Kind}
    record = of_kind[Kind.RUN][-1] if of_kind[Kind.RUN] else None
    witnessed = _witnessed(part)
    tools: Json = list(witnessed.given.tools) if witnessed is not None else (record.get("tools") if record else None)
    flaws = part.head.get("flaws", ())
    return Run(
        name=str(part.head.get("name")),
        run_record=record,
        calls=of_kind[Kind.CALL],
        results=of_kind[Kind.RESULT],
        events=of_kind[Kind.EVENT] if part.head.get("events") else None,
        registry=registry_of(tools) if is_array(tools) else None,
        flaws=tuple(from_json(Flaw, each) for each in flaws) if is_array(flaws) else (),
        witnessed=witnessed,
    )


def _witnessed(part: _Part) -> Witnessed | None:
    told = part.head.get("witnessed")
    if told is None:
        return None
    world = part.head.get("world")
    return replace(
        from_json(Witnessed, told),
        deeds=tuple(part.deeds),
        acts=tuple(part.acts),
        world=None if world is None else _world(_object(world)),
    )


def _world(told: Line) -> World:
    trees = {name: _tree(told[name]) for name in _TREES if told.get(name) is not None}
    if missing := [name for name in _TREES[:4] if name not in trees]:
        raise Misfit("/world", f"{missing[0]!r} is missing", ", ".join(_TREES))
    return World(**trees)


def _tree_told(tree: Snapshot | None) -> Json:
    if tree is None:
        return None
    return {_text(path): to_json(replace(entry, content=_text(entry.content))) for path, entry in tree.items()}


def _tree(told: Json) -> dict[str, Entry]:
    read = {_name(path): from_json(Entry, value) for path, value in _object(told).items()}
    return {path: replace(entry, content=_name(entry.content)) for path, entry in read.items()}


def _text(name: str) -> str:
    return quote(name.encode("utf-8", "surrogateescape"), safe=_PLAIN)


def _name(text: str) -> str:
    return unquote_to_bytes(text).decode("utf-8", "surrogateescape")


def _object(value: Json) -> Line:
    if not is_object(value):
        raise Misfit("", "a line or a member of it is not an object", "an object")
    return value
