"""The fuzz targets without their engine: their seeds, inputs that were found, and that a target can fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from callproof.auditlog.reader import run_of
from callproof.judge.judging import judge
from fuzz.mutations import mutated
from fuzz.targets import PART, TARGETS, Broken, captured, log, reader, report, resolver, seeds
from log_edits import BASES

# All inputs that the engine ever found, unchanged; a new finding is added here with its correction.
_FOUND = sorted((Path(__file__).parent / "found").glob("*.bin"))


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_takes_what_it_begins_with(name: str) -> None:
    """The seeds break no promise."""
    for seed in list(seeds(name))[:4]:
        TARGETS[name](seed)


@pytest.mark.parametrize("found", _FOUND, ids=lambda each: each.stem)
def test_what_was_found_once_stays_mended(found: Path) -> None:
    """An input that once broke a promise must not break it again."""
    TARGETS[found.stem.partition("-")[0]](found.read_bytes())


@pytest.mark.parametrize("number", range(6))
def test_changed_logs_break_no_promise(number: int) -> None:
    """A few of the changes that the engine makes, from fixed seeds."""
    made = list(seeds("log"))[number * 3]
    for step in range(4):
        made = mutated(made, 100 * number + step)
        log(made)
        reader(made)


def test_a_change_changes_something_and_is_the_same_each_time() -> None:
    """Nearly all of a hundred seeds change the log, and each seed always makes the same change."""
    whole = next(iter(seeds("log")))
    assert sum(mutated(whole, number) != whole for number in range(100)) > 90
    assert all(mutated(whole, number) == mutated(whole, number) for number in range(20))


def test_a_log_of_bytes_is_the_log_of_its_files() -> None:
    """The parts of a seed are the files of a base run."""
    base = BASES / "linear"
    raw = PART.join((base / name).read_bytes() for name in ("run.json", "calls.jsonl", "results.jsonl", "events.jsonl"))
    assert not [each for each in judge(run_of(captured(raw))).values() if each.findings]


def test_a_broken_promise_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that lets markup through, and a resolver that drops a value, do not pass."""
    monkeypatch.setattr("fuzz.targets.rendered", lambda told, form: "<script>x</script>")
    with pytest.raises((Broken, ValueError)):
        report(b"text")
    monkeypatch.setattr("fuzz.targets.resolve", lambda template, scope: None)
    with pytest.raises(Broken):
        resolver(b'{"template": "$steps.a", "steps": {"a": 1}}')
