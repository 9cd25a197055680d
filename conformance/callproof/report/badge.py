"""A badge: the outcome in one small picture, for a README."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from html import escape
from typing import Any

_COLOURS = {
    "conforms": "#1a7f37",
    "consistent": "#1a7f37",
    "known failures": "#9a6700",
    "incomplete": "#9a6700",
    "error": "#6e40c9",
    "interrupted": "#6e40c9",
}
_BROKEN = "#b3261e"
_CHARACTER = 6.6
_PADDING = 8


def badge(report: Mapping[str, Any]) -> str:
    """The badge of a report, ``callproof | conforms 272/278``: how many are kept of all that are not inapplicable."""
    verdicts = Counter(each["verdict"] for each in report["requirements"])
    judged = len(report["requirements"]) - verdicts["inapplicable"]
    return _drawn(
        "callproof", f"{report['outcome']} {verdicts['pass']}/{judged}", _COLOURS.get(report["outcome"], _BROKEN)
    )


def _drawn(name: str, says: str, colour: str) -> str:
    # Widths are estimated from the number of characters, and the text is fitted to them, because fonts differ.
    left, right = (round(len(text) * _CHARACTER) + 2 * _PADDING for text in (name, says))
    width, title = left + right, escape(f"{name}: {says}")
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{title}">',
            f"  <title>{title}</title>",
            f'  <clipPath id="round"><rect width="{width}" height="20" rx="3"/></clipPath>',
            '  <g clip-path="url(#round)">',
            f'    <rect width="{left}" height="20" fill="#24292f"/>',
            f'    <rect x="{left}" width="{right}" height="20" fill="{colour}"/>',
            "  </g>",
            '  <g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" text-anchor="middle">',
            _text(name, left / 2, left),
            _text(says, left + right / 2, right),
            "  </g>",
            "</svg>\n",
        )
    )


def _text(says: str, middle: float, width: int) -> str:
    return f'    <text x="{middle:g}" y="14" textLength="{width - 2 * _PADDING}">{escape(says)}</text>'
