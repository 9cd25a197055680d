/**
 * Checks everything about a plan that can be known before it runs, and prepares its steps.
 *
 * @typedef {import("./json.js").JsonObject} JsonObject
 * @typedef {import("./references.js").Reference} Reference
 * @typedef {object} Step
 * @property {string} id
 * @property {import("./registry.js").Tool} tool
 * @property {JsonObject} args The template.
 * @property {string | undefined} preview
 * @property {import("./references.js").Names} names What braces mean in the template.
 * @property {Loop | undefined} loop
 * @property {Set<string>} needs The steps that must end ok before this one starts, named or referred to (A3).
 * @property {"stop" | "skip"} onError `retry` becomes stop when its attempts are used up (A33).
 * @property {import("./retries.js").Retries} retries
 * @property {number | undefined} timeoutMs
 * @typedef {{from: Reference, itemName: string, concurrency: number}} Loop
 * @typedef {object} Plan
 * @property {Step[]} steps
 * @property {Map<string, string>} variables The step that captures each variable.
 * @property {Array<Record<string, any>>} clamped What the policy lowered (A74).
 */

import { below } from "./json.js";
import { excludes } from "./closed.js";
import { asDouble } from "./numbers.js";
import { referencesIn, soleReference } from "./references.js";
import { Refusal } from "./refusal.js";
import { clampedRetries, retriesOf } from "./retries.js";
import { demandShape } from "./shapes.js";

/**
 * @param {JsonObject} plan
 * @param {JsonObject} policy
 * @param {import("./registry.js").Registry} registry
 * @returns {Plan}
 * @throws {Refusal}
 */
export function prepare(plan, policy, registry) {
  demandShape("plan", plan);
  demandShape("policy", policy);
  const written = plan.get("steps");
  demandDistinct(written, "id", "duplicate_step");
  demandDistinct(written, "captureAs", "duplicate_capture");
  const foreign = new Set(written.flatMap((step) => (step.has("foreach") ? Object.values(namesOf(step)) : [])));
  const steps = written.map((step, index) => stepOf(step, `/steps/${index}`, { plan, policy, registry, foreign }));
  const variables = new Map(
    written.filter((step) => step.has("captureAs")).map((step) => [step.get("captureAs"), step.get("id")]),
  );
  steps.forEach((step, index) => connect(step, written[index], `/steps/${index}`, steps, variables));
  demandNoCycle(steps);
  return { steps, variables, clamped: steps.flatMap((step, index) => clampedIn(step, written[index], policy)) };
}

function demandDistinct(steps, member, reason) {
  const seen = new Set();
  for (const [index, step] of steps.entries()) {
    const value = step.get(member);
    if (value !== undefined && seen.has(value))
      throw new Refusal(reason, `Two steps have the ${member} ${value}`, `/steps/${index}/${member}`);
    seen.add(value);
  }
}

function namesOf(step) {
  const loop = step.get("foreach");
  return { item: loop.get("itemName"), index: loop.get("indexName") ?? "index" };
}

function stepOf(step, pointer, { plan, policy, registry, foreign }) {
  const onError = step.get("onError") ?? plan.get("defaults")?.get("onError");
  const limits = [step.get("timeoutMs"), policy.get("limits").get("maxTimeoutMs")].filter(
    (limit) => limit !== undefined,
  );
  return {
    id: step.get("id"),
    tool: registry.tool(step.get("tool"), `${pointer}/tool`),
    args: step.get("args"),
    preview: step.get("preview"),
    names: step.has("foreach") ? namesOf(step) : { foreign },
    loop: step.has("foreach") ? loopOf(step.get("foreach"), `${pointer}/foreach`) : undefined,
    needs: new Set(step.get("dependsOn") ?? []),
    onError: onError === "skip" ? "skip" : "stop",
    retries: retriesOf(step, plan, policy),
    timeoutMs: limits.length > 0 ? Math.min(...limits.map(asDouble)) : undefined,
  };
}

function loopOf(loop, pointer) {
  const from = soleReference(loop.get("from"), {});
  if (from === undefined) throw new Refusal("no_reference", "The source of a loop is one reference", `${pointer}/from`);
  if (loop.get("itemName") === (loop.get("indexName") ?? "index"))
    throw new Refusal("ambiguous_binding", "A loop gives one name to its item and its index", pointer);
  return { from, itemName: loop.get("itemName"), concurrency: asDouble(loop.get("concurrency") ?? 1) };
}

/** Find the steps that a step waits for, and refuse what its references cannot find (REF-03, DEP-09). */
function connect(step, written, pointer, steps, variables) {
  for (const id of step.needs) {
    if (!steps.some((other) => other.id === id))
      throw new Refusal("unknown_dependency", `No step is called ${id}`, `${pointer}/dependsOn`);
  }
  const sources = step.loop === undefined ? [] : [step.loop.from];
  const sought = [...sources, ...referencesIn(step.args, step.names)];
  for (const reference of sought) {
    if (reference.kind === "foreign") throw unknown(reference, "is a name of another step's loop", pointer);
    if (reference.kind === "item" || reference.kind === "index") continue;
    const source = steps.find(
      (other) => other.id === (reference.kind === "vars" ? variables.get(reference.name) : reference.name),
    );
    if (source === undefined) throw unknown(reference, "does not exist", pointer);
    demandPossible(reference, source, pointer);
    step.needs.add(source.id);
    // The item of a loop is an element of the array that its source leads to.
    for (const part of reference === step.loop?.from ? sought : []) {
      if (part.kind === "item")
        demandPossible({ text: part.text, path: [...reference.path, 0, ...part.path] }, source, pointer);
    }
  }
}

/** Refuse a reference that the step's output schema excludes; for a loop, the first segment picks one output. */
function demandPossible(reference, source, pointer) {
  if (source.loop !== undefined && typeof reference.path[0] === "string") return;
  const path = source.loop === undefined ? reference.path : reference.path.slice(1);
  if (excludes(source.tool.descriptor.get("outputSchema"), path))
    throw unknown(reference, `is not an output of ${source.tool.name}`, pointer);
}

const unknown = (reference, why, pointer) =>
  new Refusal("unknown_reference", `${reference.text} ${why}`, below(pointer, "args"));

function demandNoCycle(steps) {
  const left = new Set(steps);
  for (let free = [...left]; free.length > 0;) {
    free = [...left].filter((step) => ![...left].some((other) => step.needs.has(other.id)));
    for (const step of free) left.delete(step);
  }
  const [stuck] = left;
  if (stuck !== undefined) throw new Refusal("cycle", `The step ${stuck.id} waits for itself`, "/steps");
}

function clampedIn(step, written, policy) {
  const found = clampedRetries(step, policy);
  const asked = written.get("timeoutMs");
  if (asked !== undefined && step.timeoutMs < asDouble(asked))
    found.push({ step: step.id, member: "timeoutMs", from: asked, to: step.timeoutMs });
  const slots = asDouble(policy.get("limits").get("maxConcurrency") ?? 1);
  if (step.loop !== undefined && step.loop.concurrency > slots) {
    found.push({ step: step.id, member: "concurrency", from: step.loop.concurrency, to: slots });
  }
  return found;
}
