"""Every broken system, by what it breaks."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any, ClassVar, Final
from unicodedata import normalize

from callproof_reference.invocations.orchestrator import NO_FALLBACK, NOT_PERMITTED, NOT_SUPPORTED, Requested
from callproof_reference.invocations.runtime import Response
from callproof_reference.values import Object, as_object

from live_invocations.kinds import Kind, Record, telling, with_generation, with_outcome

# INT-01, INT-02, INT-03: records of tools that were not executed.


def unwanted_and_eligible(record: Record) -> Record:
    if record["intent"]["requested"]:
        return record
    return {**record, "request": {"toolName": record["request"]["toolName"], "requested": False, "eligible": True}}


def unwanted_and_executed(record: Record) -> Record:
    return record if record["intent"]["requested"] else with_outcome(record, status="executed", reasonCode=None)


def success(record: Record) -> Record:
    return with_outcome(record, status="success") if record["outcome"]["status"] == "executed" else record


def without_codes(record: Record) -> Record:
    return with_outcome(record, reasonCode=None) if record["outcome"]["status"] == "failed" else record


def codes_of_its_own(record: Record) -> Record:
    return with_outcome(record, reasonCode="tool_broke") if record["outcome"]["status"] == "failed" else record


# INT-04, INT-05, INT-06: responses without a tool, which source counts, and excuses.


def absences_that_failed(record: Record) -> Record:
    if record["outcome"].get("reasonCode") == NOT_SUPPORTED:
        return with_outcome(record, status="failed")
    return record


def generation_untold(record: Record) -> Record:
    return with_generation(record, None)


class BelievesLinks(Response):
    """If the answer has links, the tool is recorded as executed, whatever the runtime reports."""

    linked = False

    def _asked(self, params: Object) -> Object:
        answer = super()._asked(params)
        self.linked = bool(answer.get("links"))
        return answer

    def _record(self, one: Requested, tools: list[Requested]) -> Record:
        record = super()._record(one, tools)
        if not self.linked or not one.wanted:
            return record
        return {**with_outcome(record, status="executed", reasonCode=None), "reported": record["reported"]}


def excuses(record: Record) -> Record:
    executed = record["outcome"]["status"] == "executed" and "reasonCode" not in record["outcome"]
    return with_outcome(record, reasonCode="tool_not_used") if executed else record


def refused_and_used(record: Record) -> Record:
    if record["outcome"]["status"] != "executed":
        return record
    return {**record, "request": {**record["request"], "eligible": False}}


# INT-07, INT-08, INT-09: records.


def for_another_tool(record: Record) -> Record:
    return {**record, "request": {**record["request"], "toolName": "search"}}


def another_story(record: Record) -> Record:
    """A failure is recorded as skipped in the metadata."""
    if record["outcome"]["status"] != "failed":
        return record
    tool = record["intent"]["toolName"]
    soft = {"kind": "tool", "toolName": tool, "status": "skipped", "reasonCode": "unspecified_tool_outcome"}
    events = [soft if each.get("toolName") == tool else each for each in record["execution"]]
    return {**record, "execution": events}


class Twice(Response):
    """Every record is sent twice."""

    def _record(self, one: Requested, tools: list[Requested]) -> Record:
        record = super()._record(one, tools)
        self._peer.tell("record", {"record": record})
        return record


class GenerationOutOfNowhere(Response):
    """If a response lacks a required tool, the metadata record a generation."""

    def _record(self, one: Requested, tools: list[Requested]) -> Record:
        record = super()._record(one, tools)
        return with_generation(record, "executed") if any(map(self._is_missed, tools)) else record


def fractions(record: Record) -> Record:
    return with_outcome(record, durationMs=0.5) if "durationMs" in record["outcome"] else record


# INT-10, INT-11: a record of each tool, with what was wanted.


class Forgetful(Response):
    """A tool that nobody wanted has no record."""

    def run(self) -> None:
        tell = self._peer.tell

        def telling_less(method: str, params: Object) -> None:
            if method != "record" or params["record"]["intent"]["requested"]:
                tell(method, params)

        self._peer = Telling(self._peer, telling_less)  # type: ignore[assignment]
        super().run()


class Telling:
    """A peer that sends messages in another way."""

    def __init__(self, peer: Any, tell: Any) -> None:
        self.ask, self.begin, self.tell = peer.ask, peer.begin, tell


class Hanging(Response):
    """The system waits for ever if a tool gives null."""

    def _called(self, one: Requested) -> Object:
        answer = super()._called(one)
        if answer.get("result") == {"output": None}:
            Event().wait()
        return answer


def without_metadata(record: Record) -> Record:
    return {name: each for name, each in record.items() if name != "execution"}


def an_id_for_each(record: Record) -> Record:
    return {**record, "responseId": f"{record['responseId']}-{record['intent']['toolName']}"}


def outcomes_untold(record: Record) -> Record:
    """If a tool failed, neither its outcome nor its event is recorded."""
    if record["outcome"]["status"] != "failed":
        return record
    tool = record["intent"]["toolName"]
    events = [each for each in record["execution"] if each.get("toolName") != tool]
    return {name: each for name, each in record.items() if name not in ("outcome", "reported")} | {"execution": events}


class Improving(Response):
    """The planner's query is shortened, both in the record and for the tool."""

    def _requested(self, intent: Object) -> Requested:
        given = intent.get("input")
        changed = {**given, "query": given["query"][:5]} if given and isinstance(given.get("query"), str) else given
        return super()._requested(intent if given is None else {**intent, "input": changed})


