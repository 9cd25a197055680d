"""The tools of one run: their names, their schemas, what is known of them. Knows no plan and calls nothing."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from callproof.schema.validator import SchemaValidator

from callproof_reference.jsontext import Json, Object


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool as its registry describes it, ready to judge arguments and output."""

    name: str
    descriptor: Object
    accepts: SchemaValidator
    returns: SchemaValidator

    @property
    def input_schema(self) -> Json:
        """The schema of its arguments, as given."""
        return self.descriptor["inputSchema"]

    @property
    def output_schema(self) -> Json:
        """The schema of its output, as given."""
        return self.descriptor["outputSchema"]

    @property
    def risk_level(self) -> Json:
        """What it may do to the world; undeclared counts as the highest (POL-19)."""
        return self.descriptor.get("riskLevel", "commands")

    @property
    def cancellable(self) -> bool:
        """Whether an invocation can be aborted (CALL-09)."""
        return self.descriptor.get("cancellable") is not False

    @property
    def own(self) -> bool:
        """Whether this executor runs it, and not whoever started the run."""
        return self.descriptor.get("host") == "system"

    @property
    def names(self) -> frozenset[str]:
        """Its canonical name and its aliases (VAL-06)."""
        return frozenset({self.name, *_aliases(self.descriptor)})


class Registry:
    """The descriptors of a run, by canonical name or declared alias."""

    def __init__(self, descriptors: Iterable[Object]) -> None:
        self._by_name = {str(descriptor.get("name")): descriptor for descriptor in descriptors}
        self._by_alias: dict[str, set[str]] = {}
        for name, descriptor in self._by_name.items():
            for alias in _aliases(descriptor):
                self._by_alias.setdefault(alias, set()).add(name)

    def descriptor(self, name: str) -> Object | None:
        """The descriptor of a tool; a name before an alias, and no alias that two tools claim."""
        owners = self._by_alias.get(name, set())
        canonical = name if name in self._by_name else next(iter(owners)) if len(owners) == 1 else None
        return None if canonical is None else self._by_name[canonical]

    def nearest(self, name: str) -> str | None:
        """The known name that is most like this one."""
        return next(iter(difflib.get_close_matches(name, [*self._by_name, *self._by_alias], 1)), None)


def load(descriptor: Object) -> Tool:
    """The tool of a descriptor. Raises UnusableSchema when its arguments or output cannot be judged (VAL-09)."""
    return Tool(
        str(descriptor["name"]),
        descriptor,
        SchemaValidator(_as_object(descriptor.get("inputSchema"))),
        SchemaValidator(_as_object(descriptor.get("outputSchema"))),
    )


def _as_object(schema: Json) -> Object:
    if isinstance(schema, dict):
        return schema
    return {} if schema is True else {"not": {}}


def _aliases(descriptor: Object) -> list[str]:
    aliases = descriptor.get("aliases")
    return [alias for alias in aliases if isinstance(alias, str)] if isinstance(aliases, list) else []
