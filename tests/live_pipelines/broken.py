"""Every broken pipeline, by what it breaks."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any, Final
from unicodedata import normalize

from altered_wire import Message, Tells, every
from callproof_reference.peers.peer import Failed
from callproof_reference.pipelines.batch import Batch
from callproof_reference.pipelines.invocation import Ended, Invocation
from callproof_reference.values import Json, Object, as_object

from live_pipelines.kinds import Kind, carrying, record_of, with_record
from live_pipelines.varied import Abandoning

# PIPE-01 to PIPE-09: what is recorded.


def denials_unheard(message: Message) -> Iterator[Message]:
    if record_of(message, "result").get("status") not in ("denied", "rejected"):
        yield message


def errors_that_are_none(message: Message) -> Iterator[Message]:
    yield with_record(message, is_error=False) if record_of(message, "result").get("is_error") else message


class GoingOn(Batch):
    """Progress of a tool is recorded even after its call has ended."""

    def progress(self, call: str) -> None:
        for each in self.invocations:
            if each.id == call:
                each.words += 1
                self.tell("progress", invocation_id=call, sequence=each.words)


class AsTheyCome(Batch):
    """Results are recorded as soon as they are there, whatever the policy says."""

    def wait_for_turn(self, call: str) -> None:
        return None


def schedules_first() -> Tells:
    """The phase schedule is recorded before everything else."""

    def tells(message: Message) -> Iterator[Message]:
        told = record_of(message, "phase")
        if told.get("phase") == "resolve_tool" and told["status"] == "completed":
            yield with_record(message, phase="schedule")
        yield message

    return tells


def mutations_untold(message: Message) -> Iterator[Message]:
    if not record_of(message, "mutation"):
        yield message


def changes_untold(message: Message) -> Iterator[Message]:
    yield with_record(message, updated_output=None) if record_of(message, "hook") else message


class Applying(Batch):
    """Every change of the context is applied, whatever the policy says."""

    def disposition(self) -> str:
        return "applied"


class Hanging(Invocation):
    """A call whose hook after calls fails has no result."""

    def shown(self, output: Json) -> Json:
        try:
            return super().shown(output)
        except Ended as ended:
            if ended.error_class == "post_hook_failed":
                self.batch.over(self.id)
                raise KeyError from None
            raise

    def run(self) -> None:
        with suppress(KeyError):
            super().run()


def results_twice(message: Message) -> Iterator[Message]:
    yield message
    told = record_of(message, "result")
    if told:
        yield with_record(message, result_id=f"{told['result_id']}-again")


def calls_told_too_late() -> Tells:
    """The last of several calls is recorded when the next case has begun, as by a thread that was never joined."""
    held: list[Message] = []
    last: list[object] = []

    def tells(message: Message) -> Iterator[Message]:
        told = record_of(message)
        if told.get("invocation_id") in last:
            held.append(message)
            return
        if told.get("record") == "invocation" and told["invocation_id"] == "i-3":
            last.append("i-3")
            held.append(message)
            return
        yield message
        if "result" in message:
            last.clear()
            yield from held
            held.clear()

    return tells


def previews_without_a_way_back(message: Message) -> Iterator[Message]:
    yield with_record(message, persistence_refs=None) if record_of(message, "result") else message


def halves_of_characters(message: Message) -> Iterator[Message]:
    told = record_of(message, "result")
    if told.get("persistence_refs"):
        first, *others = told["model_facing_content"]
        message = with_record(
            message, model_facing_content=[{**first, "text": f"{first['text']}\N{REPLACEMENT CHARACTER}"}, *others]
        )
    yield message


def drops_without_a_reason(message: Message) -> Iterator[Message]:
    dropped = record_of(message, "persistence").get("strategy") == "drop_with_reason"
    yield with_record(message, reason=None) if dropped else message


def failures_without_a_class(message: Message) -> Iterator[Message]:
    yield with_record(message, error={"message": "no"}) if record_of(message, "result").get("error") else message


def other_surfaces(message: Message) -> Iterator[Message]:
    is_executed = record_of(message, "phase").get("phase") == "execute"
    yield with_record(message, surface_id="s-2") if is_executed else message


# PIPE-10: calls that were refused.


class Unhooked(Invocation):
    """A hook that blocks is ignored."""

    def hooked(self) -> bool:
        try:
            return super().hooked()
        except Ended as ended:
            if ended.error_class != "hook_blocked":
                raise
            return False


class FailsOpen(Invocation):
    """A hook that fails counts as permission."""

    def hooked(self) -> bool:
        try:
            return super().hooked()
        except Ended as ended:
            if ended.error_class != "hook_failed":
                raise
            return False


class Undenied(Invocation):
    """A hook that denies is ignored."""

    def ask(self, method: str, **members: Json) -> Object:
        says = super().ask(method, **members)
        return {**says, "behavior": "ask"} if method == "hook/pre" and says.get("behavior") == "deny" else says


class Unrejected(Invocation):
    """A no is ignored, and recorded as a yes."""

    def permitted(self) -> None:
        with suppress(Ended):
            super().permitted()

    def decide(self, behavior: str, **members: Json) -> None:
        super().decide("allow", **members)


class Lenient(Invocation):
    """A call is executed although the schema refuses its input."""

    def parse(self) -> None:
        with suppress(Ended):
            super().parse()


class Casual(Invocation):
    """A call is executed although the tool refuses its input."""

    def validate(self) -> None:
        with suppress(Ended):
            super().validate()


class Loading(Invocation):
    """A tool that is not loaded is executed."""

    state = "deferred"

    def resolve(self) -> None:
        if self.tool.get("state") == self.state:
            self.tool = {**self.tool, "state": "visible"}
        super().resolve()


class Unblocking(Loading):
    """A tool that the surface blocks is executed."""

    state = "blocked"


class DoneAndDenied(Invocation):
    """A person is asked only after the tool has run."""

    def permitted(self) -> None:
        return None

    def executed(self) -> Object:
        answer = super().executed()
        super().permitted()
        return answer


class Impatient(Invocation):
    """Silence counts as permission: nobody is waited for longer than a fifth of a second."""

    patience = 0.2
    hurries = ("permission/ask",)
    unheard: Object = {"behavior": "allow"}  # noqa: RUF012  never changed
    late: Future[Object] | None = None

    def ask(self, method: str, **members: Json) -> Object:
        if method not in self.hurries:
            return super().ask(method, **members)
        asked = self.batch.peer.begin(method, {"invocation_id": self.id, **members})
        wait([asked], timeout=self.patience)
        if asked.done():
            return self.batch.peer.answer_to(asked)
        self.late = asked
        return {"behavior": "allow"}

    def decide(self, behavior: str, **members: Json) -> None:
        if self.late is None:
            super().decide(behavior, **members)


class HurriesHooks(Impatient):
    """A hook that does not answer at once has nothing to say."""

    patience = 0.05
    hurries = ("hook/pre",)
    unheard: Object = {}  # noqa: RUF012  never changed


class HurriesAndRegrets(Impatient):
    """A tool is entered while somebody is asked, and a denial that comes later is told as one."""

    def executed(self) -> Object:
        answer = super().executed()
        if self.late is not None and self.batch.peer.answer_to(self.late)["behavior"] == "deny":
            raise Ended("permission_denied", "permission", "denied")
        return answer


# PIPE-11: calls that nothing refused.


class OnceAnInput(Invocation):
    """Only the first of several equal calls is executed."""

    def executed(self) -> Object:
        equal = [each for each in self.batch.invocations if (each.name, each.written) == (self.name, self.written)]
        return super().executed() if equal[0] is self else {"output": {"text": "as before"}}


class Twice(Invocation):
    """A tool that returned is entered a second time."""

    def executed(self) -> Object:
        answer = super().executed()
        with suppress(Failed):
            self.ask("tool/execute", **self.question())
        return answer


class Timid(Invocation):
    """A call whose input the hook changes is denied."""

    def ask(self, method: str, **members: Json) -> Object:
        says = super().ask(method, **members)
        return {**says, "behavior": "deny"} if method == "hook/pre" and "input" in says else says


class SavesTrouble(Invocation):
    """A call that changes nothing is recorded as done without being executed."""

    def executed(self) -> Object:
        return {"output": {"text": "noon"}} if self.tool_id == "clock" else super().executed()


# PIPE-12: what the tool gets.


class AsksTooEarly(Invocation):
    """Permission is asked for the model's input, but the tool gets the input that the hook changed."""

    def permitted(self) -> None:
        given, self.input = self.input, self.written
        super().permitted()
        if self.input == self.written:
            self.input = given


