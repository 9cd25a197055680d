/**
 * The form of JSON values in this program, and what makes two of them equal.
 *
 * An object is a Map: a JavaScript object puts the member "0" before "b", and treats "__proto__" specially.
 * Values are never changed after they were read, so that calls, data and items may share them (REF-12, REF-13).
 *
 * @typedef {null | boolean | string | number | import("./numbers.js").ExactNumber | JsonArray | JsonObject} Json
 * @typedef {Json[]} JsonArray
 * @typedef {Map<string, Json>} JsonObject
 */

import { compare, isNumber, spelling } from "./numbers.js";

/** The deepest level of a value; deeper values count as flawed, so that no function runs out of stack (VAL-12). */
export const DEEPEST = 1000;

/**
 * @param {unknown} value
 * @returns {"null" | "boolean" | "number" | "string" | "array" | "object"}
 */
export function kindOf(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isNumber(value)) return "number";
  return /** @type {any} */ (typeof value);
}

/**
 * Equality of JSON: numbers by value, members in any order (B-01, B-48).
 *
 * @param {Json} left
 * @param {Json} right
 * @returns {boolean}
 */
export function equal(left, right) {
  const kind = kindOf(left);
  if (kind !== kindOf(right)) return false;
  if (kind === "number") return compare(/** @type {any} */ (left), /** @type {any} */ (right)) === 0;
  if (kind === "array") return left.length === right.length && left.every((item, index) => equal(item, right[index]));
  if (kind !== "object") return left === right;
  return left.size === right.size && [...left].every(([name, item]) => right.has(name) && equal(item, right.get(name)));
}

/**
 * The number of levels of a value: 0 for a scalar, 1 for a flat object.
 *
 * @param {Json} value
 * @returns {number}
 */
export function depthOf(value) {
  let deepest = 0;
  const open = [{ value, depth: 0 }];
  while (open.length > 0) {
    const { value: inner, depth } = open.pop();
    deepest = Math.max(deepest, depth);
    const children = Array.isArray(inner) ? inner : inner instanceof Map ? inner.values() : [];
    for (const child of children) open.push({ value: child, depth: depth + 1 });
  }
  return deepest;
}

/**
 * Compact JSON text, members in their own order, every character as itself where JSON permits it (A62).
 *
 * Plain objects are written too, since the program's own messages are plain objects; undefined members are left out.
 *
 * @param {any} value
 * @returns {string}
 */
export function stringify(value) {
  if (isNumber(value)) return Object.is(value, -0) ? "0" : spelling(value);
  if (Array.isArray(value)) return `[${value.map(stringify).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = value instanceof Map ? [...value] : Object.entries(value);
  const written = members
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${stringify(member)}`);
  return `{${written.join(",")}}`;
}

/**
 * A plain object, array or scalar as a JSON value of this program.
 *
 * @param {any} value
 * @returns {Json}
 */
export function fromPlain(value) {
  if (Array.isArray(value)) return value.map(fromPlain);
  if (value === null || typeof value !== "object" || value instanceof Map || isNumber(value)) return value;
  return new Map(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, fromPlain(member)]),
  );
}

/**
 * A JSON Pointer with one more step, which is escaped.
 *
 * @param {string} pointer
 * @param {string | number} step
 */
export const below = (pointer, step) => `${pointer}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