def another_query_on_record(record: Record) -> Record:
    if "input" not in record["intent"]:
        return record
    return {**record, "intent": {**record["intent"], "input": {"query": "(taken out)"}}}


def played_down(record: Record) -> Record:
    return {**record, "optional": True}


def always_the_first_contract(record: Record) -> Record:
    return {name: each for name, each in record.items() if name != "contract"}


# INT-12, INT-13: which tools are used.


class Curious(Response):
    """The runtime uses a tool that nobody wanted, and does not record that."""

    def _answer(self, tools: list[Requested]) -> str | None:
        for each in tools:
            if not each.wanted and not self._setting.by_provider:
                self._called(each)
        return super()._answer(tools)


class OffersEverything(Response):
    """Every tool is offered to the provider, wanted or not."""

    def _may_use(self, one: Requested) -> bool:
        return super()._may_use(one) or (self._setting.by_provider and self._setting.has(self._profile, one.tool))

    def _came(self, one: Requested, status: str, failure: str = "", code: str | None = None) -> None:
        if one.wanted:
            super()._came(one, status, failure, code)


class TriesWhatIsNotThere(Response):
    """A tool that the profile does not have is tried, and recorded as not there."""

    def _answer(self, tools: list[Requested]) -> str | None:
        for each in tools:
            if each.wanted and not self._may_use(each) and not self._setting.by_provider:
                self._called(each)
        return super()._answer(tools)


class UsesItself(Response):
    """The runtime tries the tool although the provider uses tools, and offers it even after a failure."""

    def _generated(self, ready: list[Requested]) -> str | None:
        for each in ready if self._setting.by_provider else []:
            self._called(each)
        return super()._generated(ready)


class Generous(Response):
    """The answer comes from a better profile, whatever profile was chosen."""

    def _asked(self, params: Object) -> Object:
        return super()._asked({**params, "profile": "large"})


class MovesUnderV1(Response):
    """A call is sent to another profile under v1 too, which has no code for that."""

    def _profile_for(self, intents: list[Object]) -> str:
        others = self._setting.others_with(str(intents[0]["toolName"]))
        moves = self._setting.contract == "v1" and as_object(self._start["selected"])["mayReroute"] is True
        return others[0] if moves and others else super()._profile_for(intents)


class Lazy(Response):
    """No tool is ever used."""

    def _may_use(self, one: Requested) -> bool:
        return False

    def _requested(self, intent: Object) -> Requested:
        made = super()._requested(intent)
        if made.request["eligible"]:
            made.outcome["reasonCode"] = "tool_unavailable"
        return made


class WithoutInput(Response):
    """The tool is used without the planner's input."""

    def _called(self, one: Requested) -> Object:
        return self._peer.begin("tool/call", {"profile": self._profile, "toolName": one.tool}).result()


def each_text(value: Any, change: Callable[[str], str]) -> Any:
    """A value with all its texts changed; names stay as they are."""
    if isinstance(value, dict):
        return {name: each_text(each, change) for name, each in value.items()}
    if isinstance(value, list):
        return [each_text(each, change) for each in value]
    return change(value) if isinstance(value, str) else value


