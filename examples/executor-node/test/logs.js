/** The example logs of the specification as test vectors: composed by hand, not by an executor. */

import { existsSync, readdirSync, readFileSync } from "node:fs";

import { parse } from "../src/parse.js";

const FOLDER = new URL("../../../spec/examples/", import.meta.url);

export const SCHEMAS = new URL("../../../schemas/", import.meta.url);

/** The names of the logs. */
export const LOGS = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** @param {URL} file */
export const readJson = (file) => parse(readFileSync(file, "utf8")).value;

/** @param {string} log */
export const runOf = (log) => readJson(new URL(`${log}/run.json`, FOLDER));

/**
 * The lines of one file of a log.
 *
 * @param {string} log
 * @param {"calls" | "results" | "events"} file
 */
export function linesOf(log, file) {
  const path = new URL(`${log}/${file}.jsonl`, FOLDER);
  return existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
}

/** The records of one file of a log. */
export const recordsOf = (log, file) => linesOf(log, file).map((line) => parse(line).value);
