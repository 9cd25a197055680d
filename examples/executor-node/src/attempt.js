/**
 * One attempt of one logical call: built, recorded, checked against schema and policy, dispatched, closed.
 *
 * How far a call came decides which records it leaves (A2): all of them if its tool was entered, only call and result
 * if it was refused, and only a result if its arguments could not be built.
 */

import { stamp } from "./clock.js";
import { hashOf } from "./hash.js";
import { DEEPEST, depthOf } from "./json.js";
import { denied, invalidArguments, observedIn, outcomeOf, TOO_LARGE, unresolved } from "./outcome.js";
import { denialOf, liesOutside } from "./policy.js";
import { follow, resolve, Unresolved } from "./references.js";
import { isRetried } from "./retries.js";
import { VERSION } from "./version.js";

/** How long an aborted tool may take for its last answer, of which only the effects are kept (A58). */
export const ABORT_GRACE_MS = 500;

export class Attempt {
  #run;
  #call;
  #number;
  #callId;
  /** @type {import("./json.js").JsonObject | undefined} */
  #args;
  /** @type {{at: number, elapsed: number} | undefined} */
  #began;
  /** @type {{status: "timeout" | "cancelled", ms: number, reason?: string} | undefined} */
  #aborted;
  #recorded = false;
  #closed = false;
  #callOff = () => {};

  /**
   * @param {import("./run.js").Run} run
   * @param {import("./work.js").LogicalCall} call
   */
  constructor(run, call) {
    this.#run = run;
    this.#call = call;
    this.#number = call.attempts;
    this.#callId = run.newCallId();
  }

  get callId() {
    return this.#callId;
  }

