/**
 * The keywords of JSON Schema that this program knows. Each makes its operand a check, or finds the schema unusable.
 *
 * @typedef {import("./schema.js").Check} Check
 * @typedef {object} Place
 * @property {Map<string, any>} schema The schema that the keyword stands in.
 * @property {import("./schema.js").Compiler} compiler
 * @property {Array<Map<string, any>>} around The schemas that apply to the same value, this one included.
 */

import { below, equal, kindOf } from "./json.js";
import { compare, isIntegral, isMultiple, isNumber } from "./numbers.js";
/** A schema that cannot be used. */
export class UnusableSchema extends Error {}

const TYPES = new Set(["null", "boolean", "number", "integer", "string", "array", "object"]);

/** @type {Record<string, (operand: any, place: Place) => Check | undefined>} */
export const KEYWORDS = {
  type: (operand) => {
    const types = kindOf(operand) === "array" ? operand : [operand];
    demand(types.length > 0 && types.every((type) => TYPES.has(type)), "type names JSON types");
    return fails("type", (value) => !types.some((type) => isOfType(value, type)));
  },
  enum: (operand) => {
    demand(kindOf(operand) === "array", "enum is an array");
    return fails("enum", (value) => !operand.some((choice) => equal(choice, value)));
  },
  const: (operand) => fails("const", (value) => !equal(operand, value)),

  multipleOf: (operand) => {
    demand(isNumber(operand) && compare(operand, 0) > 0, "multipleOf is above zero");
    return fails("multipleOf", (value) => isNumber(value) && !isMultiple(value, operand));
  },
  maximum: bound("maximum", (order) => order > 0),
  exclusiveMaximum: bound("exclusiveMaximum", (order) => order >= 0),
  minimum: bound("minimum", (order) => order < 0),
  exclusiveMinimum: bound("exclusiveMinimum", (order) => order <= 0),

  maxLength: size("maxLength", "string", characters, (count, limit) => count > limit),
  minLength: size("minLength", "string", characters, (count, limit) => count < limit),
  maxItems: size(
    "maxItems",
    "array",
    (value) => value.length,
    (count, limit) => count > limit,
  ),
  minItems: size(
    "minItems",
    "array",
    (value) => value.length,
    (count, limit) => count < limit,
  ),
  maxProperties: size(
    "maxProperties",
    "object",
    (value) => value.size,
    (count, limit) => count > limit,
  ),
  minProperties: size(
    "minProperties",
    "object",
    (value) => value.size,
    (count, limit) => count < limit,
  ),

  pattern: (operand) => {
    const pattern = expression(operand);
    return fails("pattern", (value) => typeof value === "string" && !pattern.test(value));
  },
  uniqueItems: (operand) => {
    demand(typeof operand === "boolean", "uniqueItems is a boolean");
    return fails("uniqueItems", (value) => operand && kindOf(value) === "array" && hasEqualItems(value));
  },
  required: (operand) => {
    demandNames(operand, "required");
    return fails("required", (value) => kindOf(value) === "object" && operand.some((name) => !value.has(name)));
  },
  dependentRequired: (operand) => {
    demandObject(operand, "dependentRequired");
    for (const names of operand.values()) demandNames(names, "dependentRequired");
    const broken = (value) =>
      [...operand].some(([name, names]) => value.has(name) && names.some((other) => !value.has(other)));
    return fails("dependentRequired", (value) => kindOf(value) === "object" && broken(value));
  },

  properties: (operand, place) => {
    const checks = schemas(operand, "properties", place);
    return (value, pointer) => members(value, pointer, (name) => (checks.has(name) ? [checks.get(name)] : []));
  },
  patternProperties: (operand, place) => {
    const checks = [...schemas(operand, "patternProperties", place)].map(([name, check]) => ({
      pattern: expression(name),
      check,
    }));
    const matching = (name) => checks.filter(({ pattern }) => pattern.test(name)).map(({ check }) => check);
    return (value, pointer) => members(value, pointer, matching);
  },
  additionalProperties: (operand, place) => {
    const check = apart(operand, place);
    const listed = place.schema.get("properties") ?? new Map();
    const patterns = [...(place.schema.get("patternProperties") ?? new Map()).keys()].map(expression);
    const additional = (name) => !listed.has(name) && !patterns.some((pattern) => pattern.test(name));
    return (value, pointer) => members(value, pointer, (name) => (additional(name) ? [check] : []));
  },
  propertyNames: (operand, place) => {
    const check = apart(operand, place);
    return fails(
      "propertyNames",
      (value, pointer) => kindOf(value) === "object" && [...value.keys()].some((name) => check(name, pointer)),
    );
  },
  dependentSchemas: (operand, place) => {
    demandObject(operand, "dependentSchemas");
    const checks = [...operand].map(([name, schema]) => ({ name, check: here(schema, place) }));
    const applying = (value) => (kindOf(value) === "object" ? checks.filter(({ name }) => value.has(name)) : []);
    return (value, pointer) => first(applying(value), ({ check }) => check(value, pointer));
  },

  prefixItems: (operand, place) => {
    const checks = list(operand, "prefixItems").map((schema) => apart(schema, place));
    return (value, pointer) => items(value, pointer, (index) => checks[index]);
  },
  items: (operand, place) => {
    demand(kindOf(operand) !== "array", "items is one schema");
    const check = apart(operand, place);
    const from = (place.schema.get("prefixItems") ?? []).length;
    return (value, pointer) => items(value, pointer, (index) => (index < from ? undefined : check));
  },
  contains: (operand, place) => {
    const check = apart(operand, place);
    const least = place.schema.get("minContains") ?? 1;
    const most = place.schema.get("maxContains") ?? Infinity;
    demand(
      [least, most].every((count) => typeof count === "number" && count >= 0),
      "minContains and maxContains count",
    );
    const found = (value, pointer) =>
      value.filter((item, index) => check(item, below(pointer, index)) === undefined).length;
    const outside = (count) => count < least || count > most;
    return fails("contains", (value, pointer) => kindOf(value) === "array" && outside(found(value, pointer)));
  },

  $ref: (operand, place) => here(place.compiler.target(operand), place),
  allOf: (operand, place) => {
    const checks = branches(operand, "allOf", place);
    return (value, pointer) => first(checks, (check) => check(value, pointer));
  },
  anyOf: (operand, place) => counted("anyOf", operand, place, (count) => count === 0),
  oneOf: (operand, place) => counted("oneOf", operand, place, (count) => count !== 1),
  not: (operand, place) => {
    const check = here(operand, place);
    return fails("not", (value, pointer) => check(value, pointer) === undefined);
  },
  if: (operand, place) => {
    const condition = here(operand, place);
    const [met, unmet] = ["then", "else"].map((name) => here(place.schema.get(name) ?? true, place));
    return (value, pointer) => (condition(value, pointer) === undefined ? met : unmet)(value, pointer);
  },
  $defs: (operand, place) => {
    schemas(operand, "$defs", place);
    return undefined;
  },
};

