/**
 * What a tool's answer becomes: data, or an error in the vocabulary of this specification.
 *
 * @typedef {object} Outcome
 * @property {"ok" | "error" | "timeout" | "cancelled" | "skipped"} status
 * @property {import("./json.js").JsonObject} [data]
 * @property {{code: string, message: string, details?: any, retryable?: boolean}} [error]
 * @property {import("./json.js").Json} [effects]
 * @property {string} [userMessage]
 * @typedef {{result?: any, error?: any, flaw?: string}} Answer
 */

import { plainLine } from "./text.js";

const INTERNAL = "INTERNAL_ERROR";
const BASELINE = new Set([
  "VALIDATION_ERROR",
  "POLICY_DENIED",
  "NOT_FOUND",
  "CONFLICT",
  "PRECONDITION_FAILED",
  INTERNAL,
]);
const EXTENSION = /^(?:[A-Za-z][A-Za-z0-9_-]*[.:])*[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;
/** Names of other layers (A51) and other spellings (A52), in capitals. */
const MAPPED = new Map([
  ...["UNKNOWN_TOOL", "SCHEMA_VALIDATION_FAILED", "INVALID_ARGUMENTS"].map((name) => [name, "VALIDATION_ERROR"]),
  ...[
    "BLOCKED_TOOL",
    "SANDBOX_VIOLATION",
    "HOOK_BLOCKED",
    "PERMISSION_DENIED",
    "POLICY_BLOCKED",
    "APPROVAL_REJECTED",
    "BLOCKED",
  ].map((name) => [name, "POLICY_DENIED"]),
  ...["SETUP_REQUIRED", "DEPENDENCY_UNAVAILABLE"].map((name) => [name, "PRECONDITION_FAILED"]),
  ...["CANCELED", "CANCELLED", "SIBLING_CANCELED", "SIBLING_CANCELLED", "TIMEOUT", "TIMED_OUT"].map((name) => [
    name,
    INTERNAL,
  ]),
  ...[
    "SCHEMA_NOT_LOADED",
    "INPUT_MUTATION_FAILED",
    "HOOK_FAILED",
    "EXECUTION_FAILED",
    "RESULT_MAPPING_FAILED",
    "POST_HOOK_FAILED",
    "RESULT_TOO_LARGE",
  ].map((name) => [name, INTERNAL]),
  // These names do not stand for any code (ERR-10).
  ...["TOOL_EXECUTION_ERROR", "RESULT_REDACTED", "PENDING", "TOOL_NOT_REQUESTED", "TOOL_UNAVAILABLE"].map((name) => [
    name,
    INTERNAL,
  ]),
]);

/**
 * @param {Answer} answer
 * @param {import("./registry.js").Tool} tool
 * @returns {Outcome}
 */
export function outcomeOf(answer, tool) {
  const effects = observedIn(answer);
  if (answer.flaw !== undefined) return { status: "error", effects, error: unserialisable(answer.flaw) };
  if (answer.error !== undefined) return { status: "error", effects, error: failureOf(answer.error, tool) };
  return { effects, ...judged(answer.result?.get("output"), tool) };
}

/**
 * The changes that the host of the tool saw, independent of what the tool said.
 *
 * @param {Answer} answer
 */
export function observedIn({ result, error }) {
  const carrier = result ?? error?.get("data");
  return carrier instanceof Map ? carrier.get("observed") : undefined;
}

/** The error of a result that is longer than a line may be. */
export const TOO_LARGE = {
  code: INTERNAL,
  message: "The result of the tool is too large",
  retryable: false,
  details: { reason: "result_too_large" },
};

const unserialisable = (flaw) => ({
  code: INTERNAL,
  message: `The tool's output is not JSON: ${flaw}`,
  retryable: false,
  details: { reason: "unserialisable" },
});

/** Judge the output as it came, or an empty object if there is none; only an object is data (A16, A24). */
function judged(returned, tool) {
  const output = returned ?? new Map();
  const failure = tool.checkOutput(output, "");
  if (failure === undefined && output instanceof Map) return { status: "ok", data: output };
  const { pointer, keyword } = failure ?? { pointer: "", keyword: "type" };
  const message = "The tool's output does not fit its schema";
  return {
    status: "error",
    error: { code: INTERNAL, message, retryable: false, details: { reason: "output_schema", pointer, keyword } },
  };
}

/** The error of a tool: the message of a crash is not fit to pass on (MSG-07); a reported failure has its own code. */
function failureOf(error, tool) {
  const report = error.get("data");
  if (error.get("code") !== -32010 || !(report instanceof Map))
    return { code: INTERNAL, message: `The tool ${tool.name} broke` };
  const said = String(report.get("code"));
  const code = codeOf(said);
  const details =
    code === said
      ? report.get("details")
      : new Map([["toolCode", said], ...(report.get("details") ?? [])]); // a reason has its own code
  const retryable = report.get("retryable");
  return { code, message: plainLine(report.get("message"), `The tool ${tool.name} failed`), details, retryable };
}

/** @param {string} said */
function codeOf(said) {
  if (BASELINE.has(said)) return said;
  const name = said.toUpperCase().replace(/[\s-]+/g, "_");
  if (MAPPED.has(name)) return MAPPED.get(name);
  if (BASELINE.has(name)) return name;
  return EXTENSION.test(said) ? said : INTERNAL;
}

/**
 * The error of arguments that their schema refuses. It names the place, not the value.
 *
 * @param {import("./schema.js").Failure} failure
 */
export function invalidArguments({ pointer, keyword }) {
  const message = `The arguments break the schema by ${keyword}`;
  return { code: "VALIDATION_ERROR", message, details: { reason: "invalid_arguments", pointer, keyword } };
}

/**
 * The error of a call that the policy denies.
 *
 * @param {import("./policy.js").Denial} denial
 */
export function denied({ reason, message, pointer }) {
  return {
    code: "POLICY_DENIED",
    message,
    details: { reason, pointer: pointer === undefined ? undefined : `/args${pointer}` },
  };
}

/**
 * The error of a reference that leads to nothing: it names the reference, not the data (REF-24).
 *
 * @param {string} reference
 */
export const unresolved = (reference) => ({
  code: "VALIDATION_ERROR",
  message: plainLine(`${reference} leads to nothing`, "A reference leads to nothing"),
  details: { reason: "unresolved_reference", reference },
});
