/**
 * How often a call may be attempted, and which failures are worth another attempt.
 *
 * @typedef {object} Retries
 * @property {number} asked Attempts that the plan asks for.
 * @property {number} limit Attempts of these that the policy permits (A4).
 * @property {number} backoffMs
 * @property {boolean} own Whether the step itself asks for them, not the plan's defaults.
 * @typedef {object} Made An attempt that was made.
 * @property {number} attempt Its number.
 * @property {import("./json.js").JsonObject | undefined} args
 * @property {import("./outcome.js").Outcome} outcome
 */

import { asDouble } from "./numbers.js";

const NEVER = new Set(["VALIDATION_ERROR", "POLICY_DENIED", "CANCELLED"]);
const ONLY_WHEN_TOLD = new Set(["NOT_FOUND", "CONFLICT"]);

/**
 * @param {import("./json.js").JsonObject} step
 * @param {import("./json.js").JsonObject} plan
 * @param {import("./json.js").JsonObject} policy
 * @returns {Retries}
 */
export function retriesOf(step, plan, policy) {
  const retry = step.get("retry") ?? plan.get("defaults")?.get("retry") ?? new Map();
  const asked = retry.get("maxAttempts") ?? (retry.get("maxRetries") ?? 0) + 1;
  const limit = Math.min(asked, asDouble(policy.get("limits").get("maxAttempts") ?? Infinity));
  return { asked, limit, backoffMs: retry.get("backoffMs") ?? 250, own: step.has("retry") };
}

/**
 * What the policy lowered, for a reader who looks for the missing attempts (RETRY-17).
 *
 * @param {import("./plan.js").Step} step
 */
export function clampedRetries({ id, retries }) {
  return retries.limit < retries.asked
    ? [{ step: id, member: "maxAttempts", from: retries.asked, to: retries.limit }]
    : [];
}

/**
 * Whether another attempt is due after this outcome.
 *
 * @param {import("./plan.js").Step} step
 * @param {Made} made
 */
export function isRetried(step, { attempt, args, outcome }) {
  const { status, error, effects } = outcome;
  if (attempt >= step.retries.limit || error === undefined || status === "skipped" || NEVER.has(error.code))
    return false;
  if (status === "timeout") return !isBlindWrite(step, args, effects);
  if (error.retryable !== undefined) return error.retryable;
  return !ONLY_WHEN_TOLD.has(error.code);
}

/** Whether the call is a write that timed out with nothing to guard a repetition and unknown effects (RETRY-15). */
function isBlindWrite(step, args, effects) {
  if (step.tool.riskLevel === "read-only" || step.retries.own || effects !== undefined) return false;
  return !(args.has("expectedEtag") || args.get("ifNotExists") === true || args.get("collisionStrategy") === "error");
}
