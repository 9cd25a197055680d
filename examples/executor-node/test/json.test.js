import assert from "node:assert/strict";
import { test } from "node:test";

import { DEEPEST, depthOf, equal, stringify } from "../src/json.js";
import { NotJson, parse } from "../src/parse.js";
import { LOGS, linesOf } from "./logs.js";

const read = (text) => parse(text).value;

for (const log of LOGS) {
  test(`the records of ${log} are written as they were read`, () => {
    for (const file of ["calls", "results", "events"]) {
      for (const line of linesOf(log, file)) assert.ok(equal(read(stringify(read(line))), read(line)), line);
    }
  });
}

test("a number that no double holds keeps its digits", () => {
  for (const number of ["9007199254740993", "-12345678901234567890", "0.1000000000000000055", "1e400"]) {
    assert.equal(stringify(read(`[${number}]`)), `[${number}]`);
  }
});

test("numbers are equal by value and not by spelling", () => {
  for (const [one, other] of [
    ["1.0", "1"],
    ["1E3", "1000"],
    ["-0", "0"],
    ["9007199254740993.0", "9007199254740993"],
    ["1e-7", "0.0000001"],
  ]) {
    assert.ok(equal(read(one), read(other)), `${one} and ${other}`);
  }
  assert.ok(!equal(read("9007199254740993"), read("9007199254740992")));
});

test("members keep their order and may have any name", () => {
  const text = '{"b":1,"0":2,"__proto__":{"constructor":3}}';
  assert.equal(stringify(read(text)), text);
});

test("what JSON cannot hold is named and does no harm", () => {
  assert.match(parse('{"a": NaN}').flaw, /NaN/);
  assert.match(parse('["\\ud800"]').flaw, /surrogate/);
  assert.match(parse('{"a": 1, "a": 2}').flaw, /twice/);
  assert.match(parse("[".repeat(100_000) + "]".repeat(100_000)).flaw, /deeply/);
  assert.equal(parse('{"a": "\\ud83d\\ude00"}').flaw, undefined);
});

test("what is nested as deeply as may be is read whole", () => {
  const { value, flaw } = parse("[".repeat(DEEPEST) + "]".repeat(DEEPEST));
  assert.deepEqual([flaw, depthOf(value)], [undefined, DEEPEST - 1]);
  assert.equal(stringify(value).length, 2 * DEEPEST);
});

test("text that is not JSON is refused with its place", () => {
  for (const text of ["", "{", "[1,]", '{"a" 1}', "01", "'a'", '"a\nb"', "[1] 2", "nul"]) {
    assert.throws(() => parse(text), NotJson, text);
  }
});
