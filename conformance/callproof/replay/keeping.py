"""Keeps the cases of a live suite that broke something in files, and tells the hearing how to play them again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from callproof.driven.hearing import Hearing
from callproof.driven.session import Played
from callproof.driven.suite import C
from callproof.replay.casefile import Found
from callproof.replay.drivenfile import DrivenFile, save
from callproof.replay.saving import command


def keep_broken(folder: Path, broken: Iterable[str], played: Played[C], hearing: Hearing[C]) -> None:
    """Write one file for each requirement that the hearing's last case broke; a failure to write is an error."""
    for requirement in broken:
        first = hearing.results[-1][requirement].findings[0]
        found = Found(first.finding.observed, first.finding.permitted)
        try:
            path = save(folder, DrivenFile(hearing.suite.word, requirement, played.case, found))
        except OSError as error:
            hearing.errors.append(f"{played.case.id}: it cannot be kept in {folder}: {error.strerror}")
        else:
            hearing.replays[requirement, first.run] = command(path, hearing.address)
