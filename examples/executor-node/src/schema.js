/**
 * A small and strict validator for JSON Schema 2020-12: it uses a schema completely or not at all (VAL-03, VAL-09).
 *
 * Keywords that the vocabulary does not have are notes and are ignored, as JSON Schema says. Keywords that it has and
 * this program does not know make the schema unusable. `format` is a note, which is its default in 2020-12.
 *
 * @typedef {{pointer: string, keyword: string}} Failure Where a value breaks its schema, and by which keyword.
 * @typedef {(value: any, pointer: string) => Failure | undefined} Check
 * @typedef {import("./json.js").JsonObject} JsonObject
 */

import { kindOf } from "./json.js";
import { KEYWORDS, UnusableSchema } from "./keywords.js";

const DIALECT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
const UNSUPPORTED = new Set([
  "unevaluatedItems",
  "unevaluatedProperties",
  "$dynamicRef",
  "$dynamicAnchor",
  "$recursiveRef",
  "$vocabulary",
]);

/**
 * Compile a schema into a check.
 *
 * @param {import("./json.js").Json} schema
 * @returns {Check}
 * @throws {UnusableSchema}
 */
export function compile(schema) {
  const compiler = new Compiler(schema);
  return compiler.check(schema, []);
}

/** Compiles one document; it compiles each subschema once, so that a schema may refer to itself. */
export class Compiler {
  #root;
  /** @type {Map<JsonObject, {check: Check | undefined}>} */
  #made = new Map();

  /** @param {import("./json.js").Json} root */
  constructor(root) {
    this.#root = root;
  }

  /**
   * @param {any} schema
   * @param {JsonObject[]} around The schemas around this one that apply to the same value.
   * @returns {Check}
   */
  check(schema, around) {
    if (typeof schema === "boolean") return (_value, pointer) => (schema ? undefined : { pointer, keyword: "false" });
    if (!(schema instanceof Map)) throw new UnusableSchema("a schema is an object or a boolean");
    if (around.includes(schema)) throw new UnusableSchema("a schema refers to itself without end");
    const known = this.#made.get(schema);
    if (known !== undefined) return (value, pointer) => known.check(value, pointer);
    const entry = { check: undefined };
    this.#made.set(schema, entry);
    entry.check = this.#all(this.#checks(schema, [...around, schema]));
    return entry.check;
  }

  /**
   * The schema that a reference within this document names.
   *
   * @param {any} reference
   */
  target(reference) {
    if (typeof reference !== "string") throw new UnusableSchema("$ref is a string");
    if (!reference.startsWith("#")) throw new UnusableSchema(`$ref ${reference} leads out of the schema`);
    const found = resolvePointer(this.#root, reference.slice(1)) ?? findAnchor(this.#root, reference.slice(1));
    if (found === undefined) throw new UnusableSchema(`$ref ${reference} leads to nothing`);
    return found;
  }

  /**
   * @param {JsonObject} schema
   * @param {JsonObject[]} around
   * @returns {Check[]}
   */
  #checks(schema, around) {
    const checks = [];
    for (const [keyword, operand] of schema) {
      if (UNSUPPORTED.has(keyword)) throw new UnusableSchema(`${keyword} is not supported`);
      if (keyword === "$schema" && !DIALECT.test(String(operand)))
        throw new UnusableSchema("only JSON Schema 2020-12 is supported");
      if (keyword === "$id" && schema !== this.#root)
        throw new UnusableSchema("a schema within a schema is not supported");
      const make = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
      const check = make?.(operand, { schema, compiler: this, around });
      if (check !== undefined) checks.push(check);
    }
    return checks;
  }

  /**
   * @param {Check[]} checks
   * @returns {Check}
   */
  #all(checks) {
    return (value, pointer) => {
      for (const check of checks) {
        const failure = check(value, pointer);
        if (failure !== undefined) return failure;
      }
      return undefined;
    };
  }
}

/**
 * @param {any} root
 * @param {string} fragment
 */
function resolvePointer(root, fragment) {
  if (fragment !== "" && !fragment.startsWith("/")) return undefined;
  const steps = decodeFragment(fragment).split("/").slice(1);
  return steps.reduce((node, step) => child(node, step.replaceAll("~1", "/").replaceAll("~0", "~")), root);
}

/** @param {string} fragment */
function decodeFragment(fragment) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    throw new UnusableSchema(`$ref #${fragment} is not well-formed`);
  }
}

/**
 * @param {any} node
 * @param {string} step
 */
function child(node, step) {
  if (node instanceof Map) return node.get(step);
  return Array.isArray(node) && /^(0|[1-9]\d*)$/.test(step) ? node[Number(step)] : undefined;
}

/**
 * @param {any} node
 * @param {string} name
 * @returns {any}
 */
function findAnchor(node, name) {
  if (kindOf(node) === "object" && node.get("$anchor") === name) return node;
  const children = node instanceof Map ? [...node.values()] : Array.isArray(node) ? node : [];
  for (const inner of children) {
    const found = findAnchor(inner, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
