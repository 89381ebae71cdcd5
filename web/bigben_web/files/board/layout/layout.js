// Where everything lies on a board: a game's slots, fitted to the felt in pixels. Draws nothing
// and knows no game; the arrangements are a clock with fans around it, a ring with a few piles in its
// middle, a ring with columns beside it, and rows.

import { cased } from "./case.js";
import { clock } from "./clock.js";
import { ring } from "./ring.js";
import { rows } from "./rows.js";
import { TINY } from "./spread.js";

/**
 * @typedef {Point & {size: number, text?: string}} Words
 * @typedef {object} Layout
 * @property {number} width of the felt
 * @property {number} height
 * @property {Record<string, Berth>} berths
 * @property {string} rim the dial's edge as a path, or ""
 * @property {string} plate the inner edge of the dial's band, or ""
 * @property {string[]} ticks one for each card that is to come home, each as a path
 * @property {Words[]} numerals with their `text`
 * @property {Dial} [dial] its line, if it is round
 * @property {{x: number, y: number, r: number, aside: number, a: number, b: number}} middle the place
 *   of a clock's face when all cards are home, 0 large where there is no room for one; how far beside
 *   it words can stand, or 0; half the width and the height that the dial takes
 * @property {boolean} across whether it leaves room for words and buttons on both sides of the dial
 * @property {boolean} elastic whether it depends on how many cards lie where
 * @property {{x: number, from: number, to: number, r: number} | null} pendulum that hangs in its case: from where to where, and how large its bob is
 * @property {(Words & {line?: boolean}) | null} text the middle of what tells the time and the cards
 *   home, if there is room for it; whether they stand in a line or below each other
 * @property {(Words & {line?: boolean, pile: string}) | null} beside the pile that lies beside the exposed card, and the
 *   middle of what tells how far it is
 * @property {Words | null} order the middle of the order of the suits, if all foundations have one;
 *   `size` is the radius of a disc
 */

/** @typedef {(game: Game, felt: Size, piles: Piles) => Partial<Layout> & {berths: Record<string, Berth>}} Arrangement */

/**
 * @param {Game} game @param {{width: number, height: number}} felt
 * @param {Piles} piles
 * @returns {Layout}
 */
export function layoutOf(game, felt, piles) {
  const arrangement = arrangementOf(game.slots);
  const [x, y] = [felt.width / 2, felt.height / 2];
  const middle = { x, y, r: 0, aside: 0, a: felt.width / 3, b: felt.height / 3 };
  const plain = { rim: "", plate: "", ticks: [], numerals: [], across: false, middle, pendulum: null, text: null, beside: null, order: null, ...felt };
  const laid = arrangement(game, felt, piles);
  const tiny = Object.values(laid.berths).some(({ w }) => w < TINY);
  return { ...plain, elastic: arrangement === clock, ...laid, ...(tiny && { text: null, beside: null }) };
}

/** @param {Slot[]} slots @returns {Arrangement} */
function arrangementOf(slots) {
  /** @param {Slot["place"]} place */
  const has = (place) => slots.some((slot) => slot.place === place);
  if (has("inner") || slots.some(({ kind, fans }) => kind === "tableau" && fans === "out")) return clock;
  if (!has("outer")) return rows;
  return has("column") || has("row") ? cased : ring;
}
