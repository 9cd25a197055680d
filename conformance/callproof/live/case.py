"""One case of a scenario as frozen data: what is given, what the tools do, what the suite does and when.

A case provokes; it does not judge.  It names the requirements that it means to
exercise, and leaves the verdict to the checks.  Everything in it is plain data, so
that a case can be written to a file and replayed against any system.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from callproof.adapters.claims import ABORT_GRACE
from callproof.live.behaviours import Behaviour
from callproof.trace.witnesses import ActKind
from callproof.values.jsontext import Json

# Every time in a case is a multiple of this, so that steps of this length hit each instant exactly (A77).
QUANTUM_MS = 50
# What some cases need and no system claims: over HTTP the suite has a conversation, but no process to kill or limit.
OWN_PROCESS = "a process that the suite started"


@dataclass(frozen=True, slots=True)
class HostedTool:
    """A tool that the suite hosts: what the registry says about it, and what it does."""

    descriptor: Mapping[str, Json]
    behaviour: Behaviour

    @property
    def name(self) -> str:
        """Its canonical name."""
        return str(self.descriptor.get("name"))


class Cue(Enum):
    """What a move of the suite waits for."""

    START = "start"  # the run was accepted
    INVOCATION = "invocation"  # the n-th invocation of a tool arrived
    ANSWER = "answer"  # the n-th invocation of a tool was answered
    CONFIRMATION = "confirmation"  # run.confirmationRequested was recorded
    FINISH = "finish"  # run/finished arrived


@dataclass(frozen=True, slots=True)
class Move:
    """
    One act of the suite, such as approve, reject or cancel, that many milliseconds after its cue.

    ``tool`` and ``count`` say which invocation is meant.  With ``first`` it goes before the answers of tools
    that are due at the same instant, otherwise after them.  ``confirmation_id`` replaces the id that the run asked
    with; ``confirmation_of`` replaces it by the id of a run of the case's company, counted from 0.
    """

    act: ActKind
    cue: Cue
    after_ms: int = 0
    tool: str = ""
    count: int = 1
    first: bool = False
    confirmation_id: str | None = None
    confirmation_of: int | None = None


class ItemKind(Enum):
    """The kind of an entry of the folder."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of the folder before the run: ``text`` is a file's content or a link's target.

    Paths are relative to the root; ``../outside/…`` lies beside it, where nothing of the run may reach.  A file
    ``../audit/run.json`` lies where the run is told to write its log.
    """

    path: str
    kind: ItemKind = ItemKind.FILE
    text: str = ""


class HookAction(Enum):
    """What a hook decides about a call, or that it fails."""

    CONTINUE = "continue"
    BLOCK = "block"
    MODIFY = "modify"
    FAIL = "fail"  # the hook itself breaks


@dataclass(frozen=True, slots=True)
class Hook:
    """
    The hook of a run: what it answers about calls of one tool; ``args`` only with MODIFY.  Other tools it lets pass.

    It answers the first ``lets_pass`` questions about its tool with CONTINUE, and so those after the next ``times``,
    if that is given: with both it can act on one attempt of a call.  An answer about its tool takes ``after_ms`` on
    the clock of the run.
    """

    tool: str
    action: HookAction
    args: Mapping[str, Json] | None = None
    lets_pass: int = 0
    times: int | None = None
    after_ms: int = 0

    def speaks(self, question: int) -> bool:
        """Whether it acts on a question about its tool, counted from 1."""
        return question > self.lets_pass and (self.times is None or question <= self.lets_pass + self.times)


@dataclass(frozen=True, slots=True)
class Hardship:
    """
    What the suite does to the system's process in a case; by default nothing.

    When ``kill_after`` records have arrived, it kills the whole process group: a death that the suite orders is no
    error of the adapter.  No file may grow beyond ``file_bytes``, as on a full disk.
    """

    kill_after: int | None = None
    file_bytes: int | None = None


class When(Enum):
    """When another run of a case takes place."""

    BEFORE = "before"  # it is over before the case's own run starts
    ELSEWHERE = "elsewhere"  # the same, and the system is started anew for each of the two
    BESIDE = "beside"  # it starts just before, and both go on at the same time


@dataclass(frozen=True, slots=True)
class Companion:
    """Another run of a case: plan, policy, tools, folder and timeline of its own."""

    case: Case
    when: When


@dataclass(frozen=True, slots=True)
class Case:
    """
    One run of a system, and the further runs that are its company.

    ``requires`` are the features that a system has to claim for the case to be run.  ``provokes`` are the requirements
    that it aims at.  ``expectations`` are facts that only the case knows and that checks read.  ``death_proves`` are
    the requirements that fail if the case kills the system twice (A78).
    """

    id: str
    says: str
    plan: Mapping[str, Json]
    policy: Mapping[str, Json]
    tools: tuple[HostedTool, ...] = ()
    system_tools: tuple[Mapping[str, Json], ...] = ()
    timeline: tuple[Move, ...] = ()
    hook: Hook | None = None
    # The entries of the folder before the run; in every run the suite watches the folder.
    folder: tuple[Item, ...] = ()
    confirmation_timeout_ms: int | None = None
    requires: tuple[str, ...] = ()
    provokes: tuple[str, ...] = ()
    expects_refusal: bool = False
    # The law permits the system not to begin; without this, a refusal leaves the run not proven.
    may_refuse: bool = False
    expectations: Mapping[str, Json] = field(default_factory=dict[str, Json])
    canaries: tuple[str, ...] = ()
    death_proves: tuple[str, ...] = ()
    # Laws that the case's own tools break on purpose: a log rightly shows that, and the system is not to blame.
    excused: tuple[str, ...] = ()
    # How long, on the run's clock, the suite waits for the end of the run.
    horizon_ms: int = 30_000
    # Further runs, in the order in which they are started; a companion's own company and hardship are ignored.
    company: tuple[Companion, ...] = ()
    hardship: Hardship = Hardship()

    @property
    def descriptors(self) -> tuple[Mapping[str, Json], ...]:
        """The registry of the run, as sent in ``run/start``."""
        return (*(tool.descriptor for tool in self.tools), *self.system_tools)

    @property
    def facts(self) -> Mapping[str, Json]:
        """All that checks are told about the case, besides what happens in it."""
        facts: dict[str, Json] = {**self.expectations, "refused": self.expects_refusal}
        if self.hook is not None:
            facts["hooks"] = True
        if self.hardship.file_bytes is not None:
            facts["fileBytes"] = self.hardship.file_bytes
        return facts

    @property
    def beside(self) -> tuple[Case, ...]:
        """The runs that go on at the same time as the case's own."""
        return tuple(each.case for each in self.company if each.when is When.BESIDE)

    @property
    def needs(self) -> tuple[str, ...]:
        """What the case needs besides the features that it requires: a process, if it does something to one."""
        return () if self.hardship == Hardship() else (OWN_PROCESS,)

    def missing(self, features: tuple[str, ...], lacks: tuple[str, ...] = ()) -> tuple[str, ...]:
        """
        The required features that are not claimed, and the needs of the case that the suite lacks.

        What a run of its company requires, the case requires too: it cannot be run without that run.
        """
        required = dict.fromkeys((*self.requires, *(name for each in self.company for name in each.case.requires)))
        unclaimed = tuple(each for each in required if each not in features)
        return (*unclaimed, *(each for each in self.needs if each in lacks))


