/**
 * The state of a run's steps: which wait, which are running, which have ended and how.
 *
 * @typedef {{index: number, itemName: string, itemValue: import("./json.js").Json}} Iteration
 */

/** One call that the plan asks for: a step, or one iteration of a step with a loop. */
export class LogicalCall {
  attempts = 0;
  /** True between the dispatch of an attempt and its result. */
  isOpen = false;
  ended = false;
  /** @type {import("./json.js").JsonObject | undefined} */
  data;
  /** Ends the pause before the next attempt. */
  callOff = () => {};

  /**
   * @param {import("./plan.js").Step} step
   * @param {Iteration} [iteration]
   */
  constructor(step, iteration) {
    this.step = step;
    this.iteration = iteration;
  }
}

/** One step on its way from waiting to its end. */
export class Work {
  /** @type {"waiting" | "running" | "ended"} */
  state = "waiting";
  ok = false;
  /** @type {LogicalCall[]} */
  calls = [];
  /** Calls whose pause is over. @type {LogicalCall[]} */
  #again = [];
  #begun = 0;
  #ended = 0;

  /** @param {import("./plan.js").Step} step */
  constructor(step) {
    this.step = step;
  }

  /** @param {LogicalCall[]} calls */
  begin(calls) {
    this.calls = calls;
    this.state = "running";
    if (calls.length === 0) this.#settle();
  }

  /** The call that gets the next attempt, if there is one. A loop keeps to its own concurrency, pauses included. */
  next() {
    if (this.#again.length > 0) return this.#again.shift();
    const most = this.step.loop?.concurrency ?? 1;
    if (this.state !== "running" || this.#begun === this.calls.length || this.#begun - this.#ended >= most)
      return undefined;
    return this.calls[this.#begun++];
  }

  /** @param {LogicalCall} call */
  again(call) {
    this.#again.push(call);
  }

  /** @param {LogicalCall} call */
  ended(call) {
    call.callOff();
    call.ended = true;
    this.#ended += 1;
    if (this.#ended === this.calls.length) this.#settle();
  }

  /** End a step that was never begun, or, after a stop, one with calls that were never begun. */
  giveUp() {
    this.state = "ended";
  }

  /** The value of a reference to this step: its data, or for a loop the array of all data (A17). */
  get output() {
    return this.step.loop === undefined ? this.calls[0].data : this.calls.map((call) => call.data);
  }

  #settle() {
    this.state = "ended";
    this.ok = this.calls.every((call) => call.data !== undefined);
  }
}
