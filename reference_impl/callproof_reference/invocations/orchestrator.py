"""Makes requests from what the planner wanted: which tools may be used, and under which profile (INT-01, INT-18)."""

from dataclasses import dataclass

from callproof_reference.values import Object, as_object, objects

NOT_REQUESTED = "tool_not_requested"
NOT_SUPPORTED = "search_not_supported_by_selected_profile"
NOT_PERMITTED = "search_reroute_not_permitted_by_selection_source"
NO_FALLBACK = "search_reroute_no_tool_capable_fallback_available"
REROUTED = "search_rerouted_to_fallback_profile"
V1 = "v1"


@dataclass(frozen=True)
class Setting:
    """What is given at the start of a response."""

    start: Object

    @property
    def contract(self) -> str:
        """The contract of its records."""
        return str(self.start["contract"])

    @property
    def by_provider(self) -> bool:
        """Whether providers use tools themselves."""
        return bool(self.start["toolsBy"] == "provider")

    @property
    def chosen(self) -> str:
        """The profile that was chosen."""
        return str(as_object(self.start["selected"])["profile"])

    @property
    def may_reroute(self) -> bool:
        """Whether another profile may be used; v1 has no code that says so."""
        return self.contract != V1 and as_object(self.start["selected"])["mayReroute"] is True

    def optional(self, tool: str) -> bool:
        """Whether the response can do without a tool."""
        return all(each["optional"] is True for each in objects(self.start["tools"]) if each["toolName"] == tool)

    def has(self, profile: str, tool: str) -> bool:
        """Whether a profile has a tool."""
        return any(tool in each["tools"] for each in objects(self.start["profiles"]) if each["name"] == profile)

    def others_with(self, tool: str) -> list[str]:
        """The other profiles that have a tool, the preferred one first."""
        names = [str(each["name"]) for each in objects(self.start["profiles"])]
        return [each for each in names if each != self.chosen and self.has(each, tool)]


@dataclass
class Requested:
    """One tool of a response: what the planner wanted, the request that was made of it, and its outcome."""

    intent: Object
    request: Object
    outcome: Object
    by: str = "orchestrator"

    @property
    def tool(self) -> str:
        """Its name."""
        return str(self.intent["toolName"])

    @property
    def wanted(self) -> bool:
        """Whether the planner requested it."""
        return self.intent["requested"] is True


def profile_for(setting: Setting, intents: list[Object]) -> str:
    """The profile under which the response is given: another one if the chosen one has none of the wanted tools."""
    wanted = [str(each["toolName"]) for each in intents if each["requested"] is True]
    if not setting.may_reroute or any(setting.has(setting.chosen, each) for each in wanted):
        return setting.chosen
    # The tools that are not optional go first.
    wanted.sort(key=setting.optional)
    return next((others[0] for each in wanted if (others := setting.others_with(each))), setting.chosen)


def requested(setting: Setting, intent: Object, profile: str) -> Requested:
    """The request for a tool, and the outcome of one that will not be used (INT-01, INT-03)."""
    tool = str(intent["toolName"])
    request: Object = {"toolName": tool, "requested": intent["requested"]}
    if intent["requested"] is not True:
        code = NOT_REQUESTED
    elif setting.has(setting.chosen, tool):
        return Requested(intent, {**request, "eligible": True}, _skipped(tool, "unspecified_tool_outcome"))
    else:
        code = NOT_SUPPORTED if setting.has(profile, tool) or setting.contract == V1 else _why_not(setting, tool)
    return Requested(intent, {**request, "eligible": False, "reasonCode": code}, _skipped(tool, code))


def _why_not(setting: Setting, tool: str) -> str:
    """Why a call was not rerouted."""
    if not setting.may_reroute:
        return NOT_PERMITTED
    return NOT_SUPPORTED if setting.others_with(tool) else NO_FALLBACK


def _skipped(tool: str, code: str) -> Object:
    return {"toolName": tool, "status": "skipped", "reasonCode": code}
