"""The plan of a run as the checks see it: what each step says, defaults filled in.

Tolerant like the records: a member of the wrong type counts as absent here;
the check whose law is the type finds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from callproof.trace.lazy import Lazy
from callproof.trace.references import Bindings, Reference, bindings_of, references_in
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import as_integer, is_array, is_object

DEFAULT_BACKOFF_MS = 250


@dataclass(frozen=True, slots=True)
class Foreach:
    """A step's loop: the reference it runs over, and the names of its bindings."""

    source: str
    item_name: str
    index_name: str
    concurrency: int


@dataclass(frozen=True)
class Step:
    """One step of the plan.  ``index`` is its place; ``value`` the step as written."""

    index: int
    value: Mapping[str, Json]
    defaults: Mapping[str, Json]

    @Lazy
    def id(self) -> str:
        """The step's id; empty if it has none."""
        return _text(self.value.get("id"))

    @Lazy
    def tool(self) -> str:
        """The tool as the plan spells it; empty if it names none."""
        return _text(self.value.get("tool"))

    @Lazy
    def args(self) -> Mapping[str, Json]:
        """The argument templates."""
        return _object(self.value.get("args"))

    @Lazy
    def depends_on(self) -> tuple[str, ...]:
        """The declared dependencies; ``all_needs`` adds the referenced ones."""
        ids = self.value.get("dependsOn")
        return tuple(each for each in ids if isinstance(each, str)) if is_array(ids) else ()

    @Lazy
    def capture_as(self) -> str | None:
        """The name under which the output is kept in ``$vars``."""
        return _text(self.value.get("captureAs")) or None

    @Lazy
    def preview(self) -> str | None:
        """The preview as the planner wrote it."""
        return _text(self.value.get("preview")) or None

    @Lazy
    def timeout_ms(self) -> int | None:
        """The step's own time limit for each attempt, in milliseconds."""
        return as_integer(self.value.get("timeoutMs"))

    @Lazy
    def on_error(self) -> str:
        """``stop``, ``skip`` or ``retry``; the plan's default fills in, and without either it is stop (A33)."""
        return _text(self.value.get("onError")) or _text(self.defaults.get("onError")) or "stop"

    @Lazy
    def retry(self) -> Mapping[str, Json] | None:
        """The retry policy that applies: the step's, else the plan's default, else none."""
        own = self.value.get("retry")
        inherited = self.defaults.get("retry")
        return own if is_object(own) else inherited if is_object(inherited) else None

    @Lazy
    def has_own_retry(self) -> bool:
        """Whether the step itself has a retry policy, which RETRY-15 asks (A66)."""
        return is_object(self.value.get("retry"))

    @Lazy
    def max_attempts(self) -> int:
        """The attempts that the plan permits, the first included; one if it says nothing about them (A4)."""
        if self.retry is None:
            return 1
        attempts = as_integer(self.retry.get("maxAttempts"))
        alias = as_integer(self.retry.get("maxRetries"))
        return attempts if attempts is not None else alias + 1 if alias is not None else 1

    @Lazy
    def backoff_ms(self) -> int:
        """Milliseconds between attempts."""
        wanted = as_integer(self.retry.get("backoffMs")) if self.retry is not None else None
        return DEFAULT_BACKOFF_MS if wanted is None else wanted

    @Lazy
    def bindings(self) -> Bindings | None:
        """The names that its loop gives to the element and its position; None without a loop that names its item."""
        return bindings_of(self.value)

    @Lazy
    def references_of_args(self) -> tuple[Reference, ...]:
        """The references in its args alone."""
        return tuple(references_in(self.args, self.bindings))

    @Lazy
    def references(self) -> tuple[Reference, ...]:
        """Its references: those of its loop's source and those of its args."""
        args, loop = self.value.get("args"), self.value.get("foreach")
        source = references_in(loop.get("from")) if is_object(loop) else ()
        return (*source, *(self.references_of_args if is_object(args) else references_in(args, self.bindings)))

    @Lazy
    def foreach(self) -> Foreach | None:
        """The loop, if the step has one."""
        loop = self.value.get("foreach")
        if not is_object(loop):
            return None
        return Foreach(
            source=_text(loop.get("from")),
            item_name=_text(loop.get("itemName")),
            index_name=_text(loop.get("indexName")) or "index",
            concurrency=as_integer(loop.get("concurrency")) or 1,
        )


@dataclass(frozen=True)
class Plan:
    """The plan in run.json, or the one that the suite gave."""

    value: Mapping[str, Json]

    @Lazy
    def steps(self) -> tuple[Step, ...]:
        """The steps in the plan's order; entries that are no objects are left out."""
        steps = self.value.get("steps")
        defaults = _object(self.value.get("defaults"))
        if not is_array(steps):
            return ()
        return tuple(Step(i, each, defaults) for i, each in enumerate(steps) if is_object(each))

    @Lazy
    def by_id(self) -> Mapping[str, Step]:
        """The steps by id; the first of two with one id."""
        found: dict[str, Step] = {}
        for step in self.steps:
            found.setdefault(step.id, step)
        return found


@dataclass(frozen=True)
class Policy:
    """The policy of a run; an absent member has the meaning that A67 gives it."""

    value: Mapping[str, Json]

    @Lazy
    def confirmations_required(self) -> bool | None:
        """Whether writes and commands wait for approval."""
        value = self.value.get("confirmationsRequired")
        return value if isinstance(value, bool) else None

    @Lazy
    def sandbox(self) -> Mapping[str, Json]:
        """The sandbox: ``enabled``, ``allowedRoots``, ``denyPatterns``."""
        return _object(self.value.get("sandbox"))

    @Lazy
    def limits(self) -> Mapping[str, Json]:
        """The limits as written."""
        return _object(self.value.get("limits"))

    @Lazy
    def max_concurrency(self) -> int:
        """Calls that may be open at once; one if the policy says nothing."""
        return as_integer(self.limits.get("maxConcurrency")) or 1

    @Lazy
    def max_attempts(self) -> int | None:
        """The clamp on attempts, if any."""
        return as_integer(self.limits.get("maxAttempts"))

    @Lazy
    def max_timeout_ms(self) -> int | None:
        """The clamp on time limits, and the limit itself if a step has none."""
        return as_integer(self.limits.get("maxTimeoutMs"))

    @Lazy
    def denied_tools(self) -> frozenset[str]:
        """Names of tools that may not be called."""
        names = self.value.get("deniedTools")
        return frozenset(each for each in names if isinstance(each, str)) if is_array(names) else frozenset()

    def attempt_limit(self, step: Step) -> int:
        """The effective limit on attempts: the smaller of the plan's and the policy's (A4)."""
        return step.max_attempts if self.max_attempts is None else min(step.max_attempts, self.max_attempts)

    def timeout_ms(self, step: Step) -> int | None:
        """The effective time limit of an attempt of a step, in milliseconds (TIME-10, A67)."""
        wanted = [each for each in (step.timeout_ms, self.max_timeout_ms) if each is not None]
        return min(wanted) if wanted else None


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _object(value: Json) -> Mapping[str, Json]:
    return value if is_object(value) else {}
