"""One seed gives the same cases: in every process, on every Python, and wherever the package lies."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import callproof
import pytest
from callproof.adapters.claims import FEATURES
from callproof.generated.running import Wanted, generated
from callproof.live.case import Case
from callproof.resources import SCHEMAS, SPEC
from callproof.values.jsontext import Json, write_json

SEED, COUNT = 7, 60
# What the plans of these cases come to.  It is another one when the generator changes, and for no other reason: not
# with the Python, nor with the Hypothesis.  After such a change the table of docs/generated.md is made again too.
PLANS = "dd0bdf073e988002"

TOLD = f"""
import callproof, hashlib, json
from callproof.adapters.claims import FEATURES
from callproof.generated.running import Wanted, generated
from callproof.replay.codec import to_json
cases = [to_json(case) for case in generated(FEATURES, Wanted({COUNT}, seed={SEED}))]
print(callproof.__file__)
print(hashlib.sha256(json.dumps(cases).encode()).hexdigest())
"""


def _told(path: Path, hash_seed: int) -> tuple[Path, str]:
    """Where a new process has the package from, and the digest of what it generates."""
    # A copy of the package is not what is measured.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    environment = {**inherited, "PYTHONPATH": str(path), "PYTHONHASHSEED": str(hash_seed)}
    ended = subprocess.run([sys.executable, "-c", TOLD], env=environment, capture_output=True, text=True, check=True)
    file, digest = ended.stdout.splitlines()
    return Path(file), digest


@pytest.fixture(scope="module")
def checkout() -> Path:
    """The folder that the package is imported from here."""
    return Path(callproof.__file__).parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    """A folder with the package as a wheel lays it out: Hypothesis knows such folders by their name."""
    folder = tmp_path_factory.mktemp("install") / "site-packages"
    without = shutil.ignore_patterns("__pycache__")
    shutil.copytree(checkout / "callproof", folder / "callproof", ignore=without)
    for data in (SCHEMAS, SPEC):
        shutil.copytree(str(data), folder / "callproof" / "_data" / data.name, dirs_exist_ok=True)
    return folder


def test_an_installed_package_gives_the_cases_of_a_checkout(installed: Path, checkout: Path) -> None:
    """Nothing that is loaded beside the generator has a say in its cases, nor has the order of hashes."""
    (here, of_checkout), (there, of_installed) = _told(checkout, 0), _told(installed, 77)
    assert here.is_relative_to(checkout)
    assert there.is_relative_to(installed)
    assert of_checkout == of_installed


def test_every_python_gives_the_same_cases() -> None:
    """The digest stands here, and this test is run on each Python that is supported."""
    plans = [_plans(case) for case in generated(FEATURES, Wanted(COUNT, SEED))]
    assert hashlib.sha256(write_json(plans).encode()).hexdigest()[:16] == PLANS


def _plans(case: Case) -> list[Json]:
    return [case.plan, *(each.case.plan for each in case.company)]


def test_a_case_is_the_same_one_however_many_are_wanted() -> None:
    """Its name is enough to have it again."""
    assert generated(FEATURES, Wanted(30, SEED))[:12] == generated(FEATURES, Wanted(12, SEED))


def test_a_seed_of_any_size_has_cases_of_its_own() -> None:
    """Negative ones and huge ones too."""
    seeds = (0, 1, -1, 2**70)
    assert len({str(generated(FEATURES, Wanted(3, seed))) for seed in seeds}) == len(seeds)
