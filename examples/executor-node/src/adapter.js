/** The adapter's side of the conversation: every method that the suite may call, and the runs that it starts. */

import { randomUUID } from "node:crypto";

import { ABORT_GRACE_MS } from "./attempt.js";
import { AuditLog } from "./auditlog.js";
import { stamp } from "./clock.js";
import { Host } from "./host.js";
import { Journal } from "./journal.js";
import { asDouble } from "./numbers.js";
import { prepare } from "./plan.js";
import { Refusal } from "./refusal.js";
import { Registry } from "./registry.js";
import { Run } from "./run.js";
import { NAME, PROTOCOL_VERSION, VERSION } from "./version.js";
import { RpcError } from "./wire.js";

const FEATURES = [
  "references",
  "foreach",
  "retry",
  "timeout",
  "cancellation",
  "confirmation",
  "concurrency",
  "events",
  "effects",
  "argsHash",
  "dataHash",
  "auditLog",
];
const REFUSED = -32001;

export class Adapter {
  #wire;
  #clock;
  /** @type {Map<string, Run>} */
  #runs = new Map();
  #methods = {
    initialize: (params) => this.#introduce(params),
    "run/start": (params, request) => this.#start(params, request),
    "run/confirm": (params) => this.#confirm(params),
    "run/cancel": (params) => this.#cancel(params),
    "clock/advance": (params) => this.#advance(params),
    "tool/progress": (params) => this.#progress(params),
    shutdown: () => ({}),
  };

  /**
   * @param {import("./wire.js").Wire} wire
   * @param {import("./clock.js").Clock & {advance?: (ms: number) => void}} clock A clock with `advance` is moved by the suite.
   */
  constructor(wire, clock) {
    this.#wire = wire;
    this.#clock = clock;
  }

  /** @param {import("./wire.js").Request} request */
  handle(request) {
    const method = Object.hasOwn(this.#methods, request.method) ? this.#methods[request.method] : undefined;
    if (method === undefined) throw new RpcError(-32601, `the method ${request.method} is not known`);
    return method(request.params, request);
  }

  #introduce(params) {
    this.#wire.limit(asDouble(params.get("limits").get("frameBytes")));
    const features = this.#clock.advance === undefined ? FEATURES : [...FEATURES, "virtualClock"];
    return {
      protocolVersion: PROTOCOL_VERSION,
      implementation: { name: NAME, version: VERSION, language: "javascript" },
      claims: { profiles: ["envelope"], features, postures: { abortGraceMs: ABORT_GRACE_MS } },
    };
  }

  /** Start a run; this sends the answer itself, since the answer must come before the first record. */
  #start(params, { id, flaw }) {
    const run = this.#accept(params, flaw);
    this.#wire.answer(id, { runId: run.runId });
    run.begin();
  }

  #accept(params, flaw) {
    try {
      if (flaw !== undefined) throw new Refusal("no_json", `What was given is not JSON: ${flaw}`);
      return this.#makeRun(params);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new RpcError(REFUSED, "the run is refused", error.data);
    }
  }

  #makeRun(params) {
    const [plan, policy, auditDir] = ["plan", "policy", "auditDir"].map((name) => params.get(name));
    const registry = new Registry(params.get("tools"));
    const prepared = prepare(plan, policy, registry);
    if (!this.#wire.fits(params)) throw new Refusal("too_large", "The run record would be longer than a line may be");
    const runId = `run-${randomUUID()}`;
    const timeout = params.get("confirmationTimeoutMs");
    const confirmationTimeoutMs = timeout === undefined ? undefined : asDouble(timeout);
    const audit = auditDir === undefined ? undefined : new AuditLog(auditDir);
    const around = {
      clock: this.#clock,
      journal: new Journal(runId, { clock: this.#clock, wire: this.#wire, audit }),
      host: new Host(runId, this.#wire),
    };
    const run = new Run(runId, { prepared, plan, policy, registry, confirmationTimeoutMs }, around);
    this.#runs.set(runId, run);
    return run;
  }

  #confirm(params) {
    const run = this.#runs.get(params.get("runId"));
    run?.confirm(params.get("confirmationId"), params.get("decision"));
    return {};
  }

  #cancel(params) {
    this.#runs.get(params.get("runId"))?.cancel();
    return {};
  }

  #progress(params) {
    this.#runs.get(params.get("runId"))?.schedule.openAttempt(params.get("callId"))?.progress(params);
  }

  #advance(params) {
    if (this.#clock.advance === undefined) throw new RpcError(-32601, "the clock is the machine's");
    this.#clock.advance(asDouble(params.get("ms")));
    return { now: stamp(this.#clock.now()) };
  }
}
