import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";

import { UnusableSchema } from "../src/keywords.js";
import { parse } from "../src/parse.js";
import { compile } from "../src/schema.js";
import { LOGS, readJson, recordsOf, runOf, SCHEMAS } from "./logs.js";

const SHAPES = readdirSync(SCHEMAS, { recursive: true }).filter((name) => name.endsWith(".json"));

test("every schema of the specification can be used", () => {
  assert.ok(SHAPES.length > 30);
  for (const name of SHAPES) compile(readJson(new URL(name, SCHEMAS)));
});

for (const log of LOGS) {
  test(`the records of ${log} have their shapes`, () => {
    for (const [file, shape] of [
      ["calls", "tool-call"],
      ["results", "tool-result"],
      ["events", "execution-event"],
    ]) {
      const check = compile(readJson(new URL(`${shape}.json`, SCHEMAS)));
      for (const record of recordsOf(log, file)) assert.equal(check(record, ""), undefined);
    }
    assert.equal(compile(readJson(new URL("run-record.json", SCHEMAS)))(runOf(log), ""), undefined);
  });
}

/** For each schema, values that fit and values that do not. */
const CASES = [
  ['{"type": ["integer", "null"]}', ["1.0", "null", "9007199254740993"], ["1.5", '"1"', "true"]],
  ['{"enum": [1, {"a": [1]}]}', ["1.0", '{"a": [1]}'], ['"1"', '{"a": [2]}']],
  ['{"const": 0}', ["-0", "0.0"], ["false"]],
  ['{"multipleOf": 0.01}', ["0.07", "1.11", '"x"'], ["0.075"]],
  ['{"minimum": 9007199254740993}', ["9007199254740993"], ["9007199254740992"]],
  ['{"exclusiveMaximum": 3}', ["2.999"], ["3.0"]],
  ['{"maxLength": 1}', ['"\u{1f600}"'], ['"ab"']],
  ['{"pattern": "^\\\\p{L}+$"}', ['"\u00e9"', "7"], ['"1"']],
  ['{"uniqueItems": true}', ["[1, 2]"], ['[{"a": 1, "b": 2}, {"b": 2, "a": 1.0}]']],
  [
    '{"properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false}',
    ['{"a": ""}'],
    ["{}", '{"a": 1}', '{"a": "", "b": 1}'],
  ],
  [
    '{"patternProperties": {"^x": {"type": "null"}}, "additionalProperties": {"type": "string"}}',
    ['{"x1": null, "y": ""}'],
    ['{"x1": ""}', '{"y": null}'],
  ],
  ['{"prefixItems": [{"type": "string"}], "items": {"type": "null"}}', ['["a", null]', "[]"], ['["a", "b"]', "[1]"]],
  ['{"contains": {"const": 1}, "minContains": 2, "maxContains": 3}', ["[1, 1]"], ["[1]", "[1, 1, 1, 1]"]],
  ['{"propertyNames": {"maxLength": 1}}', ['{"a": 1}'], ['{"ab": 1}']],
  ['{"dependentRequired": {"a": ["b"]}}', ['{"b": 1}', '{"a": 1, "b": 1}'], ['{"a": 1}']],
  ['{"dependentSchemas": {"a": {"required": ["b"]}}}', ["{}", '{"a": 1, "b": 1}'], ['{"a": 1}']],
  ['{"oneOf": [{"minimum": 1}, {"maximum": 2}]}', ["0", "3"], ["1"]],
  ['{"anyOf": [{"type": "null"}, {"type": "string"}], "not": {"const": "x"}}', ["null", '"y"'], ['"x"', "1"]],
  ['{"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"type": "null"}}', ['"a"', "null"], ['""', "1"]],
  [
    '{"$ref": "#/$defs/tree", "$defs": {"tree": {"items": {"$ref": "#/$defs/tree"}, "type": "array"}}}',
    ["[[], [[]]]"],
    ["[[1]]"],
  ],
  ['{"$ref": "#here", "$defs": {"x": {"$anchor": "here", "type": "null"}}, "x-note": 1}', ["null"], ["1"]],
  ["false", [], ["1", "null"]],
];

for (const [schema, fitting, breaking] of CASES) {
  test(`the schema ${schema}`, () => {
    const check = compile(parse(schema).value);
    for (const value of fitting) assert.equal(check(parse(value).value, ""), undefined, value);
    for (const value of breaking) assert.notEqual(check(parse(value).value, ""), undefined, value);
  });
}

for (const schema of [
  '{"type": "strng"}',
  '{"minLength": -1}',
  '{"pattern": "("}',
  '{"required": "a"}',
  '{"$ref": "#/nowhere"}',
  '{"$ref": "https://example.org/schema"}',
  '{"$ref": "#"}',
  '{"properties": {"a": 1}}',
  '{"unevaluatedProperties": false}',
  '{"$schema": "http://json-schema.org/draft-04/schema#"}',
  "[]",
]) {
  test(`the schema ${schema} cannot be used`, () => assert.throws(() => compile(parse(schema).value), UnusableSchema));
}

test("a failure names its place and its keyword", () => {
  const check = compile(parse('{"properties": {"a/b": {"items": {"maximum": 1}}}}').value);
  assert.deepEqual(check(parse('{"a/b": [1, 2]}').value, ""), { pointer: "/a~1b/1", keyword: "maximum" });
});
