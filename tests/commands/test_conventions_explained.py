"""``callproof explain`` of a law of the conventions, whether a rule decides it or only a run."""

from __future__ import annotations

import pytest
from callproof.cli import cli
from callproof.spec.conventions import DecidedBy, conventions
from click.testing import CliRunner


@pytest.mark.parametrize("law", conventions().by_id.values(), ids=lambda law: law.id)
def test_every_law_of_the_conventions_is_explained(law: object) -> None:
    """The command prints the page of its rule, or its block and the reason why no rule has its id."""
    name = getattr(law, "id", "")
    told = CliRunner().invoke(cli, ["explain", name.lower()])
    assert told.exit_code == 0
    assert f"{name} · " in told.output.splitlines()[0]
    only_running = conventions().by_id[name].decided_by is DecidedBy.RUNNING
    assert ("no rule of lint decides it" in told.output) == only_running