/** @returns {asserts condition} */
function demand(condition, law) {
  if (!condition) throw new UnusableSchema(law);
}

const demandObject = (operand, keyword) => demand(kindOf(operand) === "object", `${keyword} is an object`);

const demandNames = (operand, keyword) =>
  demand(kindOf(operand) === "array" && operand.every((name) => typeof name === "string"), `${keyword} lists names`);

/** The check of a schema for a part of the value; that schema may refer to the schemas around it. */
const apart = (schema, place) => place.compiler.check(schema, []);

/** The check of a schema for the same value; that schema must not lead back to itself. */
const here = (schema, place) => place.compiler.check(schema, place.around);

function schemas(operand, keyword, place) {
  demandObject(operand, keyword);
  return new Map([...operand].map(([name, schema]) => [name, apart(schema, place)]));
}

function list(operand, keyword) {
  demand(kindOf(operand) === "array" && operand.length > 0, `${keyword} is a list of schemas`);
  return operand;
}

const branches = (operand, keyword, place) => list(operand, keyword).map((schema) => here(schema, place));

function expression(source) {
  demand(typeof source === "string", "a pattern is a string");
  try {
    return new RegExp(source, "u");
  } catch {
    throw new UnusableSchema("a pattern is not a regular expression");
  }
}

/** A check that fails under the name of its keyword if a test says so. */
const fails = (keyword, broken) => (value, pointer) => (broken(value, pointer) ? { pointer, keyword } : undefined);

function bound(keyword, broken) {
  return (operand) => {
    demand(isNumber(operand), `${keyword} is a number`);
    return fails(keyword, (value) => isNumber(value) && broken(compare(value, operand)));
  };
}

function size(keyword, kind, measure, broken) {
  return (operand) => {
    demand(typeof operand === "number" && operand >= 0 && isIntegral(operand), `${keyword} is a count`);
    return fails(keyword, (value) => kindOf(value) === kind && broken(measure(value), operand));
  };
}

function counted(keyword, operand, place, broken) {
  const checks = branches(operand, keyword, place);
  return fails(keyword, (value, pointer) =>
    broken(checks.filter((check) => check(value, pointer) === undefined).length),
  );
}

function isOfType(value, type) {
  if (type === "integer") return isNumber(value) && isIntegral(value);
  return kindOf(value) === type;
}

/** The number of characters of a text; JavaScript's own length counts some characters as two. */
function characters(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

const hasEqualItems = (value) =>
  value.some((item, index) => value.slice(index + 1).some((other) => equal(item, other)));

function first(things, look) {
  for (const thing of things) {
    const failure = look(thing);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function members(value, pointer, checksOf) {
  if (kindOf(value) !== "object") return undefined;
  return first(value, ([name, member]) => first(checksOf(name), (check) => check(member, below(pointer, name))));
}

function items(value, pointer, checkOf) {
  if (kindOf(value) !== "array") return undefined;
  return first(value.keys(), (index) => checkOf(index)?.(value[index], below(pointer, index)));
}
