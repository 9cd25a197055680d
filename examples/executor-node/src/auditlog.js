/** The four files of an audit log. Every record is on the disk before the run goes on (CALL-21). */

import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";

import { Refusal } from "./refusal.js";

const FILES = { call: "calls.jsonl", result: "results.jsonl", event: "events.jsonl" };

export class AuditLog {
  #folder;
  /** @type {Map<string, number>} */
  #open = new Map();

  /**
   * @param {string} folder
   * @throws {Refusal} The folder holds a run already, or cannot be created (A68).
   */
  constructor(folder) {
    this.#folder = folder;
    if (existsSync(join(folder, "run.json"))) throw new Refusal("audit_exists", "The audit folder holds a run already");
    try {
      mkdirSync(folder, { recursive: true });
    } catch {
      throw new Refusal("audit_unwritable", "The audit folder cannot be made");
    }
  }

  /**
   * @param {"run" | "call" | "result" | "event"} kind
   * @param {string} text The record as JSON text of one line.
   */
  write(kind, text) {
    if (kind === "run") return this.#replaceRun(text);
    if (!this.#open.has(kind)) this.#open.set(kind, openSync(join(this.#folder, FILES[kind]), "a"));
    return append(this.#open.get(kind), `${text}\n`);
  }

  close() {
    for (const file of this.#open.values()) closeSync(file);
    this.#open.clear();
  }

  /** Replace the run record to add the confirmation: a reader finds the old or the new one, never half of one. */
  #replaceRun(text) {
    const [fresh, settled] = [join(this.#folder, "run.json.new"), join(this.#folder, "run.json")];
    const file = openSync(fresh, "w");
    append(file, `${text}\n`);
    closeSync(file);
    renameSync(fresh, settled);
    const folder = openSync(this.#folder, "r");
    fsyncSync(folder);
    closeSync(folder);
  }
}

/**
 * @param {number} file
 * @param {string} text
 */
function append(file, text) {
  const bytes = Buffer.from(text, "utf8");
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
  fsyncSync(file);
}
