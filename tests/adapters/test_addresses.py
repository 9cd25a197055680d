"""The address of an adapter: one that can be read is started; for another, the error says why and what was meant."""

from __future__ import annotations

import os
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from callproof.adapters.address import read_address
from callproof.adapters.connection import connect
from callproof.adapters.errors import AdapterNotFound, BadAdapterName


def executable(folder, name: str, text: str = "#!/bin/sh\n") -> str:
    """Make a file that may be executed, and return its path."""
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def test_words_are_split_as_a_shell_splits_them(tmp_path):
    """Quotes hold a word together, and no shell runs."""
    program = executable(tmp_path, "my executor")
    launch = read_address(f"stdio:'{program}' serve --name 'a b' $HOME")
    assert launch.arguments == (program, "serve", "--name", "a b", "$HOME")


def test_a_command_is_looked_up_on_the_path(tmp_path, monkeypatch):
    """The first program of that name on the PATH is meant."""
    program = executable(tmp_path, "my-executor")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert read_address("stdio:my-executor").arguments == (program,)


def test_a_missing_command_names_the_path_and_the_nearest(tmp_path, monkeypatch):
    """The error has the command, the places searched, and what was perhaps meant."""
    executable(tmp_path, "my-executor")
    path = os.pathsep.join((str(tmp_path), str(tmp_path / "nowhere")))
    monkeypatch.setenv("PATH", path)
    with pytest.raises(AdapterNotFound) as caught:
        read_address("stdio:my-exectuor serve")
    assert caught.value == AdapterNotFound("my-exectuor", f"PATH={path}", "no such program", "my-executor")
    assert f"searched: PATH={path}" in str(caught.value)
    assert "did you mean 'my-executor'?" in str(caught.value)


def test_a_command_of_an_environment_that_is_not_active_is_pointed_to(monkeypatch):
    """Its scripts are beside the Python that runs the suite, but a shell without the environment does not find them."""
    monkeypatch.setenv("PATH", os.defpath)
    with pytest.raises(AdapterNotFound) as caught:
        read_address("stdio:callproof-reference stdio")
    assert caught.value.nearest == str(Path(sysconfig.get_path("scripts")) / "callproof-reference")


def test_a_missing_file_names_its_neighbour(tmp_path):
    """The suite looks for a command with a slash only at the path that it names."""
    executable(tmp_path, "executor.sh")
    with pytest.raises(AdapterNotFound) as caught:
        read_address(f"stdio:{tmp_path}/executer.sh")
    assert caught.value.reason == "no such file"
    assert caught.value.nearest == f"{tmp_path}/executor.sh"


def test_a_missing_file_without_neighbours_suggests_nothing(tmp_path):
    """A wild guess would mislead the user."""
    with pytest.raises(AdapterNotFound) as caught:
        read_address(f"stdio:{tmp_path}/executer.sh")
    assert caught.value.nearest is None
    assert "help" not in str(caught.value)


def test_a_file_that_is_not_executable_says_so(tmp_path):
    """A file without the permission is there, but is not a program."""
    (tmp_path / "executor.py").write_text("")
    with pytest.raises(AdapterNotFound, match="it is not executable"):
        read_address(f"stdio:{tmp_path}/executor.py")


def test_a_program_that_the_kernel_refuses_is_not_found(tmp_path, deadlines):
    """A text without an interpreter line may have the permission, but the kernel cannot run it."""
    program = executable(tmp_path, "executor", "no interpreter line\n")
    with (
        pytest.raises(AdapterNotFound, match="kernel refused to run it"),
        connect(f"stdio:{program}", deadlines=deadlines),
    ):
        raise AssertionError


