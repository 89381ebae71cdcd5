// The best move in a position, and why: the server's hint, until the position is another one.

import { cardName, withCards } from "../board/words.js";

/** @typedef {{pile: string, target: string, title: string, text: string}} Shown the pile to move from or to tap, or "" */

export class Hinting {
  /** @type {{race: string, n: number, player: string, shown: Shown} | null} */
  #told = null;
  #asked = 0;

  /** @param {Given<"announce" | "redraw" | "say" | "session">} given */
  constructor(given) {
    this.given = given;
  }

  /**
   * Ask about the position after move `n` of a player, and show the answer. Raises RefusedError.
   * @param {{ race: string, n: number, player: string }} of @param {Game} game
   */
  async ask({ race, n, player }, game) {
    const { given } = this;
    this.clear();
    const asked = this.#asked;
    given.announce(given.say("hints.thinking"));
    const { move, why, said } = await given.session.ask({ type: "get-hint", race, n, player });
    if (asked !== this.#asked) return;
    const text = given.say.told(said, why);
    this.#told = { race, n, player, shown: { ...piles(move, game), title: "", text } };
    given.announce(withCards(text, (card) => cardName(given.say, card)));
    given.redraw();
  }

  /** The hint for this position, if it is shown. @param {string} race @param {number} n @returns {Shown | null} */
  at(race, n, player = "") {
    const told = this.#told;
    return told && told.race === race && told.n === n && told.player === player ? told.shown : null;
  }

  hide() {
    if (this.#told) this.given.redraw();
    this.clear();
  }

  /** Show nothing, also if an answer is on its way. */
  clear() {
    this.#asked += 1;
    this.#told = null;
  }
}

/**
 * Where a move begins and ends on the board; of a move that names no pile, what to tap for it.
 * @param {string} move @param {Game} game
 */
function piles(move, { slots, moves }) {
  const [first, second = ""] = move.split(" ");
  const names = slots.map(({ pile }) => pile);
  if (names.includes(first)) return { pile: first, target: second };
  if (names.includes(second)) return { pile: second, target: "" };
  return { pile: moves.find(({ example }) => example === move)?.tap ?? "", target: "" };
}
