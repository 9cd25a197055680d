#!/usr/bin/env node
/**
 * The adapter around pi's agent loop: its provider, tools and hooks ask the suite; its events are passed on.
 *
 * The first argument is the scope of the packages, if it is not the one in `package.json`.
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SCOPE = process.argv[2] ?? "@mariozechner";
const { Agent } = await import(`${SCOPE}/pi-agent-core`);
const { createAssistantMessageEventStream, parseStreamingJson } = await import(`${SCOPE}/pi-ai`);

const LINE_FEED = 0x0a;
const HELLO = {
  protocol: "agent-loop",
  protocolVersion: "1.0",
  implementation: { name: `${SCOPE}/pi-agent-core`, version: versionOf("pi-agent-core"), language: "typescript" },
  // pi has no persist hook and no client tools.
  claims: {
    features: ["parallel", "sequential", "beforeHook", "afterHook", "streaming", "progress", "abort", "steering"],
  },
};
/** What a provider of pi says about itself in each message. */
const PROVIDER = { api: "callproof", provider: "callproof", model: "suite" };
const COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: COST };

/** The callbacks that wait for the answer to a request, by its id. */
const waiting = new Map();
let asked = 0;
/** The agent of the current case, and the listeners to the progress of its tools, by the id of the call. */
let agent;
let listening;

const METHODS = {
  initialize: () => HELLO,
  "loop/start": begin,
  "loop/abort": () => agent?.abort(),
  "loop/steer": ({ text }) => agent?.steer(said(text)),
  "tool/update": ({ toolCallId, partialResult }) => listening?.get(toolCallId)?.(partialResult),
  shutdown: () => ({}),
};

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const said = (text) => ({ role: "user", content: [{ type: "text", text }], timestamp: Date.now() });

function versionOf(name) {
  const entry = fileURLToPath(import.meta.resolve(`${SCOPE}/${name}`));
  return JSON.parse(readFileSync(entry.replace(/dist.index\.js$/, "package.json"), "utf8")).version;
}

/** Ask the suite. @throws {Error} It answered with an error: the tool threw, or the hook failed. */
function ask(method, params) {
  asked += 1;
  send({ id: asked, method, params });
  return new Promise((resolve, reject) => waiting.set(asked, { resolve, reject }));
}

function begin({ prompt, tools, mode, hooks }) {
  const about = ({ id, name }) => ({ toolCallId: id, toolName: name });
  listening = new Map();
  agent = new Agent({
    initialState: { systemPrompt: "", model: { ...PROVIDER, id: "suite" }, tools: tools.map(toolOf) },
    streamFn,
    toolExecution: mode,
    beforeToolCall: hooks.includes("before")
      ? ({ toolCall, args }) => ask("hook/before", { ...about(toolCall), params: args })
      : undefined,
    afterToolCall: hooks.includes("after")
      ? ({ toolCall, result, isError }) => ask("hook/after", { ...about(toolCall), result, isError })
      : undefined,
  });
  agent.subscribe((event) => send({ method: "event", params: { event } }));
  // This begins after the answer to the current message has been sent.
  setImmediate(() => agent.prompt(prompt).then(() => send({ method: "loop/finished", params: {} })));
}

function toolOf({ name, description, parameters }) {
  const execute = async (toolCallId, params, signal, onUpdate) => {
    const stop = () => send({ method: "tool/abort", params: { toolCallId } });
    signal?.addEventListener("abort", stop);
    // The listener stays after the tool has returned: it is up to the loop to ignore late progress.
    listening.set(toolCallId, onUpdate);
    const returned = ask("tool/call", { toolCallId, toolName: name, params });
    // A tool that begins after an abort gets a signal that is aborted already.
    if (signal?.aborted) stop();
    try {
      return await returned;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  };
  return { name, label: name, description, parameters, execute };
}

/** A provider of pi: a stream that ends with a message. Like others, it sends no request after an abort. */
function streamFn(_model, { messages }, { signal } = {}) {
  const stream = createAssistantMessageEventStream();
  const made = (content, stopReason) => ({
    role: "assistant",
    content,
    ...PROVIDER,
    usage: USAGE,
    stopReason,
    timestamp: Date.now(),
  });
  const ended = (reason, errorMessage) => {
    stream.push({ type: "error", reason, error: { ...made([], reason), errorMessage } });
  };
  const reply = async () => {
    const { message, pieces, stopReason } = signal?.aborted ? {} : await ask("model/call", { messages });
    if (signal?.aborted) return ended("aborted", "Request was aborted");
    const whole = made(message?.content ?? [], message?.stopReason ?? stopReason);
    for (const event of streamed(pieces, whole)) stream.push(event);
    stream.push({ type: "done", reason: whole.stopReason, message: whole });
  };
  reply().catch((error) => ended("error", error.message));
  return stream;
}

/** The events of a reply in pieces. Arguments are read with `parseStreamingJson`, as pi's providers read them. */
function* streamed(pieces, partial) {
  if (pieces === undefined) return;
  const texts = [];
  const event = (type, contentIndex, more) => ({ type, contentIndex, ...more, partial: structuredClone(partial) });
  yield { type: "start", partial: structuredClone(partial) };
  for (const { type, contentIndex: at, text, id, name, delta } of pieces) {
    if (type === "text") {
      partial.content[at] = { type: "text", text };
      yield event("text_start", at);
      yield event("text_delta", at, { delta: text });
      yield event("text_end", at, { content: text });
    } else if (type === "toolcall_start") {
      texts[at] = "";
      partial.content[at] = { type: "toolCall", id, name, arguments: {} };
      yield event(type, at);
    } else {
      texts[at] += delta ?? "";
      partial.content[at].arguments = parseStreamingJson(texts[at]);
      yield event(type, at, type === "toolcall_end" ? { toolCall: structuredClone(partial.content[at]) } : { delta });
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
