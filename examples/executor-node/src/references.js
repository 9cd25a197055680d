/**
 * References in templates: how they look, where they lead, and what happens to the text around them.
 *
 * @typedef {string | number} Segment A member's name, or an element's index.
 * @typedef {object} Reference
 * @property {"steps" | "vars" | "item" | "index" | "foreign"} kind `foreign` is a name of another step's loop (A60).
 * @property {string} name The step, the variable or the binding.
 * @property {Segment[]} path
 * @property {string} text The reference as it is in the plan.
 * @typedef {object} Names The braces that are references in a template.
 * @property {string} [item]
 * @property {string} [index]
 * @property {Set<string>} [foreign]
 * @typedef {import("./json.js").Json} Json
 */

import { stringify } from "./json.js";

const SOURCE = /\$(?:steps\.([A-Za-z][A-Za-z0-9_-]*)|vars\.([A-Za-z_][A-Za-z0-9_-]*))/y;
const BINDING = /\{([A-Za-z_][A-Za-z0-9_-]*)/y;
const SEGMENT =
  /\.([A-Za-z_][A-Za-z0-9_-]*)|\[(\d+)\]|\[("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")\]/y;
const MAY_REFER = /[${]/;

/** A reference that leads to nothing. */
export class Unresolved extends Error {
  /**
   * @param {Reference} reference
   * @param {string} why
   */
  constructor(reference, why) {
    super(`${reference.text} ${why}`);
    this.reference = reference.text;
  }
}

/**
 * Split a string into text and references, and remove the escapes (A61).
 *
 * @param {string} text
 * @param {Names} names
 * @returns {Array<string | Reference>}
 */
export function split(text, names) {
  if (!MAY_REFER.test(text)) return [text];
  const parts = [];
  let plain = "";
  for (let at = 0; at < text.length;) {
    const escaped = text[at] === text[at + 1] ? referenceAt(text, at + 1, names) : undefined;
    if (escaped?.kind === "foreign") plain += text[at]; // no binding begins here, so both braces stay (A61)
    const found = escaped ?? referenceAt(text, at, names);
    if (found === undefined) {
      plain += text[at];
      at += 1;
    } else if (escaped !== undefined) {
      plain += found.text;
      at += 1 + found.text.length;
    } else {
      if (plain !== "") parts.push(plain);
      plain = "";
      parts.push(found);
      at += found.text.length;
    }
  }
  return plain === "" && parts.length > 0 ? parts : [...parts, plain];
}

/**
 * The reference in a string that is exactly one reference; otherwise undefined.
 *
 * @param {string} text
 * @param {Names} names
 */
export function soleReference(text, names) {
  const parts = split(text, names);
  return parts.length === 1 && typeof parts[0] === "object" ? parts[0] : undefined;
}

/**
 * Every reference in the values of a template; the names of members are not templates (REF-25).
 *
 * @param {Json} template
 * @param {Names} names
 * @returns {Reference[]}
 */
export function referencesIn(template, names) {
  if (typeof template === "string") return split(template, names).filter((part) => typeof part === "object");
  const inner = Array.isArray(template) ? template : template instanceof Map ? [...template.values()] : [];
  return inner.flatMap((value) => referencesIn(value, names));
}

/**
 * Replace references with their values, once (A18).
 *
 * @param {Json} template
 * @param {Names} names
 * @param {(reference: Reference) => Json} valueOf
 * @returns {Json}
 * @throws {Unresolved}
 */
export function resolve(template, names, valueOf) {
  if (typeof template === "string") return resolveText(template, names, valueOf);
  if (Array.isArray(template)) return template.map((item) => resolve(item, names, valueOf));
  if (!(template instanceof Map)) return template;
  return new Map([...template].map(([name, member]) => [name, resolve(member, names, valueOf)]));
}

/**
 * Follow the path of a reference, only through members and elements (REF-17).
 *
 * @param {Reference} reference
 * @param {Json} value
 * @returns {Json}
 * @throws {Unresolved}
 */
export function follow(reference, value) {
  return reference.path.reduce((inner, segment) => {
    const found =
      typeof segment === "string"
        ? inner instanceof Map
          ? inner.get(segment)
          : undefined
        : Array.isArray(inner)
          ? inner[segment]
          : undefined;
    if (found === undefined) throw new Unresolved(reference, "leads to nothing");
    return found;
  }, value);
}

function resolveText(template, names, valueOf) {
  const parts = split(template, names);
  if (parts.length === 1 && typeof parts[0] === "object") return valueOf(parts[0]);
  return parts.map((part) => (typeof part === "string" ? part : textOf(valueOf(part)))).join("");
}

const textOf = (value) => (typeof value === "string" ? value : stringify(value));

/** The reference that begins at a place, enclosed or not. */
function referenceAt(text, at, names) {
  if (text[at] === "$") return sourceAt(text, at);
  if (text[at] !== "{") return undefined;
  const inner = text[at + 1] === "$" ? sourceAt(text, at + 1) : bindingAt(text, at, names);
  if (inner === undefined) return undefined;
  const end = at + inner.text.length + (inner.text[0] === "{" ? 0 : 1);
  return text[end] === "}" ? { ...inner, text: text.slice(at, end + 1) } : undefined;
}

function sourceAt(text, at) {
  SOURCE.lastIndex = at;
  const found = SOURCE.exec(text);
  if (found === null) return undefined;
  const { path, end } = pathAt(text, SOURCE.lastIndex);
  return {
    kind: found[1] === undefined ? "vars" : "steps",
    name: found[1] ?? found[2],
    path,
    text: text.slice(at, end),
  };
}

function bindingAt(text, at, names) {
  BINDING.lastIndex = at;
  const name = BINDING.exec(text)?.[1];
  const kind = name === undefined ? undefined : kindOfName(name, names);
  if (kind === undefined) return undefined;
  const { path, end } = pathAt(text, BINDING.lastIndex);
  return kind === "index" && path.length > 0 ? undefined : { kind, name, path, text: text.slice(at, end) };
}

function kindOfName(name, names) {
  if (name === names.item) return "item";
  if (name === names.index) return "index";
  return names.foreign?.has(name) ? "foreign" : undefined;
}

function pathAt(text, at) {
  const path = [];
  SEGMENT.lastIndex = at;
  for (let found = SEGMENT.exec(text); found !== null; found = SEGMENT.exec(text)) {
    const [, name, index, quoted] = found;
    path.push(name ?? (index === undefined ? JSON.parse(quoted) : Number(index)));
    at = SEGMENT.lastIndex;
  }
  return { path, end: at };
}
