"""What all tests share: a word on what is not collected, and why."""

from __future__ import annotations

from shared import SHARED

# The corpora are not part of the repository; their tests run wherever they lie beside it, CI included.
collect_ignore = [] if SHARED.is_dir() else ["corpora"]


def pytest_report_header() -> list[str]:
    """Say what is left out; a silence would read as green."""
    return [] if SHARED.is_dir() else [f"tests/corpora is not collected: {SHARED} is not there"]
