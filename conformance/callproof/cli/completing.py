"""What a shell completes if a command takes the name of a law, a rule, a case or an example.

The modules that define the names are imported only when a shell asks for the names: help does not need them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from callproof.spec.registry import Specification

    _ParamType = click.ParamType[str]
else:
    _ParamType = click.ParamType  # older versions of click cannot subscript it

# A name, and what it names.
Named: TypeAlias = tuple[str, str]
_Source: TypeAlias = Callable[[str], Iterable[Named]]


class OneNamed(_ParamType):
    """
    A name that a shell completes from its first letters, in upper or lower case.  The command finds out what it means.

    ``name`` stands for it in help; each source is called with the word of the command.
    """

    def __init__(self, name: str, *sources: _Source) -> None:
        self.name = name
        self._sources = sources

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that begin with ``incomplete``, each with what it names."""
        del param
        known = (each for source in self._sources for each in source(ctx.info_name or ""))
        return [CompletionItem(name, help=says) for name, says in known if name.lower().startswith(incomplete.lower())]


def requirements(command: str) -> Iterator[Named]:
    """The requirements by which a command judges; all requirements for a command that judges nothing."""
    for spec in _judged_by(command):
        yield from ((each.id, each.title) for each in spec.requirements.values())


def groups(command: str) -> Iterator[Named]:
    """The groups of these requirements, with their chapters."""
    for spec in _judged_by(command):
        for chapter in spec.chapters:
            yield from dict.fromkeys((each.group, chapter.title) for each in chapter.requirements)


def rules(_command: str) -> Iterator[Named]:
    """The rules of lint."""
    from callproof.lint.page import pages  # noqa: PLC0415

    yield from ((each.id, each.title) for each in pages().values())


def conventions(_command: str) -> Iterator[Named]:
    """The conventions that no rule decides."""
    from callproof.lint.page import pages  # noqa: PLC0415
    from callproof.spec.conventions import conventions as known  # noqa: PLC0415

    yield from ((each.id, each.title) for each in known().by_id.values() if each.id not in pages())


def groups_of_rules(_command: str) -> Iterable[Named]:
    """The groups of these rules."""
    from callproof.lint.page import pages  # noqa: PLC0415

    return dict.fromkeys((each.group, "") for each in pages().values())


def rulings(_command: str) -> Iterator[Named]:
    """What settles a question that the sources leave open."""
    from callproof.spec.rulings import rulings as known  # noqa: PLC0415

    yield from ((each.id, each.sentence) for each in known().values())


def scenarios(_command: str) -> Iterator[Named]:
    """The scenarios of the suite."""
    from callproof.live.scenarios import SCENARIOS  # noqa: PLC0415

    yield from ((each.id, each.title) for each in SCENARIOS)


def subjects(_command: str) -> Iterator[Named]:
    """What the cases of the other live suites are about."""
    from callproof.suites import SUITES  # noqa: PLC0415

    for suite in SUITES.values():
        yield from suite.subjects.items()


def cases(command: str) -> Iterator[Named]:
    """The written cases of the live suite that a command runs."""
    from callproof.suites import SUITES  # noqa: PLC0415

    yield from ((each.id, each.says) for each in SUITES[command].cases)


def examples(_command: str) -> Iterator[Named]:
    """The examples to begin with."""
    from callproof.commands.init import examples as known  # noqa: PLC0415

    yield from ((each.name, each.title) for each in known())


def _judged_by(command: str) -> Iterable[Specification]:
    from callproof.spec import registry  # noqa: PLC0415
    from callproof.suites import SUITES  # noqa: PLC0415

    if command in SUITES:
        return (registry.protocol_named(SUITES[command].protocol.name),)
    if command == "records":
        return registry.protocols().values()
    return (registry.specification() if command in {"test", "audit"} else registry.whole_specification(),)


LAWS = OneNamed("ID|GROUP", requirements, groups)
RULES = OneNamed("RULE|GROUP", rules, groups_of_rules)
CASES = OneNamed("ID", cases)
EXAMPLES = OneNamed("EXAMPLE", examples)
KEYWORDS = OneNamed("EXPR", scenarios, requirements)
WORDS = OneNamed("REQUIREMENT|RULE|SCENARIO|RULING", requirements, rules, conventions, scenarios, subjects, rulings)
