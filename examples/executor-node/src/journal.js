/**
 * Everything that a run records goes through here, once: to the suite and to the audit log, if there is one (EVT-20).
 *
 * @typedef {"info" | "warn" | "error"} Level
 * @typedef {{callId?: string, stepId?: string, tool?: string}} Subject
 * @typedef {object} Where
 * @property {import("./clock.js").Clock} clock
 * @property {import("./wire.js").Wire} wire
 * @property {import("./auditlog.js").AuditLog | undefined} audit
 */

import { stamp } from "./clock.js";
import { stringify } from "./json.js";

export class Journal {
  #runId;
  #clock;
  #wire;
  #audit;
  /** @type {Record<string, number>} */
  #counts = {};

  /**
   * @param {string} runId
   * @param {Where} where
   */
  constructor(runId, { clock, wire, audit }) {
    this.#runId = runId;
    this.#clock = clock;
    this.#wire = wire;
    this.#audit = audit;
  }

  /** Whether writing the audit log failed. Then no more is done, since it could not be proved (CALL-21, LOG-15). */
  broken = false;

  /** The number of results of each status. */
  get counts() {
    return { ...this.#counts };
  }

  /** @param {Record<string, any>} record */
  run(record) {
    this.#write("run", record);
  }

  /**
   * Whether a record would fit into one line of the wire.
   *
   * @param {"call" | "result"} kind
   * @param {Record<string, any>} record
   */
  fits(kind, record) {
    return this.#wire.fits(this.#message(kind, { runId: this.#runId, ...record }));
  }

  /** @param {Record<string, any>} record */
  call(record) {
    this.#write("call", record);
  }

  /** @param {Record<string, any>} record */
  result(record) {
    this.#counts[record.status] = (this.#counts[record.status] ?? 0) + 1;
    this.#write("result", record);
  }

  /**
   * @param {string} type
   * @param {Level} level
   * @param {string} message
   * @param {Subject & {payload?: any}} [about]
   */
  event(type, level, message, about = {}) {
    this.#write("event", { type, timestamp: stamp(this.#clock.now()), level, message, ...about });
  }

  close() {
    this.#audit?.close();
    this.#wire.notify("run/finished", { runId: this.#runId });
  }

  #write(kind, members) {
    const record = { runId: this.#runId, ...members };
    this.#keep(kind, record);
    this.#wire.notify("record", this.#message(kind, record));
  }

  #keep(kind, record) {
    if (this.broken) return;
    try {
      this.#audit?.write(kind, stringify(record));
    } catch {
      this.broken = true;
    }
  }

  #message(kind, record) {
    return { runId: this.#runId, kind, record };
  }
}