# Laws about what a system may do but need not.  They are judged wherever they show, but no system has to show them:
# a failure may let open siblings end (CANC-09), a call may be built when its slot is free and not before (CANC-11),
# timeoutMs, loopId, userMessage and the other optional members are optional (CALL-18, CALL-24, LOOP-05, MSG-02,
# TIME-10; B-13, B-24), and so are the details that name a finer kind of failure (ERR-10; B-28).
_OPTIONAL_MEMBERS = frozenset({"CALL-18", "CALL-24", "ERR-10", "LOOP-05", "MSG-02", "TIME-10"})
_LEFT_TO_THE_SYSTEM = _OPTIONAL_MEMBERS | {"CANC-09", "CANC-11"}
# A system that does not wait for an aborted tool never gets its last answer; on real time the suite cannot tell (A58).
_LAST_WORDS = frozenset({"CANC-04", "TIME-05"})
_WAITS = frozenset({ABORT_GRACE, "virtualClock"})


def left_to_the_system(claimed: frozenset[str]) -> frozenset[str]:
    """The requirements that a system with these features and postures has to keep, but need not show."""
    return _LEFT_TO_THE_SYSTEM if claimed >= _WAITS else _LEFT_TO_THE_SYSTEM | _LAST_WORDS


@dataclass(frozen=True)
class Scenario:
    """A family of cases that provoke one kind of trouble."""

    id: str
    title: str
    cases: tuple[Case, ...]
    # Laws that its cases tempt a system to break, but of which a lawful system shows nothing here.
    spared: tuple[str, ...] = ()

    @cached_property
    def provokes(self) -> tuple[str, ...]:
        """Every requirement that one of its cases aims at and that a lawful system shows, each once, in order."""
        aims = dict.fromkeys(requirement for case in self.cases for requirement in case.provokes)
        return tuple(each for each in aims if each not in self.spared)

    def aims_within(self, claimed: frozenset[str], lacks: tuple[str, ...] = ()) -> frozenset[str]:
        """
        What a system has to show: the aims of the cases that it is given, without those that are left to it.

        ``claimed`` are the features and postures that it claims.
        """
        given = (case.provokes for case in self.cases if not case.missing(tuple(claimed), lacks))
        return frozenset[str]().union(*given).intersection(self.provokes) - left_to_the_system(claimed)

    def unclaimed(self, features: Collection[str]) -> tuple[str, ...]:
        """What these features lack for the case that is nearest to being run; empty if some case can be run."""
        return min((case.missing(tuple(features)) for case in self.cases), key=len, default=())