class Deaf(Invocation):
    """The input that a hook changes is ignored."""

    def change(self, given: Json, source: str) -> None:
        if source != "hook":
            super().change(given, source)


class Merging(Invocation):
    """The hook's input is merged into the old one instead of replacing it."""

    def hooked(self) -> bool:
        before = as_object(self.input)
        decided = super().hooked()
        self.input = {**before, **as_object(self.input)}
        return decided


class DeafToPeople(Invocation):
    """The input that a person changes is ignored."""

    def change(self, given: Json, source: str) -> None:
        if source == "hook":
            super().change(given, source)

    def decide(self, behavior: str, **members: Json) -> None:
        super().decide(behavior)


def _trimmed(value: Json) -> Json:
    given = as_object(value)
    return {name: each.strip() if isinstance(each, str) else each for name, each in given.items()}


class Trimming(Invocation):
    """Texts for a tool lose the blanks around them, and no record says so."""

    def question(self) -> Object:
        return {**super().question(), "input": _trimmed(self.input)}


def _composed(value: Any) -> Any:
    """A value with the characters of all its texts and names composed."""
    if isinstance(value, dict):
        return {_composed(name): _composed(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_composed(each) for each in value]
    return normalize("NFC", value) if isinstance(value, str) else value


class Composing(Invocation):
    """The characters of a tool's input are composed, and no record says so."""

    def question(self) -> Object:
        return {**super().question(), "input": _composed(self.input)}


class ComposesForTools(Invocation):
    """The characters of a tool's input are composed after permission."""

    def executed(self) -> Object:
        self.input = _composed(self.input)
        return super().executed()


class ComposesForPeople(Invocation):
    """The characters of the input that a person is shown are composed."""

    def ask(self, method: str, **members: Json) -> Object:
        return super().ask(method, **(_composed(members) if method == "permission/ask" else members))


class ShowsNothing(Invocation):
    """The hook before calls sees an empty input."""

    def ask(self, method: str, **members: Json) -> Object:
        return super().ask(method, **({**members, "input": {}} if method == "hook/pre" else members))


class AnotherTool(Invocation):
    """For any call by another name, the last tool of the surface is entered."""

    def question(self) -> Object:
        last = list(self.batch.tools.values())[-1]["tool_id"]
        return super().question() if self.name == self.tool_id else {**super().question(), "tool_id": last}


# PIPE-13: who is asked.


class UnaskedByOtherNames(Invocation):
    """The hook before calls is asked only about the first call of a batch."""

    def hooked(self) -> bool:
        return self.batch.invocations[0] is self and super().hooked()


class OnceATool(Invocation):
    """Permission for one call of a tool also counts for later calls of that tool."""

    def permitted(self) -> None:
        first = next(each for each in self.batch.invocations if each.tool_id == self.tool_id)
        if first is self:
            super().permitted()


class Untested(Invocation):
    """A tool does not validate values if a hook is set."""

    def validate(self) -> None:
        if "pre_hooks" not in self.batch.asks:
            super().validate()


class PermissionFirst(Invocation):
    """Permission is asked before the hook."""

    asked = False

    def hooked(self) -> bool:
        super().permitted()
        self.asked = True
        return super().hooked()

    def permitted(self) -> None:
        if not self.asked:
            super().permitted()


class AsksAllTheSame(Invocation):
    """A person is asked about a call even if a hook blocked it."""

    def hooked(self) -> bool:
        try:
            return super().hooked()
        except Ended as ended:
            if "permission" in self.batch.asks and ended.phase == "pre_hooks":
                self.ask("permission/ask", **self.question())
            raise


class NotSeen(Invocation):
    """The hook after calls is asked only about the first call of a batch."""

    def shown(self, output: Json) -> Json:
        return super().shown(output) if self.batch.invocations[0] is self else output


# PIPE-14: what is recorded of what happened.


def told_as(before: str, after: str) -> Any:
    """A class is recorded as another one, in the phase and in the result."""

    def tells(message: Message) -> Iterator[Message]:
        told = record_of(message)
        if told.get("error_class") == before:
            message = with_record(message, error_class=after)
        if as_object(told.get("error")).get("error_class") == before:
            message = with_record(message, error={**told["error"], "error_class": after})
        yield message

    return every(tells)


def timeouts_alone(message: Message) -> Iterator[Message]:
    failed = record_of(message, "result").get("status") == "failed"
    yield with_record(message, status="timed_out") if failed else message


class Swallowing(Invocation):
    """A mapping that fails counts as an empty mapping."""

    def mapped(self, output: Json) -> Json:
        try:
            return super().mapped(output)
        except Ended:
            self.content = []
            return output


class Unstopped(Invocation):
    """A hook that stops the call after it has run is ignored."""

    def ask(self, method: str, **members: Json) -> Object:
        says = super().ask(method, **members)
        return {**says, "block": False} if method == "hook/post" else says


class Soothing(Invocation):
    """What a tool throws is recorded as its output."""

    def executed(self) -> Object:
        try:
            return super().executed()
        except Ended as ended:
            if ended.error_class not in ("execution_failed", "dependency_unavailable"):
                raise
            return {"output": {"text": f"the tool says {ended.error_class}"}}


class Suspicious(Invocation):
    """An output that looks like a failure counts as one."""

    def executed(self) -> Object:
        answer = super().executed()
        if as_object(answer["output"]).get("is_error") is True:
            raise Ended("execution_failed", "execute")
        return answer


# PIPE-15, PIPE-16: aborts and siblings.


class Silent(Batch):
    """A tool that is running when the user aborts is forgotten, and not asked to stop."""

    def stop(self, calls: list[str], why: str) -> None:
        if why == "canceled":
            for each in calls:
                self._stopped.setdefault(each, why)
        else:
            super().stop(calls, why)


class Forgetful(Batch):
    """An abort reaches running calls, but calls that have not begun still begin."""

    def why_stopped(self, call: str) -> str | None:
        why = super().why_stopped(call)
        return None if why == "canceled" and call not in self._at_work else why


class AllOrNothing(Batch):
    """An abort of one call aborts all calls."""

    def stop(self, calls: list[str], why: str) -> None:
        super().stop([each.id for each in self.invocations] if why == "canceled" else calls, why)


class Unrelated(Batch):
    """The failure of one call does not stop running calls."""

    def stop(self, calls: list[str], why: str) -> None:
        if why == "canceled":
            super().stop(calls, why)
        else:
            for each in calls:
                self._stopped.setdefault(each, why)


class Unasked(Unrelated):
    """A call that is running when a sibling fails is recorded as cancelled, but its tool is not asked to stop."""

    how = Abandoning


class GoesOn(Batch):
    """The failure of one call does not stop calls that have not begun."""

    def why_stopped(self, call: str) -> str | None:
        why = super().why_stopped(call)
        return None if why == "sibling_canceled" and call not in self._at_work else why


class AllForOne(Batch):
    """The failure of one call stops the others, whatever the policy says."""

    def failed(self, call: str) -> None:
        at_work = [each.id for each in self.invocations if each.id != call and self.is_at_work(each.id)]
        if self.policy["sibling_failure_policy"] == "ignore":
            self.stop(at_work, "sibling_canceled")
        else:
            super().failed(call)


# PIPE-17: what the model reads.


class MapsByItself(Invocation):
    """The tool is not asked to map its output for the model."""

    def mapped(self, output: Json) -> Json:
        self.content = [{"type": "text", "text": str(output)}]
        self.phase("map_result")
        return output


class ComposesForModels(Invocation):
    """The characters of an output are composed before it is mapped."""

    def ask(self, method: str, **members: Json) -> Object:
        return super().ask(method, **(_composed(members) if method == "tool/map" else members))


class TrimsForHooks(Invocation):
    """The hook after calls is shown texts without the blanks around them."""

    def ask(self, method: str, **members: Json) -> Object:
        if method == "hook/post" and isinstance(members["output"], list):
            members["output"] = [each.strip() if isinstance(each, str) else each for each in members["output"]]
        return super().ask(method, **members)


def joined(message: Message) -> Iterator[Message]:
    blocks = record_of(message, "result").get("model_facing_content", ())
    if len(blocks) > 1:
        text = "\n".join(each.get("text", "") for each in blocks)
        message = with_record(message, model_facing_content=[{"type": "text", "text": text}])
    yield message


def shortened(message: Message) -> Iterator[Message]:
    told = record_of(message, "result")
    if told.get("model_facing_content") and not told.get("persistence_refs"):
        blocks = [{**each, "text": each.get("text", "")[:5]} for each in told["model_facing_content"]]
        message = with_record(message, model_facing_content=blocks)
    elif record_of(message, "phase").get("phase") == "map_result":
        message = with_record(message, model_facing_content=None)
    yield message


class Unchanged(Invocation):
    """The output that a hook changes is ignored, and the change is not recorded."""

    def ask(self, method: str, **members: Json) -> Object:
        says = super().ask(method, **members)
        return {name: each for name, each in says.items() if method != "hook/post" or name != "output"}


class MapsAgain(Invocation):
    """Every output is mapped twice."""

    def mapped(self, output: Json) -> Json:
        if "map_result" in self.batch.asks:
            with suppress(Failed):
                self.ask("tool/map", output=output)
        return super().mapped(output)


class MapsText(Invocation):
    """Only the text of the output is mapped."""

    def ask(self, method: str, **members: Json) -> Object:
        if method == "tool/map":
            members = {**members, "output": str(as_object(members["output"]).get("text", members["output"]))}
        return super().ask(method, **members)


def whole_as_data() -> Tells:
    """The tool's output is recorded as data, even if a hook removed a part of it."""
    outputs: dict[str, Json] = {}

    def tells(message: Message) -> Iterator[Message]:
        if message.get("method") == "hook/post":
            outputs[message["params"]["invocation_id"]] = message["params"]["output"]
        told = record_of(message, "result")
        if told.get("status") == "succeeded" and told["invocation_id"] in outputs:
            message = with_record(message, structured_content=outputs[told["invocation_id"]])
        yield message

    return tells


# PIPE-18: the end.


def unknown_and_untold() -> Tells:
    """Calls of tools that do not exist are not recorded."""
    known = {"notes.read", "notes.add", "clock", "web.fetch", "shell.run", "any", "never"}
    unknown: set[str] = set()

    def tells(message: Message) -> Iterator[Message]:
        told = record_of(message)
        if told.get("record") == "invocation" and told["tool_id"] not in known:
            unknown.add(told["invocation_id"])
        elif told.get("record") == "invocation":
            unknown.discard(told["invocation_id"])
        if told.get("invocation_id") not in unknown:
            yield message

    return tells


def early_ends() -> Tells:
    """The end of the case is reported before the last result."""
    held: list[Message] = []

    def tells(message: Message) -> Iterator[Message]:
        if record_of(message, "result"):
            yield from held
            held[:] = [message]
            return
        yield message
        if message.get("method") == "pipeline/finished":
            yield from held
            held.clear()

    return tells


class Endless(Batch):
    """A case without calls never ends."""

    def run(self) -> None:
        if self.invocations:
            super().run()


# PIPE-19: what is recorded of what the suite saw.


class TidyLog(Invocation):
    """The model's input is recorded without the blanks around its texts."""

    def tell(self, kind: str, **members: object) -> None:
        for name in ("model_input", "call_input"):
            if isinstance(members.get(name), dict):
                members[name] = _trimmed(members[name])  # type: ignore[arg-type]  JSON, as it came
        super().tell(kind, **members)


def noes_told_as_yes(message: Message) -> Iterator[Message]:
    denied = record_of(message, "decision").get("behavior") == "deny"
    yield with_record(message, behavior="passthrough") if denied else message


def failures_told_as_completed() -> Tells:
    """An execution is recorded as completed when it begins."""

    def tells(message: Message) -> Iterator[Message]:
        told = record_of(message, "phase")
        if told.get("phase") == "execute":
            if told["status"] == "started":
                yield with_record(message, status="completed")
                return
            if told["status"] == "completed":
                return
        yield message

    return tells


def policies_of_its_own(message: Message) -> Iterator[Message]:
    named = record_of(message, "invocation").get("scheduler_policy_ref")
    yield with_record(message, scheduler_policy_ref=f"{named}-own") if named else message


class Merges(Applying):
    """A rule is added to the policy that applies all changes of the context."""

    def run(self) -> None:
        self.tell("policy", **{**self.policy, "context_modifier_policy": "acme.merge"})
        super().run()


class Guessing(Invocation):
    """A call of a tool that does not exist is recorded as a call of the first tool."""

    def tell(self, kind: str, **members: object) -> None:
        if "tool_id" in members and not self.tool:
            members["tool_id"] = next(iter(self.batch.tools), self.tool_id)
        super().tell(kind, **members)


class Boasting(Invocation):
    """Each permitted call is recorded as seen by a hook, even if no hook is set."""

    def permitted(self) -> None:
        if "pre_hooks" not in self.batch.asks:
            self.tell("hook", hook_id=f"h-{self.id}", hook_event="pre_tool_use")
        super().permitted()


def hooks_that_change_everything(message: Message) -> Iterator[Message]:
    told = record_of(message, "hook")
    changes = told.get("hook_event") == "post_tool_use" and "updated_output" not in told
    yield with_record(message, updated_output={"text": "seen"}) if changes else message


class Overheard(Invocation):
    """A hook's no counts, but is recorded as a yes."""

    def hooked(self) -> bool:
        self.hooking = True
        decided = super().hooked()
        self.hooking = False
        return decided

    def decide(self, behavior: str, **members: Json) -> None:
        super().decide("allow" if self.hooking else behavior, **members)

    hooking = False


class Confident(Invocation):
    """A yes is recorded before anybody is asked."""

    def permitted(self) -> None:
        if "permission" in self.batch.asks:
            self.tell("decision", decision_id=f"q-{self.id}", behavior="allow")
        super().permitted()


def changes_by_people(message: Message) -> Iterator[Message]:
    by_hook = record_of(message, "mutation").get("source_type") == "hook"
    yield with_record(message, source_type="permission_prompt") if by_hook else message


def throws_told_as_completed(message: Message) -> Iterator[Message]:
    told = record_of(message, "phase")
    threw = (told.get("phase"), told.get("status")) == ("execute", "failed")
    yield with_record(message, status="completed", error_class=None) if threw else message


# PIPE-20, PIPE-21: what is stored, and the context.


class OnePlace(Invocation):
    """Every stored output is recorded at the place of the first one."""

    def tell(self, kind: str, **members: object) -> None:
        if kind == "persistence" and "persisted_ref" in members:
            members["persisted_ref"] = self.batch.__dict__.setdefault("place", members["persisted_ref"])
        super().tell(kind, **members)


def everything_too_large(message: Message) -> Iterator[Message]:
    succeeded = record_of(message, "result").get("status") == "succeeded"
    yield with_record(message, status="too_large") if succeeded else message


def modifiers_to_come(message: Message) -> Iterator[Message]:
    told = record_of(message, "result")
    yield with_record(message, context_modifier={"disposition": "deferred"}) if told else message


class Generous(Invocation):
    """Output that is too large is stored, but still shown as a whole."""

    def persisted(self) -> Object:
        whole = self.content
        result = super().persisted()
        return {**result, "model_facing_content": whole}


class StoresThePreview(Invocation):
    """Only the preview is stored."""

    def ask(self, method: str, **members: Json) -> Object:
        if method == "store/put":
            members = {**members, "data": [{"type": "text", "text": self.content[0]["text"][:2_000]}]}
        return super().ask(method, **members)


class Optimistic(Invocation):
    """A store that fails counts as a store that took the output."""

    def ask(self, method: str, **members: Json) -> Object:
        try:
            return super().ask(method, **members)
        except Failed:
            if method != "store/put":
                raise
            return {"uri": "store:somewhere"}


class NeverStores(Invocation):
    """The store is never asked, and output that is too large is recorded as lost."""

    def ask(self, method: str, **members: Json) -> Object:
        if method == "store/put":
            raise Failed("there is no store", {})
        return super().ask(method, **members)


class CutsOff(Invocation):
    """Output that is too large is cut off, and no record says so."""

    def persisted(self) -> Object:
        result = super().persisted()
        shown = result.get("model_facing_content", [])[:1]
        return {"status": "succeeded", "model_facing_content": shown}

    def tell(self, kind: str, **members: object) -> None:
        if kind != "persistence":
            super().tell(kind, **members)

    def phase(self, which: str, status: str = "completed", **members: object) -> None:
        if which != "persist_result":
            super().phase(which, status, **members)


def modifiers_untold(message: Message) -> Iterator[Message]:
    yield with_record(message, context_modifier=None) if record_of(message, "result") else message


def modifiers_of_nobody(message: Message) -> Iterator[Message]:
    told = record_of(message, "result")
    yield with_record(message, context_modifier={"disposition": "applied"}) if told else message


# PIPE-22, PIPE-23: in parallel and one by one.


class Wide(Batch):
    """Calls run in parallel, whatever the policy says."""

    width = 32

    def run(self) -> None:
        for each in self.invocations:
            each.begin()
        with ThreadPoolExecutor(self.width) as pool:
            done = [pool.submit(each.run) for each in self.invocations]
        for each in done:
            each.result()
        self.peer.tell("pipeline/finished", {})


class Narrow(Wide):
    """Calls run one by one, whatever the policy says."""

    width = 1


def _deed(how: type[Invocation], breaks: str, *also: str) -> Kind:
    """A fault in how a call is carried through."""
    return Kind(_name(how), str(how.__doc__), breaks, also, batch=carrying(how))


def _batch(how: type[Batch], breaks: str, *also: str) -> Kind:
    """A fault in how the calls of a batch are carried through together."""
    return Kind(_name(how), str(how.__doc__), breaks, also, batch=how)


def _name(how: type[Any]) -> str:
    return "".join(f"-{sign.lower()}" if sign.isupper() else sign for sign in how.__name__).strip("-")


BROKEN: Final = (
    Kind("denials-unheard", "A denied call has no result.", "PIPE-01", tells=every(denials_unheard)),
    Kind(
        "errors-that-are-none", "No result is an error.", "PIPE-01", ("PIPE-06", "PIPE-14"), every(errors_that_are_none)
    ),
    _batch(GoingOn, "PIPE-02"),
    _batch(AsTheyCome, "PIPE-02"),
    Kind("schedules-first", "The phase schedule is reported first.", "PIPE-02", tells=schedules_first),
    Kind(
        "mutations-untold",
        "A hook's change of the input is not reported.",
        "PIPE-03",
        ("PIPE-02",),
        tells=every(mutations_untold),
    ),
    Kind(
        "changes-untold",
        "A hook's change of the output is not reported.",
        "PIPE-04",
        ("PIPE-02",),
        every(changes_untold),
    ),
    _batch(Applying, "PIPE-05"),
    _deed(Hanging, "PIPE-06"),
    Kind("results-twice", "Each result is reported twice, under two ids.", "PIPE-06", tells=every(results_twice)),
    Kind(
        "previews-without-a-way-back",
        "A preview does not say where the rest is.",
        "PIPE-07",
        ("PIPE-20",),
        every(previews_without_a_way_back),
    ),
    Kind("drops-without-a-reason", "A dropped output has no reason.", "PIPE-07", tells=every(drops_without_a_reason)),
    Kind("failures-without-a-class", "No failure has a class.", "PIPE-08", tells=every(failures_without_a_class)),
    Kind("other-surfaces", "Tools are executed from another surface.", "PIPE-09", tells=every(other_surfaces)),
    _deed(Unhooked, "PIPE-10", "PIPE-14", "PIPE-13"),
    _deed(FailsOpen, "PIPE-10", "PIPE-14"),
    _deed(Undenied, "PIPE-10", "PIPE-14", "PIPE-13", "PIPE-19"),
    _deed(Unrejected, "PIPE-10", "PIPE-14", "PIPE-19"),
    _deed(Lenient, "PIPE-10", "PIPE-14", "PIPE-13"),
    _deed(Casual, "PIPE-10", "PIPE-14", "PIPE-13"),
    _deed(Loading, "PIPE-10", "PIPE-14", "PIPE-09"),
    _deed(Unblocking, "PIPE-10", "PIPE-14", "PIPE-09"),
    _deed(Impatient, "PIPE-10", "PIPE-14"),
    _deed(HurriesHooks, "PIPE-10", "PIPE-14"),
    _deed(HurriesAndRegrets, "PIPE-10", "PIPE-02", "PIPE-08"),
    _deed(DoneAndDenied, "PIPE-13", "PIPE-02", "PIPE-03", "PIPE-08"),
    _deed(OnceAnInput, "PIPE-11"),
    _deed(Twice, "PIPE-11", "PIPE-15"),
    _deed(SavesTrouble, "PIPE-11"),
    _deed(Timid, "PIPE-11"),
    _deed(AsksTooEarly, "PIPE-12", "PIPE-03"),
    _deed(Deaf, "PIPE-12"),
    _deed(DeafToPeople, "PIPE-12"),
    _deed(Merging, "PIPE-12"),
    _deed(Trimming, "PIPE-12", "PIPE-03", "PIPE-19"),
    _deed(Composing, "PIPE-12", "PIPE-03", "PIPE-19"),
    _deed(ComposesForTools, "PIPE-12", "PIPE-03"),
    _deed(ComposesForPeople, "PIPE-12", "PIPE-19"),
    _deed(ShowsNothing, "PIPE-12"),
    _deed(AnotherTool, "PIPE-12"),
    _deed(UnaskedByOtherNames, "PIPE-13"),
    _deed(OnceATool, "PIPE-13"),
    _deed(Untested, "PIPE-13"),
    _deed(PermissionFirst, "PIPE-13", "PIPE-02", "PIPE-03", "PIPE-12"),
    _deed(AsksAllTheSame, "PIPE-13"),
    _deed(NotSeen, "PIPE-13"),
    Kind(
        "noes-of-policies",
        "A denial by a person is reported as one by a policy.",
        "PIPE-14",
        tells=told_as("approval_rejected", "policy_blocked"),
    ),
    Kind(
        "timeouts-are-failures",
        "A timeout is reported as another failure.",
        "PIPE-14",
        tells=told_as("timeout", "execution_failed"),
    ),
    Kind(
        "values-are-setups",
        "Invalid values are reported as a missing setup.",
        "PIPE-14",
        tells=told_as("invalid_arguments", "setup_required"),
    ),
    Kind("timeouts-alone", "Every failure is reported as a timeout.", "PIPE-14", tells=every(timeouts_alone)),
    _deed(Swallowing, "PIPE-14"),
    _deed(Unstopped, "PIPE-14"),
    _deed(Soothing, "PIPE-14", "PIPE-16"),
    _deed(Suspicious, "PIPE-14"),
    _batch(Silent, "PIPE-15"),
    _batch(Forgetful, "PIPE-15"),
    _batch(AllOrNothing, "PIPE-15", "PIPE-11", "PIPE-14"),
    _batch(Unrelated, "PIPE-16"),
    _batch(Unasked, "PIPE-16", "PIPE-18"),
    _batch(GoesOn, "PIPE-16"),
    _batch(AllForOne, "PIPE-16", "PIPE-08", "PIPE-14"),
    _deed(MapsByItself, "PIPE-17"),
    _deed(ComposesForModels, "PIPE-17"),
    _deed(TrimsForHooks, "PIPE-17"),
    Kind("joined", "The model reads one text instead of several blocks.", "PIPE-17", ("PIPE-04",), every(joined)),
    Kind("shortened", "The model reads the beginning of what was mapped.", "PIPE-17", tells=every(shortened)),
    _deed(Unchanged, "PIPE-17", "PIPE-20"),
    _deed(MapsAgain, "PIPE-17"),
    _deed(MapsText, "PIPE-17"),
    Kind("whole-as-data", "Data that a hook removed is still in the result.", "PIPE-17", tells=whole_as_data),
    Kind("unknown-and-untold", "A call of an unknown tool is not reported.", "PIPE-18", tells=unknown_and_untold),
    Kind("early-ends", "The end is reported before the last result.", "PIPE-18", tells=early_ends),
    _batch(Endless, "PIPE-18"),
    _deed(TidyLog, "PIPE-19", "PIPE-03"),
    Kind("noes-handed-on", "Denials are not in the decisions.", "PIPE-19", tells=every(noes_told_as_yes)),
    Kind(
        "told-before-it-happened",
        "An execution is reported as completed when it begins.",
        "PIPE-19",
        ("PIPE-05", "PIPE-02", "PIPE-08"),
        failures_told_as_completed,
    ),
    Kind(
        "policies-of-its-own",
        "Calls are reported under another policy, and results come in any order.",
        "PIPE-19",
        tells=every(policies_of_its_own),
        batch=AsTheyCome,
    ),
    _batch(Merges, "PIPE-19"),
    _deed(Guessing, "PIPE-19"),
    _deed(Boasting, "PIPE-19"),
    Kind(
        "hooks-that-change-everything",
        "Each hook is reported to have changed the output.",
        "PIPE-19",
        ("PIPE-04",),
        every(hooks_that_change_everything),
    ),
    _deed(Overheard, "PIPE-19"),
    _deed(Confident, "PIPE-19"),
    Kind(
        "changes-by-people",
        "A hook's change of the input is reported as a person's.",
        "PIPE-19",
        tells=every(changes_by_people),
    ),
    Kind(
        "throws-told-as-completed",
        "An execution is reported as completed although its tool threw.",
        "PIPE-19",
        tells=every(throws_told_as_completed),
    ),
    _deed(OnePlace, "PIPE-20"),
    Kind(
        "everything-too-large", "Every success is reported as too large.", "PIPE-20", tells=every(everything_too_large)
    ),
    Kind(
        "modifiers-to-come", "Modifiers that no tool asked for are deferred.", "PIPE-21", tells=every(modifiers_to_come)
    ),
    Kind("told-too-late", "A call is reported in the next case.", "PIPE-18", tells=calls_told_too_late),
    Kind("halves-of-characters", "Previews end with half a character.", "PIPE-20", tells=every(halves_of_characters)),
    _deed(Generous, "PIPE-20"),
    _deed(StoresThePreview, "PIPE-20"),
    _deed(Optimistic, "PIPE-20"),
    _deed(CutsOff, "PIPE-20", "PIPE-04", "PIPE-17"),
    _deed(NeverStores, "PIPE-20"),
    Kind("modifiers-untold", "What happened to modifiers is not reported.", "PIPE-21", tells=every(modifiers_untold)),
    Kind(
        "modifiers-of-nobody",
        "Modifiers that no tool asked for are reported.",
        "PIPE-21",
        ("PIPE-05",),
        every(modifiers_of_nobody),
    ),
    _batch(Wide, "PIPE-22", "PIPE-02", "PIPE-16", "PIPE-05"),
    _batch(Narrow, "PIPE-23"),
)
