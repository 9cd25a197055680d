"""A case of a live suite that broke something is kept in files, and the hearing told how it is had again."""

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
    """One file for each requirement that a case broke, which the hearing took last; what cannot be kept is an error."""
    for requirement in broken:
        first = hearing.results[-1][requirement].findings[0]
        found = Found(first.finding.observed, first.finding.permitted)
        try:
            path = save(folder, DrivenFile(hearing.suite.word, requirement, played.case, found))
        except OSError as error:
            hearing.errors.append(f"{played.case.id}: it cannot be kept in {folder}: {error.strerror}")
        else:
            hearing.replays[requirement, first.run] = command(path, hearing.address)
