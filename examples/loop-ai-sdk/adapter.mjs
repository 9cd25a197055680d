#!/usr/bin/env node
/**
 * The adapter around the agent of the AI SDK: its model, tools and hooks ask the suite; what it reports is passed on.
 *
 * The first argument is the function that runs the agent, if it is not `streamText`.
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { getErrorMessage } from "@ai-sdk/provider";
import { ToolLoopAgent, dynamicTool, experimental_createSteering, isLoopFinished, jsonSchema } from "ai";
import Ajv from "ajv/dist/2020.js";

const WAY = process.argv[2] ?? "streamText";
const LINE_FEED = 0x0a;
const PACKAGE = fileURLToPath(import.meta.resolve("ai")).replace(/dist.index\.js$/, "package.json");
const VERSION = JSON.parse(readFileSync(PACKAGE, "utf8")).version;
const FEATURES = {
  // No beforeHook: `streamText` asks it while the reply is still streaming, before there is a reply.
  streamText: ["parallel", "sequential", "afterHook", "streaming", "progress", "abort", "steering"],
  generateText: ["parallel", "sequential", "beforeHook", "afterHook", "abort", "steering"],
};
const HELLO = {
  protocol: "agent-loop",
  protocolVersion: "1.0",
  implementation: { name: "ai", version: `${VERSION} ${WAY}`, language: "typescript" },
  claims: { features: FEATURES[WAY] },
};
const STOPPED = { stop: "stop", length: "length", toolUse: "tool-calls" };
const TOLD = { stop: "stop", length: "length", "tool-calls": "toolUse" };
const USAGE = { inputTokens: {}, outputTokens: {} };

/** The callbacks that wait for the answer to a request, by its id. */
const waiting = new Map();
let asked = 0;
/** The run of the current case. */
let run;

const METHODS = {
  initialize: () => HELLO,
  "loop/start": (begun) => {
    run = new Run(begun);
    // This begins after the answer to the current message has been sent.
    setImmediate(() => run.play(begun.prompt));
  },
  "loop/abort": () => run?.aborting.abort(),
  "loop/steer": ({ text }) => void run?.steering.steer(text),
  "tool/update": ({ toolCallId, partialResult }) => run?.listening.get(toolCallId)?.(partialResult),
  shutdown: () => ({}),
};

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const tell = (event) => send({ method: "event", params: { event } });
/** Wait until everything that the agent has put into its stream has come out of it. */
const passedOn = () => new Promise(setImmediate);

/** Ask the suite. @throws {Error} It answered with an error: the tool threw, or the hook or the model failed. */
function ask(method, params) {
  asked += 1;
  send({ id: asked, method, params });
  return new Promise((resolve, reject) => waiting.set(asked, { resolve, reject }));
}

class Run {
  aborting = new AbortController();
  steering = experimental_createSteering();
  /** The listeners to a tool's progress, and the arguments that a hook changed, by the id of the call. */
  listening = new Map();
  changed = new Map();
  /** Calls that have begun; number of ended calls per id; executions by their calls; the reply's blocks so far. */
  begun = new Set();
  ended = new Map();
  atWork = new Map();
  blocks = [];

  constructor({ tools, mode, hooks }) {
    this.hooks = hooks;
    this.agent = new ToolLoopAgent({
      model: MODEL,
      tools: Object.fromEntries(tools.map((each) => [each.name, this.toolOf(each)])),
      stopWhen: isLoopFinished(),
      toolCallConcurrency: mode === "sequential" ? 1 : undefined,
      toolApproval: hooks.includes("before") ? ({ toolCall }) => this.permit(toolCall) : undefined,
      onLanguageModelCallEnd: (reply) => this.replied(reply),
      onToolExecutionStart: ({ toolCall }) => this.entering(toolCall),
      onToolExecutionEnd: ({ toolCall, toolOutput }) => this.returned(toolOutput).then(this.atWork.get(toolCall).over),
      onStepEnd: (step) => this.kept(step),
      onError: () => {},
    });
  }

  async play(prompt) {
    tell({ type: "agent_start" });
    const call = { prompt, abortSignal: this.aborting.signal, experimental_steering: this.steering };
    try {
      if (WAY === "generateText") await this.agent.generate(call);
      else for await (const part of (await this.agent.stream(call)).stream) this.streamed(part);
    } catch {
      // The run is over, no matter what ended it.
    }
    // An aborted agent does not wait for its tools, but it still reports their ends.
    await Promise.all(Array.from(this.atWork.values(), ({ told }) => told));
    tell({ type: "agent_end" });
    send({ method: "loop/finished", params: {} });
  }

