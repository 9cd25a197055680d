/**
 * A small agent loop of the kind that many teams have: it calls a model, carries out the tool calls in the reply, gives
 * the model the results, and calls it again until a reply has no more calls. It does not know about callproof.
 *
 * A tool has a name, the JSON Schema of its `parameters`, and `execute({ id, params, signal, onUpdate })`, which
 * returns `{ content, details }` or throws; a client carries out a tool with `client: true`. Hooks are async and each
 * is optional: `before` may answer `{ block, reason }` or `{ params }`, `after` only observes, and `persist` may answer
 * with another `{ content, details }` for the message.
 */

/** A hook forbade the call; every other error is a failure. */
class Blocked extends Error {}

export class Loop {
  #model;
  #tools;
  #hooks;
  #sequential;
  #emit;
  #messages = [];
  /** The user's messages that the model has not got yet. */
  #unsaid = [];
  /** Calls whose arguments are incomplete or not an object. */
  #cut = new WeakSet();
  #abort = new AbortController();

  constructor({ model, tools, hooks = {}, mode = "parallel", onEvent }) {
    this.#model = model;
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#hooks = hooks;
    this.#sequential = mode === "sequential";
    this.#emit = onEvent;
  }

  /** Stop: running tools are asked to end, nothing new begins, and each call still gets its result. */
  abort() {
    this.#abort.abort();
  }

  /** Add a message of the user in the middle of a run. Calls that the model asked for before are carried out first. */
  steer(text) {
    this.#unsaid.push({ role: "user", content: [{ type: "text", text }] });
  }

  async run(prompt) {
    this.#emit({ type: "agent_start" });
    this.steer(prompt);
    let more = true;
    while (more) more = await this.#turn();
    this.#emit({ type: "agent_end", messages: this.#messages });
  }

  /** Get one reply and carry out its calls; return whether another reply is needed. */
  async #turn() {
    this.#emit({ type: "turn_start" });
    for (const message of this.#unsaid.splice(0)) this.#keep(message);
    const reply = await this.#reply().catch((error) => this.#failed(error));
    if (reply === undefined) return false;
    const calls = reply.content.filter((block) => block.type === "toolCall");
    const results = [];
    const carryOut = async (call) => results.push(await this.#carryOut(call));
    if (this.#sequential) for (const call of calls) await carryOut(call);
    else await Promise.all(calls.map(carryOut));
    this.#emit({ type: "turn_end", message: reply, toolResults: results });
    return !this.#abort.signal.aborted && (calls.length > 0 || this.#unsaid.length > 0);
  }

  #keep(message) {
    this.#messages.push(message);
    this.#emit({ type: "message_start", message });
    this.#emit({ type: "message_end", message });
    return message;
  }

  /** There is no reply, and the run ends. Retries are up to the model that the caller passes in. */
  #failed({ message: errorMessage }) {
    const message = { role: "assistant", content: [], stopReason: "error", errorMessage };
    this.#emit({ type: "message_end", message });
  }

