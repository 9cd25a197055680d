"""Pipelines that differ from the reference in what the protocol leaves open: none of them breaks anything."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import wait
from typing import Final

from altered_wire import Message, Tells, doubled, every
from callproof_reference.peers.peer import Failed
from callproof_reference.pipelines.batch import Batch
from callproof_reference.pipelines.invocation import Ended, Invocation
from callproof_reference.values import Json, Object, as_object

from live_pipelines.kinds import Kind, carrying, record_of, with_record


def results_alone(message: Message) -> Iterator[Message]:
    """Only what is required is recorded: that there is a call, and its result."""
    if record_of(message).get("record") in (None, "result") or "model_input" in record_of(message):
        told = record_of(message)
        kept = {"record", "invocation_id", "tool_id", "result_id", "status", "is_error", "error", "context_modifier"}
        kept |= {"model_facing_content", "persistence_refs"}
        yield with_record(message, **{name: None for name in told if name not in kept}) if told else message


def previews_that_say_so(message: Message) -> Iterator[Message]:
    """A preview refers to its stored output with its own reference, not with a record."""
    told = record_of(message, "result")
    if told.get("persistence_refs"):
        message = with_record(message, persistence_refs=None, artifact_refs=[{"uri": "store:here"}])
    if not record_of(message, "persistence"):
        yield message


def results_alone_and_previews() -> Tells:
    """Only results are recorded, and previews refer to their stored outputs themselves."""

    def tells(message: Message) -> Iterator[Message]:
        for each in results_alone(message):
            yield from previews_that_say_so(each)

    return tells


def own_members(message: Message) -> Iterator[Message]:
    """Records and blocks of content have members of the system's own, and there are other records between them."""
    told = record_of(message)
    if told:
        message = with_record(message, x_at=1)
        blocks = told.get("model_facing_content")
        if blocks and told["record"] == "result":
            message = with_record(message, model_facing_content=[{**each, "x_tokens": 3} for each in blocks])
        yield {**message, "params": {"record": {"record": "metric", "spent": 0.1}}}
    yield message


def own_classes(message: Message) -> Iterator[Message]:
    """Most failures have classes of the system's own, and their phases."""
    told, error = record_of(message), as_object(record_of(message).get("error"))
    if told.get("error_class", error.get("error_class")) not in (None, "sibling_canceled", "result_too_large"):
        if "error_class" in told:
            message = with_record(message, error_class=f"acme.{told['error_class']}")
        else:
            message = with_record(message, error={**error, "error_class": f"acme.{error['error_class']}"})
    yield message


def plain_statuses(message: Message) -> Iterator[Message]:
    """Every result that is not a success has the status failed."""
    told = record_of(message, "result")
    yield with_record(message, status="failed") if told.get("is_error") else message


def own_places(message: Message) -> Iterator[Message]:
    """A stored output is recorded at a place of the system's own, which stands for the store's place."""
    told = record_of(message, "persistence")
    yield (
        with_record(message, persisted_ref={"uri": f"acme:{told['decision_id']}"})
        if "persisted_ref" in told
        else message
    )


def goes_back(message: Message) -> Iterator[Message]:
    """A failure because of size refers to the record that says how the output was lost."""
    told = record_of(message, "result")
    if as_object(told.get("error")).get("error_class") == "result_too_large":
        message = with_record(message, persistence_refs=[f"d-{told['invocation_id']}"])
    yield message


def redacted_logs(message: Message) -> Iterator[Message]:
    """Inputs are left out and marked as redacted."""
    told = record_of(message, "invocation")
    names = [name for name in ("model_input", "permission_input", "call_input") if name in told]
    if names:
        message = with_record(message, **dict.fromkeys(names, "(redacted)"), redacted=[f"/{name}" for name in names])
    if record_of(message, "decision").get("updated_input") is not None:
        message = with_record(message, updated_input="(redacted)")
    yield message


