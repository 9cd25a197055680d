"""A story for a person: its sections, the findings that it is about, and on a terminal a chart of its time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from callproof import limits
from callproof.report.escape import safe
from callproof.report.story import Bar, Section, Story
from callproof.report.story_lines import Line
from callproof.report.words import MEANINGS_OF_LOGS
from callproof.values.counts import counted

_STYLES = {"ok": "green", "error": "red", "timeout": "red", "cancelled": "yellow"}
_NAME, _TIME, _PLACE = 16, 12, 20


def write(story: Story, findings: Sequence[Mapping[str, Any]], verdict: str, console: Console) -> None:
    """Print a story; the chart is for a terminal only."""
    for line in lines(story, findings, verdict):
        console.print(line, soft_wrap=not console.is_terminal, highlight=False)
    if console.is_terminal:
        for line in chart(story.bars, console.width):
            console.print(line, soft_wrap=True, highlight=False)


def lines(story: Story, findings: Sequence[Mapping[str, Any]], verdict: str) -> Iterator[Text]:
    """The lines of a story; all text from outside in them is escaped."""
    yield Text(safe(story.title), style="bold")
    yield Text()
    for section in story.sections:
        yield from _section(section)
    yield from _verdicts(findings, verdict, of_call=story.about is not None)


def chart(bars: Sequence[Bar], width: int) -> Iterator[Text]:
    """
    Each call as a bar on one time line: dots while it waited, a block while it worked.

    A call of which no end is on record has no end here either: its bar goes on to the edge.
    """
    shown = bars[: limits.STORY_BARS]
    known = [at for each in shown for at in (each.made, each.start, each.end) if at is not None]
    if not known:
        return
    first, last = min(known), max(known)
    room = max(width - _NAME - _TIME, 10)
    scale = room / max(last - first, 1e-9)
    yield Text()
    yield Text(f"{'time':<{_NAME}}{_ms(first)} to {_ms(last)}", style="dim")
    for each in shown:
        made, start, end = (
            None if at is None else min(int((at - first) * scale), room - 1) for at in (each.made, each.start, each.end)
        )
        yield Text.assemble(f"{safe(each.name, most=_NAME - 1):<{_NAME}}", *_drawn(each, made, start, end, room))
    if len(bars) > len(shown):
        yield Text(f"… and {counted(len(bars) - len(shown), 'more call')}", style="dim")


def _drawn(
    bar: Bar, made: int | None, start: int | None, end: int | None, room: int
) -> Iterator[str | tuple[str, str]]:
    """The columns of a bar, with what it took, or what is not on record."""
    if made is None and start is None:
        yield "no beginning" if bar.end is not None else "no instant"
        return
    begins = start if made is None else made
    until = room if end is None else end + 1
    yield " " * max(begins or 0, 0)
    if start is None:  # nobody knows when it began, if it did
        yield "·" * max(until - (begins or 0), 0), "dim"
    else:
        yield "·" * max(start - (begins or 0), 0), "dim"
        yield "█" * max(until - start, 1), _STYLES.get(bar.status or "", "magenta")
    if bar.end is not None and bar.start is not None:
        yield f" {_ms(bar.end - bar.start)}"
    else:
        yield " no result" if bar.status is None else " no end" if bar.end is None else " no start"


def _section(section: Section) -> Iterator[Text]:
    if not section.lines:
        return
    yield Text(f"  {section.heading}", style="bold")
    timed = any(line.at is not None for line in section.lines)
    for line in section.lines:
        yield _line(line, timed=timed)
    yield Text()


def _line(line: Line, *, timed: bool) -> Text:
    place = safe(str(line.source)) if line.source is not None else ""
    when = f"{'' if line.at is None else _ms(line.at):>{_TIME}}  " if timed else ""
    says = safe(line.says, most=2 * limits.EXCERPT_CHARACTERS)
    return Text.assemble(f"    {when}", (f"{place:<{_PLACE}}", "cyan"), "  " * line.depth, says)


def _verdicts(findings: Sequence[Mapping[str, Any]], verdict: str, *, of_call: bool) -> Iterator[Text]:
    yield Text("  verdicts", style="bold")
    yield Text(f"    the run: {MEANINGS_OF_LOGS.get(verdict, verdict)}")
    if not findings and of_call:
        yield Text("    no finding is about this call")
    for each in findings[: limits.STORY_LINES]:
        style = "bold red" if each["level"] == "MUST" else "bold yellow"
        root = each.get("followsFrom")
        follows = f"  (follows from {root['requirement']} at {safe(root['file'])}:{root['line']})" if root else ""
        yield Text.assemble("    ", (each["requirement"], style), f"  {safe(each['observed'])}{follows}")
        places = ", ".join(f"{each_['file']}:{each_['line']}" for each_ in each["witness"])
        yield Text.assemble("      ", (safe(places), "cyan"), f"  permitted: {safe(each['permitted'])}")
    if len(findings) > limits.STORY_LINES:
        yield Text(f"    … and {counted(len(findings) - limits.STORY_LINES, 'more finding')}")


def _ms(at: float) -> str:
    return f"{at:,.0f} ms" if at.is_integer() or abs(at) >= 1 else f"{at:.3f} ms"