  async #reply() {
    const { message, pieces, stopReason } = await this.#model([...this.#messages]);
    if (message !== undefined) return this.#keep(message);
    const reply = { role: "assistant", content: [], stopReason };
    this.#emit({ type: "message_start", message: reply });
    const streams = new Map();
    for await (const piece of pieces) {
      const event = this.#putTogether(reply, streams, piece);
      this.#emit({ type: "message_update", message: reply, assistantMessageEvent: event });
    }
    this.#messages.push(reply);
    this.#emit({ type: "message_end", message: reply });
    return reply;
  }

  /** Add a piece to a reply. Arguments are complete as streamed, or empty: half of them is never mended (HOST-06). */
  #putTogether({ content }, streams, { type, contentIndex, text, id, name, delta }) {
    if (type === "text") {
      content[contentIndex] = { type: "text", text };
      return { type: "text_delta", contentIndex, delta: text };
    }
    if (type === "toolcall_start") {
      content[contentIndex] = { type: "toolCall", id, name, arguments: {} };
      this.#cut.add(content[contentIndex]);
      streams.set(contentIndex, "");
      return { type, contentIndex };
    }
    streams.set(contentIndex, streams.get(contentIndex) + (delta ?? ""));
    if (type === "toolcall_delta") return { type, contentIndex, delta };
    const [toolCall, read] = [content[contentIndex], objectIn(streams.get(contentIndex))];
    if (read !== undefined) {
      toolCall.arguments = read;
      this.#cut.delete(toolCall);
    }
    return { type, contentIndex, toolCall };
  }

  /** Carry out one call from its start to its result, in the required order (HOST-02). */
  async #carryOut(call) {
    const about = { toolCallId: call.id, toolName: call.name };
    this.#emit({ type: "tool_execution_start", ...about, args: call.arguments });
    const { result, isError } = await this.#outcome(call, about);
    const message = { role: "toolResult", ...about, ...result, isError, timestamp: Date.now() };
    const rewritten = await this.#hooks.persist?.({ message: structuredClone(message) }).catch(() => undefined);
    this.#emit({ type: "tool_execution_end", ...about, result, isError });
    if (rewritten === undefined) return this.#keep(message);
    return this.#keep({ ...message, content: rewritten.content, details: rewritten.details });
  }

  async #outcome(call, about) {
    let params;
    try {
      params = await this.#permitted(call, about);
    } catch (error) {
      if (error instanceof Blocked) return enveloped({ status: "blocked", tool: call.name, reason: error.message });
      return enveloped({ status: "error", tool: call.name, error: error.message });
    }
    const tool = this.#tools.get(call.name);
    if (tool.client)
      return enveloped({ status: "pending", tool: tool.name, message: "A client carries this out." });
    const outcome = await this.#enter(tool, params, call, about);
    // This hook only observes: neither its answer nor its failure changes the outcome (HOST-04).
    await this.#hooks.after?.({ ...about, ...structuredClone(outcome) }).catch(() => undefined);
    return outcome;
  }

  /** The arguments for the tool. @throws {Error} The tool must not be entered. */
  async #permitted(call, about) {
    const tool = this.#tools.get(call.name);
    if (tool === undefined) throw new Error(`there is no tool ${call.name}`);
    if (this.#cut.has(call)) throw new Error("the arguments did not come whole: say it again");
    this.#demandGoingOn();
    demandLawful(tool.parameters, call.arguments);
    const given = { ...about, params: structuredClone(call.arguments) };
    const { block, reason, params } = (await this.#hooks.before?.(given)) ?? {};
    if (block) throw new Blocked(reason ?? "the operator forbids it");
    // Arguments from a hook must fit the schema too.
    if (params !== undefined) demandLawful(tool.parameters, params);
    this.#demandGoingOn();
    return params ?? structuredClone(call.arguments);
  }

  #demandGoingOn() {
    if (this.#abort.signal.aborted) throw new Error("the run was aborted before the tool was entered");
  }

  async #enter(tool, params, call, about) {
    let inside = true;
    const tell = (partialResult) =>
      this.#emit({ type: "tool_execution_update", ...about, args: call.arguments, partialResult });
    // Progress after the tool has returned is ignored (HOST-09).
    const onUpdate = (partialResult) => inside && tell(partialResult);
    try {
      const { content, details } = await tool.execute({ id: call.id, params, signal: this.#abort.signal, onUpdate });
      const said = content.length > 0 ? content : [{ type: "text", text: "The tool returned nothing." }];
      return { result: { content: said, details }, isError: saysFailed(tool.name, said, details) };
    } catch (error) {
      return enveloped({ status: "error", tool: tool.name, error: error?.message ?? String(error) });
    } finally {
      inside = false;
    }
  }
}

/** The result of a call without a tool's result: the envelope, as a text for the model and as details for programs. */
function enveloped(envelope) {
  const content = [{ type: "text", text: JSON.stringify(envelope) }];
  return { result: { content, details: envelope }, isError: envelope.status !== "pending" };
}

/** Whether a tool returned the envelope of a failure, in its details or as its only text. */
function saysFailed(name, content, details) {
  const only = content.length === 1 && content[0].type === "text" ? objectIn(content[0].text) : undefined;
  const told = only?.tool === name ? [details, only] : [details];
  return told.some((each) => each?.status === "error" && each.tool === name && typeof each.error === "string");
}

/** The object that a text holds as JSON; an empty text stands for an object without members. */
function objectIn(text) {
  try {
    const value = text.trim() === "" ? {} : JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

const IS = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

/** Check a value by the part of JSON Schema that the tools here use. @throws {Error} The value breaks the schema. */
function demandLawful(schema, value, name = "the arguments") {
  const { type, enum: permitted, minLength, properties = {}, required = [], additionalProperties } = schema;
  if (type !== undefined && ![type].flat().some((each) => IS[each](value)))
    throw new Error(`${name}: not of type ${type}`);
  if (permitted !== undefined && !permitted.includes(value)) throw new Error(`${name}: none of ${permitted}`);
  if (typeof value === "string" && [...value].length < (minLength ?? 0)) throw new Error(`${name}: too short`);
  if (!isObject(value)) return;
  for (const each of required) if (!Object.hasOwn(value, each)) throw new Error(`${each} required`);
  for (const [each, member] of Object.entries(value)) {
    if (Object.hasOwn(properties, each)) demandLawful(properties[each], member, each);
    else if (additionalProperties === false) throw new Error(`${each}: not a parameter`);
  }
}
