"""One seed gives the same cases: in every process, on every Python, and wherever the package is installed."""

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
# The digest of the plans of these cases.  It changes only if the generator changes, not with the version of Python or
# of Hypothesis.  After such a change the table of docs/generated.md must be made again too.
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
    """The place from which a new process loads the package, and the digest of the cases that it generates."""
    # Coverage must not measure a copy of the package.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    environment = {**inherited, "PYTHONPATH": str(path), "PYTHONHASHSEED": str(hash_seed)}
    ended = subprocess.run([sys.executable, "-c", TOLD], env=environment, capture_output=True, text=True, check=True)
    file, digest = ended.stdout.splitlines()
    return Path(file), digest


@pytest.fixture(scope="module")
def checkout() -> Path:
    """The folder from which this process imports the package."""
    return Path(callproof.__file__).parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    """A folder with the package as a wheel lays it out: Hypothesis recognises such folders by their name."""
    folder = tmp_path_factory.mktemp("install") / "site-packages"
    without = shutil.ignore_patterns("__pycache__")
    shutil.copytree(checkout / "callproof", folder / "callproof", ignore=without)
    for data in (SCHEMAS, SPEC):
        shutil.copytree(str(data), folder / "callproof" / "_data" / data.name, dirs_exist_ok=True)
    return folder


def test_an_installed_package_gives_the_cases_of_a_checkout(installed: Path, checkout: Path) -> None:
    """Neither modules loaded beside the generator nor the order of hashes change its cases."""
    (here, of_checkout), (there, of_installed) = _told(checkout, 0), _told(installed, 77)
    assert here.is_relative_to(checkout)
    assert there.is_relative_to(installed)
    assert of_checkout == of_installed


def test_every_python_gives_the_same_cases() -> None:
    """The digest is fixed here, and this test runs on each supported Python."""
    plans = [_plans(case) for case in generated(FEATURES, Wanted(COUNT, SEED))]
    assert hashlib.sha256(write_json(plans).encode()).hexdigest()[:16] == PLANS


def _plans(case: Case) -> list[Json]:
    return [case.plan, *(each.case.plan for each in case.company)]


def test_a_case_is_the_same_one_however_many_are_wanted() -> None:
    """The name of a case is enough to make it again."""
    assert generated(FEATURES, Wanted(30, SEED))[:12] == generated(FEATURES, Wanted(12, SEED))


def test_a_seed_of_any_size_has_cases_of_its_own() -> None:
    """This holds for negative seeds and huge seeds too."""
    seeds = (0, 1, -1, 2**70)
    assert len({str(generated(FEATURES, Wanted(3, seed))) for seed in seeds}) == len(seeds)
