"""``callproof test``: a thin front of the pytest plugin, with our report instead of pytest's."""

from __future__ import annotations

import difflib
import os
import re
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from callproof.adapters.address import read_address
from callproof.adapters.errors import AdapterNotFound
from callproof.commands.progress import Watching
from callproof.generated.wanted import NAME as GENERATED
from callproof.judge.judgement import Judgement, Outcome
from callproof.live.scenarios import SCENARIOS
from callproof.live.session import MOST_HEARD
from callproof.plugin.report import WHOLE_ONLY, Recorder
from callproof.report.whole import write_whole
from callproof.settings import Settings
from callproof.spec.blocks import Level
from callproof.spec.registry import specification
from callproof.values.parts import parts_of

# Plugins that pytest runs around each item and that only tests in Python need; they took a tenth of the time.
_NOT_NEEDED = ("terminal", "cacheprovider", "warnings", "unraisableexception", "threadexception", "logging")

# How pytest ends after an interruption: by itself, or with our recorder already there.
_BROKEN_OFF = (pytest.ExitCode.INTERRUPTED, Outcome.INTERRUPTED.exit_code)

_JUNIT = "junit.xml"


class SuiteFailed(RuntimeError):
    """The suite came to no judgement; says how pytest ended."""


@dataclass(frozen=True, slots=True)
class Selected:
    """Which items to run, and where else to report: pytest's own ``-k`` and ``--junitxml``."""

    keyword: str | None = None
    junit: Path | None = None

    def options(self, folder: Path) -> list[str]:
        """The selection as options of pytest, which writes its JUnit report into ``folder``, a folder of ours."""
        chosen = ["-k", self.keyword] if self.keyword is not None else []
        return chosen if self.junit is None else [*chosen, "--junitxml", str(folder / _JUNIT)]

    def keep_junit(self, folder: Path) -> tuple[str, ...]:
        """Copy the JUnit report to its target; return what to report if it cannot be written there."""
        if self.junit is None or not (folder / _JUNIT).is_file():
            return ()
        try:
            write_whole(self.junit, (folder / _JUNIT).read_bytes())
        except OSError as error:
            return (f"the report {self.junit} cannot be written: {error.strerror}",)
        return ()


class WrongSelection(ValueError):
    """A selection means nothing, or selects nothing; says what is permitted, and the nearest id."""


def _nothing_selected(keyword: str) -> str:
    if (named := keyword.strip()) in {case.id for scenario in SCENARIOS for case in scenario.cases}:
        return (
            f"-k selects by scenario and requirement, and {named} is a case; -k {named.partition('/')[0]} runs its "
            f"scenario, and --save-cases keeps a failed case for `callproof replay`"
        )
    known = (*specification().requirements, *(scenario.id for scenario in SCENARIOS))
    wanted = re.sub(r"-(\d)$", r"-0\1", keyword.strip().upper())
    nearest = difflib.get_close_matches(wanted, known, n=1, cutoff=0.5)
    hint = f"; did you mean {nearest[0]}?" if nearest else "; `callproof coverage` lists the ids"
    return f"-k {keyword!r} selects no requirement of any scenario{hint}"