def composed(text: str) -> str:
    return normalize("NFC", text)


class StripsInputs(Response):
    """The tool is used or offered with texts that lost the blanks around them."""

    @staticmethod
    def change(text: str) -> str:
        return text.strip()

    def _called(self, one: Requested) -> Object:
        given = each_text(one.intent.get("input", {}), self.change)
        call = {"profile": self._profile, "toolName": one.tool, "input": given}
        return self._peer.begin("tool/call", call).result()

    def _asked(self, params: Object) -> Object:
        return super()._asked({**params, "offered": each_text(params["offered"], self.change)})


class ComposesInputs(StripsInputs):
    """The tool is used or offered with texts whose characters are composed."""

    @staticmethod
    def change(text: str) -> str:
        return composed(text)


class StripsOffers(StripsInputs):
    """The tool is offered with texts that lost the blanks around them."""

    _called = Response._called


class ComposesNames(Response):
    """The names of the members that a tool is used with are composed."""

    def _called(self, one: Requested) -> Object:
        given = {composed(name): each for name, each in one.intent.get("input", {}).items()}
        call = {"profile": self._profile, "toolName": one.tool, "input": given}
        return self._peer.begin("tool/call", call).result()


class OffersWithoutInput(Response):
    """The tool is offered without the planner's input."""

    def _asked(self, params: Object) -> Object:
        offered = [{"toolName": each["toolName"]} for each in params["offered"]]
        return super()._asked({**params, "offered": offered})


class UsesTwice(Response):
    """The tool is used twice, to be sure."""

    def _called(self, one: Requested) -> Object:
        super()._called(one)
        return super()._called(one)


# INT-14, INT-20: outcomes.


class Ashamed(Response):
    """A failed tool is recorded as skipped."""

    def _came(self, one: Requested, status: str, failure: str = "", code: str | None = None) -> None:
        super()._came(one, status, failure, code)
        if status == "failed":
            one.outcome |= {"status": "skipped", "reasonCode": "unspecified_tool_outcome"}


class Optimistic(Response):
    """Every tool that was offered is recorded as used."""

    def _heard(self, ready: list[Requested], answer: Object) -> None:
        for each in ready:
            self._came(each, "executed")


class Unheeding(Response):
    """A failed tool is recorded as executed, because the system does not check."""

    def _came(self, one: Requested, status: str, failure: str = "", code: str | None = None) -> None:
        super()._came(one, "executed" if status == "failed" else status, failure, code)


class BlamesTheNetwork(Response):
    """Every failure is recorded as a network error."""

    def _came(self, one: Requested, status: str, failure: str = "", code: str | None = None) -> None:
        super()._came(one, status, "network_error", code)


def no_fallback(record: Record) -> Record:
    """If another profile may not be used, the record says that there is none."""
    if record["outcome"].get("reasonCode") != NOT_PERMITTED:
        return record
    return with_outcome(record, reasonCode=NO_FALLBACK)


def a_request_that_blames(record: Record) -> Record:
    """The request says that there is no other profile, and the outcome says what is true."""
    if record["request"].get("reasonCode") not in (NOT_PERMITTED, NOT_SUPPORTED) or record["contract"] == "v1":
        return record
    return {**record, "request": {**record["request"], "reasonCode": NO_FALLBACK}}


def left_by_nobody(record: Record) -> Record:
    """A tool that is not there is recorded as not used."""
    absent = record["outcome"].get("reasonCode") in (NOT_PERMITTED, NO_FALLBACK, NOT_SUPPORTED)
    return with_outcome(record, reasonCode="tool_not_used") if absent else record


def always_there(record: Record) -> Record:
    """A tool that the model did not use is recorded as not there."""
    left = record["outcome"].get("reasonCode") == "tool_not_used"
    return with_outcome(record, reasonCode="tool_unavailable") if left else record


def one_code_for_all(record: Record) -> Record:
    failed = record["outcome"]["status"] == "failed"
    return with_outcome(record, reasonCode="tool_execution_error") if failed else record


# INT-15, INT-16, INT-17: the answer.


class GivesUp(Response):
    """If the tool failed, no provider is asked for an answer."""

    def _generated(self, ready: list[Requested]) -> str | None:
        failed = any(each.outcome["status"] == "failed" for each in ready)
        return None if failed and not self._setting.by_provider else super()._generated(ready)


