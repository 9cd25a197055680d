#!/usr/bin/env node
/** The adapter around the system: its planner, its tools and its providers ask the suite. */

import { Response } from "./response.mjs";

const LINE_FEED = 0x0a;
const HELLO = {
  protocol: "invocation",
  protocolVersion: "1.0",
  implementation: { name: "invocation-node", version: "1", language: "javascript" },
  claims: {
    features: ["byRuntime", "byProvider", "v1", "2026-05", "rerouting", "requiredTools", "severalTools", "reports"],
  },
};
/** The callbacks that wait for the answer to a request, by its id. */
const waiting = new Map();
let asked = 0;

const METHODS = { initialize: () => HELLO, "invocation/start": begin, shutdown: () => ({}) };

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

/** Ask the suite. @throws {Error} It answered with an error: the provider failed, or a tool, which has a `kind`. */
function ask(method, params) {
  asked += 1;
  send({ id: asked, method, params });
  return new Promise((resolve, reject) => waiting.set(asked, { resolve, reject }));
}

/** Make a new response for each case, so that no case sees the state of another. */
function begin(start) {
  const response = new Response(start, {
    planner: async (question) => (await ask("planner/plan", { question })).intents,
    callTool: async (use) => (await ask("tool/call", use)).output,
    generate: (wish) => ask("provider/generate", wish),
  });
  // This begins after the answer to the current message has been sent.
  setImmediate(async () => {
    const { text, records } = await response.answer();
    for (const record of records) send({ method: "record", params: { record } });
    send({ method: "invocation/finished", params: { text } });
  });
}

function receive({ id, method, params, result, error }) {
  if (method === undefined) {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(result);
    else reject(Object.assign(new Error(error.message), { kind: error.data?.kind }));
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
