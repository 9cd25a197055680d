"""What the suite does to a system on purpose: it kills it, limits its files, and reads nothing for a moment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from callproof.adapters.connection import connect
from callproof.adapters.conversation import Conversation
from callproof.adapters.errors import DiedInRun
from callproof.adapters.messages import Message, Notification

# An adapter that tries to write ten thousand bytes, and gives the result as its version; on run/cancel it sends two
# hundred records of a thousand bytes before its answer.
ADAPTER = """
import json, sys
def say(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n")
    sys.stdout.flush()
try:
    with open(sys.argv[1], "wb") as file:
        file.write(b"x" * 10_000)
    wrote = "all"
except OSError as error:
    wrote = error.strerror
for line in sys.stdin:
    request = json.loads(line)
    if request["method"] == "initialize":
        itself = {"name": "writer", "version": wrote, "language": "python"}
        claims = {"profiles": ["envelope"], "features": [], "postures": {}}
        say({"id": request["id"], "result": {"protocolVersion": "1.0", "implementation": itself, "claims": claims}})
        continue
    for number in range(200 if request["method"] == "run/cancel" else 0):
        record = {"number": number, "text": "y" * 1000}
        say({"method": "record", "params": {"runId": "r", "kind": "event", "record": record}})
    say({"id": request["id"], "result": {}})
"""


@pytest.fixture
def address(tmp_path: Path) -> str:
    """The address of the adapter, with a file of its own."""
    script = tmp_path / "adapter.py"
    script.write_text(ADAPTER, encoding="utf-8")
    return f"stdio:{sys.executable} {script} {tmp_path / 'file'}"


def test_no_file_grows_beyond_the_limit(address: str, tmp_path: Path) -> None:
    """The write fails as on a full disk, and the system lives and can report it."""
    with connect(address, file_bytes=4_096) as system:
        assert system.implementation.version == "File too large"
    assert (tmp_path / "file").stat().st_size == 4_096


def test_what_python_compiled_is_not_kept_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a system under the limit imports a module first, a later process must still find the module whole."""
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    (tmp_path / "later.py").write_text("NAMES = [" + ", ".join(f"'name {n}'" for n in range(2_000)) + "]\n")
    script = tmp_path / "adapter.py"
    script.write_text(f"import later\n{ADAPTER}", encoding="utf-8")
    with connect(f"stdio:{sys.executable} {script} {tmp_path / 'file'}", file_bytes=4_096) as system:
        assert system.implementation.version == "File too large"
    read = subprocess.run([sys.executable, "-c", "import later"], cwd=tmp_path, capture_output=True, text=True)
    assert (read.returncode, read.stderr) == (0, "")


def test_without_a_limit_files_grow(address: str, tmp_path: Path) -> None:
    """The suite limits files only if a case asks for it."""
    with connect(address) as system:
        assert system.implementation.version == "all"
    assert (tmp_path / "file").stat().st_size == 10_000


def test_a_system_that_is_killed_is_gone(address: str) -> None:
    """The suite reports the end of the wire as a death, with the signal."""
    with connect(address) as system:
        system.kill()
        with pytest.raises(DiedInRun, match="killed by SIGKILL"):
            system.receive(60)


def test_nothing_is_lost_while_the_suite_reads_nothing(address: str) -> None:
    """What does not fit into the pipe waits in the system's own write, and comes in order."""
    with connect(address) as system:
        system.turn_away(0.2)
        assert told(system) == list(range(200))


def told(system: Conversation) -> list[object]:
    """The numbers of the records that come before the answer to a cancellation."""
    numbers: list[object] = []

    def take(message: Message) -> None:
        if isinstance(message, Notification):
            record = message.params["record"]
            assert isinstance(record, dict)
            numbers.append(record["number"])

    system.ask("run/cancel", {"runId": "r"}, on_message=take)
    return numbers
