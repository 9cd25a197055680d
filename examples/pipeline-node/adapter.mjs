#!/usr/bin/env node
/** The adapter around the pipeline: its tools, hooks, people and store ask the suite. */

import { Failure } from "./failures.mjs";
import { Pipeline } from "./pipeline.mjs";

const LINE_FEED = 0x0a;
const HELLO = {
  protocol: "pipeline",
  protocolVersion: "1.0",
  implementation: { name: "pipeline-node", version: "1", language: "javascript" },
  claims: {
    features: [
      ...["concurrent", "serial", "ordered", "siblings", "otherNames", "deferred", "blocked", "validate", "preHook"],
      ...["hookDecisions", "permission", "updatedInput", "mapping", "postHook", "persistence", "progress", "abort"],
      "contextModifiers",
    ],
  },
};
/** The callbacks that wait for the answer to a request, by its id. */
const waiting = new Map();
let asked = 0;
/** The pipeline of the current case, and the listeners to the progress of its tools, by the id of the call. */
let pipeline;
let listening;

const METHODS = {
  initialize: () => HELLO,
  "pipeline/start": begin,
  "pipeline/abort": ({ invocation_id }) => pipeline?.abort(invocation_id),
  "tool/progress": ({ invocation_id }) => listening?.get(invocation_id)?.(),
  shutdown: () => ({}),
};

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

/** Ask the suite. @throws {Failure} It answered with an error: the tool threw, or the hook or the store failed. */
function ask(method, params) {
  asked += 1;
  send({ id: asked, method, params });
  return new Promise((resolve, reject) => waiting.set(asked, { resolve, reject }));
}

/** Make a new pipeline for each case, so that no case sees the state of another. */
function begin({ surface, policy, asks, result_bytes, batch_id, calls }) {
  const where = (phase, asking) => (asks.includes(phase) ? asking : undefined);
  listening = new Map();
  pipeline = new Pipeline({
    surfaceId: surface.surface_id,
    batchId: batch_id,
    calls: calls.map(({ invocation_id, name, input }) => ({ id: invocation_id, name, input })),
    tools: surface.tools.map((tool) => toolOf(tool, where)),
    policy: {
      id: policy.scheduler_policy_id,
      order: policy.ordering_policy,
      siblings: policy.sibling_failure_policy,
      context: policy.context_modifier_policy,
    },
    hooks: {
      before: where("pre_hooks", (call) => ask("hook/pre", question(call))),
      after: where("post_hooks", (call) => ask("hook/post", given(call))),
    },
    permission: where("permission", askPermission),
    store: where("persist_result", async ({ id, data }) => (await ask("store/put", { invocation_id: id, data })).uri),
    resultBytes: result_bytes,
    onRecord: (record) => send({ method: "record", params: { record } }),
  });
  // This begins after the answer to the current message has been sent.
  setImmediate(() => pipeline.run().then(() => send({ method: "pipeline/finished", params: {} })));
}

function toolOf({ tool_id: toolId, names = [], input_schema: schema, state }, where) {
  return {
    ...{ id: toolId, names, schema, state },
    validate: where("validate_values", (call) => ask("tool/validate", question({ ...call, toolId }))),
    map: where("map_result", async (call) => (await ask("tool/map", given(call))).content),
    execute: (call) => enter({ ...call, toolId }),
  };
}

const question = ({ id, toolId, input }) => ({ invocation_id: id, tool_id: toolId, input });
const given = ({ id, output }) => ({ invocation_id: id, output });

async function askPermission(call) {
  const { updated_input: updatedInput, ...answer } = await ask("permission/ask", question(call));
  return { ...answer, updatedInput };
}

async function enter(call) {
  const stop = () => send({ method: "tool/abort", params: { invocation_id: call.id } });
  call.signal.addEventListener("abort", stop);
  // The listener stays after the tool has returned: it is up to the pipeline to ignore late progress.
  listening.set(call.id, call.onProgress);
  try {
    const { output, context_modifier: contextModifier } = await ask("tool/execute", question(call));
    return { output, contextModifier };
  } finally {
    call.signal.removeEventListener("abort", stop);
  }
}

function receive({ id, method, params, result, error }) {
  if (method === undefined) {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(result);
    else reject(new Failure(error.data?.error_class, error.message));
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
