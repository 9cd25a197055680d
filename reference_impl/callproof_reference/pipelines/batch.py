"""The calls of one case beside each other: which are at work, which were stopped, and whose result comes first."""

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, RLock
from typing import ClassVar

from callproof_reference.peers.peer import Peer
from callproof_reference.pipelines.invocation import Ended, Invocation
from callproof_reference.values import Object, as_object, objects, strings


class Batch:
    """One case, from its start to `pipeline/finished`."""

    how: ClassVar[type[Invocation]] = Invocation  # how a call is carried through the phases

    def __init__(self, peer: Peer, start: Object) -> None:
        self.peer, self.start = peer, start
        self.policy, self.asks = as_object(start["policy"]), strings(start["asks"])
        self.tools = {name: tool for tool in self._tools() for name in (tool["tool_id"], *strings(tool.get("names")))}
        self.invocations = [self.how(self, call) for call in objects(start["calls"])]
        self._lock = RLock()  # the calls at work and the stopped calls change together
        self._stopped, self._at_work = dict[str, str](), dict[str, Future[Object]]()
        self._told = {each.id: Event() for each in self.invocations}

    def _tools(self) -> list[Object]:
        return objects(as_object(self.start["surface"])["tools"])

    def run(self) -> None:
        """Carry every call through its phases, and tell when all are finished."""
        for each in self.invocations:
            each.begin()
        with ThreadPoolExecutor(1 if self.policy["ordering_policy"] == "serial" else 32) as pool:
            carried = [pool.submit(each.run) for each in self.invocations]
        for done in carried:
            done.result()
        self.peer.tell("pipeline/finished", {})

    def tell(self, kind: str, **members: object) -> None:
        """Send a record."""
        self.peer.tell("record", {"record": {"record": kind, **members}})

    def stop(self, calls: list[str], why: str) -> None:
        """Stop calls that have not begun, and ask those at work to stop (PIPE-15, PIPE-16)."""
        with self._lock:
            for call in calls:
                self._stopped.setdefault(call, why)
                if self.is_at_work(call):
                    self.peer.tell("tool/abort", {"invocation_id": call})

    def failed(self, call: str) -> None:
        """Note that a call failed by itself, for which the policy may cancel its siblings."""
        if self.policy["sibling_failure_policy"] == "cancel_siblings":
            self.stop([each.id for each in self.invocations if each.id != call], "sibling_canceled")

    def is_at_work(self, call: str) -> bool:
        """Whether a tool was entered and has not come back."""
        return call in self._at_work and not self._at_work[call].done()

    def why_stopped(self, call: str) -> str | None:
        """Why a call was stopped: by the user, or because a sibling failed."""
        return self._stopped.get(call)

    def enter(self, call: str, question: Object) -> Future[Object]:
        """Enter a tool. Raises Ended if the call was stopped before."""
        with self._lock:
            if why := self.why_stopped(call):
                raise Ended(why, "schedule")
            self.tell("phase", invocation_id=call, phase="schedule", status="completed")
            self.tell("phase", invocation_id=call, phase="execute", status="started")
            self._at_work[call] = self.peer.begin("tool/execute", {"invocation_id": call, **question})
            return self._at_work[call]

    def disposition(self) -> str:
        """What becomes of the modifier of a context (PIPE-05)."""
        rule = self.policy["context_modifier_policy"]
        if rule == "allow_serial_only":
            return "applied" if self.policy["ordering_policy"] == "serial" else "refused"
        return "refused" if rule == "forbid" else "deferred"

    def progress(self, call: str) -> None:
        """Tell the progress of a tool, unless the tool has returned."""
        with self._lock:
            for each in self.invocations:
                if each.id == call and self.is_at_work(call):
                    each.words += 1
                    self.tell("progress", invocation_id=call, sequence=each.words)

    def wait_for_turn(self, call: str) -> None:
        """Wait until the results of the calls before this one are told, if the policy keeps their order."""
        if self.policy["ordering_policy"] == "preserve_terminal_order":
            for each in self.invocations[: [one.id for one in self.invocations].index(call)]:
                self._told[each.id].wait()

    def over(self, call: str) -> None:
        """Note that a call has its result."""
        self._told[call].set()
