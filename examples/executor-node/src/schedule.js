/**
 * The order of a run: which call begins when, and what happens to calls that never begin.
 *
 * A call is built only when there is a slot for it, so that a waiting call leaves no call record behind.
 *
 * @typedef {import("./plan.js").Step} Step
 */

import { Attempt } from "./attempt.js";
import { stamp } from "./clock.js";
import { asDouble } from "./numbers.js";
import { unresolved } from "./outcome.js";
import { follow, Unresolved } from "./references.js";
import { LogicalCall, Work } from "./work.js";

const WHY_SKIPPED = {
  dependency: "a step that it needs did not end well",
  stopped: "an earlier step failed",
  user: "the run was cancelled",
  confirmation_rejected: "the plan was rejected",
  confirmation_expired: "nobody confirmed the plan in time",
};

export class Schedule {
  #run;
  #variables;
  #slots;
  /** @type {Map<string, Work>} */
  #works;
  /** @type {Map<string, Attempt>} */
  #open = new Map();
  /** @type {string | undefined} */
  #haltedFor;
  #busy = false;

  /**
   * @param {import("./run.js").Run} run
   * @param {import("./plan.js").Plan} plan
   */
  constructor(run, { steps, variables }) {
    this.#run = run;
    this.#variables = variables;
    this.#slots = asDouble(run.policy.get("limits").get("maxConcurrency") ?? 1);
    this.#works = new Map(steps.map((step) => [step.id, new Work(step)]));
  }

  /** Whether nothing new may begin, because of a cancellation or a failure whose step says stop. */
  get halted() {
    return this.#haltedFor !== undefined;
  }

  /** Whether every step ended well. */
  get ok() {
    return [...this.#works.values()].every((work) => work.ok);
  }

  /** @param {string} reason Why nothing new begins from now on. */
  halt(reason) {
    this.#haltedFor = reason;
  }

  /** @param {string} reason */
  abortOpen(reason) {
    for (const attempt of [...this.#open.values()]) attempt.cancel(reason);
  }

  /**
   * The attempt that is open under an id.
   *
   * @param {string} callId
   */
  openAttempt(callId) {
    return this.#open.get(callId);
  }

  /**
   * The value of a reference to a step or a variable; its step has ended ok.
   *
   * @param {import("./references.js").Reference} reference
   */
  outputOf({ kind, name }) {
    return this.#works.get(kind === "vars" ? this.#variables.get(name) : name).output;
  }

  /** @param {Attempt} attempt */
  entered(attempt) {
    this.#open.set(attempt.callId, attempt);
  }

  /**
   * An attempt was closed.
   *
   * @param {Attempt} attempt
   * @param {LogicalCall} call
   * @param {import("./outcome.js").Outcome} outcome
   * @param {boolean} again Whether another attempt is due.
   */
  left(attempt, call, { status, data }, again) {
    this.#open.delete(attempt.callId);
    const work = this.#works.get(call.step.id);
    if (again) return this.#pause(work, call);
    call.data = data;
    work.ended(call);
    if (status !== "ok" && status !== "cancelled") this.#failed(call.step);
  }

  /** Begin everything that can begin now; return whether everything has ended. */
  goOn() {
    if (this.#busy) return false;
    this.#busy = true;
    while (this.#round());
    this.#busy = false;
    return [...this.#works.values()].every((work) => work.state === "ended");
  }

  /** Look once at every step; return whether that changed anything. */
  #round() {
    if (this.halted) return this.#giveUpTheRest();
    let moved = false;
    for (const work of this.#works.values()) {
      if (work.state === "waiting") moved = this.#consider(work) || moved;
      moved = this.#startCallsOf(work) || moved;
    }
    return moved;
  }

  /** Begin a step if all its needs have ended well; skip it if one has not. */
  #consider(work) {
    const needs = [...work.step.needs].map((id) => this.#works.get(id));
    if (needs.some((need) => need.state === "ended" && !need.ok)) this.#skip(work, "dependency");
    else if (needs.every((need) => need.ok)) this.#begin(work);
    else return false;
    return true;
  }

  #begin(work) {
    const { step } = work;
    if (step.loop === undefined) return work.begin([new LogicalCall(step)]);
    const items = this.#itemsOf(step.loop.from);
    if (!Array.isArray(items)) return this.#failLoop(work);
    const { itemName } = step.loop;
    work.begin(items.map((itemValue, index) => new LogicalCall(step, { index, itemName, itemValue })));
    return items.length === 0 ? this.#tellEmpty(step) : undefined;
  }

  #itemsOf(from) {
    try {
      return follow(from, this.outputOf(from));
    } catch (error) {
      if (error instanceof Unresolved) return undefined;
      throw error;
    }
  }

  /** Report a loop over an empty array, which has no call, with one event (A81). */
  #tellEmpty({ id: stepId, tool: { name: tool } }) {
    const payload = { status: "ok", reason: "empty", iterations: 0 };
    this.#run.journal.event("step.finished", "info", `${tool} had nothing to do`, { stepId, tool, payload });
  }

  #failLoop(work) {
    work.giveUp();
    this.#conclude(work.step, { status: "error", error: unresolved(work.step.loop.from.text) });
    this.#failed(work.step);
  }

  #startCallsOf(work) {
    let moved = false;
    while (!this.halted && this.#open.size < this.#slots) {
      const call = work.next();
      if (call === undefined) break;
      call.attempts += 1;
      new Attempt(this.#run, call).start();
      moved = true;
    }
    return moved;
  }

  /** Wait before the next attempt, without a slot (RETRY-18). */
  #pause(work, call) {
    call.callOff = this.#run.clock.after(asDouble(call.step.retries.backoffMs), () => {
      work.again(call);
      this.#run.goOn();
    });
  }

  #failed(step) {
    if (step.onError === "stop" && !this.halted) this.halt("stopped");
  }

  /** Skip what was not begun, do not retry what pauses, and let open calls end. */
  #giveUpTheRest() {
    for (const work of this.#works.values()) {
      if (work.state === "waiting") this.#skip(work, this.#haltedFor);
      for (const call of work.calls.filter(({ ended, isOpen }) => !ended && !isOpen)) {
        if (call.attempts === 0) this.#conclude(work.step, skipped(this.#haltedFor), call.iteration);
        work.ended(call);
      }
    }
    return false;
  }

  #skip(work, reason) {
    work.giveUp();
    this.#conclude(work.step, skipped(reason));
  }

  /** Write the one result of a call that was never built, under its own id (A2). */
  #conclude({ id: stepId, tool }, { status, error, userMessage, reason }, iteration) {
    const { journal, clock } = this.#run;
    const subject = { callId: this.#run.newCallId(), stepId, tool: tool.name };
    const now = stamp(clock.now());
    const times = { startedAt: now, endedAt: now, durationMs: 0 };
    journal.result({ ...subject, attempt: 1, status, ok: false, error, ...times, iteration, userMessage });
    const [type, level, verb] =
      status === "skipped" ? ["step.finished", "warn", "was skipped"] : ["step.failed", "error", "failed"];
    journal.event(type, level, `${tool.name} ${verb}`, { ...subject, payload: { status, reason } });
  }
}

/** @param {string} reason */
const skipped = (reason) => ({ status: "skipped", userMessage: `Skipped: ${WHY_SKIPPED[reason]}`, reason });
