/**
 * A small pipeline of tool calls, of the kind between a model and its tools: it carries each call of a batch from the
 * name that the model wrote to the result that the model reads. It does not know about callproof.
 *
 * A tool has an `id`, other `names`, a `state`, the JSON Schema of its input, and `execute({ id, input, signal,
 * onProgress })`, which returns `{ output, contextModifier }` or throws; `validate` and `map` are optional, as are the
 * hooks `before` and `after`, `permission` and `store`. All of them are async. The pipeline reports what happens to
 * `onRecord`, in records of Agent Tool.
 */

import { Call } from "./call.mjs";
import { Stopped } from "./failures.mjs";

/** One batch of calls. */
export class Pipeline {
  #calls;
  #policy;
  #around;
  #stops;
  #tell;
  /** The context as tools changed it. @type {object} */
  context = {};

  constructor({ calls, onRecord, ...around }) {
    this.#calls = calls;
    this.#policy = around.policy;
    this.#tell = onRecord;
    this.#around = around;
    this.#stops = new Map(calls.map(({ id }) => [id, new AbortController()]));
  }

  /** Stop a call, or all: running tools are asked to end, nothing new begins, and each call gets its result. */
  abort(id) {
    for (const [each, stop] of this.#stops)
      if (id === undefined || id === each) stop.abort(new Stopped("canceled", "the user stopped it"));
  }

  async run() {
    const later = [];
    if (this.#policy.order === "serial") for (const call of this.#calls) await this.#carry(call, later);
    else await this.#sideBySide(later);
    for (const modifier of later) this.#change(modifier);
  }

  async #sideBySide(later) {
    const ordered = this.#policy.order === "preserve_terminal_order";
    const carried = [];
    for (const call of this.#calls) carried.push(this.#carry(call, later, ordered ? carried.at(-1) : undefined));
    await Promise.all(carried);
  }

  /** @param {Promise<void>} [turn] Settles when the result may be reported. */
  async #carry(asked, later, turn) {
    const call = new Call(asked, {
      ...this.#around,
      tell: this.#tell,
      signal: this.#stops.get(asked.id).signal,
      onThrow: () => this.#stopSiblings(asked.id),
    });
    const result = await call.result();
    await turn;
    const { contextModifier } = call;
    if (contextModifier !== undefined)
      result.context_modifier = { disposition: this.#settle(contextModifier, result, later) };
    this.#tell(result);
    this.#tell({ record: "phase", invocation_id: asked.id, phase: "emit_terminal", status: "completed" });
  }

  #stopSiblings(id) {
    if (this.#policy.siblings !== "cancel_siblings") return;
    for (const [each, stop] of this.#stops)
      if (each !== id) stop.abort(new Stopped("sibling_canceled", "another call of the batch failed"));
  }

  /** Decide on a change of the context; if calls run in parallel, no change is made at once. */
  #settle(modifier, result, later) {
    const alone = this.#policy.order === "serial" || this.#calls.length === 1;
    if (result.is_error || this.#policy.context === "forbid") return "refused";
    if (this.#policy.context === "defer_until_batch_complete") {
      later.push(modifier);
      return "deferred";
    }
    if (!alone) return "refused";
    this.#change(modifier);
    return "applied";
  }

  #change(modifier) {
    this.context = { ...this.context, ...modifier };
  }
}
