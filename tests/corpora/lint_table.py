"""How often each rule of lint finds something in real definitions, and how often it is right: the tables of the docs.

    python tests/corpora/lint_table.py                  write the tables at the end of docs/lint-measured.md
    python tests/corpora/lint_table.py --sample RULE    the findings of a rule that were drawn to be looked at

Rules whose truth is mechanical are compared with lint_truths.py, over every finding.  Of each other rule up to twenty
findings are drawn; the seed is the name of the rule and a date.  lint_judged.json has what a person decided about them,
with a digest of the sample, so that a judgement of other findings than today's is reported as stale.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from callproof.lint.document import value_at
from callproof.lint.page import Page, pages
from callproof.lint.settings import CONVENTIONS

from corpora.lint_corpora import ALL_OF_THEM, BY_THEMSELVES, FILES, Place, findings, kind, tools
from corpora.lint_truths import MECHANICAL, places

JUDGED = Path(__file__).with_name("lint_judged.json")
PAGE = Path(__file__).parents[2] / "docs" / "lint-measured.md"
MARK = "<!-- All below this line is written by tests/corpora/lint_table.py. -->\n"
SEED = "2026-11-22"
MOST = 20
SERVERS = ("mcp-server", "mcp-server-older-version")


def sample(rule: str, found: Sequence[Place]) -> list[Place]:
    """The findings of a rule that a person looks at: all of them, or twenty that the seed draws."""
    own = sorted((each for each in found if each.rule == rule), key=lambda each: each.name)
    return own if len(own) <= MOST else random.Random(f"{rule} {SEED}").sample(own, MOST)


def digest(drawn: Sequence[Place]) -> str:
    """A short hash that tells one sample from another."""
    return sha256("\n".join(sorted(each.name for each in drawn)).encode()).hexdigest()[:12]


def right(rule: str, found: Sequence[Place], judged: Mapping[str, Any]) -> str:
    """How many of the findings that were looked at are right, and whether a script or a person decided it."""
    if rule in MECHANICAL:
        got = {(each.source, each.number) for each in found if each.rule == rule}
        wanted = {(file.stem, place) for file in FILES for place in places(rule, tools(file))}
        missed = f", {len(wanted - got)} missed" if wanted - got else ""
        if not got and not wanted:
            return "none there, script"
        return f"{len(got & wanted):,} of {len(got):,}{missed}, script"
    told = judged.get(rule)
    if told is None:
        return "not looked at"
    drawn = sample(rule, found)
    stale = "" if told["digest"] == digest(drawn) else ", stale"
    return f"{told['right']} of {told['looked']}, eyes{stale}"


def row(page: Page, own: Sequence[Place], verdict: str) -> str:
    """The row of a rule."""
    in_tools = len({(each.source, each.number) for each in own})
    numbers = (len(own), in_tools, len({each.source for each in own}))
    told = " | ".join(f"{each:,}" if each else "–" for each in numbers)
    default = "on" if page.on else "off"
    if page.group == "PORT":
        default = "profile"
    return f"| {page.id} | {page.title} | {page.level} | {page.certainty} | {default} | {told} | {verdict} |"


def rules(found: Sequence[Place], judged: Mapping[str, Any]) -> Iterator[str]:
    """The table of all rules but those on versions and on suppressions, which a catalogue alone cannot break."""
    yield "| rule | what it demands | level | certainty | default | findings | tools | sources | right |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    by_rule: dict[str, list[Place]] = defaultdict(list)
    for each in found:
        by_rule[each.rule].append(each)
    for name, page in pages().items():
        if page.group not in {"BRK", "SUP"}:
            own = by_rule[name]
            looked = name in MECHANICAL or name in judged or (own and page.level == "MUST")
            yield row(page, own, right(name, found, judged) if looked else "")


def wrong(judged: Mapping[str, Any]) -> Iterator[str]:
    """A line on each finding that a person found wrong."""
    for rule, told in sorted(judged.items()):
        yield from (f"- {rule}: {each}." for each in told.get("wrong", ()))


def a_tool(found: Sequence[Place]) -> Iterator[str]:
    """The table of findings per tool, with the rules that are on by default."""
    groups = {
        "all": FILES,
        "MCP servers, with their older versions": [each for each in FILES if kind(each) in SERVERS],
        "all but BFCL, whose types are none of JSON Schema's": [each for each in FILES if "bfcl" not in each.stem],
    }
    yield "| definitions | sources | tools | MUSTs of the conventions, a tool | everything else, a tool |"
    yield "| --- | --- | --- | --- | --- |"
    for name, files in groups.items():
        stems = {each.stem for each in files}
        number = sum(len(tools(each)) for each in files)
        counted = Counter(is_must(each) for each in found if each.source in stems)
        yield f"| {name} | {len(files)} | {number:,} | {counted[True] / number:.2f} | {counted[False] / number:.2f} |"


def is_must(place: Place) -> bool:
    """Whether a finding is about one of the conventions' own MUSTs."""
    page = place.finding.page
    return page.group in CONVENTIONS and page.level == "MUST"


def looked_at(rule: str, found: Sequence[Place]) -> Iterator[str]:
    """The sample of a rule, for a person to look at."""
    drawn = sample(rule, found)
    yield f"{rule}: {len(drawn)} findings, digest {digest(drawn)}"
    for each in drawn:
        finding, fault = each.finding, each.finding.fault
        value = json.dumps(value_at(finding.document.value, finding.pointer), ensure_ascii=False)
        yield f"- {each.name} ({finding.severity.value}): {fault.observed}; permitted: {fault.permitted}"
        yield f"  {value[:500]}"


def made() -> Iterator[str]:
    """The tables with their headings."""
    judged = json.loads(JUDGED.read_text(encoding="utf-8"))
    yield from ("", "## Findings a tool", "", *a_tool(findings(BY_THEMSELVES)), "")
    yield from ("## Every rule", "", *rules(findings(ALL_OF_THEM), judged), "")
    yield from ("## Found wrong", "", *wrong(judged))


def main(arguments: Sequence[str]) -> None:
    """Write the tables, or print a sample."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", metavar="RULE")
    chosen = parser.parse_args(arguments)
    if chosen.sample:
        print("\n".join(looked_at(chosen.sample, findings(ALL_OF_THEM))))
        return
    prose, mark, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    PAGE.write_text("\n".join((prose + mark.rstrip("\n"), *made())) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
