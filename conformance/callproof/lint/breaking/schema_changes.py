"""What a changed input or output schema breaks.

The two directions are opposite.  An input that takes less breaks its callers; an output
that may hold more, or may lack what it always had, breaks its readers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from callproof.lint.breaking.changes import Change
from callproof.lint.definition import Definition, Role, Schema
from callproof.lint.schema_facts import facts
from callproof.lint.schemas.comparing import gaps
from callproof.lint.schemas.gaps import Gap
from callproof.lint.schemas.modern import NotComparable, modernised
from callproof.lint.schemas.sides import LEFT, RIGHT
from callproof.lint.wording import shown
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import equal

# The largest integer that a double tells apart from its neighbours.
_SAFE = 2**53 - 1


@dataclass(frozen=True, eq=False)
class Versions:
    """One tool in its old and in its new version."""

    old: Definition
    new: Definition

    def change(self, rule: str, at: str, says: str, schema: Schema | None = None) -> Change:
        """A change of the tool; its place is a schema of either version, or the new definition."""
        tool = self.new if schema is None else schema.tool
        pointer = tool.pointer if schema is None else (*tool.pointer, *schema.pointer)
        return Change(rule, self.old.name, at, says, tool.document, pointer)


@dataclass(frozen=True, slots=True)
class _Step:
    """A gap between the two versions of a schema, with a clause; without a gap if the two cannot be compared."""

    gap: Gap | None
    says: str
    forward: bool

    @property
    def kind(self) -> str:
        """The kind of the gap; empty if there is none."""
        return "" if self.gap is None else self.gap.kind

    @property
    def within(self) -> tuple[str, ...]:
        """The path into the value."""
        return () if self.gap is None else self.gap.within

    def change(self, versions: Versions, role: Role, rule: str) -> Change:
        """The change that the step amounts to."""
        old, new = versions.old, versions.new
        schema = (new.input or old.input) if role == "input" else (new.output or old.output)
        told = versions.change(rule, role, self.says, schema)
        if self.gap is None:
            return told
        inside = self.gap.right if self.forward else self.gap.left
        pointer = (*told.pointer, *inside)
        return replace(told, at=_path(role, self.gap), pointer=pointer, sample=self.gap.sample, limit=self.gap.limit)


def input_changes(versions: Versions) -> Iterator[Change]:
    """The changes in what the tool takes."""
    narrowed = [*_steps(versions, "input", forward=True)]
    widened = [*_steps(versions, "input", forward=False)]
    # A removed member is not reported again as no longer required, nor a new member that is required as new.
    gone = {step.within for step in narrowed if step.kind == "removed"}
    new = {step.within for step in widened if step.kind == "removed"}
    required = {step.within for step in narrowed if step.kind == "required"}
    for step in narrowed:
        if step.kind == "described" and step.within in required:
            continue
        fresh = step.kind == "required" and step.within in new
        told = replace(step, says="it is new and required") if fresh else step
        yield told.change(versions, "input", _narrowed(step.gap))
    for step in widened:
        if step.kind != "format" and step.within not in (gone if step.kind == "required" else required):
            yield step.change(versions, "input", "BRK005" if step.gap is not None and step.gap.certain else "BRK012")


def output_changes(versions: Versions) -> Iterator[Change]:
    """The changes in what the tool gives."""
    if versions.old.output is not None and versions.new.output is None:
        yield versions.change("BRK006", "output", "the output is no longer described", versions.old.output)
        return
    removed = {step.within: step for step in _steps(versions, "output", forward=True) if step.kind == "removed"}
    told: set[tuple[str, ...]] = set()
    widened = [*_steps(versions, "output", forward=False)]
    undescribed = {step.within for step in widened if step.kind == "described"}
    for step in widened:
        # A member that is no longer described is not reported again as one that is no longer required.
        if step.kind == "required" and step.within in undescribed:
            continue
        rule = _widened(step.gap)
        if rule == "BRK006":
            told.add(step.within)
        # A member that is gone is not reported as one that is no longer required.
        gone = step.kind == "required" and step.within in removed
        yield (_gone(step) if gone else step).change(versions, "output", rule)
    for within, step in removed.items():
        if within not in told:
            yield _gone(step).change(versions, "output", "BRK006")


def _narrowed(gap: Gap | None) -> str:
    if gap is not None and (gap.kind == "described" or _of_doubles(gap)):
        return "BRK005"
    if gap is None or not gap.certain:
        return "BRK012"
    return {"required": "BRK002", "removed": "BRK003"}.get(gap.kind, "BRK004")


def _of_doubles(gap: Gap) -> bool:
    """Whether it refuses only integers that doubles cannot tell apart; some libraries write such bounds."""
    return gap.before is None and gap.keyword in {"minimum", "maximum"} and gap.after in (-_SAFE, _SAFE)


def _widened(gap: Gap | None) -> str:
    if gap is None or (not gap.certain and gap.kind != "described"):
        return "BRK012"
    rules = {"required": "BRK006", "described": "BRK006", "removed": "BRK008", "closed": "BRK008"}
    return rules.get(gap.kind, "BRK007")


def _steps(versions: Versions, role: Role, *, forward: bool) -> Iterator[_Step]:
    """The gaps from the old schema to the new one, or the reverse; what cannot be compared is reported once."""
    old, new = (each.input if role == "input" else each.output for each in (versions.old, versions.new))
    same = old is not None and new is not None and equal(old.value, new.value)
    if same or (old is None and (new is None or role == "output")):
        return
    left, right = (old, new) if forward else (new, old)
    try:
        before, after = _modern(left, LEFT), _modern(right, RIGHT)
    except NotComparable as error:
        if forward == (role == "input"):
            yield _Step(None, f"the two schemas were not compared: {error}", forward)
        return
    for gap in gaps(before, after):
        yield _Step(gap, _clause(gap, forward=forward), forward)


def _modern(schema: Schema | None, address: str) -> Json:
    if schema is None:
        return {}
    known = facts(schema)
    if known.draft is None:
        raise NotComparable(f"{shown(schema.get('$schema'))} is not a known dialect")
    if known.unusable is not None:
        raise NotComparable(f"one of them {known.unusable.reason}")
    if known.faults or known.circles:
        raise NotComparable("one of them is not a valid schema")
    return modernised(schema.value, known.draft, address)


def _path(role: str, gap: Gap) -> str:
    text = role
    for step in gap.within:
        text += step if step == "[]" else f".{step}"
    return text


def _clause(gap: Gap, *, forward: bool) -> str:
    """What a gap means, as a change from the old version to the new one."""
    old, new = (gap.before, gap.after) if forward else (gap.after, gap.before)
    if not gap.certain and gap.kind != "format":
        why = f" (limit: {gap.limit})" if gap.limit else ""
        return (
            f"it was not decided whether {gap.keyword or 'the schema'} accepts all that it accepted before{why}"
            if forward
            else f"it was not decided whether {gap.keyword or 'the schema'} accepts more than before{why}"
        )
    return _CLAUSES[gap.kind](gap, old, new, forward)


def _required(gap: Gap, old: Json, new: Json, forward: bool) -> str:
    return "it is required now" if forward else "it is no longer required"


def _removed(gap: Gap, old: Json, new: Json, forward: bool) -> str:
    return "it is no longer accepted" if forward else "it is new"


def _gone(step: _Step) -> _Step:
    """The removal of a member of an output, in words for its readers; whether it is gone may be undecided."""
    return replace(step, says="it is gone") if step.gap is not None and step.gap.certain else step


def _closed(gap: Gap, old: Json, new: Json, forward: bool) -> str:
    return "members that are not named are refused now" if forward else "members of any name are accepted now"


def _described(gap: Gap, old: Json, new: Json, forward: bool) -> str:
    if forward:
        return "it is described now; before, it was accepted with any value, like any other name"
    return "it is no longer described"


def _condition(gap: Gap, old: Json, new: Json, forward: bool) -> str:
    if gap.keyword == "false":
        return "nothing is accepted any more" if forward else "something is accepted now"
    if old is None:
        return f"{gap.keyword} is {shown(new)} now"
    if new is None:
        return f"{gap.keyword} is no longer {shown(old)}"
    return f"{gap.keyword} was {shown(old)} and is {shown(new)}"


def _format(gap: Gap, old: Json, new: Json, forward: bool) -> str:
    return f"{_condition(gap, old, new, forward)}; some validators check a format, and some do not"


_CLAUSES: dict[str, Callable[[Gap, Json, Json, bool], str]] = {
    "required": _required,
    "removed": _removed,
    "closed": _closed,
    "described": _described,
    "narrowed": _condition,
    "format": _format,
}