class Filling(Invocation):
    """An optional member of the input is filled in before anybody is asked, and that is recorded."""

    is_filled = False

    def parse(self) -> None:
        super().parse()
        given = as_object(self.input)
        if self.tool_id == "notes.read" and "lines" not in given and not self.is_filled:
            told = {"mutation_id": f"m-fill-{self.id}", "source_type": "runtime", "changed_fields": ["/lines"]}
            self.tell("mutation", **told)
            self.input = {**given, "lines": 200}
        self.is_filled = True


class AsksAgain(Invocation):
    """Permission is asked even if a hook gave it."""

    def hooked(self) -> bool:
        super().hooked()
        return False


class Layered(Invocation):
    """Rules of the system's own are asked first and pass the decision on, and its own hooks run around permission."""

    def permitted(self) -> None:
        self.tell("decision", decision_id=f"rules-{self.id}", behavior="passthrough")
        self.tell("hook", hook_id=f"own-{self.id}", hook_event="permission_request")
        super().permitted()
        self.tell("hook", hook_id=f"own-{self.id}-after", hook_event="permission_decision")


class AsItWasCalled(Invocation):
    """Until the tool is found, a call is recorded under the name that the model used."""

    def begin(self) -> None:
        found, self.tool = self.tool, {}
        super().begin()
        self.tool = found

    def phase(self, which: str, status: str = "completed", **members: object) -> None:
        found = {"tool_id": self.tool_id} if which == "resolve_tool" and self.tool else {}
        super().phase(which, status, **found, **members)


class TriesAgain(Invocation):
    """A tool that throws is entered a second time."""

    def executed(self) -> Object:
        question = {"invocation_id": self.id, **self.question()}
        entered = self.batch.enter(self.id, self.question())
        self.tell("invocation", tool_id=self.tool_id, call_input=self.input)
        for attempt in range(2):
            try:
                answer = self.batch.peer.answer_to(entered)
            except Failed as failed:
                thrown = str(failed.data["error_class"])
                if attempt or thrown == "canceled" or self.batch.why_stopped(self.id):
                    why = self.batch.why_stopped(self.id) if thrown == "canceled" else None
                    raise Ended(why or thrown, "execute") from None
                entered = self.batch.peer.begin("tool/execute", question)
            else:
                self.phase("execute")
                return answer
        raise AssertionError


class HearsOfFailures(Invocation):
    """The hook after calls is also asked about tools that threw."""

    def executed(self) -> Object:
        try:
            return super().executed()
        except Ended as ended:
            if "post_hooks" in self.batch.asks:
                try:
                    self.ask("hook/post", output={"thrown": ended.error_class})
                except Failed:
                    raise ended from None
            raise


class HooksFirst(Invocation):
    """The hook after calls is asked before the output is mapped, once."""

    def mapped(self, output: Json) -> Json:
        return output

    def shown(self, output: Json) -> Json:
        changed = output
        if "post_hooks" in self.batch.asks:
            try:
                says = self.ask("hook/post", output=output)
            except Failed:
                says = {}
            if says.get("block") is True:
                raise Ended("hook_blocked", "post_hooks")
            changed = says.get("output", output)
        super().mapped(changed)
        return changed


class StoresTheOutput(Invocation):
    """The tool's output is stored instead of the mapped content."""

    output: Json = None

    def mapped(self, output: Json) -> Json:
        self.output = output
        return super().mapped(output)

    def ask(self, method: str, **members: Json) -> Object:
        return super().ask(method, **({**members, "data": self.output} if method == "store/put" else members))


class OnlyTools(Batch):
    """Only a tool that throws stops its siblings."""

    def failed(self, call: str) -> None:
        if call in self._at_work:
            super().failed(call)


class Abandoning(Invocation):
    """The pipeline does not wait for a tool that it asked to stop: the call is recorded as cancelled at once."""

    def executed(self) -> Object:
        entered = self.batch.enter(self.id, self.question())
        while not entered.done():
            if why := self.batch.why_stopped(self.id):
                raise Ended(why, "execute")
            wait([entered], timeout=0.01)
        try:
            answer = self.batch.peer.answer_to(entered)
        except Failed as failed:
            thrown = str(failed.data["error_class"])
            why = self.batch.why_stopped(self.id) if thrown == "canceled" else None
            raise Ended(why or thrown, "execute") from None
        self.phase("execute")
        return answer


