"""A response that a suite drove: what was set for it, what the suite saw itself, and what was told of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import islice
from typing import Final

from callproof.checks.check import Witness
from callproof.protocols.entries import Entry
from callproof.protocols.invocation.codes import CODES, V1
from callproof.protocols.invocation.trace import Invocation
from callproof.protocols.parts import object_of, objects_of, text_of
from callproof.trace.records import Source
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

META: Final = "meta"
PROBE: Final = "probe"
RECORD: Final = "record"
PLANNED: Final = "planned"
TOOL_USED: Final = "tool_used"
GENERATED: Final = "generated"
FINISHED: Final = "finished"
GAVE_UP: Final = "gave_up"
# A suite that drives a system gives up long before it has asked for this many answers.
_MOST_ANSWERS: Final = 64
PROBES: Final = (PLANNED, TOOL_USED, GENERATED, FINISHED, GAVE_UP)


def is_note(entry: Entry) -> bool:
    """Whether a line is the note with which a driven response begins."""
    value = entry.value
    return value.get("kind") == META and value.get("driven") is True and is_object(value.get("selected"))


@dataclass(frozen=True, slots=True, eq=False)
class Probe:
    """One thing that the suite saw, where it stands, and how many probes came before it."""

    name: str
    value: Mapping[str, Json]
    source: Source
    at: int

    def witness(self, name: str) -> Witness:
        """The probe as a named witness: its kind, and never its content."""
        return Witness(name, f"probe {self.name}" if self.name in PROBES else "probe", self.source)


class Came(Enum):
    """What came of one use of a tool; for an offer it may be untold whether the provider took it."""

    EXECUTED = "executed"
    FAILED = "failed"
    UNUSED = "unused"
    UNTOLD = "untold"


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """A tool that the runtime used, or that was offered to a provider."""

    probe: Probe
    tool: str
    profile: str | None
    given: Mapping[str, Json]
    came: Came
    failure: str | None = None

    @property
    def by_runtime(self) -> bool:
        """Whether the runtime used it; if not, it was offered to a provider."""
        return self.probe.name == TOOL_USED


@dataclass(frozen=True, eq=False)
class Response:
    """One driven response; a part of another type than the chapter gives counts as absent."""

    note: Entry
    probes: tuple[Probe, ...]
    records: tuple[Invocation, ...]

    @cached_property
    def contract(self) -> str:
        """The contract under which its records are to be written."""
        told = self.note.text("contract")
        return told if told in CODES else V1

    @cached_property
    def by_provider(self) -> bool:
        """Whether providers use the tools."""
        return self.note.value.get("toolsBy") == "provider"

    @cached_property
    def tools(self) -> Mapping[str, bool]:
        """Its tools, and whether the response can do without each."""
        told = objects_of(self.note.value.get("tools"))
        return {name: each.get("optional") is not False for each in told if (name := text_of(each, "toolName"))}

    @cached_property
    def intents(self) -> Mapping[str, Mapping[str, Json]]:
        """What the planner wants of each tool."""
        told = objects_of(self.note.value.get("intents"))
        return {name: each for each in told if (name := text_of(each, "toolName")) in self.tools and name}

    @cached_property
    def having(self) -> Mapping[str, frozenset[str]]:
        """The profiles that can use each tool."""
        found: dict[str, set[str]] = {}
        for each in objects_of(self.note.value.get("profiles")):
            told = each.get("tools")
            for tool in told if is_array(told) else ():
                if isinstance(tool, str) and (name := text_of(each, "name")):
                    found.setdefault(tool, set()).add(name)
        return {tool: frozenset(names) for tool, names in found.items()}

    @cached_property
    def selected(self) -> str | None:
        """The profile that was chosen."""
        return text_of(object_of(self.note.value["selected"]), "profile")

    @cached_property
    def may_reroute(self) -> bool:
        """Whether another profile may be used: under v1 none may, whatever the note says."""
        return self.contract != V1 and object_of(self.note.value["selected"]).get("mayReroute") is True

    @cached_property
    def end(self) -> Probe | None:
        """The probe in which the system said that the response was over; None if it did not say so."""
        return next((each for each in self.probes if each.name == FINISHED), None)

    @cached_property
    def generations(self) -> tuple[Probe, ...]:
        """Every request for an answer to a provider."""
        return tuple(each for each in self.probes if each.name == GENERATED)

    @cached_property
    def answers(self) -> tuple[str, ...]:
        """The texts that providers gave, in order, each once."""
        told = (text_of(each.value, "text") for each in self.generations)
        return tuple(dict.fromkeys(each for each in told if each))

    @cached_property
    def handed_on(self) -> Mapping[str, Sequence[tuple[int, Json]]]:
        """What providers were told that each tool gave, each with the place of the probe that reports it."""
        found: dict[str, list[tuple[int, Json]]] = {}
        for probe in self.generations:
            for each in objects_of(probe.value.get("results")):
                if tool := text_of(each, "toolName"):
                    found.setdefault(tool, []).append((probe.at, each.get("output")))
        return found

    @property
    def handed(self) -> str | None:
        """The text that the user was given; None if there was none."""
        return None if self.end is None else text_of(self.end.value, "text")

    @cached_property
    def handed_an_answer(self) -> bool:
        """Whether the text for the user contains an answer of a provider; only the first of very many answers count."""
        handed = self.handed
        return handed is not None and any(each in handed for each in islice(self.answers, _MOST_ANSWERS))

    @cached_property
    def uses(self) -> Mapping[str, Sequence[Use]]:
        """Every use and every offer of each tool, in order."""
        found: dict[str, list[Use]] = {}
        for probe in self.probes:
            for each in _uses(probe):
                found.setdefault(each.tool, []).append(each)
        return found

    def requested(self, tool: str) -> bool:
        """Whether the planner wants a tool used."""
        return self.intents.get(tool, {}).get("requested") is True

    def is_there(self, tool: str) -> bool:
        """Whether the chosen profile can use a tool."""
        return self.selected in self.having.get(tool, ())

    def elsewhere(self, tool: str) -> bool:
        """Whether another profile can use a tool."""
        return bool(self.having.get(tool, frozenset()) - {self.selected})

    def status(self, tool: str) -> str | None:
        """What came of a tool, as the suite saw it; None if the suite could not see that."""
        came = {each.came for each in self.uses.get(tool, ())}
        if Came.EXECUTED in came:
            return "executed"
        if Came.UNTOLD in came or len(came) > 1:
            return None
        return "failed" if Came.FAILED in came else "skipped"

    @cached_property
    def missed(self) -> tuple[str, ...]:
        """Tools that were requested, that the response cannot do without, and that the suite saw were not executed."""
        needed = (tool for tool, optional in self.tools.items() if not optional and self.requested(tool))
        return tuple(tool for tool in needed if self.status(tool) in ("skipped", "failed"))

    @cached_property
    def moved(self) -> bool:
        """Whether another profile than the chosen one was used for anything."""
        asked = (each for each in self.probes if each.name in (TOOL_USED, GENERATED))
        return any(each.value.get("profile") != self.selected for each in asked)

    @cached_property
    def by_tool(self) -> Mapping[str, Sequence[Invocation]]:
        """The records of each tool."""
        found: dict[str, list[Invocation]] = {}
        for each in self.records:
            if isinstance(each.tool, str):
                found.setdefault(each.tool, []).append(each)
        return found

    def noted(self) -> Witness:
        """The note as a witness."""
        return Witness("N", "the note of the case", self.note.source)


def responses(entries: Sequence[Entry]) -> tuple[tuple[Response, ...], tuple[Invocation, ...]]:
    """The driven responses of a log, and every record in it, including those before the first note."""
    driven: list[Response] = []
    records: list[Invocation] = []
    note: Entry | None = None
    probes: list[Probe] = []
    begun = 0
    for entry in entries:
        kind = entry.value.get("kind")
        if is_note(entry):
            driven += () if note is None else (Response(note, tuple(probes), tuple(records[begun:])),)
            note, probes, begun = entry, [], len(records)
        elif note is not None and kind == PROBE:
            probes.append(Probe(entry.text("probe") or "", entry.value, entry.source, len(probes)))
        elif note is not None and kind == RECORD:
            records.append(Invocation(Entry(object_of(entry.value.get("record")), entry.source)))
        else:
            records.append(Invocation(entry))
    driven += () if note is None else (Response(note, tuple(probes), tuple(records[begun:])),)
    return tuple(driven), tuple(records)


def _uses(probe: Probe) -> Iterator[Use]:
    """What a probe says about uses of tools."""
    profile = text_of(probe.value, "profile")
    if probe.name == TOOL_USED and (tool := text_of(probe.value, "toolName")):
        came = Came.EXECUTED if "output" in probe.value else Came.FAILED
        yield Use(probe, tool, profile, object_of(probe.value.get("input")), came, text_of(probe.value, "failure"))
    elif probe.name == GENERATED:
        told = probe.value.get("used")
        used = {name: each for each in objects_of(told) if (name := text_of(each, "toolName"))}
        for each in objects_of(probe.value.get("offered")):
            if tool := text_of(each, "toolName"):
                what = used.get(tool, {})
                yield Use(
                    probe,
                    tool,
                    profile,
                    object_of(each.get("input")),
                    _came(what) if is_array(told) else Came.UNTOLD,
                    text_of(what, "failure"),
                )


def _came(used: Mapping[str, Json]) -> Came:
    """What a provider said about a tool that it was offered; ``used`` is empty if it did not name the tool."""
    if not used:
        return Came.UNUSED
    return Came.EXECUTED if used.get("status") == "executed" else Came.FAILED
