/** How the orchestrator decides on the intents: which tools may be used, and under which profiles. */

import { REROUTED, skipped } from "./outcomes.mjs";

const has = (profile, { toolName }) => profile.tools.includes(toolName);

/** The request of each tool, the `profile` to use it under, if any, and what is already reported about it. */
export function requests(tools, start) {
  const { toolsBy, profiles, selected } = start;
  const chosen = profiles.find(({ name }) => name === selected.profile);
  const wanted = tools.filter(({ intent }) => intent.requested);
  // A provider answers under one profile and is offered that profile's tools. The runtime may use a profile per tool.
  const together = bestFor(wanted, chosen, start);
  return tools.map((tool) => {
    const { toolName, intent } = tool;
    const profile = toolsBy === "provider" ? together : bestFor([tool], chosen, start);
    const request = { toolName, requested: intent.requested, eligible: true };
    if (intent.requested && has(profile, tool)) {
      const reported = profile === chosen ? {} : { orchestrator: skipped(toolName, REROUTED) };
      return { ...tool, request, profile: profile.name, reported };
    }
    const reasonCode = intent.requested ? whyNot(tool, chosen, start) : "tool_not_requested";
    const reported = { orchestrator: skipped(toolName, reasonCode ?? "unspecified_tool_outcome") };
    return { ...tool, request: { ...request, eligible: reasonCode === undefined, reasonCode }, reported };
  });
}

/** The chosen profile, or a permitted one with more of the required tools, or with as many and more wanted ones. */
function bestFor(wanted, chosen, { contract, profiles, selected }) {
  const others = contract !== "v1" && selected.mayReroute ? profiles : [];
  const needed = wanted.filter(({ optional }) => !optional);
  const count = (tools, profile) => tools.filter((tool) => has(profile, tool)).length;
  const worth = (profile) => count(needed, profile) * (wanted.length + 1) + count(wanted, profile);
  return others.reduce((best, other) => (worth(other) > worth(best) ? other : best), chosen);
}

/** Why a requested tool cannot be used; undefined if the chosen profile has it but another profile was preferred. */
function whyNot(tool, chosen, { contract, profiles, selected }) {
  if (has(chosen, tool)) return undefined;
  if (contract === "v1") return "search_not_supported_by_selected_profile";
  if (!selected.mayReroute) return "search_reroute_not_permitted_by_selection_source";
  const elsewhere = profiles.some((profile) => has(profile, tool));
  return elsewhere ? "search_not_supported_by_selected_profile" : "search_reroute_no_tool_capable_fallback_available";
}
