"""The sentences that several forms of a report end with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from callproof.lint.forms.report import Report
from callproof.lint.page import Severity
from callproof.values.counts import counted


def sentence(finding: Report) -> str:
    """A finding without its tool, which some forms name elsewhere: what was seen, what is permitted, the next step."""
    return f"{finding['observed']}; permitted: {finding['permitted']}{_next_step(finding)}"


def sentence_on_the_tool(finding: Report) -> str:
    """The same, after the name of the tool, if it has one."""
    return f"{finding['tool']}: {sentence(finding)}" if finding["tool"] else sentence(finding)


def _next_step(finding: Report) -> str:
    if "fix" in finding:
        return f"; fix: {finding['fix']['says']} ({'--fix' if finding['fix']['safe'] else '--unsafe-fixes'})"
    return f"; help: {finding['help']}" if "help" in finding else ""


def closing(told: Report) -> str:
    """A summary of the report, in a sentence."""
    return "".join(
        (
            counted(told["tools"], "tool"),
            ": " if told["findings"] else ", no findings",
            ", ".join(_weights(told)),
            f"; {counted(len(told['suppressed']), 'more finding')} suppressed" if told["suppressed"] else "",
            f"; {counted(len(told['problems']), 'thing')} could not be checked" if told["problems"] else "",
        )
    )


def _weights(told: Report) -> Iterator[str]:
    numbers = Counter(each["severity"] for each in told["findings"])
    for severity in Severity:
        if numbers[severity.value]:
            yield counted(numbers[severity.value], severity.value)


def statistics(told: Report) -> str:
    """How often each rule found something, the most frequent first: columns with tabs between them."""
    found = (each for each in told["rules"] if each["findings"])
    ranked = sorted(found, key=lambda each: (-each["findings"], each["id"]))
    rows = [
        f"{each['findings']}\t{each['id']}\t{each['level']}\t{each['certainty']}\t{each['title']}" for each in ranked
    ]
    return "\n".join((*rows, closing(told))) + "\n"
