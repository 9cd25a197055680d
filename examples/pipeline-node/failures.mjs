/** How calls fail: with a class, in a phase. The table of classes per phase is that of the protocol. */

const CLASSES = {
  resolve_tool: ["unknown_tool", "blocked_tool", "schema_not_loaded"],
  parse_schema: ["schema_validation_failed"],
  validate_values: ["invalid_arguments", "setup_required", "sandbox_violation"],
  pre_hooks: ["hook_failed", "hook_blocked"],
  permission: ["permission_denied", "approval_rejected", "policy_blocked"],
  schedule: ["canceled", "sibling_canceled"],
  execute: ["execution_failed", "timeout", "dependency_unavailable", "canceled", "sibling_canceled"],
  map_result: ["result_mapping_failed"],
  post_hooks: ["post_hook_failed", "hook_blocked"],
};
const STATUSES = {
  permission_denied: "denied",
  policy_blocked: "denied",
  approval_rejected: "rejected",
  canceled: "canceled",
  sibling_canceled: "canceled",
  timeout: "timed_out",
};

export class Failure extends Error {
  constructor(errorClass, message) {
    super(message);
    this.errorClass = errorClass;
  }
}

/** Why a call is stopped from outside. Such a call has not failed in the phase that the stop interrupts. */
export class Stopped extends Failure {}

/** What the log and the result say about an error. A class that the phase lacks becomes the phase's first class. */
export function described(error, phase) {
  const at = error instanceof Stopped && phase !== "execute" ? "schedule" : phase;
  const [otherwise, ...more] = CLASSES[at];
  const errorClass = more.includes(error?.errorClass) ? error.errorClass : otherwise;
  return { error_class: errorClass, phase: at, message: error?.message ?? String(error) };
}

export const statusOf = (errorClass) => STATUSES[errorClass] ?? "failed";
