"""The table of threats names only tests that exist, and has every threat to reading and reporting."""

from __future__ import annotations

import re
from pathlib import Path

_HERE = Path(__file__).parent
_ROWS = dict(
    re.findall(r"^\| (SEC-\d\d) \| [^|]* \| ([^|]*) \|$", (_HERE / "README.md").read_text(encoding="utf-8"), re.M)
)
# SEC-01 and SEC-09 are about adapters.
_THREATS = [f"SEC-{number:02}" for number in (*range(2, 9), *range(10, 16))]


def test_every_threat_has_its_tests() -> None:
    """Each threat has one row, in order, and each test that the row names is a function of that file."""
    assert list(_ROWS) == _THREATS
    for threat, told in _ROWS.items():
        named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", told)
        assert named, threat
        for file, test in named:
            assert f"def {test}(" in (_HERE / file).read_text(encoding="utf-8"), f"{threat}: {file} has no {test}"