class _Front:
    """Hears of each event while the suite runs, and keeps the recorder that pytest was given."""

    def __init__(self, watching: Watching, generated: int) -> None:
        self._watching = watching
        self._generated = parts_of(generated)
        self._heard = 0
        self.recorder: Recorder | None = None

    def pytest_collection(self, session: pytest.Session) -> None:
        """Keep the recorder, which the plugin has registered by now."""
        found: object = session.config.pluginmanager.get_plugin("callproof-recorder")
        self.recorder = found if isinstance(found, Recorder) else None

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Tell how much there is to do."""
        selected = {item.nodeid.split("::")[1] for item in session.items}
        written = sum(len(each.cases) for each in SCENARIOS if each.id in selected)
        parts = [item.name for item in session.items if item.nodeid.split("::")[1] == GENERATED]
        self._watching.expects(written + sum(len(self._generated[name]) for name in parts))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Tell what runs now."""
        self._watching.begins(nodeid.removeprefix("callproof::").replace("::", " "))

    def pytest_callproof_case(self, case: str, heard: str) -> None:
        """Tell of a case that has ended; for some that came to no end, also tell what the system said before."""
        if heard and self._heard < MOST_HEARD:
            self._heard += 1
            self._watching.hears(heard)
        self._watching.has_ended(case)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Tell of a failure."""
        if report.failed:
            self._watching.has_failed()


_UNWATCHED = Watching(None)


def run(settings: Settings, selected: Selected = Selected(), watching: Watching = _UNWATCHED) -> Judgement:
    """
    The judgement on the system behind the settings' adapter.

    ``watching`` hears how far it has come.  A user's own pytest configuration has no effect.
    Raises BadAdapterName for an address that means nothing, WrongSelection for a keyword that selects nothing,
    SuiteFailed if there is no judgement, and KeyboardInterrupt if that is because of an interruption.
    """
    _refuse_part(settings, selected)
    with suppress(AdapterNotFound):  # an error of the adapter, which the report shows
        read_address(settings.adapter)
    front = _Front(watching, settings.cases)
    with tempfile.TemporaryDirectory(prefix="callproof-") as empty, _own_environment():
        ini = Path(empty) / "pytest.ini"
        ini.write_text("[pytest]\n", encoding="utf-8")
        plugins = [*(f"no:{name}" for name in _NOT_NEEDED), "callproof.plugin.entry"]
        chosen = [option for name in plugins for option in ("-p", name)]
        arguments = [
            "-c",
            str(ini),
            "--rootdir",
            empty,
            empty,
            *chosen,
            *_options(settings),
            *selected.options(Path(empty)),
        ]
        status = pytest.main(arguments, plugins=[front])
        unwritten = selected.keep_junit(Path(empty))
    if status == pytest.ExitCode.USAGE_ERROR:
        raise WrongSelection(f"-k {selected.keyword!r} is not an expression; permitted: ids, and, or, not, parentheses")
    if status == pytest.ExitCode.NO_TESTS_COLLECTED:
        raise WrongSelection(_nothing_selected(selected.keyword or ""))
    if front.recorder is None and status in _BROKEN_OFF:
        raise KeyboardInterrupt
    if front.recorder is None:
        raise SuiteFailed(f"pytest ended with exit status {int(status)} before anything was judged")
    judged = front.recorder.judgement
    return replace(judged, errors=(*judged.errors, *unwritten)) if unwritten else judged


def _refuse_part(settings: Settings, selected: Selected) -> None:
    """Raises WrongSelection if a part of the suite is chosen together with an output that needs the whole suite."""
    if settings.update_baseline and selected.keyword is not None:
        raise WrongSelection(
            f"--update-baseline needs a whole run, but -k {selected.keyword!r} selects a part; drop one"
        )
    if settings.states and selected.keyword:
        raise WrongSelection(f"--report statement=… {WHOLE_ONLY}, but -k {selected.keyword!r} selects a part; drop one")
    if settings.states and settings.level is not Level.MAY:
        level = settings.level.value.lower()
        raise WrongSelection(f"--report statement=… {WHOLE_ONLY}, but the level is {level}; drop one")


def _options(settings: Settings) -> list[str]:
    told = ["--callproof", settings.adapter, "--callproof-profile", settings.profile]
    told += ["--callproof-level", settings.level.value.lower(), "--callproof-timeout", str(settings.timeout)]
    if settings.seed is not None:
        told += ["--callproof-seed", str(settings.seed)]
    told += ["--callproof-cases", str(settings.cases)]
    for target in settings.reports:
        told += ["--callproof-report", f"{target.form.value}={target.path.absolute()}"]
    if settings.baseline is not None:
        told += ["--callproof-baseline", str(settings.baseline.absolute())]
    if settings.save_cases is not None:
        told += ["--callproof-save-cases", str(settings.save_cases)]
    if settings.update_baseline:
        told.append("--callproof-update-baseline")
    return [*told, "--callproof-strict"] if settings.strict else told


@contextmanager
def _own_environment() -> Generator[None]:
    """In the block, ignore what a user's shell tells pytest, and the plugins that happen to be installed."""
    ours = {"PYTEST_ADDOPTS": None, "PYTEST_PLUGINS": None, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    theirs = {name: os.environ.get(name) for name in ours}
    _set(ours)
    try:
        yield
    finally:
        _set(theirs)


def _set(environment: Mapping[str, str | None]) -> None:
    for name, value in environment.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
