// The moves of one seat on their way to the server, one at a time. Knows no cards and no socket.

const NEVER_REWRITTEN = ["undo", "resign", "timeout"];

/**
 * A queue: a move gets its number once the one before is answered. Were two on their way and the
 * first refused, the second would be refused for its number too.
 */
export class Moves {
  /** The move that awaits its answer. @type {{n: number, move: string}|null} */
  sent = null;
  /** @type {string[]} */
  #waiting = [];

  /** @param {string} text */
  add(text) {
    this.#waiting.push(text);
  }

  /** Moves that are not answered yet. */
  get count() {
    return this.#waiting.length + (this.sent ? 1 : 0);
  }

  /** The next move to send, as number `n`; null while one is unanswered or none waits. @param {number} n */
  next(n) {
    const move = this.sent ? undefined : this.#waiting.shift();
    if (move === undefined) return null;
    this.sent = { n, move };
    return this.sent;
  }

  /** Take the answer to move `n`; whether it was the one that is sent. @param {number | undefined} n */
  answered(n) {
    if (this.sent?.n !== n) return false;
    this.sent = null;
    return true;
  }

  /**
   * Whether `diff` can be what the server made of the move that is sent. Its number may have been
   * taken by another device of the player or by the end of the time; ours is then refused.
   * @param {Protocol.Diff} diff
   */
  madeBy(diff) {
    if (this.sent?.n !== diff.n) return false;
    const words = [this.sent.move.trim().toLowerCase(), diff.move];
    return words[0] === words[1] || !words.some((word) => NEVER_REWRITTEN.includes(word));
  }
}
