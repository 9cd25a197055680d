/** What came of a tool, in the words of the contract: its codes, and who is believed. */

const FAILURES = {
  timeout: "tool_timeout",
  http_error: "tool_http_error",
  network_error: "tool_network_error",
  invalid_response: "tool_invalid_response",
};
export const REROUTED = "search_rerouted_to_fallback_profile";

export const executed = (toolName, more) => ({ toolName, status: "executed", ...more });
export const skipped = (toolName, reasonCode) => ({ toolName, status: "skipped", reasonCode });

/** Under `v1` there is one code for all failures. */
export function failed(toolName, contract, kind, more) {
  const known = contract === "v1" ? undefined : FAILURES[kind];
  return { toolName, status: "failed", reasonCode: known ?? "tool_execution_error", ...more };
}

/**
 * One outcome out of what each source reported: who was there is believed before who guesses. An orchestrator that
 * sent a call elsewhere was not there, and says no more than why the other profile was used.
 */
export function weighed({ orchestrator, runtime, inferred }) {
  if (orchestrator?.reasonCode !== REROUTED) return orchestrator ?? runtime ?? inferred;
  const seen = runtime ?? inferred ?? orchestrator;
  return seen.status === "failed" ? seen : { ...seen, reasonCode: REROUTED };
}
