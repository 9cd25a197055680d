#!/usr/bin/env node
/** The adapter around tiny-agent: callproof's messages on one side, the agent's own events on the other. */

import { createHash, randomUUID } from "node:crypto";

import { stringify } from "../executor-node/src/json.js";
import { parse } from "../executor-node/src/parse.js";
import { Refusal } from "../executor-node/src/refusal.js";
import { Registry } from "../executor-node/src/registry.js";
import { splitLines } from "../executor-node/src/wire.js";
import { Failed, TinyAgent } from "./tiny-agent.js";

const CODES = ["VALIDATION_ERROR", "POLICY_DENIED", "NOT_FOUND", "CONFLICT", "PRECONDITION_FAILED", "INTERNAL_ERROR"];
const HELLO = {
  protocolVersion: "1.0",
  implementation: { name: "tiny-agent", version: "1", language: "javascript" },
  claims: { profiles: ["envelope"], features: ["events"] },
};
/** The callbacks that wait for the answer to an invocation. */
const waiting = new Map();

const send = (message) => process.stdout.write(`${stringify({ jsonrpc: "2.0", ...message })}\n`);
const now = () => new Date().toISOString();

function receive(line) {
  const message = parse(line.toString("utf8")).value;
  const [id, method] = [message.get("id"), message.get("method")];
  if (method === undefined) waiting.get(id)?.(message);
  else if (method === "run/start") start(id, message.get("params"));
  else if (id !== undefined) send({ id, result: method === "initialize" ? HELLO : {} });
}

/** Give the agent the plan, with the suite's tools as its own, and record its events. */
function start(id, params) {
  const [plan, policy, tools] = ["plan", "policy", "tools"].map((name) => params.get(name));
  try {
    const agent = new TinyAgent(plan, policy, new Registry(tools));
    const runId = `run-${randomUUID()}`;
    send({ id, result: { runId } });
    follow(agent, runId, { plan, policy, tools });
    agent.run((callId, tool, args) => invoke({ runId, callId, tool, args }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    send({ id, error: { code: -32001, message: "refused", data: error.data } });
  }
}

/** The agent's events, as callproof's records. */
function follow(agent, runId, { plan, policy, tools }) {
  const results = {};
  // The name identifies the schemas in use: other schemas give another name (CALL-12).
  const toolRegistryVersion = createHash("sha256").update(stringify(tools)).digest("hex");
  let entered;
  const record = (kind, members) => send({ method: "record", params: { runId, kind, record: { runId, ...members } } });
  const about = ({ call, step, tool }) => ({ callId: call, stepId: step.get("id"), tool: tool.name });
  const event = (type, level, message, members) =>
    record("event", { type, level, message, timestamp: now(), ...members });
  agent.on("begin", () => {
    record("run", { specVersion: "1.0", plan, policy, tools });
    const unknownLimits = [...policy.get("limits").keys()].filter((limit) => !TinyAgent.LIMITS.includes(limit));
    event("run.started", "info", "Started", { payload: { unknownLimits } });
  });
  agent.on("call", (call) => {
    const versions = { executorVersion: "1", toolRegistryVersion, createdAt: now(), policy };
    const { riskLevel } = call.tool;
    record("call", { ...about(call), attempt: 1, args: call.args, riskLevel, cancellable: false, ...versions });
  });
  agent.on("enter", (call) => {
    entered = now();
    event("step.started", "info", `${call.tool.name} started`, about(call));
  });
  agent.on("end", ({ status, data, error, userMessage, call = randomUUID(), ...rest }) => {
    const [subject, endedAt, startedAt] = [about({ call, ...rest }), now(), entered ?? now()];
    const times = { startedAt, endedAt, durationMs: Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)) };
    entered = undefined;
    results[status] = (results[status] ?? 0) + 1;
    record("result", { ...subject, attempt: 1, status, ok: status === "ok", data, error, userMessage, ...times });
    const [type, level] = status === "error" ? ["step.failed", "error"] : ["step.finished", "info"];
    event(type, level, `${subject.tool} ended`, { ...subject, payload: { status } });
  });
  agent.on("finish", () => {
    const status = results.error || results.skipped ? "error" : "ok";
    event("run.finished", status === "ok" ? "info" : "error", "Finished", { payload: { status, results } });
    send({ method: "run/finished", params: { runId } });
  });
}

/** Enter a tool of the suite; a failure that it reports is quoted, the message of a crash is not (MSG-07). */
async function invoke(params) {
  send({ id: params.callId, method: "tool/invoke", params });
  const answer = await new Promise((resolve) => waiting.set(params.callId, resolve));
  waiting.delete(params.callId);
  if (answer.has("result")) return answer.get("result").get("output");
  const { code, message, retryable, details } = Object.fromEntries(answer.get("error").get("data") ?? []);
  const said = { message: message || "The tool failed", retryable };
  if (CODES.includes(code)) throw new Failed({ code, details, ...said });
  // Keep the tool's own code for its author (ERR-09).
  throw new Failed({
    code: "INTERNAL_ERROR",
    details: { ...Object.fromEntries(details ?? []), toolCode: code },
    ...said,
  });
}

process.stdin.on("data", splitLines(receive));
process.stdin.on("end", () => process.exit(0));