@pytest.mark.parametrize(
    ("address", "suggestion"),
    [
        ("studio:node x.js", "stdio:node x.js"),
        ("pyhton:a.b:c", "python:a.b:c"),
        ("node x.js", "stdio:node x.js"),
        ("zzzzzz:x", "stdio:zzzzzz:x"),
        ("stdio:", "stdio:node my_executor.js"),
        ("studio: ", "stdio:node my_executor.js"),
        (" ", "stdio:node my_executor.js"),
        ("python:a.b", "python:my_package.adapter:serve"),
        ("python:a.b:", "python:my_package.adapter:serve"),
        ("python:a-b:c", "python:my_package.adapter:serve"),
        ("stdio:'unclosed", None),
        ("http:localhost:8080", "http://127.0.0.1:8080/"),
        ("https://", "http://127.0.0.1:8080/"),
        ("http://host:port/", "http://127.0.0.1:8080/"),
        ("http://host/a path", "http://127.0.0.1:8080/"),
        ("http://host/#part", "http://127.0.0.1:8080/"),
        ("htpp://host/", "http://host/"),
    ],
)
def test_an_address_that_cannot_be_read_shows_what_was_meant(address, suggestion):
    """The error has the value, the reason, and the corrected line if it can be guessed."""
    with pytest.raises(BadAdapterName) as caught:
        read_address(address)
    assert caught.value.suggestion == suggestion
    assert repr(address) in str(caught.value)
    assert (suggestion or "is not an adapter") in str(caught.value)


@pytest.mark.parametrize(
    ("address", "suggestion"),
    [
        ("https://me:secret-word@host/entry", "https://host/entry"),
        ("http://me:secret-word@[::1]:8080/", "http://[::1]:8080/"),
        ("http://me:secret-word@host:port/", "http://127.0.0.1:8080/"),
        ("http://me:secret-word/@host/", "http://127.0.0.1:8080/"),
        ("http://me:a secret-word@host/", "http://127.0.0.1:8080/"),
    ],
)
def test_an_address_with_credentials_is_refused_without_showing_them(address, suggestion):
    """Every report shows the address, so it must not hold a password; errors about the rest do not show one either."""
    with pytest.raises(BadAdapterName) as caught:
        read_address(address)
    assert "secret-word" not in str(caught.value)
    assert caught.value.suggestion == suggestion


def test_a_url_is_reached_by_a_bridge(tmp_path, monkeypatch):
    """This interpreter runs the bridge, and no module in the working folder can replace it."""
    launch = read_address("http://127.0.0.1:8080/entry?x=1")
    assert launch.arguments[:2] == (sys.executable, "-P")
    assert launch.arguments[2:] == ("-m", "callproof.adapters.bridge", "http://127.0.0.1:8080/entry?x=1")
    assert launch.carries == "http://127.0.0.1:8080/entry?x=1"


def test_the_scheme_of_a_url_may_be_written_large():
    """It is the same scheme in either letter case, not a command."""
    assert read_address("HTTP://127.0.0.1:8080/").carries == "HTTP://127.0.0.1:8080/"


def test_a_python_address_is_run_by_this_interpreter(tmp_path, monkeypatch):
    """The host is a child that finds its parent's modules; its own children do not get the interpreter's libraries."""
    monkeypatch.syspath_prepend(str(tmp_path))
    launch = read_address("python:package.module:Class.factory")
    assert launch.arguments == (sys.executable, "-m", "callproof.adapters.host", "package.module:Class.factory")
    entries = launch.environment["PYTHONPATH"].split(os.pathsep)
    assert entries[0] == str(tmp_path)
    assert set(entries) <= set(sys.path)
    assert os.path.dirname(os.__file__) not in entries
    assert os.path.dirname(os.path.dirname(pytest.__file__)) not in entries


def test_a_python_address_finds_modules_in_archives(tmp_path, monkeypatch, deadlines):
    """Python itself finds modules in archives."""
    archive = tmp_path / "adapters.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(Path(__file__).with_name("minimal.py"), "packed_adapter.py")
    monkeypatch.syspath_prepend(str(archive))
    with connect("python:packed_adapter:serve", deadlines=deadlines) as system:
        assert system.implementation.name == "minimal"


def test_the_archive_of_an_interpreters_own_library_is_left_to_it(tmp_path, monkeypatch):
    """A child of another version would import the wrong library from it."""
    archive = tmp_path / "python399.zip"
    archive.touch()
    monkeypatch.syspath_prepend(str(archive))
    paths = dict.fromkeys(sysconfig.get_path_names(), str(tmp_path / "python3.99"))
    monkeypatch.setattr(sysconfig, "get_paths", lambda: paths)
    launch = read_address("python:package.module:factory")
    assert str(archive) not in launch.environment["PYTHONPATH"].split(os.pathsep)
