/** The small part of JSON Schema that the tools here use. */

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

const IS = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

/** Why a value breaks a schema; undefined if it fits. */
export function broken(schema, value, name = "the input") {
  const { type, enum: permitted, minLength = 0, minimum = -Infinity, items } = schema;
  if (type !== undefined && ![type].flat().some((each) => IS[each](value))) return `${name}: not of type ${type}`;
  if (permitted !== undefined && !permitted.includes(value)) return `${name}: none of ${permitted}`;
  if (typeof value === "string" && [...value].length < minLength) return `${name}: too short`;
  if (typeof value === "number" && value < minimum) return `${name}: too small`;
  if (Array.isArray(value) && items !== undefined)
    return first(value.map((each, index) => broken(items, each, `${name}[${index}]`)));
  if (schema.not !== undefined && broken(schema.not, value) === undefined) return `${name}: not permitted`;
  return isObject(value) ? brokenMember(schema, value) : undefined;
}

function brokenMember({ properties = {}, required = [], additionalProperties }, value) {
  const missing = required.find((each) => !Object.hasOwn(value, each));
  if (missing !== undefined) return `${missing}: required`;
  return first(
    Object.entries(value).map(([name, member]) => {
      if (Object.hasOwn(properties, name)) return broken(properties[name], member, name);
      return additionalProperties === false ? `${name}: not a parameter` : undefined;
    }),
  );
}

const first = (reasons) => reasons.find((each) => each !== undefined);
