/** Hashes over the canonical form: RFC 8785, with integers of any size in full (A21, A64). */

import { createHash } from "node:crypto";

import { isNumber, canonicalNumber } from "./numbers.js";

/**
 * The canonical text of a JSON value.
 *
 * @param {import("./json.js").Json} value
 * @returns {string}
 * @throws {RangeError} The value holds an integer that is too long to write out.
 */
export function canonical(value) {
  if (isNumber(value)) return canonicalNumber(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  const names = [...value.keys()].sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value.get(name))}`).join(",")}}`;
}

/**
 * The hash of a JSON value; undefined if it has no canonical form that this program can write (B-51).
 *
 * @param {import("./json.js").Json} value
 * @returns {string | undefined}
 */
export function hashOf(value) {
  try {
    return `sha256:${createHash("sha256").update(canonical(value), "utf8").digest("hex")}`;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