  start() {
    const { tool } = this.#call.step;
    const unbuilt = this.#build();
    if (unbuilt !== undefined) return this.#close({ status: "error", error: unbuilt });
    this.#recorded = true;
    this.#run.journal.call(this.#record());
    this.#run.journal.event("step.scheduled", "info", `${tool.name} scheduled`, this.#subject);
    const error = orBroken(() => this.#refusal());
    return error === undefined ? this.#dispatch() : this.#close({ status: "error", error });
  }

  /** Why the call may not be dispatched; one that cannot be judged or recorded is refused like a wrong one (POL-20). */
  #refusal() {
    const { tool } = this.#call.step;
    const failure = tool.checkInput(this.#args, "");
    if (failure !== undefined) return invalidArguments(failure);
    const denial = denialOf(this.#run.policy, tool, this.#args);
    if (denial !== undefined) return denied(denial);
    return this.#run.journal.broken ? UNRECORDED : undefined;
  }

  /** The run was cancelled: abort this open call if its tool is cancellable; any other runs to its end (CANC-03). */
  cancel(reason) {
    if (this.#aborted === undefined && this.#call.step.tool.cancellable)
      this.#abort({ status: "cancelled", ms: this.#elapsed, reason });
  }

  /** @param {import("./json.js").JsonObject} params */
  progress(params) {
    if (this.#aborted !== undefined) return;
    const payload = params.get("payload");
    this.#run.journal.event("step.progress", "info", `${this.#subject.tool} makes progress`, {
      ...this.#subject,
      payload,
    });
  }

  get #subject() {
    return { callId: this.#callId, stepId: this.#call.step.id, tool: this.#call.step.tool.name };
  }

  get #elapsed() {
    return this.#run.clock.elapsed() - this.#began.elapsed;
  }

  /** Build the arguments; return an error if that fails, and otherwise undefined. */
  #build() {
    const { step } = this.#call;
    try {
      this.#args = /** @type {any} */ (resolve(step.args, step.names, (reference) => this.#valueOf(reference)));
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error;
      return unresolved(error.reference);
    }
    if (depthOf(this.#args) < DEEPEST && this.#run.journal.fits("call", this.#record())) return undefined;
    return {
      code: "VALIDATION_ERROR",
      message: "The arguments are too large",
      details: { reason: "arguments_too_large" },
    };
  }

  #valueOf(reference) {
    const { iteration } = this.#call;
    if (reference.kind === "index") return iteration.index;
    return follow(reference, reference.kind === "item" ? iteration.itemValue : this.#run.schedule.outputOf(reference));
  }

  #record() {
    const { step, iteration } = this.#call;
    const args = this.#args;
    return {
      ...this.#subject,
      attempt: this.#number,
      args,
      argsHash: hashOf(args),
      timeoutMs: step.timeoutMs,
      cancellable: step.tool.cancellable,
      iteration,
      loopId: iteration === undefined ? undefined : `loop-${step.id}`,
      createdAt: stamp(this.#run.clock.now()),
      executorVersion: VERSION,
      toolRegistryVersion: this.#run.registryVersion,
      preview: iteration === undefined && !/[${]/.test(step.preview ?? "$") ? step.preview : undefined,
      riskLevel: step.tool.riskLevel,
      category: step.tool.descriptor.get("category"),
      policy: this.#run.policy,
      confirmationId: this.#run.confirmationId,
    };
  }

  #dispatch() {
    const { clock, journal, host } = this.#run;
    const { step } = this.#call;
    this.#began = { at: clock.now(), elapsed: clock.elapsed() };
    this.#call.isOpen = true;
    this.#run.schedule.entered(this);
    journal.event("step.started", "info", `${step.tool.name} started`, this.#subject);
    host.invoke({ callId: this.#callId, tool: step.tool.name, args: this.#args }, (answer) => this.#answered(answer));
    const { timeoutMs } = step;
    if (timeoutMs !== undefined)
      this.#callOff = clock.after(timeoutMs, () => this.#abort({ status: "timeout", ms: timeoutMs }));
  }

  /** The tool answered: that ends the call, or is the last answer after an abort, or comes too late (RES-20). */
  #answered(answer) {
    if (this.#closed) return;
    this.#callOff();
    if (this.#aborted === undefined) this.#close(this.#outcomeOf(answer));
    else this.#close(abortion(this.#aborted, observedIn(answer)));
    this.#run.goOn();
  }

  #outcomeOf(answer) {
    const broken = { status: "error", effects: observedIn(answer) };
    return orBroken(
      () => outcomeOf(answer, this.#call.step.tool),
      (error) => ({ ...broken, error }),
    );
  }

  #abort(how) {
    this.#callOff();
    this.#aborted = how;
    const close = () => {
      this.#close(abortion(how));
      this.#run.goOn();
    };
    if (!this.#call.step.tool.cancellable) return close();
    this.#run.host.abort({ callId: this.#callId, reason: how.status });
    this.#callOff = this.#run.clock.after(ABORT_GRACE_MS, close);
  }

  /** @param {import("./outcome.js").Outcome} outcome */
  #close(outcome) {
    const said = this.#run.journal.fits("result", this.#result(outcome))
      ? outcome
      : { status: "error", effects: outcome.effects, error: TOO_LARGE };
    const again =
      !this.#run.schedule.halted &&
      isRetried(this.#call.step, { attempt: this.#number, args: this.#args, outcome: said });
    this.#closed = true;
    this.#call.isOpen = false;
    this.#run.journal.result(this.#result(said));
    this.#tell(said, again);
    this.#run.schedule.left(this, this.#call, said, again);
  }

  #result({ status, data, error, effects }) {
    const at = this.#began?.at ?? this.#run.clock.now();
    const ms = this.#aborted?.ms ?? (this.#began === undefined ? 0 : this.#elapsed);
    return {
      ...this.#subject,
      attempt: this.#number,
      status,
      ok: status === "ok",
      data,
      dataHash: data === undefined ? undefined : hashOf(data),
      error,
      startedAt: stamp(at),
      endedAt: stamp(at + ms),
      durationMs: ms,
      effects,
      iteration: this.#recorded ? undefined : this.#call.iteration,
    };
  }

  #tell({ status, effects }, again) {
    const ok = status === "ok";
    const calm = ok && !liesOutside(this.#run.policy, effects);
    const level = calm ? "info" : ok || again || status === "cancelled" ? "warn" : "error";
    const verb = { ok: "finished", error: "failed", timeout: "timed out", cancelled: "was cancelled" }[status];
    this.#run.journal.event(ok ? "step.finished" : "step.failed", level, `${this.#subject.tool} ${verb}`, {
      ...this.#subject,
      payload: { status },
    });
  }
}

const UNRECORDED = {
  code: "INTERNAL_ERROR",
  message: "The audit log cannot be written",
  retryable: false,
  details: { reason: "log_unwritable" },
};

/**
 * The outcome of a judgement; if the judgement itself throws, that is an error of the call, not of the run (DEP-15).
 *
 * @template T
 * @param {() => T} judge
 * @param {(error: object) => T} [told]
 */
function orBroken(judge, told = (error) => error) {
  try {
    return judge();
  } catch {
    return told({ code: "INTERNAL_ERROR", message: "The executor could not judge this call", retryable: false });
  }
}

/** @returns {import("./outcome.js").Outcome} */
function abortion({ status, ms, reason }, effects = undefined) {
  const error =
    status === "timeout"
      ? { code: "TIMEOUT", message: `No answer within ${ms} ms` }
      : { code: "CANCELLED", message: "The call was cancelled", details: { reason } };
  return { status, error, effects };
}
