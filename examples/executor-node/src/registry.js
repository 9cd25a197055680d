/**
 * The tools of a run: found by name or declared alias, with compiled schemas (VAL-06, VAL-09).
 *
 * @typedef {object} Tool
 * @property {string} name The canonical name.
 * @property {import("./json.js").JsonObject} descriptor
 * @property {"read-only" | "writes" | "commands"} riskLevel
 * @property {boolean} cancellable
 * @property {import("./schema.js").Check} checkInput
 * @property {import("./schema.js").Check} checkOutput
 */

import { hashOf } from "./hash.js";
import { UnusableSchema } from "./keywords.js";
import { Refusal } from "./refusal.js";
import { compile } from "./schema.js";

export class Registry {
  /** @type {Map<string, import("./json.js").JsonObject[]>} */
  #byName = new Map();
  /** @type {Map<import("./json.js").JsonObject, Tool>} */
  #ready = new Map();

  /** @param {import("./json.js").JsonObject[]} descriptors */
  constructor(descriptors) {
    this.descriptors = descriptors;
    this.version = hashOf(descriptors) ?? "unhashed";
    for (const descriptor of descriptors) {
      for (const name of new Set([descriptor.get("name"), ...(descriptor.get("aliases") ?? [])])) {
        this.#byName.set(name, [...(this.#byName.get(name) ?? []), descriptor]);
      }
    }
  }

  /**
   * The tool that a step names.
   *
   * @param {string} name
   * @param {string} pointer Where the plan names it.
   * @returns {Tool}
   * @throws {Refusal} The tool is unknown, ambiguous, not for this executor to run, or cannot be judged.
   */
  tool(name, pointer) {
    const candidates = this.#byName.get(name) ?? [];
    const exact = candidates.filter((descriptor) => descriptor.get("name") === name);
    const [descriptor, ...others] = exact.length > 0 ? exact : candidates;
    if (descriptor === undefined) throw new Refusal("unknown_tool", `The registry has no tool ${name}`, pointer);
    if (others.length > 0) throw new Refusal("ambiguous_tool", `The registry has more than one tool ${name}`, pointer);
    if (descriptor.get("host") === "system")
      throw new Refusal("unknown_tool", `This system does not bring the tool ${name}`, pointer);
    if (!this.#ready.has(descriptor)) this.#ready.set(descriptor, ready(descriptor, pointer));
    return this.#ready.get(descriptor);
  }
}

function ready(descriptor, pointer) {
  return {
    name: descriptor.get("name"),
    descriptor,
    riskLevel: descriptor.get("riskLevel") ?? "commands",
    cancellable: descriptor.get("cancellable") ?? true,
    checkInput: usable(descriptor, "inputSchema", pointer),
    checkOutput: usable(descriptor, "outputSchema", pointer),
  };
}

function usable(descriptor, member, pointer) {
  try {
    return compile(descriptor.get(member));
  } catch (error) {
    if (!(error instanceof UnusableSchema)) throw error;
    throw new Refusal(
      "schema_not_loaded",
      `The ${member} of ${descriptor.get("name")} cannot be used: ${error.message}`,
      pointer,
    );
  }
}
