"""Suppressions of findings, the day on which the tests apply them, and a later day until which they hold."""

from __future__ import annotations

from datetime import date

from callproof.lint.settings import Suppression, Where

TODAY = date(2026, 11, 22)
LATER = date(2027, 1, 31)


def suppressing(rule: str, until: date) -> Suppression:
    """A suppression of a rule, anywhere."""
    return Suppression(rule, Where(), "Later.", "tools-team", until)