  toolOf({ name, description, parameters }) {
    const accepts = new Ajv({ strict: false, validateFormats: false }).compile(parameters);
    const validate = (value) =>
      accepts(value)
        ? { success: true, value }
        : { success: false, error: new Error(accepts.errors.map(({ message }) => message).join(", ")) };
    const enter = (input, { toolCallId, abortSignal }) => {
      const params = this.changed.get(toolCallId) ?? input;
      const valid = validate(params);
      if (!valid.success) throw valid.error;
      return entered({ toolCallId, toolName: name, params }, abortSignal);
    };
    const execute = WAY === "generateText" ? async (...call) => enter(...call) : this.telling(enter);
    return dynamicTool({ description, inputSchema: jsonSchema(parameters, { validate }), execute, toModelOutput });
  }

  /** A generator function for a tool, which is how a tool reports its progress. */
  telling(enter) {
    const { listening } = this;
    return async function* (input, call) {
      const told = [];
      let wake;
      listening.set(call.toolCallId, (partial) => {
        told.push(partial);
        wake?.();
      });
      let output;
      const returned = enter(input, call).then((each) => (output = each));
      while (output === undefined) {
        yield* told.splice(0);
        await Promise.race([returned, new Promise((resolve) => (wake = resolve))]);
      }
      yield* told.splice(0);
      yield output;
    };
  }

  /** The operator's decision on a call: a hook that fails forbids it. */
  async permit(call) {
    const { toolCallId, toolName, input } = call;
    this.begin(call);
    try {
      const said = await ask("hook/before", { toolCallId, toolName, params: input });
      if (said.block) return { type: "denied", reason: said.reason };
      if (said.params) this.changed.set(toolCallId, said.params);
      return undefined;
    } catch (error) {
      return { type: "denied", reason: `a hook failed: ${error.message}` };
    }
  }

  /** Report a part of the stream. What the other parts say is reported where it happens. */
  streamed(part) {
    const update = (type, more) =>
      tell({
        type: "message_update",
        assistantMessageEvent: { type, contentIndex: this.blocks.lastIndexOf(part.id), ...more },
      });
    if (part.type === "text-start") this.blocks.push(part.id);
    else if (part.type === "tool-input-start") {
      this.blocks.push(part.id);
      update("toolcall_start", { id: part.id, name: part.toolName });
    } else if (part.type === "tool-input-delta") update("toolcall_delta", { delta: part.delta });
    else if (part.type === "tool-result" && part.preliminary)
      tell({ type: "tool_execution_update", ...about(part), partialResult: part.output });
  }

  async replied({ content, finishReason }) {
    await passedOn();
    this.blocks = [];
    const message = { role: "assistant", content: content.map(blockOf), stopReason: TOLD[finishReason] ?? "error" };
    tell({ type: "message_end", message });
  }

  entering(call) {
    this.begin(call);
    let over;
    const told = new Promise((resolve) => (over = resolve));
    this.atWork.set(call, { told, over });
  }

  begin(call) {
    if (this.begun.has(call)) return;
    this.begun.add(call);
    tell({ type: "tool_execution_start", ...about(call), args: blockOf(call).arguments });
  }

  async returned(output) {
    await passedOn();
    const { isError, ...result } = resultOf(output, modelOutputOf(output));
    if (this.hooks.includes("after")) await ask("hook/after", { ...about(output), result, isError }).catch(() => {});
    this.end(output, result, isError);
  }

  end(part, result, isError) {
    this.ended.set(part.toolCallId, (this.ended.get(part.toolCallId) ?? 0) + 1);
    tell({ type: "tool_execution_end", ...about(part), result, isError });
  }

  /** Report the results of a step once they are among its messages. A refused call begins and ends here. */
  kept({ content, response }) {
    const parts = response.messages.filter(({ role }) => role === "tool").flatMap((message) => message.content);
    for (const part of parts.filter(({ type }) => type === "tool-result")) {
      const of = (kind) => content.find(({ type, toolCallId }) => type === kind && toolCallId === part.toolCallId);
      const { isError, ...result } = resultOf(of("tool-result"), part);
      const left = this.ended.get(part.toolCallId) ?? 0;
      if (left === 0) {
        this.begin(of("tool-call"));
        this.end(part, result, isError);
      }
      this.ended.set(part.toolCallId, Math.max(left - 1, 0));
      const message = { role: "toolResult", ...about(part), ...result, isError, timestamp: Date.now() };
      tell({ type: "message_end", message });
    }
  }
}

const about = ({ toolCallId, toolName }) => ({ toolCallId, toolName });

