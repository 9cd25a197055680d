"""``callproof init``: copies an example adapter to a folder in which a user can replace its system by their own."""

from __future__ import annotations

import difflib
import re
import shlex
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Self

from callproof.resources import EXAMPLES, SCHEMAS
from callproof.values.counts import counted
from callproof.values.neighbours import is_there

# The examples that an example needs beside it.
_BESIDE = {"adapter-node": ("executor-node",)}
# The schemas that an example reads: a checkout has them at its root, and a copy has them inside the example.
_SCHEMAS = {"executor-node": ("plan.json", "policy.json")}
# Files that installs and runs leave in a checkout, and tests that need the rest of the checkout.
_LEFT_OUT = {"node_modules", "__pycache__", "package-lock.json", "test"}
_STARTED = "stdio:"
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|#)([^)#\s]+)[^)\s]*\)")


class CannotBegin(Exception):
    """An example does not exist, or its place cannot hold it; says what is permitted, and the next step."""


@dataclass(frozen=True)
class Example:
    """An adapter under ``examples/``, with the folders that it needs beside it."""

    name: str

    @cached_property
    def readme(self) -> str:
        """What its README says."""
        return (EXAMPLES / self.name / "README.md").read_text(encoding="utf-8")

    @property
    def title(self) -> str:
        """What the example is, in a line."""
        return self.readme.partition("\n")[0].removeprefix("# ")

    @property
    def setting_up(self) -> tuple[str, ...]:
        """The commands of its README up to and with the one that first judges it; none if it is no adapter."""
        block = re.search(r"^```sh\n(.*?)^```$", self.readme, re.MULTILINE | re.DOTALL)
        lines = block[1].splitlines() if block else []
        judging = (number for number, line in enumerate(lines, 1) if line.startswith("callproof "))
        return tuple(lines[: next(judging, 0)])

    @property
    def folders(self) -> tuple[str, ...]:
        """The names of all its folders, its own first."""
        return (self.name, *_BESIDE.get(self.name, ()))


def examples() -> list[Example]:
    """Every example that a user can begin with, by name."""
    folders = (each for each in EXAMPLES.iterdir() if (each / "README.md").is_file())
    named = (Example(each.name) for each in sorted(folders, key=lambda each: each.name))
    return [each for each in named if any(f"examples/{each.name}/" in line for line in each.setting_up[-1:])]


def example(name: str) -> Example:
    """The example of a name.  Raises CannotBegin for any other, with the nearest."""
    permitted = {each.name: each for each in examples()}
    if name in permitted:
        return permitted[name]
    nearest = difflib.get_close_matches(name, permitted, n=1, cutoff=0.5)
    hint = f"did you mean {nearest[0]!r}?" if nearest else f"permitted: {', '.join(permitted)}"
    raise CannotBegin(f"there is no example {name!r}; {hint}")


@dataclass(frozen=True)
class Begun:
    """What was written: the folders, and the commands to run next; the last command judges."""

    folders: tuple[Path, ...]
    commands: tuple[str, ...]

    @classmethod
    def of(cls, chosen: Example, into: Path) -> Self:
        """An example under the folder ``into``."""
        commands = (_command(each, chosen, into) for each in chosen.setting_up)
        return cls(tuple(into / each for each in chosen.folders), tuple(commands))


def begin(chosen: Example, into: Path) -> Begun:
    """
    Copy an example, with the folders that it needs, into the folder ``into``, which is made if it does not exist.

    Overwrites nothing, and leaves nothing of a copy that fails.  In the README, the place of the example is changed to
    the new one, and links to files that are not copied become text.  Raises CannotBegin.
    """
    begun = Begun.of(chosen, into)
    try:
        for folder in begun.folders:
            if folder.is_symlink() or is_there(folder):
                raise CannotBegin(f"{folder} exists already and was not changed; choose another folder with --into")
        into.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=into, prefix=".callproof-init-") as scratch:
            for folder in begun.folders:
                _copy_example(chosen, into, Path(scratch) / folder.name)
            for folder in begun.folders:
                (Path(scratch) / folder.name).rename(folder)
    except OSError as error:
        raise CannotBegin(
            f"{into} cannot hold the copy: {error.strerror}; choose another folder with --into"
        ) from error
    return begun


def listed() -> Iterator[str]:
    """One line for every example, with the command that judges it, and at the end the next step."""
    rows = [(each.name, each.setting_up[-1].split()[1], each.title) for each in examples()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, command, title in rows:
        yield f"{name:{widths[0]}}  callproof {command:{widths[1]}}  {title}"
    yield ""
    yield "Copy one with `callproof init NAME`."


def told(begun: Begun) -> Iterator[str]:
    """What was written, and what to do next, in lines."""
    for folder in begun.folders:
        yield f"{folder}: {counted(sum(each.is_file() for each in folder.rglob('*')), 'file')}"
    yield ""
    yield f"Judge it as it is; then replace its system with yours, as {begun.folders[0] / 'README.md'} says:"
    yield ""
    yield from (f"  {each}" for each in begun.commands)


def _copy_example(chosen: Example, into: Path, target: Path) -> None:
    """Copy the folder of the example that has the name of ``target``, with the README as it must be in ``into``."""
    _copy(EXAMPLES / target.name, target)
    about = target / "README.md"
    about.write_text(_retold(about.read_text(encoding="utf-8"), chosen, into), encoding="utf-8")
    for schema in _SCHEMAS.get(target.name, ()):
        (target / "schemas").mkdir(exist_ok=True)
        (target / "schemas" / schema).write_bytes((SCHEMAS / schema).read_bytes())


def _copy(source: Traversable, target: Path) -> None:
    target.mkdir()
    for each in source.iterdir():
        if each.name in _LEFT_OUT:
            continue
        if each.is_dir():
            _copy(each, target / each.name)
        else:
            (target / each.name).write_bytes(each.read_bytes())


def _command(line: str, chosen: Example, into: Path) -> str:
    """A command of a README, for a shell in the folder to which ``into`` is relative; quotes odd names."""
    return shlex.join(_argument(each, chosen, into) for each in shlex.split(line))


def _argument(text: str, chosen: Example, into: Path) -> str:
    """An argument, which may itself be a command, as in the address of an adapter that is started."""
    if text.startswith(_STARTED):
        return _STARTED + _command(text.removeprefix(_STARTED), chosen, into)
    for name in chosen.folders:
        place = f"examples/{name}"
        if text == place or text.startswith(f"{place}/"):
            return (into / name).as_posix() + text.removeprefix(place)
    return text


def _retold(readme: str, chosen: Example, into: Path) -> str:
    """A README that names the place it was copied to, and keeps only the links that lead somewhere from there."""
    for name in chosen.folders:
        readme = readme.replace(f"examples/{name}", shlex.quote((into / name).as_posix()))
    return _LINK.sub(lambda link: link[0] if _is_copied(link[2], chosen) else link[1], readme)


def _is_copied(target: str, chosen: Example) -> bool:
    return not target.startswith("../") or target.split("/")[1] in chosen.folders