class NeverSilent(Invocation):
    """While somebody is asked, records of the system's own come again and again."""

    def ask(self, method: str, **members: Json) -> Object:
        asked = self.batch.peer.begin(method, {"invocation_id": self.id, **members})
        while not asked.done():
            wait([asked], timeout=0.2)
            self.tell("heartbeat")
        return self.batch.peer.answer_to(asked)


class RefusesSilence(Invocation):
    """Nobody is waited for longer than a quarter of a second: silence counts as a no, in the system's own words."""

    def ask(self, method: str, **members: Json) -> Object:
        if method not in ("hook/pre", "permission/ask"):
            return super().ask(method, **members)
        asked = self.batch.peer.begin(method, {"invocation_id": self.id, **members})
        wait([asked], timeout=0.25)
        if asked.done():
            return self.batch.peer.answer_to(asked)
        if method == "hook/pre":
            raise Ended("hook_failed", "pre_hooks")
        raise Ended("permission_denied", "permission", "denied")


class NoProgress(Batch):
    """Progress is not recorded."""

    def progress(self, call: str) -> None:
        return None


class Mild(Invocation):
    """A hook that fails after the call has run does not make the call fail."""

    def shown(self, output: Json) -> Json:
        try:
            return super().shown(output)
        except Ended as ended:
            if ended.error_class != "post_hook_failed":
                raise
            return output


VARIED: Final = (
    Kind("results-alone", "Nothing is told but calls and their results.", tells=results_alone_and_previews),
    Kind("own-members", "Records and blocks have members of the system's own.", tells=every(own_members)),
    Kind("plain-statuses", "All that fails has one status.", tells=every(plain_statuses)),
    Kind("own-places", "What was stored has a place of the system's own.", tells=every(own_places)),
    Kind("layered", "Rules and hooks of the system's own are told beside the others.", batch=carrying(Layered)),
    Kind("as-it-was-called", "A call is told under the name that was called.", batch=carrying(AsItWasCalled)),
    Kind("redacted-logs", "What went in is not told.", tells=every(redacted_logs)),
    Kind("asks-again", "Permission is asked where a hook gave it.", batch=carrying(AsksAgain)),
    Kind("tries-again", "A tool that throws is entered again.", batch=carrying(TriesAgain)),
    Kind("hears-of-failures", "The hook hears of tools that threw.", batch=carrying(HearsOfFailures)),
    Kind("hooks-first", "Outputs are mapped when the hook has seen them.", batch=carrying(HooksFirst)),
    Kind("stores-the-output", "What the tool gave is stored.", batch=carrying(StoresTheOutput)),
    Kind("only-tools", "Only tools that throw stop siblings.", batch=OnlyTools),
    Kind("abandoning", "Nobody waits for what was asked to stop.", batch=carrying(Abandoning)),
    Kind(
        "never-silent",
        "Something comes while somebody is asked.",
        batch=carrying(NeverSilent),
        without=("abort",),  # the user acts in silence only
    ),
    Kind("refuses-silence", "Nobody is waited for long, and silence is a no.", batch=carrying(RefusesSilence)),
    Kind("own-classes", "Failures have classes of the system's own.", tells=every(own_classes)),
    Kind("doubles", "Numbers are doubles.", tells=every(doubled)),
    Kind("goes-back", "A failure goes back to the record that tells how the output was lost.", tells=every(goes_back)),
    Kind("no-progress", "Nothing is told of progress.", batch=NoProgress),
    Kind("mild", "A hook that fails afterwards is not told.", batch=carrying(Mild)),
    Kind("filling", "What is not there is filled in, and told.", batch=carrying(Filling)),
)
