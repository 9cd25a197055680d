/**
 * The run's one clock (A34). The virtual one stands still until the suite moves it; the real one is the machine's.
 *
 * @typedef {object} Clock
 * @property {() => number} now Milliseconds since 1970, for stamps.
 * @property {() => number} elapsed Milliseconds since some beginning, never set back, for durations (TIME-08).
 * @property {(ms: number, what: () => void) => () => void} after Do something later; returns a function to call it off.
 */

/** @param {number} instant */
export const stamp = (instant) => new Date(instant).toISOString();

/** A clock that only `advance` moves. */
export class VirtualClock {
  #now = Date.parse("2026-01-01T00:00:00Z");
  #made = 0;
  /** @type {Array<{due: number, order: number, what: () => void}>} */
  #timers = [];

  now = () => this.#now;
  elapsed = () => this.#now;

  /** @type {Clock["after"]} */
  after(ms, what) {
    const timer = { due: this.#now + ms, order: this.#made++, what };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /**
   * Let time pass; timers that fall due fire in the order of their instants.
   *
   * @param {number} ms
   */
  advance(ms) {
    const end = this.#now + ms;
    for (let timer = this.#next(end); timer !== undefined; timer = this.#next(end)) {
      this.#timers = this.#timers.filter((other) => other !== timer);
      this.#now = timer.due;
      timer.what();
    }
    this.#now = end;
  }

  #next(end) {
    const due = this.#timers.filter((timer) => timer.due <= end);
    return due.sort((a, b) => a.due - b.due || a.order - b.order)[0];
  }
}

/** The longest delay that the machine's timers take. */
const LONGEST_DELAY = 2 ** 31 - 1;

/** The machine's clock. */
export class RealClock {
  now = () => Date.now();
  elapsed = () => performance.now();

  /** @type {Clock["after"]} */
  after(ms, what) {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const wait = (left) => {
      const rest = left - LONGEST_DELAY;
      timer = rest > 0 ? setTimeout(wait, LONGEST_DELAY, rest) : setTimeout(what, left);
    };
    wait(ms);
    return () => clearTimeout(timer);
  }
}
