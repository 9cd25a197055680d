/** The outcome of a tool in the terms of the contract: its codes, and which source counts. */

const FAILURES = {
  timeout: "tool_timeout",
  http_error: "tool_http_error",
  network_error: "tool_network_error",
  invalid_response: "tool_invalid_response",
};
export const REROUTED = "search_rerouted_to_fallback_profile";

export const executed = (toolName, more) => ({ toolName, status: "executed", ...more });
export const skipped = (toolName, reasonCode) => ({ toolName, status: "skipped", reasonCode });

/** The outcome of a failed tool; `v1` has one code for all failures. */
export function failed(toolName, contract, kind, more) {
  const known = contract === "v1" ? undefined : FAILURES[kind];
  return { toolName, status: "failed", reasonCode: known ?? "tool_execution_error", ...more };
}

/**
 * One outcome from the reports of all sources: a source that took part counts before one that infers. An orchestrator
 * that rerouted a call did not take part; its report only says why the other profile was used.
 */
export function weighed({ orchestrator, runtime, inferred }) {
  if (orchestrator?.reasonCode !== REROUTED) return orchestrator ?? runtime ?? inferred;
  const seen = runtime ?? inferred ?? orchestrator;
  return seen.status === "failed" ? seen : { ...seen, reasonCode: REROUTED };
}
