/** Text for people: one line without control characters, stack traces and paths of the machine (MSG-01, MSG-06). */

const LONGEST = 500;
const CONTROLS = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const MACHINE_PATHS = /(?:^|[\s"'(=:])(?:\/(?:[\w.-]+\/)*[\w.-]+|[A-Za-z]:[\\/]|\\\\\w)/;
const STACK_TRACES = /\bat .*:\d+:\d+|Traceback \(most recent call last\)|File ".*", line \d+/;

/**
 * The text itself if it is fit for people, and otherwise the other text.
 *
 * @param {unknown} text
 * @param {string} otherwise
 */
export function plainLine(text, otherwise) {
  if (typeof text !== "string" || text.trim() === "" || text.length > LONGEST) return otherwise;
  return [CONTROLS, MACHINE_PATHS, STACK_TRACES].some((unfit) => unfit.test(text)) ? otherwise : text;
}
