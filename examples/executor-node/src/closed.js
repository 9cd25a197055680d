/** Whether a schema rules out that a path leads anywhere. If the schema leaves that open, the run decides it (A3). */

/**
 * @param {any} schema
 * @param {import("./references.js").Segment[]} path
 * @returns {boolean}
 */
export function excludes(schema, path) {
  const [segment, ...rest] = path;
  if (segment === undefined || !(schema instanceof Map)) return false;
  if (typeof segment === "number") return excludes(schema.get("prefixItems")?.[segment] ?? schema.get("items"), rest);
  const properties = schema.get("properties") ?? new Map();
  if (properties.has(segment)) return excludes(properties.get(segment), rest);
  return schema.get("additionalProperties") === false && !schema.has("patternProperties");
}
