"""SEC: texts that give the model orders.  Heuristic: these rules judge by words, and are sometimes wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from callproof.lint.definition import Catalogue, Definition
from callproof.lint.rule import Fault, catalogue, definitions, rule
from callproof.lint.texts import texts, together
from callproof.lint.wording import listed, shown

# Each pattern is one kind of order, narrow enough that good descriptions do not match it.
_ORDERS: Mapping[str, re.Pattern[str]] = {
    "sets other instructions aside": re.compile(
        r"\b(?:ignore|disregard|forget|override)\s+(?:(?:all|any|the|your|every)\s+)*(?:of\s+)?(?:the\s+|your\s+)?"
        r"(?:previous|prior|above|earlier|preceding|other|system|original)\s+"
        r"(?:instructions?|prompts?|rules?|messages?|directives?|guidelines?)\b",
        re.IGNORECASE,
    ),
    "keeps something from the user": re.compile(
        r"\b(?:do\s+not|don['’]t|never|without|must\s+not|avoid)\s+"
        r"(?:tell|mention|inform|notify|reveal|disclos|alert|show|let)\w*\b[^.\n]{0,40}?\b(?:the\s+)?(?:user|human)s?\b"
        r"|\b(?:secretly|covertly)\b",
        re.IGNORECASE,
    ),
    "reaches for secrets": re.compile(
        r"\b(?:read|open|load|send|include|pass|append|attach|upload|copy|exfiltrate)\b[^.\n]{0,80}?"
        r"(?:~?/\.ssh\b|\bid_rsa\b|~?/\.aws\b|/etc/passwd\b|\bmcp\.json\b|\bprivate\s+keys?\b|\bsystem\s+prompt\b)",
        re.IGNORECASE,
    ),
    "poses as the system": re.compile(
        r"<(?:important|system|secret|instructions?|admin)\s*>|<\|(?:im_start|im_end|system)\|>|\[/?INST\]",
        re.IGNORECASE,
    ),
}
# Without one of these words no pattern of the kind can match, and most texts have none.
_ANCHORS: Mapping[str, tuple[str, ...]] = {
    "sets other instructions aside": ("ignore", "disregard", "forget", "override"),
    "keeps something from the user": ("user", "human", "secretly", "covertly"),
    "reaches for secrets": ("ssh", "rsa", "aws", "passwd", "mcp.json", "private", "prompt"),
    "poses as the system": ("<important", "<system", "<secret", "<instruction", "<admin", "<|", "inst]"),
}
_ALONE = frozenset({"sets other instructions aside", "poses as the system"})
_AGAINST = re.compile(
    r"\b(?:instead\s+of|rather\s+than|(?:do\s+not|don['’]t|never|before|after)\s+(?:use|using|call|calling))\s+"
    r"(?:the\s+)?[`'\"]?(?P<name>[A-Za-z0-9_.-]{3,127}[A-Za-z0-9_-])",
    re.IGNORECASE,
)


@rule("SEC001", each=definitions)
def a_text_describes_and_gives_no_orders(tool: Definition) -> Iterator[Fault]:
    """No text of a definition orders the model to set instructions aside, to hide something, or to fetch secrets."""
    whole = together(tool)
    lowered = whole.lower()
    likely = [kind for kind, anchors in _ANCHORS.items() if any(each in lowered for each in anchors)]
    present = [kind for kind in likely if _ORDERS[kind].search(whole)]
    for text in texts(tool) if present else ():
        kinds = {kind: found[0] for kind in present if (found := _ORDERS[kind].search(text.text))}
        # Good texts sometimes match the other kinds, so those are reported only together with a second kind.
        if len(kinds) > 1 or _ALONE & kinds.keys():
            yield Fault(
                at=text.at,
                observed=f"the text {listed(kinds)}: {shown(next(iter(kinds.values())))}",
                permitted="a description of what the tool does",
                help="say only what the tool does; every agent that is offered the tool reads this text",
            )


@rule("SEC004", each=catalogue)
def a_tool_says_nothing_against_the_tools_of_others(held: Catalogue) -> Iterator[Fault]:
    """No text of a tool gives the model orders about tools that come from elsewhere."""
    own = _by_source(held)
    if len(own) < 2:
        return
    for tool in held.definitions:
        for text in texts(tool):
            for found in _AGAINST.finditer(text.text) if text.is_prose else ():
                if found["name"] in held.by_name and found["name"] not in own[_source(tool)]:
                    yield Fault(
                        at=text.at,
                        on=tool,
                        observed=f"the text says {shown(found[0])} about a tool of another source",
                        permitted="texts about the tool itself and tools of the same source",
                        help="remove it; the user decides which of several sources to use",
                    )


def _source(tool: Definition) -> str:
    return tool.document.registry or tool.document.name


def _by_source(held: Catalogue) -> dict[str, frozenset[str]]:
    named: dict[str, set[str]] = {}
    for tool in held.definitions:
        named.setdefault(_source(tool), set()).add(tool.name)
    return {source: frozenset(names) for source, names in named.items()}
