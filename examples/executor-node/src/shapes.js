/** The shapes of plans and policies, as the specification generates them into `schemas/`. */

import { existsSync, readFileSync } from "node:fs";

import { parse } from "./parse.js";
import { Refusal } from "./refusal.js";
import { compile } from "./schema.js";

// In a copy of this example the schemas are beside the sources, and in a checkout at the root.
const FOLDERS = ["../schemas/", "../../../schemas/"].map((each) => new URL(each, import.meta.url));
const FOLDER = FOLDERS.find((each) => existsSync(each));
const load = (name) => compile(parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8")).value);
const SHAPES = { plan: load("plan"), policy: load("policy") };

/**
 * @param {"plan" | "policy"} shape
 * @param {import("./json.js").Json} value
 * @throws {Refusal} The value does not have the shape.
 */
export function demandShape(shape, value) {
  const failure = SHAPES[shape](value, "");
  if (failure === undefined) return;
  const place = failure.pointer === "" ? `The ${shape}` : `${failure.pointer} of the ${shape}`;
  throw new Refusal(`${shape}_shape`, `${place} breaks its shape by ${failure.keyword}`, failure.pointer);
}
