import assert from "node:assert/strict";
import { test } from "node:test";

import { fromPlain } from "../src/json.js";
import { prepare } from "../src/plan.js";
import { denialOf } from "../src/policy.js";
import { Refusal } from "../src/refusal.js";
import { Registry } from "../src/registry.js";
import { plainLine } from "../src/text.js";

const CLOSED = { type: "object", properties: { text: {} }, additionalProperties: false };
const TOOLS = [
  { name: "t", aliases: ["also"], inputSchema: {}, outputSchema: CLOSED },
  { name: "broken", inputSchema: { type: "strng" }, outputSchema: {} },
  { name: "theirs", inputSchema: {}, outputSchema: {}, host: "system" },
];
const POLICY = { confirmationsRequired: false, sandbox: {}, limits: {} };
const plan = (...steps) => ({ version: "1.0", goal: "", riskLevel: "commands", steps });
const step = (id, members = {}) => ({ id, tool: "t", args: {}, ...members });
const prepared = (what, policy = POLICY) => prepare(fromPlain(what), fromPlain(policy), new Registry(fromPlain(TOOLS)));

const LOOP = { from: "$steps.a.text", itemName: "each" };
for (const [reason, what, policy] of [
  ["plan_shape", plan()],
  ["plan_shape", plan(step("a", { dependson: [] }))],
  ["policy_shape", plan(step("a")), { ...POLICY, limits: { maxConcurrency: 0 } }],
  ["duplicate_step", plan(step("a"), step("a"))],
  ["duplicate_capture", plan(step("a", { captureAs: "x" }), step("b", { captureAs: "x" }))],
  ["unknown_tool", plan(step("a", { tool: "T" }))],
  ["unknown_tool", plan(step("a", { tool: "theirs" }))],
  ["schema_not_loaded", plan(step("a", { tool: "broken" }))],
  ["unknown_dependency", plan(step("a", { dependsOn: ["b"] }))],
  ["cycle", plan(step("a", { dependsOn: ["a"] }))],
  ["cycle", plan(step("a", { args: { x: ["$steps.b"] } }), step("b", { dependsOn: ["a"] }))],
  ["unknown_reference", plan(step("a", { args: { x: "$steps.b" } }))],
  ["unknown_reference", plan(step("a", { args: { x: "$vars.b" } }))],
  ["unknown_reference", plan(step("a"), step("b", { args: { x: "{$steps.a.txet}" } }))],
  ["unknown_reference", plan(step("a"), step("b", { foreach: LOOP }), step("c", { args: { x: "{each}" } }))],
  ["unknown_reference", plan(step("a"), step("b", { foreach: LOOP }), step("c", { args: { x: "$steps.b[0].txet" } }))],
  ["no_reference", plan(step("a", { foreach: { ...LOOP, from: "text" } }))],
  ["ambiguous_binding", plan(step("a"), step("b", { foreach: { ...LOOP, itemName: "index" } }))],
]) {
  test(`refused as ${reason}: ${JSON.stringify(what.steps)}`, () => {
    assert.throws(
      () => prepared(what, policy),
      (error) => error instanceof Refusal && error.reason === reason,
    );
  });
}

test("aliases resolve, policies clamp, and text is not a reference", () => {
  const what = plan(step("a", { tool: "also", args: { x: "{each} $5" }, retry: { maxAttempts: 4 }, timeoutMs: 900 }));
  const { steps, clamped } = prepared(what, { ...POLICY, limits: { maxAttempts: 3, maxTimeoutMs: 500 } });
  assert.deepEqual([steps[0].tool.name, steps[0].retries.limit, steps[0].timeoutMs], ["t", 3, 500]);
  assert.deepEqual(
    clamped.map(({ member, from, to }) => [member, from, to]),
    [
      ["maxAttempts", 4, 3],
      ["timeoutMs", 900, 500],
    ],
  );
});

const FILES = {
  name: "files",
  descriptor: fromPlain({
    inputSchema: { properties: { path: {}, paths: {}, meta: {}, list: { items: { $ref: "#" } } } },
  }),
};
const SANDBOX = { allowedRoots: ["/Notes/", "Inbox"], denyPatterns: ["..", "://", "Private", "*.key", "Secret/x"] };
const denied = (args, sandbox = SANDBOX) =>
  denialOf(fromPlain({ ...POLICY, sandbox, deniedTools: ["other"] }), /** @type {any} */ (FILES), fromPlain(args))
    ?.pointer;

test("paths that are refused", () => {
  for (const path of [
    "/Notes/a",
    "C:\\a",
    "\\\\host\\a",
    "file:///Notes/a",
    "Notes/../a",
    "Notes/..",
    "Notes/..\\a",
    "Notes/\uff0e\uff0e/a",
  ]) {
    assert.equal(denied({ path }), "/path", path);
  }
  for (const path of [
    "Archive/a",
    "Notes-private/a",
    "Notes/Private/a",
    "Notes/./Private",
    "Notes/a.key",
    "Notes/Secret/xy",
    "",
  ]) {
    assert.equal(denied({ path }), "/path", path);
  }
  assert.equal(denied({ list: [{ paths: ["Notes/a", "b"] }] }), "/list/0/paths/1");
});

test("paths and other members that are none of the policy's business", () => {
  for (const path of [
    "Notes/a..b.md",
    "Notes/..hidden",
    "Notes/\u2026",
    "Notes//./a",
    "Inbox/Privateer",
    "Notes/a\u0308",
  ]) {
    assert.equal(denied({ path }), undefined, path);
  }
  assert.equal(denied({ meta: { path: "/etc" }, path: 7, toPath: "/etc" }), undefined);
  assert.equal(denied({ path: "/etc/passwd" }, { ...SANDBOX, enabled: false }), undefined);
  assert.equal(denied({ path: "anywhere" }, {}), undefined);
});

test("text for people holds no controls, traces or paths of the machine", () => {
  for (const text of [
    "two\nlines",
    "see /home/me/x",
    "at run (/app/x.js:1:2)",
    "C:\\Users",
    "\u202eevil",
    "",
    7,
    "x".repeat(501),
  ]) {
    assert.equal(plainLine(text, "otherwise"), "otherwise", String(text));
  }
  assert.equal(plainLine("Notes/garden.md is not there", "otherwise"), "Notes/garden.md is not there");
});
