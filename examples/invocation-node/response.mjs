/**
 * A small system that answers people and may use tools for that: it asks a planner which tools to use, uses them or
 * offers them to a provider, and reports their outcomes in the answer's metadata. It does not know about callproof.
 *
 * It takes `planner(question)`, which returns the intents; `callTool({ profile, toolName, input })`, which returns an
 * output or throws an error with a `kind`; and `generate({ profile, offered, results })`, which returns a `text`, which
 * of the offered tools were `used`, and `links`, or throws.
 */

import { randomUUID } from "node:crypto";
import { requests } from "./orchestrator.mjs";
import { executed, failed, skipped, weighed } from "./outcomes.mjs";

const ATTEMPTS = 2;

export class Response {
  #start;
  #around;
  #tools;
  #results = [];
  #generation = "skipped";

  constructor(start, around) {
    this.#start = start;
    this.#around = around;
  }

  /** The text for the user, if there is one, and a record for each tool. */
  async answer() {
    const intents = await this.#around.planner(this.#start.question);
    const planned = this.#start.tools.map((tool) => ({
      ...tool,
      intent: intents.find(({ toolName }) => toolName === tool.toolName) ?? { toolName: tool.toolName, requested: false },
    }));
    this.#tools = requests(planned, this.#start);
    if (this.#start.toolsBy === "runtime") await this.#useTools();
    const text = this.#misses() ? undefined : await this.#generate();
    for (const { toolName, profile, reported } of this.#tools)
      if (profile !== undefined && reported.runtime === undefined && reported.inferred === undefined)
        this.#leaveOut(toolName, reported);
    return { text: this.#misses(true) ? undefined : text, records: this.#records() };
  }

  /** Whether the answer lacks a required tool, so far or, with `forGood`, finally. */
  #misses(forGood = false) {
    const open = ({ profile, reported }) =>
      !forGood && this.#start.toolsBy === "provider" && profile !== undefined && reported.runtime === undefined;
    return this.#tools.some(
      (tool) => !tool.optional && tool.intent.requested && !open(tool) && weighed(tool.reported)?.status !== "executed",
    );
  }

  /** The tool was never used: another, required tool failed, or no provider answered. */
  #leaveOut(toolName, reported) {
    const neverSent = reported.orchestrator !== undefined && this.#start.toolsBy === "runtime";
    if (neverSent) reported.orchestrator = skipped(toolName, "search_not_supported_by_selected_profile");
    reported.runtime = skipped(toolName, "unspecified_tool_outcome");
  }

  async #useTools() {
    const usable = this.#tools.filter(({ profile }) => profile !== undefined);
    if (this.#tools.some(({ optional, intent, profile }) => !optional && intent.requested && profile === undefined)) return;
    for (const tool of usable) {
      await this.#use(tool);
      if (!tool.optional && tool.reported.runtime.status !== "executed") return;
    }
  }

  async #use({ toolName, profile, intent, reported }) {
    const began = performance.now();
    const took = () => ({ durationMs: Math.round(performance.now() - began) });
    try {
      const output = await this.#around.callTool({ profile, toolName, input: intent.input });
      this.#results.push({ toolName, output });
      reported.runtime = executed(toolName, took());
    } catch (error) {
      reported.runtime = failed(toolName, this.#start.contract, error.kind, took());
    }
  }

  /** The text of a provider; undefined if all attempts fail. */
  async #generate() {
    const byProvider = this.#start.toolsBy === "provider";
    const offering = byProvider ? this.#tools.filter(({ profile }) => profile !== undefined) : [];
    const profile = offering[0]?.profile ?? this.#start.selected.profile;
    const offered = offering.map(({ toolName, intent: { input } }) => ({ toolName, input }));
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      try {
        const { text, used, links } = await this.#around.generate({ profile, offered, results: this.#results });
        this.#generation = "executed";
        for (const tool of offering) this.#hear(tool, used, links);
        return text;
      } catch {
        this.#generation = "failed";
      }
    }
    return undefined;
  }

  /** Note what the provider reports about a tool, or what can be inferred if it reports nothing. */
  #hear({ toolName, reported }, used, links = []) {
    const told = used?.find((each) => each.toolName === toolName);
    if (used === undefined)
      reported.inferred = links.length > 0 ? executed(toolName) : skipped(toolName, "unspecified_tool_outcome");
    else if (told === undefined) reported.runtime = skipped(toolName, "tool_not_used");
    else if (told.status === "executed") reported.runtime = executed(toolName);
    else reported.runtime = failed(toolName, this.#start.contract, told.failure);
  }

  #records() {
    const responseId = randomUUID();
    const generation = { kind: "generation", status: this.#misses(true) ? "skipped" : this.#generation };
    const outcomes = this.#tools.map(({ reported }) => weighed(reported));
    const events = outcomes.map((outcome) => ({ kind: "tool", ...outcome }));
    return this.#tools.map(({ optional, intent, request, reported }, at) => ({
      ...{ responseId, contract: this.#start.contract, optional, intent, request, reported },
      ...{ outcome: outcomes[at], execution: [events[at], generation] },
    }));
  }
}
