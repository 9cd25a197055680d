/**
 * What the policy says about one call: whether the tool is denied, and whether each path is permitted.
 *
 * @typedef {import("./json.js").Json} Json
 * @typedef {import("./json.js").JsonObject} JsonObject
 * @typedef {{reason: string, message: string, pointer?: string}} Denial
 */

import { below, kindOf } from "./json.js";

const PATH_NAMES = new Set(["path", "fromPath", "toPath"]);
const SAME_VALUE = ["allOf", "anyOf", "oneOf"];
const ROOTED = /^(?:[/\\]|[A-Za-z]:)/;
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[/\\]/;
const PLAIN_PATTERN = /^[\p{L}\p{M}\p{N}._ -]+$/u;
const PATH_PATTERN = /^[\p{L}\p{M}\p{N}._ /-]+$/u;

/**
 * @param {JsonObject} policy
 * @param {import("./registry.js").Tool} tool
 * @param {Json} args
 * @returns {Denial | undefined}
 */
export function denialOf(policy, tool, args) {
  if ((policy.get("deniedTools") ?? []).includes(tool.name))
    return { reason: "blocked_tool", message: "The policy denies this tool" };
  const sandbox = policy.get("sandbox");
  if (sandbox.get("enabled") === false) return undefined;
  for (const { pointer, path } of pathsIn(tool, args)) {
    const message = offenceOf(path, sandbox);
    if (message !== undefined) return { reason: "sandbox_violation", message, pointer };
  }
  return undefined;
}

/**
 * Whether effects report a change outside the sandbox (POL-15).
 *
 * @param {JsonObject} policy
 * @param {Json | undefined} effects
 */
export function liesOutside(policy, effects) {
  const sandbox = policy.get("sandbox");
  if (sandbox.get("enabled") === false || !(effects instanceof Map)) return false;
  const changes = ["created", "modified", "deleted", "renamed"].flatMap((list) => effects.get(list) ?? []);
  const paths = changes
    .flatMap((change) => ["path", "from", "to"].map((member) => change.get(member)))
    .filter((path) => path !== undefined);
  return paths.some((path) => offenceOf(path, sandbox) !== undefined);
}

/**
 * The path-valued arguments: those that the tool's schema declares under names that stand for paths (A70, A84).
 *
 * @param {import("./registry.js").Tool} tool
 * @param {Json} args
 */
export function pathsIn(tool, args) {
  const root = tool.descriptor.get("inputSchema");
  const found = new Map(declared(root, args, "", root, new Set()).map((place) => [place.pointer, place]));
  const prefix = tool.name === "vault.listFiles" && args instanceof Map ? args.get("prefix") : undefined;
  if (typeof prefix === "string") found.set("/prefix", { pointer: "/prefix", path: prefix });
  return [...found.values()];
}

function declared(schema, value, pointer, root, seen) {
  if (!(schema instanceof Map) || seen.has(schema)) return [];
  const again = new Set(seen).add(schema);
  const same = [
    ...SAME_VALUE.flatMap((keyword) => schema.get(keyword) ?? []),
    ...["if", "then", "else"].map((keyword) => schema.get(keyword)),
    referred(schema, root),
  ];
  const here = same.flatMap((inner) => declared(inner, value, pointer, root, again));
  if (kindOf(value) === "array") return [...here, ...elements(schema, value, pointer, root)];
  return kindOf(value) === "object" ? [...here, ...inMembers(schema, value, pointer, root)] : here;
}

function inMembers(schema, value, pointer, root) {
  const properties = schema.get("properties") ?? new Map();
  return [...value].flatMap(([name, member]) => {
    const place = below(pointer, name);
    const rest = properties.get(name) ?? schema.get("additionalProperties");
    return [
      ...(properties.has(name) ? named(name, member, place) : []),
      ...declared(rest, member, place, root, new Set()),
    ];
  });
}

function named(name, member, pointer) {
  if (PATH_NAMES.has(name)) return typeof member === "string" ? [{ pointer, path: member }] : [];
  if (name !== "paths" || kindOf(member) !== "array") return [];
  return member.flatMap((path, index) => (typeof path === "string" ? [{ pointer: below(pointer, index), path }] : []));
}

function elements(schema, value, pointer, root) {
  const prefix = schema.get("prefixItems") ?? [];
  return value.flatMap((item, index) =>
    declared(prefix[index] ?? schema.get("items"), item, below(pointer, index), root, new Set()),
  );
}

function referred(schema, root) {
  const reference = schema.get("$ref");
  if (typeof reference !== "string" || !reference.startsWith("#")) return undefined;
  const steps = reference.slice(1).split("/").slice(1);
  return steps.reduce(
    (node, step) =>
      node instanceof Map ? node.get(decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")) : undefined,
    root,
  );
}

function offenceOf(path, sandbox) {
  if (URI.test(path)) return "A path is a URI";
  if (ROOTED.test(path)) return "A path is absolute";
  if ([path, path.normalize("NFKC")].some((text) => text.split(/[/\\]/).includes("..")))
    return "A path has a parent segment";
  const segments = normalSegments(path);
  const roots = sandbox.get("allowedRoots") ?? ["/"];
  if (!roots.some((root) => liesIn(segments, normalSegments(root)))) return "A path lies outside the allowed roots";
  const patterns = sandbox.get("denyPatterns") ?? [];
  return patterns.some((pattern) => matches(pattern.normalize("NFC"), path, segments))
    ? "A path matches a deny pattern"
    : undefined;
}

const normalSegments = (path) =>
  path
    .normalize("NFC")
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".");

/** Whole segments are compared, so that Notes-private does not lie in Notes (POL-03). */
const liesIn = (segments, root) => root.every((segment, index) => segments[index] === segment);

/** The four ways to read a pattern (A13, A71). */
function matches(pattern, path, segments) {
  const normal = segments.join("/");
  if (/[*?]/.test(pattern))
    return (pattern.includes("/") ? [normal] : segments).some((text) => glob(pattern).test(text));
  if (PLAIN_PATTERN.test(pattern)) return segments.includes(pattern);
  if (PATH_PATTERN.test(pattern)) return normal.includes(pattern);
  return path.includes(pattern) || path.normalize("NFC").includes(pattern);
}

function glob(pattern) {
  const source = pattern
    .replace(/[\\^$.|+()[\]{}]/g, "\\$&")
    .replaceAll("*", "[^/]*")
    .replaceAll("?", "[^/]");
  return new RegExp(`^${source}$`, "u");
}