class Swallows(Response):
    """The answer is made without the tool, but the user does not get it."""

    def _answer(self, tools: list[Requested]) -> str | None:
        text = super()._answer(tools)
        return None if any(each.outcome["status"] == "failed" for each in tools) else text


class Canned(Response):
    """If the tool was not there, the user is told so instead of getting the answer."""

    def _answer(self, tools: list[Requested]) -> str | None:
        text = super()._answer(tools)
        absent = any(each.wanted and not each.request["eligible"] for each in tools)
        return "I could not search." if absent and text else text


class Remembers(Response):
    """Every question gets the first answer that was ever made."""

    kept: ClassVar[list[str]] = []

    def _answer(self, tools: list[Requested]) -> str | None:
        text = super()._answer(tools)
        self.kept.extend([] if text is None else [text])
        return None if text is None else self.kept[0]


class RemembersOutputs(Response):
    """The provider always gets the first output that a tool ever gave."""

    first: ClassVar[dict[str, Any]] = {}

    def _asked(self, params: Object) -> Object:
        given = ((each["toolName"], each["output"]) for each in params["results"])
        results = [{"toolName": tool, "output": self.first.setdefault(tool, output)} for tool, output in given]
        return super()._asked({**params, "results": results})


class Losing(Response):
    """The outputs of tools do not reach the provider."""

    def _asked(self, params: Object) -> Object:
        return super()._asked({**params, "results": []})


class Trimming(Response):
    """The provider gets only a part of a tool's output."""

    def _asked(self, params: Object) -> Object:
        results = [{**each, "output": _less(each["output"])} for each in params["results"]]
        return super()._asked({**params, "results": results})


def _less(output: Any) -> Any:
    return {"sources": output["sources"][:1]} if isinstance(output, dict) and "sources" in output else output


class StripsOutputs(Response):
    """The provider gets the texts of a tool's output without the blanks around them."""

    @staticmethod
    def change(text: str) -> str:
        return text.strip()

    def _asked(self, params: Object) -> Object:
        return super()._asked({**params, "results": each_text(params["results"], self.change)})


class ComposesOutputs(StripsOutputs):
    """The provider gets the texts of a tool's output with their characters composed."""

    @staticmethod
    def change(text: str) -> str:
        return composed(text)


class StripsAnswers(Response):
    """The user gets the answer without the blanks around it."""

    @staticmethod
    def change(text: str) -> str:
        return text.strip()

    def _answer(self, tools: list[Requested]) -> str | None:
        text = super()._answer(tools)
        return text if text is None else self.change(text)


class ComposesAnswers(StripsAnswers):
    """The user gets the answer with its characters composed."""

    @staticmethod
    def change(text: str) -> str:
        return composed(text)


class MakesUp(Response):
    """A tool that could not be used still gets an output."""

    def _answer(self, tools: list[Requested]) -> str | None:
        absent = (each for each in tools if each.wanted and not self._may_use(each))
        self._results += [{"toolName": each.tool, "output": {"sources": []}} for each in absent]
        return super()._answer(tools)


class AnswersAllTheSame(Response):
    """The system answers without a required tool, and the metadata do not show that."""

    def _is_missed(self, one: Requested) -> bool:
        return False

    def _record(self, one: Requested, tools: list[Requested]) -> Record:
        record = super()._record(one, tools)
        return (
            with_generation(record, "skipped") if any(super(type(self), self)._is_missed(t) for t in tools) else record
        )


class HandsOn(Response):
    """The user gets the provider's answer even if the provider did not use a required tool."""

    given: str | None = None

    def _generated(self, ready: list[Requested]) -> str | None:
        self.given = super()._generated(ready)
        return self.given

    def _answer(self, tools: list[Requested]) -> str | None:
        return super()._answer(tools) or self.given


class Hasty(Response):
    """The answer is made before the tool is used, and the user gets it even if the tool fails."""

    early: str | None = None

    def _use(self, one: Requested) -> None:
        needed = not self._setting.optional(one.tool)
        if needed and self.early is None:
            self.early = str(self._asked({"profile": self._profile, "offered": [], "results": []})["text"])
        super()._use(one)

    def _answer(self, tools: list[Requested]) -> str | None:
        return super()._answer(tools) or self.early


