#!/usr/bin/env node
/** The adapter around the loop: its model, tools and hooks ask the suite; what it reports is passed on. */

import { Loop } from "./loop.js";

const LINE_FEED = 0x0a;
const FEATURES = ["parallel", "sequential", "beforeHook", "afterHook", "persistHook", "streaming", "progress"];
const HELLO = {
  protocol: "agent-loop",
  protocolVersion: "1.0",
  implementation: { name: "loop-node", version: "1", language: "javascript" },
  claims: { features: [...FEATURES, "abort", "steering", "clientTools"] },
};
/** The callbacks that wait for the answer to a request, by its id. */
const waiting = new Map();
let asked = 0;
/** The loop of the current case, and the listeners to the progress of its tools, by the id of the call. */
let loop;
let listening;

const METHODS = {
  initialize: () => HELLO,
  "loop/start": begin,
  "loop/abort": () => loop?.abort(),
  "loop/steer": ({ text }) => loop?.steer(text),
  "tool/update": ({ toolCallId, partialResult }) => listening?.get(toolCallId)?.(partialResult),
  shutdown: () => ({}),
};

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

/** Ask the suite. @throws {Error} It answered with an error: the tool threw, or the hook failed. */
function ask(method, params) {
  asked += 1;
  send({ id: asked, method, params });
  return new Promise((resolve, reject) => waiting.set(asked, { resolve, reject }));
}

/** Make a new loop for each case, so that no case sees the state of another. */
function begin({ prompt, tools, mode, hooks }) {
  const hook = (name) => (hooks.includes(name) ? (params) => ask(`hook/${name}`, params) : undefined);
  listening = new Map();
  loop = new Loop({
    model: (messages) => ask("model/call", { messages }),
    tools: tools.map(({ name, parameters, host }) => ({
      name,
      parameters,
      client: host === "client",
      execute: (call) => enter(name, call),
    })),
    hooks: {
      before: hook("before"),
      after: hook("after"),
      persist: hooks.includes("persist") ? async (kept) => (await ask("hook/persist", kept)).message : undefined,
    },
    mode,
    onEvent: (event) => send({ method: "event", params: { event } }),
  });
  // This begins after the answer to the current message has been sent.
  setImmediate(() => loop.run(prompt).then(() => send({ method: "loop/finished", params: {} })));
}

async function enter(toolName, { id: toolCallId, params, signal, onUpdate }) {
  const stop = () => send({ method: "tool/abort", params: { toolCallId } });
  signal.addEventListener("abort", stop);
  // The listener stays after the tool has returned: it is up to the loop to ignore late progress.
  listening.set(toolCallId, onUpdate);
  try {
    return await ask("tool/call", { toolCallId, toolName, params });
  } finally {
    signal.removeEventListener("abort", stop);
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
