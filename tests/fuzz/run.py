"""The fuzzer: libFuzzer through Atheris, guided by the coverage of the suite.

``python tests/fuzz/run.py log --found FOLDER -max_total_time=600`` goes on after each finding, and writes the first
input of each kind into the folder.  ``--corpus FOLDER`` keeps what the engine learnt.  Every option with one hyphen
is passed to libFuzzer.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
# No input of this small size should take longer, even on a machine that is busy with other work.
_SLOW_SECONDS = 10.0


class Findings:
    """The findings so far: one input of each kind, told apart by the exception and its place."""

    def __init__(self, folder: Path, target: str) -> None:
        self._folder = folder
        self._target = target
        self._known: set[str] = set()

    def add(self, data: bytes, kind: str, told: str) -> None:
        """Keep an input, unless one of its kind was kept before."""
        if kind in self._known:
            return
        self._known.add(kind)
        self._folder.mkdir(parents=True, exist_ok=True)
        name = f"{self._target}-{hashlib.sha256(kind.encode()).hexdigest()[:12]}"
        (self._folder / f"{name}.bin").write_bytes(data)
        (self._folder / f"{name}.txt").write_text(told, encoding="utf-8", errors="backslashreplace")
        print(f"FOUND {name}: {told.strip().splitlines()[-1][:300]}", flush=True)


def main(arguments: list[str]) -> None:
    """Fuzz one target until libFuzzer has enough."""
    name = arguments.pop(0)
    found = Path(_option(arguments, "--found") or "found")
    kept = _option(arguments, "--corpus")
    sys.path.insert(0, str(ROOT))
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["callproof"]):
        targets: Any = importlib.import_module("fuzz.targets")
    mutations: Any = importlib.import_module("fuzz.mutations")
    target, findings = targets.TARGETS[name], Findings(found, name)

    def one(data: bytes) -> None:
        before = time.monotonic()
        try:
            target(data)
        except Exception as error:  # noqa: BLE001  whatever comes out is what is looked for
            findings.add(data, _kind(error), traceback.format_exc())
        if time.monotonic() - before > _SLOW_SECONDS:
            findings.add(data, "slow", f"took {time.monotonic() - before:.0f} s")

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        # libFuzzer makes every third change itself, to the bytes.
        made = data if seed % 3 == 0 else mutations.mutated(data, seed)
        return atheris.Mutate(data, most) if made == data else made[:most]

    with tempfile.TemporaryDirectory(prefix="callproof-fuzz-") as empty:
        corpus = kept or empty
        Path(corpus).mkdir(parents=True, exist_ok=True)
        for number, seed in enumerate(targets.seeds(name)):
            (Path(corpus) / f"seed-{number}").write_bytes(seed)
        options = ["-max_len=65536", "-timeout=120", "-rss_limit_mb=4096", *arguments]
        atheris.Setup([sys.argv[0], *options, corpus], one, custom_mutator=mutate)
        atheris.Fuzz()


def _option(arguments: list[str], name: str) -> str | None:
    if name not in arguments:
        return None
    at = arguments.index(name)
    value = arguments[at + 1]
    del arguments[at : at + 2]
    return value


def _kind(error: BaseException) -> str:
    """The kind of a finding: the exception, its last place in the code, and the message of a broken promise."""
    frames = traceback.extract_tb(error.__traceback__)
    at = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    told = str(error)[:60] if type(error).__name__ == "Broken" else ""
    return f"{type(error).__name__} {at} {told}"


if __name__ == "__main__":
    main(sys.argv[1:])
