/** The suite as the host of a run's tools. */

export class Host {
  #runId;
  #wire;

  /**
   * @param {string} runId
   * @param {import("./wire.js").Wire} wire
   */
  constructor(runId, wire) {
    this.#runId = runId;
    this.#wire = wire;
  }

  /**
   * Enter a tool.
   *
   * @param {{callId: string, tool: string, args: import("./json.js").JsonObject}} what
   * @param {(answer: import("./outcome.js").Answer) => void} onAnswer
   */
  invoke(what, onAnswer) {
    this.#wire.request("tool/invoke", { runId: this.#runId, ...what }, onAnswer);
  }

  /**
   * Give up on an open invocation.
   *
   * @param {{callId: string, reason: "timeout" | "cancelled"}} what
   */
  abort(what) {
    this.#wire.notify("tool/abort", { runId: this.#runId, ...what });
  }
}
