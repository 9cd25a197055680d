/**
 * Exact JSON numbers. A double holds most of them; a number that a double would change keeps its spelling (LOG-11).
 *
 * @typedef {{negative: boolean, digits: string, point: number}} Decimal The value 0.digits times ten to the point.
 */

const SPELLING = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const INTEGER = /^-?\d+$/;
/** The most digits of a number that is divided or hashed: longer ones take disproportionate time. */
const LONGEST = 10_000;

/** A JSON number that no double can represent, with its original spelling. */
export class ExactNumber {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    Object.freeze(this);
  }
}

/** @param {unknown} value */
export const isNumber = (value) => typeof value === "number" || value instanceof ExactNumber;

/**
 * Read the spelling of a JSON number, as a double if that keeps the value.
 *
 * @param {string} text
 */
export function readNumber(text) {
  const double = Number(text);
  if (INTEGER.test(text)) return Number.isSafeInteger(double) ? double : new ExactNumber(text);
  return Number.isFinite(double) && compare(new ExactNumber(text), double) === 0 ? double : new ExactNumber(text);
}

/** @param {number | ExactNumber} number */
export const spelling = (number) => (number instanceof ExactNumber ? number.text : String(number));

/**
 * The double nearest to a number, for limits and delays.
 *
 * @param {number | ExactNumber} number
 */
export const asDouble = (number) => Number(spelling(number));

/**
 * @param {number | ExactNumber} number
 * @returns {Decimal}
 */
export function decimal(number) {
  const [, sign, whole, fraction = "", exponent = "0"] = SPELLING.exec(spelling(number));
  const all = whole + fraction;
  const digits = all.replace(/^0+/, "");
  const point = whole.length - (all.length - digits.length) + Number(exponent);
  const significant = digits.replace(/0+$/, "");
  return significant === ""
    ? { negative: false, digits: "", point: 0 }
    : { negative: sign === "-", digits: significant, point };
}

/**
 * Compare two numbers by value; the answer is below zero, zero or above zero.
 *
 * @param {number | ExactNumber} left
 * @param {number | ExactNumber} right
 */
export function compare(left, right) {
  if (typeof left === "number" && typeof right === "number") return left < right ? -1 : Number(left > right);
  const [a, b] = [decimal(left), decimal(right)];
  const [signA, signB] = [signOf(a), signOf(b)];
  if (signA !== signB) return signA - signB;
  if (a.point !== b.point) return a.point < b.point ? -signA : signA;
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -signA : signA;
}

/** @param {Decimal} value */
const signOf = (value) => (value.digits === "" ? 0 : value.negative ? -1 : 1);

/** @param {number | ExactNumber} number */
export function isIntegral(number) {
  const { digits, point } = decimal(number);
  return digits.length <= point || digits === "";
}

/**
 * Whether one number is a multiple of another, which is above zero.
 *
 * @param {number | ExactNumber} number
 * @param {number | ExactNumber} divisor
 * @throws {RangeError} The two numbers are too far apart to be divided exactly.
 */
export function isMultiple(number, divisor) {
  const [a, b] = [decimal(number), decimal(divisor)];
  if (a.digits === "") return true;
  const [scaleA, scaleB] = [a.point - a.digits.length, b.point - b.digits.length];
  const shift = scaleA - scaleB;
  if (Math.abs(shift) > LONGEST) throw new RangeError("the number is too long to be divided");
  const [left, right] = [
    BigInt(a.digits) * 10n ** BigInt(Math.max(shift, 0)),
    BigInt(b.digits) * 10n ** BigInt(Math.max(-shift, 0)),
  ];
  return left % right === 0n;
}

/**
 * The canonical text of a number (A21, A64): an integer has all its digits. A number with a fraction or an exponent in
 * its spelling becomes the nearest double, and has all the digits of that double if it is integral.
 *
 * @param {number | ExactNumber} number
 * @throws {RangeError} The number is outside the range of doubles, or longer than this program writes.
 */
export function canonicalNumber(number) {
  const text = spelling(number);
  if (text.length > LONGEST) throw new RangeError("the integer is too long to be written out");
  if (INTEGER.test(text)) return String(BigInt(text));
  const double = Number(text);
  return Number.isInteger(double) || !Number.isFinite(double) ? String(BigInt(double)) : String(double);
}
