"""The host of Python adapters, without its child: the wire over two streams, and the search for the factory."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pytest
from callproof.adapters.host import NoFactory, PipeWire, find_factory, main


def test_a_message_is_one_line_each_way():
    """What is sent is one line with its LF; what is received is one line, and then the end."""
    written = io.BytesIO()
    wire = PipeWire(io.BytesIO(b'{"id":1}\n{"id":2}\n'), written)
    assert [wire.receive(), wire.receive(), wire.receive()] == [{"id": 1}, {"id": 2}, None]
    wire.send({"text": "é\u2028\n"})
    assert written.getvalue().count(b"\n") == 1
    assert json.loads(written.getvalue()) == {"text": "é\u2028\n"}


def test_what_json_cannot_hold_is_refused_before_it_is_sent():
    """NaN raises in the adapter's own code, and not a byte goes out."""
    written = io.BytesIO()
    with pytest.raises(ValueError, match="JSON"):
        PipeWire(io.BytesIO(), written).send({"n": float("nan")})
    assert written.getvalue() == b""


def test_a_line_that_is_no_json_is_refused():
    """The error is raised in the adapter's own code."""
    with pytest.raises(ValueError, match="Expecting"):
        PipeWire(io.BytesIO(b"{\n"), io.BytesIO()).receive()


def test_what_a_tool_returned_is_handed_on_whatever_it_is():
    """Half a character reaches the system, which has to end its call with an error."""
    line = b'{"result":{"output":"\\ud800"}}\n'
    assert PipeWire(io.BytesIO(line), io.BytesIO()).receive() == {"result": {"output": "\ud800"}}


def test_a_factory_may_be_an_attribute_of_a_class():
    """Dots after the colon lead to attributes of what was found."""
    assert find_factory("json:JSONDecoder.decode") is json.JSONDecoder.decode


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("json:lods", "'json' has no 'lods'; did you mean 'loads'?"),
        ("json:zzzzzzzzzz", "'json' has no 'zzzzzzzzzz'"),
        ("json:__name__", "is not callable: it is of type str"),
        ("json.nothing:x", "there is no module 'json.nothing'"),
    ],
)
def test_a_target_that_names_nothing_says_which_part(target, said):
    """The error has the part that is missing, and the nearest name."""
    with pytest.raises(NoFactory) as caught:
        find_factory(target)
    assert said in str(caught.value)


def test_a_missing_import_of_the_adapter_is_its_own_traceback(tmp_path, monkeypatch):
    """The host explains only what the address names; an import that fails in the module itself is shown as it is."""
    (tmp_path / "lacking.py").write_text("import no_such_dependency\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModuleNotFoundError, match="no_such_dependency"):
        find_factory("lacking:serve")


def test_the_host_explains_its_usage(capsys):
    """Without a target there is nothing to host."""
    assert main([]) == 2
    assert "usage: python -m callproof.adapters.host" in capsys.readouterr().err


def test_the_host_is_a_module_to_run():
    """A target that names nothing ends it with status 2, and no traceback."""
    command = (sys.executable, "-m", "callproof.adapters.host", "json:nothing")
    done = subprocess.run(command, input=b"", capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr == b"callproof: 'json' has no 'nothing'\n"
    assert done.stdout == b""
