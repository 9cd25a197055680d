"""Where to find a system under test: the prefix says how it is reached, the rest says which it is.

Reading an address starts nothing and imports nothing of the user's.
"""

from __future__ import annotations

import difflib
import os
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from callproof.adapters.errors import AdapterNotFound, BadAdapterName
from callproof.adapters.posting import split_url, without_credentials

PREFIXES = ("stdio:", "python:", "http:", "https:")
_EXAMPLE = "stdio:node my_executor.js"


@dataclass(frozen=True, slots=True)
class Launch:
    """
    What has to be started: the program with its arguments, and what is added to its environment.

    ``carries`` is the address to which the program carries messages, if it is not the system itself.
    """

    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    carries: str | None = None


def read_address(address: str) -> Launch:
    """
    The program that an address starts: ``stdio:COMMAND ARGUMENTS`` or ``python:package.module:factory``.

    A system at ``http://…`` or ``https://…`` is running already; for it, the suite starts a bridge to it.

    Raises BadAdapterName for an address that cannot be read, AdapterNotFound for a command that is no program.
    """
    prefix, colon, rest = address.partition(":")
    if prefix + colon == "stdio:":
        return _program(address, rest)
    if prefix + colon == "python:":
        return _hosted(address, rest.strip())
    if (prefix + colon).lower() in {"http:", "https:"}:  # as in every URL
        return _carried(address)
    raise BadAdapterName(address, f"it does not start with any of {', '.join(PREFIXES)}", _suggestion(address))


def _suggestion(address: str) -> str:
    prefix, colon, rest = address.partition(":")
    nearest = difflib.get_close_matches(prefix + colon, PREFIXES, n=1) if colon else []
    if not address.strip() or (nearest and not rest.strip()):
        return _EXAMPLE  # only a prefix was written, without a command
    return f"{nearest[0]}{rest}" if nearest else f"stdio:{address}"


def _program(address: str, command_line: str) -> Launch:
    try:
        words = shlex.split(command_line)
    except ValueError as error:
        raise BadAdapterName(address, f"it cannot be split into words ({error})") from None
    if not words:
        raise BadAdapterName(address, "there is no command after stdio:", _EXAMPLE)
    path = os.environ.get("PATH", os.defpath)
    found = shutil.which(words[0], path=path)
    if found is None:
        raise AdapterNotFound(words[0], *_searched(words[0], path), nearest=_nearest_program(words[0], path))
    return Launch((found, *words[1:]))


def _searched(command: str, path: str) -> tuple[str, str]:
    if os.path.dirname(command):
        reason = "it is not executable" if os.path.exists(command) else "no such file"
        return f"the path as given, from {os.getcwd()}", reason
    return f"PATH={path}", "no such program"


def _nearest_program(command: str, path: str) -> str | None:
    if os.path.dirname(command):
        folder, name = os.path.split(command)
        near = difflib.get_close_matches(name, sorted(_names(folder)), n=1)
        return os.path.join(folder, near[0]) if near else None
    beside = shutil.which(os.path.join(sysconfig.get_path("scripts"), command))
    if beside is not None:
        return beside  # in an environment that is not activated
    names = {name for folder in path.split(os.pathsep) for name in _names(folder)}
    return next(iter(difflib.get_close_matches(command, sorted(names), n=1)), None)


def _names(folder: str) -> Iterator[str]:
    try:
        with os.scandir(folder or ".") as entries:
            yield from (entry.name for entry in entries if os.access(entry.path, os.X_OK) and not entry.is_dir())
    except OSError:
        # A PATH may name folders that do not exist: they hold no program.
        return


def _hosted(address: str, target: str) -> Launch:
    module, colon, factory = target.partition(":")
    parts = (*module.split("."), *factory.split("."))
    if not colon or not all(part.isidentifier() for part in parts):
        raise BadAdapterName(
            address, "python: must be followed by package.module:factory", "python:my_package.adapter:serve"
        )
    search = os.pathsep.join(_added_to_the_path())
    return Launch((sys.executable, "-m", "callproof.adapters.host", target), {"PYTHONPATH": search})


def _carried(address: str) -> Launch:
    url = split_url(address)
    shown = without_credentials(address)
    if url is not None and url.username is not None:
        meant = url._replace(netloc=url.netloc.rpartition("@")[2]).geturl()
        raise BadAdapterName(shown, "its address holds credentials, which every report would show", meant)
    if url is None or url.fragment:
        raise BadAdapterName(shown, "it is not a URL of a host, an optional port and a path", "http://127.0.0.1:8080/")
    search = os.pathsep.join(_added_to_the_path())
    # -P: the bridge belongs to the suite, and no file of the working folder may replace a module of it.
    bridge = (sys.executable, "-P", "-m", "callproof.adapters.bridge", address)
    return Launch(bridge, {"PYTHONPATH": search}, carries=address)


def _added_to_the_path() -> Iterator[str]:
    """
    The folders where this process finds modules, but a child of the same interpreter would not by itself.

    The interpreter's own folders stay out: the variable also reaches the adapter's children, which may
    be interpreters of another version. The working folder comes first in any case, as for `python -m`.
    """
    paths = sysconfig.get_paths()
    library = Path(paths["stdlib"])
    # Beside its library an interpreter looks for the whole library in one archive, such as python312.zip.
    archive = library.with_name(library.name.replace(".", "") + ".zip")
    own = (library, archive, *(Path(paths[name]) for name in ("platstdlib", "purelib", "platlib")))
    for entry in sys.path:
        if os.path.exists(entry) and not any(Path(entry).is_relative_to(root) for root in own):
            yield entry
