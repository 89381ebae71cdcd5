// How long to wait before the next try: exponential with full jitter. Waits for nothing itself.

/** Each wait is drawn from 0 to a bound that doubles, so that not all come back at one moment. */
export class Backoff {
  #bound;
  /** @type {number|null} */
  #upAt = null;

  /** @param {{ first?: number, longest?: number, draw?: () => number, clock?: () => number }} of */
  constructor({ first = 500, longest = 20_000, draw = Math.random, clock = () => performance.now() } = {}) {
    this.first = first;
    this.longest = longest;
    this.draw = draw;
    this.clock = clock;
    this.#bound = first;
  }

  /** A connection has come about. It counts as good once it has lasted the longest wait. */
  up() {
    this.#upAt = this.clock();
  }

  /** Milliseconds until the next try: `atLeast`, which the server asks for, plus a random pause. */
  wait(atLeast = 0) {
    const lasted = this.#upAt !== null && this.clock() - this.#upAt >= this.longest;
    if (lasted) this.#bound = this.first;
    this.#upAt = null;
    const bound = this.#bound;
    this.#bound = Math.min(2 * bound, this.longest);
    return atLeast + bound * this.draw();
  }
}

/** A longer hint counts as this, so that nobody is sent away for a day. */
const MOST_RETRY_S = 60;

/** Milliseconds that a close asks to wait, at the end of its reason; 0 without a hint. @param {string} reason */
export function retryIn(reason) {
  const found = /\bretry in ([0-9]{1,9}(?:\.[0-9]{1,9})?) s$/.exec(reason);
  return found ? 1000 * Math.min(Number(found[1]), MOST_RETRY_S) : 0;
}
