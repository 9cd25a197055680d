/**
 * One run of one plan: its beginning, the question to the user, and its end.
 *
 * Nothing here waits. Every event (an answer, a decision, a cancellation, an instant) is handled to its end before the
 * next one is read, so that the order of the messages is the order in which things were done.
 *
 * @typedef {import("./json.js").JsonObject} JsonObject
 * @typedef {object} Given What a run is made of.
 * @property {JsonObject} plan
 * @property {JsonObject} policy
 * @property {import("./plan.js").Plan} prepared
 * @property {import("./registry.js").Registry} registry
 * @property {number | undefined} confirmationTimeoutMs
 * @typedef {object} Around What a run works with.
 * @property {import("./clock.js").Clock} clock
 * @property {import("./journal.js").Journal} journal
 * @property {import("./host.js").Host} host
 */

import { stamp } from "./clock.js";
import { Confirmation } from "./confirmation.js";
import { Schedule } from "./schedule.js";
import { SPEC_VERSION } from "./version.js";

const KNOWN_LIMITS = new Set(["maxConcurrency", "maxAttempts", "maxTimeoutMs"]);

export class Run {
  #given;
  /** @type {Confirmation | undefined} */
  #confirmation;
  #ids = 0;
  #cancelled = false;
  #finished = false;

  /**
   * @param {string} runId
   * @param {Given} given
   * @param {Around} around
   */
  constructor(runId, given, { clock, journal, host }) {
    this.runId = runId;
    this.clock = clock;
    this.journal = journal;
    this.host = host;
    this.policy = given.policy;
    this.registryVersion = given.registry.version;
    this.createdAt = stamp(clock.now());
    this.schedule = new Schedule(this, given.prepared);
    this.#given = given;
  }

  begin() {
    this.journal.run(this.#record());
    const unknown = [...this.policy.get("limits").keys()].filter((name) => !KNOWN_LIMITS.has(name));
    const { clamped } = this.#given.prepared;
    const payload = { clamped: someOf(clamped), unknownLimits: someOf(unknown) };
    this.journal.event("run.started", "info", "The run started", { payload });
    if (this.policy.get("confirmationsRequired")) this.#ask();
    else this.goOn();
  }

  get confirmationId() {
    return this.#confirmation?.id;
  }

  newCallId() {
    this.#ids += 1;
    return `call-${this.#ids}`;
  }

  /**
   * @param {string} confirmationId
   * @param {"approved" | "rejected"} decision
   */
  confirm(confirmationId, decision) {
    if (!this.#confirmation?.decide(confirmationId, decision)) return;
    this.journal.run(this.#record());
    if (decision === "rejected") return this.#cancelFor("confirmation_rejected");
    this.journal.event("run.confirmed", "info", "The plan was confirmed", { payload: { confirmationId } });
    return this.goOn();
  }

  /** The user cancels; this changes nothing if the run is over or cancelled already (CANC-07). */
  cancel() {
    if (this.#finished || this.#cancelled) return;
    this.#confirmation?.withdraw();
    this.#cancelFor("user");
  }

  /** Begin everything that can begin now, and finish when everything has ended. */
  goOn() {
    if (this.#finished || this.#confirmation?.isOpen) return;
    if (this.schedule.goOn()) this.#finish();
  }

  #ask() {
    this.#confirmation = new Confirmation(this.clock, this.#given, () => this.#expire());
    const { id: confirmationId, expiresAt } = this.#confirmation;
    const about = { payload: { confirmationId, expiresAt } };
    this.journal.event("run.confirmationRequested", "info", "The plan waits for confirmation", about);
  }

  #expire() {
    this.journal.run(this.#record());
    this.#cancelFor("confirmation_expired");
  }

  #cancelFor(reason) {
    this.#cancelled = true;
    this.journal.event("run.cancelled", "warn", "The run was cancelled", { payload: { reason } });
    this.schedule.halt(reason);
    this.schedule.abortOpen(reason);
    this.goOn();
  }

  #finish() {
    this.#finished = true;
    const status = this.#cancelled ? "cancelled" : this.schedule.ok ? "ok" : "error";
    const level = { ok: "info", error: "error", cancelled: "warn" }[status];
    this.journal.event("run.finished", level, "The run finished", {
      payload: { status, results: this.journal.counts },
    });
    this.journal.close();
  }

  #record() {
    const { plan, policy, registry } = this.#given;
    const confirmation = this.#confirmation?.record;
    const tools = registry.descriptors;
    return { specVersion: SPEC_VERSION, plan, policy, tools, confirmation, createdAt: this.createdAt };
  }
}

/** @param {unknown[]} list */
const someOf = (list) => (list.length > 0 ? list : undefined);
