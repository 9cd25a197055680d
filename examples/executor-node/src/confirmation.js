/**
 * The one question about a run: asked once, answered once, and bound to what was shown (CONF-08, CONF-10).
 *
 * @typedef {Pick<import("./run.js").Given, "plan" | "policy" | "confirmationTimeoutMs">} Shown
 */

import { randomUUID } from "node:crypto";

import { stamp } from "./clock.js";
import { hashOf } from "./hash.js";

/** How long a question stays open if the run does not say how long. */
const DEFAULT_TIMEOUT_MS = 300_000;

export class Confirmation {
  #clock;
  #shown;
  #callOff;
  /** @type {{decision: "approved" | "rejected", decidedAt: string} | undefined} */
  #decided;
  isOpen = true;

  /**
   * @param {import("./clock.js").Clock} clock
   * @param {Shown} shown
   * @param {() => void} onExpiry
   */
  constructor(clock, { plan, policy, confirmationTimeoutMs = DEFAULT_TIMEOUT_MS }, onExpiry) {
    this.id = `confirm-${randomUUID()}`;
    this.expiresAt = stamp(clock.now() + confirmationTimeoutMs);
    this.#clock = clock;
    this.#shown = { planHash: hashOf(plan), policyHash: hashOf(policy) };
    this.#callOff = clock.after(confirmationTimeoutMs, () => {
      this.decide(this.id, "rejected");
      onExpiry();
    });
  }

  /**
   * Take a decision; return whether it counts: the question is open and has this id.
   *
   * @param {string} id
   * @param {"approved" | "rejected"} decision
   */
  decide(id, decision) {
    if (!this.isOpen || id !== this.id) return false;
    this.withdraw();
    this.#decided = { decision, decidedAt: stamp(this.#clock.now()) };
    return true;
  }

  /** Close the question: no decision is needed any more. */
  withdraw() {
    this.isOpen = false;
    this.#callOff();
  }

  /** The confirmation in the run record, once it is decided (A83). */
  get record() {
    return this.#decided && { confirmationId: this.id, ...this.#decided, ...this.#shown, expiresAt: this.expiresAt };
  }
}
