"""What all tests share: settings, and a report of the tests that are not collected, with the reasons."""

from __future__ import annotations

import os
import signal
from importlib.util import find_spec
from shutil import which

from browser.chromium import MISSING
from hypothesis import settings
from shared import SHARED

# The corpora are not part of the repository; their tests run if the corpora lie beside it, in CI too.
# A browser is not part of it either; `nox -s browser` requires one, and `nox -s table` requires the extra for tables.
# `nox -s http`, `nox -s cluster` and `nox -s spark` require theirs; `nox -s loop_pi` and its like install a loop first.
_LEFT_OUT = {
    **({} if SHARED.is_dir() else {"corpora": f"{SHARED} is not there"}),
    **({} if MISSING is None else {"browser": f"{MISSING} is not there"}),
    **(
        {}
        if find_spec("openapi_spec_validator") and find_spec("schemathesis")
        else {"http": "openapi_spec_validator or schemathesis is not there"}
    ),
    **({} if find_spec("pyarrow") and find_spec("duckdb") else {"table": "pyarrow or duckdb is not there"}),
    **({} if find_spec("distributed") else {"cluster": "distributed is not there"}),
    **({} if find_spec("pyspark") and which("java") else {"spark": "pyspark or java is not there"}),
    **({} if "LOOP_PI" in os.environ else {"real_loops/test_pi.py": "LOOP_PI names no folder with its packages"}),
    **({} if "LOOP_PYTHON" in os.environ else {"real_loops/test_python.py": "LOOP_PYTHON names no example"}),
    **({} if "LOOP_AI_SDK" in os.environ else {"real_loops/test_ai_sdk.py": "LOOP_AI_SDK names no folder"}),
}
collect_ignore = list(_LEFT_OUT)

# The time that an example takes depends on the machine, so no test limits it.  Whether a change passes must not depend
# on luck: the examples are the same every time, and `nox -s explore` draws others.
settings.register_profile("settled", settings(), deadline=None, derandomize=True)
settings.register_profile("explore", settings(), deadline=None, print_blob=True)
settings.load_profile("explore" if "EXPLORE" in os.environ else "settled")


def pytest_report_header() -> list[str]:
    """Say what is left out; otherwise a reader would think that it passed."""
    return [f"tests/{folder} is not collected: {reason}" for folder, reason in _LEFT_OUT.items()]


def pytest_configure() -> None:
    """Handle Ctrl-C and the end of a terminal: children of a background shell or of ``nohup`` ignore them."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
