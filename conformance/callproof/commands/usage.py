"""The one error of every command for an option that means nothing."""

from __future__ import annotations


class WrongUsage(ValueError):
    """An option has a value that means nothing; says the value, what is permitted, and the next step."""