# INT-18, INT-19, INT-21.


class Stays(Response):
    """No other profile is ever used."""

    def _profile_for(self, intents: list[Object]) -> str:
        return self._setting.chosen


class MovesInSilence(Response):
    """Another profile is used, and no record says so."""

    def _record(self, one: Requested, tools: list[Requested]) -> Record:
        record = super()._record(one, tools)
        if one.outcome["status"] != "executed" or self._profile == self._setting.chosen:
            return record
        request = {"toolName": one.tool, "requested": True, "eligible": True}
        return {**with_outcome(record, reasonCode=None), "request": request}


class NeverFailed(Response):
    """A generation that failed is recorded as executed."""

    def _record(self, one: Requested, tools: list[Requested]) -> Record:
        record = super()._record(one, tools)
        return with_generation(record, "executed") if self._generation == "failed" else record


class OnceFailed(Response):
    """A generation that failed once is recorded as failed, although a second attempt succeeded."""

    failed = False

    def _asked(self, params: Object) -> Object:
        try:
            return super()._asked(params)
        except Exception:
            self.failed = True
            raise

    def _record(self, one: Requested, tools: list[Requested]) -> Record:
        record = super()._record(one, tools)
        return with_generation(record, "failed") if self.failed else record


def nanoseconds(record: Record) -> Record:
    told = record["outcome"].get("durationMs")
    return record if told is None else with_outcome(record, durationMs=(told + 1) * 1_000_000)


def _told(name: str, says: str, change: Any, breaks: str, *also: str) -> Kind:
    return Kind(name, says, telling(change), breaks, also)


def _does(how: type[Response], breaks: str, *also: str) -> Kind:
    """A fault in what the system does, by the name of its class."""
    name = "".join(f"-{sign.lower()}" if sign.isupper() else sign for sign in how.__name__).strip("-")
    return Kind(name, str(how.__doc__), how, breaks, also)


