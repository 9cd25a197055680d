"""schemathesis compares the example's server with its OpenAPI description, and finds every server with a defect."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from openapi_spec_validator import validate_url

HERE = Path(__file__).parent
DESCRIPTION = HERE.parents[1] / "schemas" / "adapter" / "http.openapi.json"
# A stream ends with its conversation, so sequences of requests do not open a stream.
PHASES = {
    "data": ("--phases", "coverage,fuzzing"),
    "sequences": ("--phases", "stateful", "--exclude-operation-id", "listen"),
}
# The links by which sequences of requests are made: to the conversation that was begun, and to the same one again.
BEGUN = {"parameters": {"conversation": "$response.header.Location#regex:/conversations/(.+)"}}
SAME = {"parameters": {"conversation": "$request.path.conversation"}}
LINKS = {
    ("/", "post", "201"): {"say": BEGUN, "stop": BEGUN},
    ("/conversations/{conversation}", "post", "202"): {"say": SAME, "stop": SAME},
    ("/conversations/{conversation}", "delete", "204"): {"say": SAME, "stop": SAME},
}
Tried = Callable[[str, str], "subprocess.CompletedProcess[str]"]


@pytest.fixture
def linked(tmp_path: Path) -> Path:
    """The description with the links, beside the schemas that it references."""
    folder = shutil.copytree(DESCRIPTION.parent, tmp_path / "adapter")
    document = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    for (path, method, status), links in LINKS.items():
        told = {name: {"operationId": name, **link} for name, link in links.items()}
        document["paths"][path][method]["responses"][status]["links"] = told
    (folder / DESCRIPTION.name).write_text(json.dumps(document), encoding="utf-8")
    return folder / DESCRIPTION.name


@pytest.fixture
def tried(tmp_path: Path, linked: Path) -> Iterator[Tried]:
    """``tried(defect, phases)``: the result of schemathesis for the server with that defect."""
    with ExitStack() as servers:

        def run(defect: str, phases: str) -> subprocess.CompletedProcess[str]:
            command = (sys.executable, str(HERE / "faulty.py"), defect)
            server = servers.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
            servers.callback(server.terminate)
            assert server.stdout is not None
            entry = server.stdout.readline().strip()
            environment = {
                **os.environ,
                "CALLPROOF_ENTRY": entry,
                "SCHEMATHESIS_HOOKS": "hooks",
                "PYTHONPATH": str(HERE),
            }
            fixed = ("--seed", "1", "--max-examples", "25", "--checks", "all", "--no-color", "--request-timeout", "20")
            return subprocess.run(
                (
                    sys.executable,
                    "-m",
                    "schemathesis.cli",
                    "run",
                    str(linked),
                    "--url",
                    entry,
                    *fixed,
                    *PHASES[phases],
                ),
                capture_output=True,
                text=True,
                env=environment,
                cwd=tmp_path,
            )

        yield run


def test_the_description_is_openapi() -> None:
    """It is valid against the schema of OpenAPI 3.1, and every reference resolves."""
    validate_url(DESCRIPTION.as_uri())


@pytest.mark.parametrize("phases", PHASES)
def test_the_example_keeps_the_binding(phases: str, tried: Tried) -> None:
    """Whatever is sent, lawful or not, and in whatever order, the description has the answer."""
    done = tried("sound", phases)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No test cases were generated" not in done.stdout


@pytest.mark.parametrize(
    ("defect", "phases", "found"),
    [
        ("takes_what_is_no_object", "data", "Schema-violating request accepted"),
        ("does_not_say_what_it_allows", "data", "Allow"),
        ("knows_one_method_too_many", "data", "Unsupported method"),
        ("names_no_conversation", "data", "Location"),
        ("breaks_at_an_error", "data", "Server error"),
        ("answers_by_another_status", "data", "Undocumented status code"),
        ("takes_after_the_stop", "sequences", "a message was taken after the stop"),
    ],
)
def test_a_defect_of_a_server_is_found(defect: str, phases: str, found: str, tried: Tried) -> None:
    """This shows that a run without findings means something."""
    done = tried(defect, phases)
    assert done.returncode == 1, done.stdout + done.stderr
    assert found in done.stdout
