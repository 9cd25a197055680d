/** The size of the text in a value, and the beginning of a text that is too large. */

const bytes = (text) => Buffer.byteLength(text, "utf8");

/** The number of bytes of all texts in a value, in UTF-8. */
export function sizeOf(value) {
  if (typeof value === "string") return bytes(value);
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum, each) => sum + sizeOf(each), 0);
}

/** The beginning of the text in a content, at most `limit` bytes; no character is cut in two. */
export function beginning(content, limit) {
  const text = content.map((block) => block.text ?? "").join("\n");
  let [end, room] = [0, limit];
  for (const character of text) {
    room -= bytes(character);
    if (room < 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}
