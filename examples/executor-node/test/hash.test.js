import assert from "node:assert/strict";
import { test } from "node:test";

import { canonical, hashOf } from "../src/hash.js";
import { parse } from "../src/parse.js";
import { LOGS, recordsOf, runOf } from "./logs.js";

for (const log of LOGS) {
  test(`the hashes of ${log} are taken again`, () => {
    for (const call of recordsOf(log, "calls")) {
      if (call.has("argsHash")) assert.equal(hashOf(call.get("args")), call.get("argsHash"));
    }
    for (const result of recordsOf(log, "results")) {
      if (result.has("dataHash")) assert.equal(hashOf(result.get("data")), result.get("dataHash"));
    }
    const run = runOf(log);
    const confirmation = run.get("confirmation");
    if (confirmation === undefined) return;
    assert.equal(hashOf(run.get("plan")), confirmation.get("planHash"));
    assert.equal(hashOf(run.get("policy")), confirmation.get("policyHash"));
  });
}

test("the canonical form is right at the edges", () => {
  for (const [text, form] of [
    ['{"\u{1f600}": 1, "\ue000": 2, "a": 3}', '{"a":3,"\u{1f600}":1,"\ue000":2}'],
    ["[1.0, -0, 1e21, 1e-7, 9007199254740993]", "[1,0,1000000000000000000000,1e-7,9007199254740993]"],
    ["[0.1000000000000000055, 1e-400, -1e-400]", "[0.1,0,0]"],
    ["[1e23, 9007199254740993.0]", "[99999999999999991611392,9007199254740992]"],
    ["[100000000000000000000000]", "[100000000000000000000000]"],
    ['"\\/\\u00e9\\u0001\\n"', '"/\u00e9\\u0001\\n"'],
  ]) {
    assert.equal(canonical(parse(text).value), form);
  }
});

test("a number beyond all doubles, or too long to be written out, has no hash", () => {
  assert.equal(hashOf(parse("[1e999999999]").value), undefined);
  assert.equal(hashOf(parse(`[${"9".repeat(20_000)}]`).value), undefined);
});
