/** One call on its way through the phases, and its result. */

import { Failure, described, statusOf } from "./failures.mjs";
import { broken } from "./schema.mjs";
import { beginning, sizeOf } from "./sizes.mjs";

const NOES = { person: "approval_rejected", policy: "policy_blocked" };
const LOST = { strategy: "drop_with_reason", reason: "the rest was too large, and is lost" };

/** The call is over with this failure. */
class Ended extends Error {
  constructor(failed) {
    super(failed.message);
    this.failed = failed;
  }
}

export class Call {
  #id;
  #name;
  #written;
  #around;
  #signal;
  #counts = {};
  /** The change of the context that the tool asked for, if any. */
  contextModifier;

  constructor({ id, name, input }, around) {
    this.#id = id;
    this.#name = name;
    this.#written = input;
    this.#around = around;
    this.#signal = around.signal;
  }

  /** The terminal result. Every call gets one, no matter what happens on the way. */
  async result() {
    const about = { record: "result", result_id: `result:${this.#id}`, invocation_id: this.#id };
    try {
      return { ...about, is_error: false, ...(await this.#carryOut()) };
    } catch (ended) {
      if (!(ended instanceof Ended)) throw ended;
      const error = ended.failed;
      const content = [{ type: "text", text: `${error.error_class}: ${error.message}` }];
      return { ...about, status: statusOf(error.error_class), is_error: true, error, model_facing_content: content };
    }
  }

  async #carryOut() {
    const tool = await this.#resolve();
    await this.#demandSound(tool, this.#written);
    const { behavior, ...hooked } = await this.#askBefore(tool);
    const input = await this.#askPermission(tool, hooked.input ?? this.#written, behavior);
    return this.#present(tool, await this.#execute(tool, input));
  }

  async #resolve() {
    const { tools, surfaceId, batchId, policy } = this.#around;
    const tool = tools.find(({ id }) => id === this.#name) ?? tools.find(({ names }) => names.includes(this.#name));
    const told = { tool_id: tool?.id ?? (this.#name || "(unnamed)"), surface_id: surfaceId, batch_id: batchId };
    this.#tell("invocation", { ...told, scheduler_policy_ref: policy.id, model_input: this.#written });
    await this.#phase("resolve_tool", () => {
      if (tool === undefined) throw new Failure("unknown_tool", `there is no tool ${this.#name}`);
      if (tool.state === "blocked") throw new Failure("blocked_tool", `${tool.id} may not be called`);
      if (tool.state === "deferred") throw new Failure("schema_not_loaded", `${tool.id} has to be loaded first`);
    });
    return tool;
  }

  /** The schema and the tool check every input, also one that a hook or a person wrote. */
  async #demandSound(tool, input) {
    await this.#phase("parse_schema", () => {
      const reason = broken(tool.schema, input);
      if (reason !== undefined) throw new Failure("schema_validation_failed", reason);
    });
    if (tool.validate !== undefined)
      await this.#phase("validate_values", () =>
        this.#unlessStopped(() => tool.validate({ id: this.#id, input: structuredClone(input) })),
      );
  }

  async #askBefore(tool) {
    const { before } = this.#around.hooks;
    if (before === undefined) return {};
    const about = { id: this.#id, toolId: tool.id, input: structuredClone(this.#written) };
    const said = await this.#phase("pre_hooks", async () => {
      const answer = await this.#unlessStopped(() => before(about));
      if (answer.block) throw new Failure("hook_blocked", answer.reason ?? "a hook forbids it");
      return answer;
    });
    if (said.input !== undefined) await this.#takeOver(tool, said.input, "hook");
    return said;
  }

  async #takeOver(tool, input, source) {
    this.#tell("mutation", { mutation_id: this.#numbered("mutation"), source_type: source });
    await this.#demandSound(tool, input);
  }

  async #askPermission(tool, input, behavior) {
    const { permission } = this.#around;
    if (behavior === undefined && permission === undefined) return input;
    const { updatedInput } = await this.#phase("permission", async () => {
      const answer = await this.#decision(tool, input, behavior);
      const about = { decision_id: this.#numbered("decision"), tool_id: tool.id };
      this.#tell("decision", { ...about, behavior: answer.behavior, updated_input: answer.updatedInput });
      if (answer.behavior === "allow") return answer;
      throw new Failure(NOES[answer.by] ?? "permission_denied", answer.reason ?? "it is not permitted");
    });
    if (updatedInput !== undefined) await this.#takeOver(tool, updatedInput, "permission_prompt");
    return updatedInput ?? input;
  }

  /** The decision: a hook may make it. If the hook wants a person to be asked and there is nobody, the answer is no. */
  async #decision(tool, input, behavior) {
    const { permission } = this.#around;
    if (behavior === "allow" || behavior === "deny") return { behavior, reason: "a hook decided" };
    if (permission === undefined) return { behavior: "deny", reason: "there is nobody to ask" };
    this.#tell("invocation", { tool_id: tool.id, status: "awaiting_approval", permission_input: input });
    return this.#unlessStopped(() => permission({ id: this.#id, toolId: tool.id, input: structuredClone(input) }));
  }

  async #execute(tool, input) {
    let inside = true;
    // Progress after the tool has returned or was stopped is ignored.
    const onProgress = () => inside && this.#tell("progress", { sequence: this.#next("progress") });
    try {
      const returned = await this.#phase("execute", () => this.#unlessStopped(() => this.#enter(tool, input, onProgress)));
      this.contextModifier = returned.contextModifier;
      return returned.output;
    } catch (failure) {
      if (!this.#signal.aborted) this.#around.onThrow();
      throw failure;
    } finally {
      inside = false;
    }
  }

  #enter(tool, input, onProgress) {
    this.#tell("phase", { phase: "execute", status: "started" });
    this.#tell("invocation", { tool_id: tool.id, status: "running", call_input: input });
    return tool.execute({ id: this.#id, input: structuredClone(input), signal: this.#signal, onProgress });
  }

  /** What the model reads. From here on the call cannot be stopped: the deed is done. */
  async #present(tool, output) {
    const content = await this.#map(tool, output);
    const { after } = this.#around.hooks;
    if (after === undefined) return this.#keep(output, content);
    const said = await this.#phase("post_hooks", async () => {
      const answer = await after({ id: this.#id, output: structuredClone(output) });
      if (answer.block) throw new Failure("hook_blocked", answer.reason ?? "a hook stops it");
      return answer;
    });
    if (said.output === undefined) return this.#keep(output, content);
    const about = { hook_id: this.#numbered("hook"), hook_event: "post_tool_use" };
    this.#tell("hook", { ...about, updated_output: said.output });
    return this.#keep(said.output, await this.#map(tool, said.output));
  }

  #map(tool, output) {
    const plain = () => [{ type: "text", text: typeof output === "string" ? output : JSON.stringify(output) }];
    return this.#phase("map_result", () => tool.map?.({ id: this.#id, output: structuredClone(output) }) ?? plain());
  }

  /** Show a result that is too large in part, and say so; all of it is stored if there is a store. */
  async #keep(output, content) {
    const { resultBytes = Infinity, store } = this.#around;
    const inFull = sizeOf(content) <= resultBytes;
    if (inFull && sizeOf(output) <= resultBytes)
      return { status: "succeeded", model_facing_content: content, structured_content: output };
    const shown = inFull ? content : [{ type: "text", text: beginning(content, resultBytes) }];
    const uri = await store?.({ id: this.#id, data: inFull ? output : content }).catch(() => undefined);
    const decision_id = this.#numbered("persistence");
    const kept = uri === undefined ? LOST : { strategy: "preview_and_persist", persisted_ref: { uri } };
    this.#tell("persistence", { decision_id, ...kept, preview_size_bytes: sizeOf(shown) });
    this.#tell("phase", { phase: "persist_result", status: "completed" });
    return {
      status: uri === undefined ? "too_large" : "succeeded",
      model_facing_content: [...shown, { type: "text", text: uri === undefined ? LOST.reason : `the whole is at ${uri}` }],
      persistence_refs: [decision_id],
      resource_refs: uri === undefined ? undefined : [{ uri }],
    };
  }

  async #phase(phase, work) {
    try {
      const value = await work();
      this.#tell("phase", { phase, status: "completed" });
      return value;
    } catch (error) {
      const failed = described(error, phase);
      this.#tell("phase", { phase: failed.phase, status: "failed", error_class: failed.error_class });
      throw new Ended(failed);
    }
  }

  /** The answer to a question; when the call is stopped, this stops waiting for the answer. */
  async #unlessStopped(asking) {
    this.#signal.throwIfAborted();
    let stop;
    const stopped = new Promise((_, reject) => {
      stop = () => reject(this.#signal.reason);
      this.#signal.addEventListener("abort", stop);
    });
    try {
      return await Promise.race([asking(), stopped]);
    } finally {
      this.#signal.removeEventListener("abort", stop);
    }
  }

  #tell(record, members) {
    this.#around.tell({ record, invocation_id: this.#id, ...members });
  }

  #next(what) {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1;
    return this.#counts[what];
  }

  #numbered = (what) => `${what}:${this.#id}:${this.#next(what)}`;
}
