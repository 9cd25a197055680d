import assert from "node:assert/strict";
import { test } from "node:test";

import { equal, stringify } from "../src/json.js";
import { parse } from "../src/parse.js";
import { prepare } from "../src/plan.js";
import { follow, resolve, split, Unresolved } from "../src/references.js";
import { Registry } from "../src/registry.js";
import { LOGS, recordsOf, runOf } from "./logs.js";

/** The output of each step: its data, or the data of all its iterations. */
function outputsOf(log, steps) {
  const iterations = new Map(recordsOf(log, "calls").map((call) => [call.get("callId"), call.get("iteration")]));
  const outputs = new Map(steps.filter((step) => step.loop).map((step) => [step.id, []]));
  for (const result of recordsOf(log, "results").filter((each) => each.get("status") === "ok")) {
    const [step, iteration] = [result.get("stepId"), iterations.get(result.get("callId"))];
    if (iteration === undefined) outputs.set(step, result.get("data"));
    else outputs.get(step)[iteration.get("index")] = result.get("data");
  }
  return outputs;
}

for (const log of LOGS) {
  test(`the plan of ${log} resolves to the arguments on record`, () => {
    const run = runOf(log);
    const { steps, variables } = prepare(run.get("plan"), run.get("policy"), new Registry(run.get("tools")));
    const outputs = outputsOf(log, steps);
    for (const call of recordsOf(log, "calls")) {
      const step = steps.find(({ id }) => id === call.get("stepId"));
      const args = resolve(step.args, step.names, (reference) => {
        const { kind, name } = reference;
        if (kind === "index") return call.get("iteration").get("index");
        if (kind === "item") return follow(reference, call.get("iteration").get("itemValue"));
        return follow(reference, outputs.get(kind === "vars" ? variables.get(name) : name));
      });
      assert.ok(equal(args, call.get("args")), `${stringify(args)}\n${stringify(call.get("args"))}`);
    }
  });
}

const NAMES = { item: "item", index: "n" };
const partsOf = (text) =>
  split(text, NAMES).map((part) => (typeof part === "string" ? part : [part.name, ...part.path]));

for (const [text, parts] of [
  ["notes/$steps.s1.text.md", ["notes/", ["s1", "text", "md"]]],
  ["notes/{$steps.s1.text}.md", ["notes/", ["s1", "text"], ".md"]],
  ['$vars.a["b.c"][0]["\\u00e9"].', [["a", "b.c", 0, "\u00e9"], "."]],
  [
    "{item} {item.v} {item[2]} {n} {n.v} {other}",
    [["item"], " ", ["item", "v"], " ", ["item", 2], " ", ["n"], " {n.v} {other}"],
  ],
  ["$5.00 {} { json } $stepsize {items} $steps. $$5 {{x}}", ["$5.00 {} { json } $stepsize {items} $steps. $$5 {{x}}"]],
  ["$$steps.a {{item.x} {{$vars.b}}", ["$steps.a {item.x} {$vars.b}}"]],
  ["$$$steps.a", ["$$steps.a"]],
  ["$steps.a[01] $steps.a[ 1] $steps.a['b']", [["a", 1], " ", ["a"], "[ 1] ", ["a"], "['b']"]],
  ["$steps._a {$steps._a} $vars._a", ["$steps._a {$steps._a} ", ["_a"]]],
  ["", [""]],
]) {
  test(`references in ${JSON.stringify(text)}`, () => assert.deepEqual(partsOf(text), parts));
}

test("outside every loop a doubled brace is text, and a single one before a loop's name is a mistake", () => {
  const names = { foreign: new Set(["item"]) };
  assert.deepEqual(split("{{item.x} {other}", names), ["{{item.x} {other}"]);
  assert.equal(split("{item.x}", names)[0].kind, "foreign");
});

const resolved = (template, value) => resolve(parse(template).value, NAMES, () => parse(value).value);

test("a sole reference keeps its type, and inside text a value is compact JSON", () => {
  assert.equal(
    stringify(resolved('["$steps.a", "x $steps.a"]', '{"b": 1, "0": ["\u00e9\\n"]}')),
    '[{"b":1,"0":["\u00e9\\n"]},"x {\\"b\\":1,\\"0\\":[\\"\u00e9\\\\n\\"]}"]',
  );
  assert.equal(stringify(resolved('["$steps.a", "x $steps.a"]', '"text"')), '["text","x text"]');
});

test("what arrives through a reference is not expanded again, and names of members are no templates", () => {
  assert.equal(
    stringify(resolved('{"$steps.a": "$steps.a!"}', '"$steps.b {item}"')),
    '{"$steps.a":"$steps.b {item}!"}',
  );
});

test("a path leads through members and elements only", () => {
  const [reference] = split("$steps.a.text.length", NAMES);
  assert.throws(() => follow(reference, parse('{"text": "abc"}').value), Unresolved);
  const [proto] = split("$steps.a.constructor", NAMES);
  assert.throws(() => follow(proto, parse("{}").value), Unresolved);
});
