/**
 * A small agent of the kind that many teams have: its steps run in order, its tools are async functions, and a caller
 * can listen to its events to follow a run. It does not know about callproof. To check plans, JSON Schemas and the
 * sandbox it uses a library; here that is the executor in the folder beside this one.
 *
 * Events: `begin`; `call` before anything is done for a step; `enter` before its tool runs; `end` of each step, with a
 * status and, unless no call was made, the call; `finish`.
 */

import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";

import { denialOf } from "../executor-node/src/policy.js";
import { Refusal } from "../executor-node/src/refusal.js";
import { demandShape } from "../executor-node/src/shapes.js";

/** What a tool throws if it fails: a code, a message, and anything else that it has to say. */
export class Failed extends Error {
  constructor(error) {
    super(error.message);
    this.error = error;
  }
}

export class TinyAgent extends EventEmitter {
  /** The limits of a policy that the agent keeps: one call at a time, one attempt each. It has no timeouts. */
  static LIMITS = ["maxConcurrency", "maxAttempts"];

  #steps;
  #policy;
  #tools;

  /**
   * @param {Map<string, any>} plan
   * @param {Map<string, any>} policy
   * @param {import("../executor-node/src/registry.js").Registry} registry
   * @throws {Refusal} The plan cannot be run to its end.
   */
  constructor(plan, policy, registry) {
    super();
    demandShape("plan", plan);
    demandShape("policy", policy);
    demandWithinReach(plan, policy);
    const onError = plan.get("defaults")?.get("onError");
    this.#steps = inOrder(plan.get("steps")).map((step) => ({
      skips: (step.get("onError") ?? onError) === "skip",
      step,
    }));
    this.#tools = new Map(this.#steps.map(({ step }) => [step, registry.tool(step.get("tool"), "")]));
    this.#policy = policy;
  }

  /**
   * Run each step if all its dependencies ended well; stop at a failure unless that step's onError is skip.
   *
   * @param {(call: string, tool: string, args: any) => Promise<any>} enter Runs a tool.
   */
  async run(enter) {
    this.emit("begin");
    const well = new Set();
    let stopped = false;
    for (const { step, skips } of this.#steps) {
      const tool = this.#tools.get(step);
      const ready = !stopped && (step.get("dependsOn") ?? []).every((id) => well.has(id));
      const end = ready
        ? await this.#attempt(step, tool, enter)
        : { status: "skipped", userMessage: "An earlier step failed" };
      this.emit("end", { step, tool, ...end });
      if (end.status === "ok") well.add(step.get("id"));
      stopped ||= end.status === "error" && !skips;
    }
    this.emit("finish");
  }

  async #attempt(step, tool, enter) {
    const call = randomUUID();
    const args = step.get("args");
    this.emit("call", { call, step, tool, args });
    try {
      this.#guard(tool, args);
      this.emit("enter", { call, step, tool });
      return { call, status: "ok", data: checked(tool, await enter(call, tool.name, args)) };
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      return { call, status: "error", error: error.error };
    }
  }

  #guard(tool, args) {
    const breach = tool.checkInput(args, "");
    if (breach !== undefined)
      throw new Failed({ code: "VALIDATION_ERROR", message: `The arguments break ${breach.keyword}` });
    const denial = denialOf(this.#policy, tool, args);
    if (denial !== undefined) throw new Failed({ code: "POLICY_DENIED", message: denial.message });
  }
}

function checked(tool, output) {
  if (tool.checkOutput(output, "") === undefined && output instanceof Map) return output;
  const details = { reason: "output_schema" };
  throw new Failed({ code: "INTERNAL_ERROR", message: "The output breaks its schema", retryable: false, details });
}

/** Refuse what this agent cannot do, instead of ignoring it. */
function demandWithinReach(plan, policy) {
  if (policy.get("confirmationsRequired")) throw new Refusal("no_confirmation", "This agent asks nobody");
  if (policy.get("limits").has("maxTimeoutMs")) throw new Refusal("unknown_limit", "This agent has no timeouts");
  if (plan.get("steps").some((step) => step.has("foreach"))) throw new Refusal("no_loops", "This agent has no loops");
}

/** Put each step after the steps that it depends on. */
function inOrder(steps) {
  const ids = new Set(steps.map((step) => step.get("id")));
  if (ids.size < steps.length) throw new Refusal("duplicate_step", "Two steps have one id");
  const [left, ordered] = [[...steps], []];
  while (left.length > 0) {
    const waits = (step) => (step.get("dependsOn") ?? []).some((id) => !ordered.some((done) => done.get("id") === id));
    const next = left.findIndex((step) => !waits(step));
    if (next < 0) throw new Refusal("cycle", "Steps wait for each other, or for one that is not there");
    ordered.push(...left.splice(next, 1));
  }
  return ordered;
}