/** Run a tool: every tool asks the suite. */
async function entered(call, signal) {
  const stop = () => send({ method: "tool/abort", params: { toolCallId: call.toolCallId } });
  signal.addEventListener("abort", stop);
  const returned = ask("tool/call", call);
  if (signal.aborted) stop();
  try {
    return await returned;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A tool's result as `@ai-sdk/mcp` converts the results of its tools, with a placeholder for an empty one. */
function toModelOutput({ output: { content } }) {
  const partOf = (block) =>
    block.type === "image"
      ? { type: "image-data", data: block.data, mediaType: block.mimeType }
      : { type: "text", text: block.text };
  const value = content.length > 0 ? content.map(partOf) : [{ type: "text", text: "(no output)" }];
  return { type: "content", value };
}

/** The form that the agent gives an output for the model. */
const modelOutputOf = ({ type, output, error, toolName }) => ({
  toolName,
  output: type === "tool-error" ? { type: "error-text", value: getErrorMessage(error) } : toModelOutput({ output }),
});

/** A result in the form of the protocol: what the model gets, and the details for programs. */
function resultOf(told, { toolName, output: { type, value, reason } }) {
  if (type === "execution-denied") {
    // The agent sets this type; a tool cannot. If there is no reason, providers insert this text.
    const said = reason ?? "Tool execution denied.";
    const details = { status: "blocked", tool: toolName, reason: said };
    return { content: [{ type: "text", text: said }], details, isError: true };
  }
  const content =
    type === "content"
      ? value.map((part) => (part.type === "text" ? { type: "text", text: part.text } : imageOf(part)))
      : [{ type: "text", text: type.endsWith("text") ? value : JSON.stringify(value) }];
  return { content, details: told?.output?.details, isError: type.startsWith("error") };
}

const imageOf = ({ data, mediaType }) => ({ type: "image", data: data.data ?? data, mimeType: mediaType });

/** A block of a reply. If the arguments are not JSON, the agent keeps an object without members. */
function blockOf(part) {
  if (part.type === "text") return { type: "text", text: part.text };
  const { toolCallId, toolName, input } = part;
  return { type: "toolCall", id: toolCallId, name: toolName, arguments: typeof input === "object" ? input : {} };
}

/** The messages that a model gets, in the form of the protocol. */
function messagesOf(prompt) {
  return prompt.flatMap(({ role, content }) => {
    if (role !== "tool") return [{ role, content: content.map(blockOf) }];
    return content
      .filter(({ type }) => type === "tool-result")
      .map((part) => ({ role: "toolResult", ...about(part), ...resultOf(undefined, part) }));
  });
}

/** A model of the AI SDK whose replies come from the suite. Like other models, it sends no request after an abort. */
const MODEL = {
  specificationVersion: "v4",
  provider: "callproof",
  modelId: "suite",
  supportedUrls: {},
  async doGenerate({ prompt, abortSignal }) {
    const { message } = await replyTo(prompt, abortSignal);
    return { content: message.content.map(partOf), ...ended(message.stopReason), warnings: [] };
  },
  async doStream({ prompt, abortSignal }) {
    const { message, pieces, stopReason } = await replyTo(prompt, abortSignal);
    const parts = [
      { type: "stream-start", warnings: [] },
      ...(pieces ? inPieces(pieces) : message.content.flatMap(whole)),
      { type: "finish", ...ended(stopReason ?? message.stopReason) },
    ];
    return { stream: ReadableStream.from(parts) };
  },
};

const ended = (reason) => ({ finishReason: { unified: STOPPED[reason], raw: reason }, usage: USAGE });

async function replyTo(prompt, signal) {
  signal.throwIfAborted();
  const aborted = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  return Promise.race([ask("model/call", { messages: messagesOf(prompt) }), aborted]);
}

const partOf = ({ type, text, id, name, arguments: given }) =>
  type === "text"
    ? { type, text }
    : { type: "tool-call", toolCallId: id, toolName: name, input: JSON.stringify(given) };

function whole(block, at) {
  return block.type === "text" ? textOf(block.text, String(at)) : [partOf(block)];
}

const textOf = (text, id) => [
  { type: "text-start", id },
  { type: "text-delta", id, delta: text },
  { type: "text-end", id },
];

/** The parts of a reply in pieces, in the form of providers whose interface marks where a call begins and ends. */
function* inPieces(pieces) {
  const calls = [];
  for (const { type, contentIndex: at, text, id, name, delta } of pieces) {
    const call = calls[at];
    if (type === "text") yield* textOf(text, String(at));
    else if (type === "toolcall_start") {
      calls[at] = { toolCallId: id, toolName: name, input: "" };
      yield { type: "tool-input-start", id, toolName: name };
    } else if (type === "toolcall_delta") {
      call.input += delta;
      yield { type: "tool-input-delta", id: call.toolCallId, delta };
    } else {
      yield { type: "tool-input-end", id: call.toolCallId };
      yield { type: "tool-call", ...call };
    }
  }
}

function receive({ id, method, params, result, error }) {
  if (method === undefined) {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(result);
    else reject(new Error(error.message));
  } else if (id === undefined) METHODS[method]?.(params);
  else if (Object.hasOwn(METHODS, method)) send({ id, result: METHODS[method](params) ?? {} });
  else send({ id, error: { code: -32601, message: `the method ${method} is not known` } });
}

/** Only LF ends a line: `readline` would also end one at U+2028. */
let rest = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
    const line = rest.subarray(0, end).toString("utf8");
    rest = rest.subarray(end + 1);
    receive(JSON.parse(line));
  }
});
process.stdin.on("end", () => process.exit(0));
