/**
 * Reads JSON text without losing anything, and notices what strict JSON does not allow.
 *
 * A message may contain what is not strict JSON: NaN, a lone surrogate, a member twice, or endless nesting. It is still
 * read, and the first such flaw is named beside the value, so that the call can be closed (RES-22).
 */

import { DEEPEST } from "./json.js";
import { readNumber } from "./numbers.js";

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORD = /true|false|null|NaN|-?Infinity/y;
const WORDS = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** A text is not JSON at all; the message names the place that shows it. */
export class NotJson extends Error {}

/**
 * @param {string} text
 * @returns {{value: import("./json.js").Json, flaw: string | undefined}}
 * @throws {NotJson}
 */
export function parse(text) {
  const reader = new Reader(text);
  const value = reader.document();
  return { value, flaw: reader.flaw };
}

/** One pass over one text. Open values are on the reader's own stack, so depth does not use up the call stack. */
class Reader {
  #text;
  #at = 0;
  /** @type {Array<{into: any, name: string | undefined}>} */
  #open = [];
  /** @type {string | undefined} */
  flaw;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  document() {
    let value = this.#value();
    while (this.#open.length > 0) value = this.#follow(value);
    this.#skip();
    if (this.#at < this.#text.length) this.#fail("the end of the text");
    return value;
  }

  /** Put a finished value into the open one, and read on: the next value, or the end of the open one. */
  #follow(value) {
    const top = this.#open.at(-1);
    if (value !== OPENED) this.#put(top, value);
    const closing = Array.isArray(top.into) ? "]" : "}";
    const first = value === OPENED;
    if (this.#take(closing)) {
      this.#open.pop();
      return this.#open.length >= DEEPEST ? this.#flawed("nested too deeply", null) : top.into;
    }
    if (!first && !this.#take(",")) this.#fail(`"," or "${closing}"`);
    if (closing === "}") top.name = this.#name();
    return this.#value();
  }

  #put(top, value) {
    if (Array.isArray(top.into)) return top.into.push(value);
    if (top.into.has(top.name)) this.#flawed("a member twice in one object", null);
    return top.into.set(top.name, value);
  }

  #name() {
    this.#skip();
    const name = this.#match(STRING);
    if (name === undefined) this.#fail("the name of a member");
    if (!this.#take(":")) this.#fail('":"');
    return this.#string(name);
  }

  #value() {
    if (this.#take("[")) return this.#begin([]);
    if (this.#take("{")) return this.#begin(new Map());
    const string = this.#match(STRING);
    if (string !== undefined) return this.#string(string);
    const word = this.#match(WORD);
    if (word !== undefined)
      return WORDS.has(word) ? WORDS.get(word) : this.#flawed(`${word}, which is not JSON number`, null);
    const number = this.#match(NUMBER);
    if (number !== undefined) return readNumber(number);
    return this.#fail("a value");
  }

  #begin(into) {
    this.#open.push({ into, name: undefined });
    return OPENED;
  }

  #string(quoted) {
    const string = quoted.includes("\\") ? JSON.parse(quoted) : quoted.slice(1, -1);
    return string.isWellFormed() ? string : this.#flawed("a lone surrogate", string.toWellFormed());
  }

  #flawed(what, instead) {
    this.flaw ??= what;
    return instead;
  }

  #skip() {
    SPACE.lastIndex = this.#at;
    SPACE.exec(this.#text);
    this.#at = SPACE.lastIndex;
  }

  #take(character) {
    this.#skip();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found[0];
  }

  /** @returns {never} */
  #fail(expected) {
    throw new NotJson(`character ${this.#at + 1}: ${expected} was expected`);
  }
}

const OPENED = Symbol("an array or object that was just opened");