BROKEN: Final = (
    _told("unwanted-and-eligible", "What nobody wants is eligible.", unwanted_and_eligible, "INT-01"),
    _told("unwanted-and-executed", "What nobody wants is told as executed.", unwanted_and_executed, "INT-01"),
    _told("success", "What was executed is called a success.", success, "INT-02"),
    _told("without-codes", "What failed has no code.", without_codes, "INT-03"),
    _told("codes-of-its-own", "What failed has a code that nobody knows.", codes_of_its_own, "INT-03"),
    _told("absences-that-failed", "What is not there has failed.", absences_that_failed, "INT-04", "INT-03", "INT-14"),
    _told("generation-untold", "The metadata tell of no generation.", generation_untold, "INT-04"),
    Kind("believes-links", "Links outrank the runtime.", BelievesLinks, "INT-05", ("INT-14",)),
    _told("excuses", "What was executed has an excuse.", excuses, "INT-06"),
    _told("refused-and-used", "What was not eligible was used.", refused_and_used, "INT-06"),
    _told("for-another-tool", "The request is for another tool.", for_another_tool, "INT-07"),
    _told("another-story", "The metadata soften a failure.", another_story, "INT-07"),
    Kind("twice", "Every record is sent twice.", Twice, "INT-07", ("INT-10",)),
    Kind(
        "generation-out-of-nowhere",
        "The metadata have no event of a tool.",
        GenerationOutOfNowhere,
        "INT-08",
        ("INT-19",),
    ),
    _told("fractions", "Durations have fractions.", fractions, "INT-09"),
    Kind("forgetful", "A tool that was not requested has no record.", Forgetful, "INT-10"),
    Kind("hanging", "The system waits for ever if a tool gives null.", Hanging, "INT-10"),
    _told("without-metadata", "There are no metadata.", without_metadata, "INT-10"),
    _told("an-id-for-each", "Each record has an id of its own.", an_id_for_each, "INT-10", "INT-04"),
    _told("outcomes-untold", "What failed is not told.", outcomes_untold, "INT-10"),
    Kind("improving", "The query is shortened.", Improving, "INT-11", ("INT-13",)),
    _told("another-query", "The query on record is another one.", another_query_on_record, "INT-11"),
    _told("played-down", "No tool is ever needed.", played_down, "INT-11", "INT-04"),
    _told("the-first-contract", "Records name no contract.", always_the_first_contract, "INT-11", "INT-03", "INT-06"),
    Kind("curious", "The runtime uses a tool that was not requested, and does not record it.", Curious, "INT-12"),
    Kind("offers-everything", "A tool that was not requested is offered.", OffersEverything, "INT-12"),
    Kind(
        "tries-what-is-not-there", "A tool that is not available is tried.", TriesWhatIsNotThere, "INT-12", ("INT-14",)
    ),
    Kind(
        "uses-itself",
        "The runtime uses a tool that the provider should use.",
        UsesItself,
        "INT-12",
        ("INT-13", "INT-14", "INT-15", "INT-16", "INT-19"),
    ),
    Kind("generous", "Another profile answers.", Generous, "INT-12", ("INT-14",)),
    Kind("moves-under-v1", "Another profile is used, whatever the contract.", MovesUnderV1, "INT-12", ("INT-06",)),
    Kind("lazy", "No tool is ever used.", Lazy, "INT-13", ("INT-18",)),
    Kind("without-input", "The input does not reach the tool.", WithoutInput, "INT-13"),
    Kind("offers-without-input", "The input does not reach the provider.", OffersWithoutInput, "INT-13"),
    Kind("uses-twice", "The tool is used twice.", UsesTwice, "INT-13"),
    Kind("ashamed", "A failed tool is reported as skipped.", Ashamed, "INT-14"),
    Kind("optimistic", "A tool that was only offered is reported as used.", Optimistic, "INT-14", ("INT-17",)),
    Kind("unheeding", "A failed tool is reported as executed.", Unheeding, "INT-14", ("INT-17",)),
    Kind("blames-the-network", "Every failure is reported as one of the network.", BlamesTheNetwork, "INT-14"),
    _told("no-fallback", "What may not be used is not there.", no_fallback, "INT-14"),
    _told("a-request-that-blames", "The request gives another reason.", a_request_that_blames, "INT-14", "INT-06"),
    _told("left-by-nobody", "What is not there was not used.", left_by_nobody, "INT-14"),
    _told("always-there", "What was not used was not there.", always_there, "INT-14"),
    _does(StripsInputs, "INT-13"),
    _does(ComposesInputs, "INT-13"),
    _does(StripsOffers, "INT-13"),
    _does(ComposesNames, "INT-13"),
    _does(StripsOutputs, "INT-16"),
    _does(ComposesOutputs, "INT-16"),
    _does(StripsAnswers, "INT-15"),
    _does(ComposesAnswers, "INT-15"),
    Kind("gives-up", "Without the tool there is no answer.", GivesUp, "INT-15", ("INT-04",)),
    Kind("swallows", "The answer is not handed on.", Swallows, "INT-15"),
    Kind("canned", "An excuse replaces the answer.", Canned, "INT-15"),
    Kind("remembers", "The first answer is given again and again.", Remembers, "INT-15", ("INT-17",)),
    Kind("remembers-outputs", "A provider always gets the first output that a tool gave.", RemembersOutputs, "INT-16"),
    Kind("losing", "The output of tools is lost.", Losing, "INT-16"),
    Kind("trimming", "The output of tools is trimmed.", Trimming, "INT-16"),
    Kind("makes-up", "A tool that could not be used gets an output.", MakesUp, "INT-16"),
    Kind("answers-all-the-same", "The response goes on without a needed tool.", AnswersAllTheSame, "INT-17"),
    Kind("hands-on", "An answer without the needed tool is handed on.", HandsOn, "INT-17"),
    Kind("hasty", "An answer from before the tool failed is handed on.", Hasty, "INT-17", ("INT-19", "INT-16")),
    Kind("stays", "No other profile is ever used.", Stays, "INT-18"),
    Kind("moves-in-silence", "Another profile is used, and that is not reported.", MovesInSilence, "INT-18"),
    Kind("never-failed", "No generation ever fails.", NeverFailed, "INT-19"),
    Kind(
        "once-failed", "A generation that failed once and then succeeded is reported as failed.", OnceFailed, "INT-19"
    ),
    _told("one-code-for-all", "Every failure has the same code.", one_code_for_all, "INT-20"),
    _told("nanoseconds", "Nanoseconds are told as milliseconds.", nanoseconds, "INT-21"),
)
