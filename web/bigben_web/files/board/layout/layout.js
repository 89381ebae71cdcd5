// Where everything lies on a board: a game's slots, fitted to the felt in pixels. Draws nothing
// and knows no game; the arrangements are a clock, a ring, columns and rows.

import { clock } from "./clock.js";
import { columns } from "./columns.js";
import { ring } from "./ring.js";
import { rows } from "./rows.js";

/**
 * @typedef {Point & {size: number, text?: string}} Words
 * @typedef {{slots: Slot[], how: typeof ring | typeof columns | typeof rows}} Part of the board
 * @typedef {Part & {room: Area, w: number}} Sized
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
 * @property {(Words & {line?: boolean}) | null} text the middle of what tells the time and the cards
 *   home, if there is room for it
 */

const MARGIN = 6;
/** The room between two areas. */
const APART = 14;
/** The height of the line of text where no dial has room for it. */
const LINE = 30;
/** How much larger the cards of one area may be than those of another. */
const UNLIKE = 1.35;
/** Cards are not larger than this. */
const LARGEST = 150;

/**
 * @param {Game} game @param {{width: number, height: number}} felt
 * @param {Piles} piles
 * @returns {Layout}
 */
export function layoutOf(game, felt, piles) {
  const { slots } = game;
  const dial = slots.filter(({ place }) => ["outer", "inner", "centre"].includes(place));
  const areas = [
    { slots: dial, how: ring },
    { slots: slots.filter(({ place }) => place === "column"), how: columns },
    { slots: slots.filter(({ place }) => place === "row"), how: rows },
  ].filter((area) => area.slots.length);
  const [a, b] = [felt.width / 3, felt.height / 3];
  const middle = { x: felt.width / 2, y: felt.height / 2, r: 0, aside: 0, a, b };
  const plain = { rim: "", plate: "", ticks: [], numerals: [], elastic: false, across: false, middle, ...felt };
  if (areas.length === 1 && isClock(dial)) return { ...plain, ...clock(game, felt, piles), elastic: true };
  const line = dial.length ? 0 : LINE;
  const room = {
    x: MARGIN,
    y: MARGIN + line,
    width: felt.width - 2 * MARGIN,
    height: felt.height - 2 * MARGIN - line,
  };
  const text = { x: felt.width / 2, y: MARGIN + LINE / 2, size: 17, line: true };
  const placed = divided(areas, room).map(({ slots, how, room, w }) => how.place(slots, room, w));
  const berths = Object.assign({}, ...placed.map((one) => one.berths));
  return { ...plain, text, .../** @type {Partial<Layout>} */ (placed.find((one) => "rim" in one)), berths };
}

/** Whether fans surround the dial, or it has two rings. @param {Slot[]} slots */
function isClock(slots) {
  return slots.some(({ place, kind, fans }) => place === "inner" || (kind === "tableau" && fans === "out"));
}

/** The rooms of the areas, and the largest cards in each. @param {Part[]} of @param {Area} room @returns {Sized[]} */
function divided([first, ...rest], room) {
  if (!rest.length) return [sized(first, room)];
  /** @type {{score: number, both: Sized[]}} */
  let best = { score: 0, both: [] };
  for (const sideways of [true, false]) {
    for (let part = 0.2; part <= 0.8; part += 0.04) {
      const [here, there] = halves(room, part, sideways);
      const both = [sized(first, here), ...divided(rest, there)];
      const sizes = both.map(({ w }) => w);
      const score = Math.min(...sizes) + 0.15 * Math.min(Math.max(...sizes), UNLIKE * Math.min(...sizes));
      if (score > best.score * 1.001) best = { score, both };
    }
  }
  const most = UNLIKE * Math.min(...best.both.map(({ w }) => w));
  return best.both.map((area) => ({ ...area, w: Math.min(area.w, most) }));
}

/** @param {Part} area @param {Area} room @returns {Sized} */
function sized(area, room) {
  return { ...area, room, w: Math.min(LARGEST, area.how.largest(area.slots, room)) };
}

/** @param {Area} of @param {number} part @param {boolean} sideways */
function halves({ x, y, width, height }, part, sideways) {
  if (sideways) {
    const first = (width - APART) * part;
    const second = { x: x + first + APART, y, width: width - APART - first, height };
    return [{ x, y, width: first, height }, second];
  }
  const first = (height - APART) * part;
  const second = { x, y: y + first + APART, width, height: height - APART - first };
  return [{ x, y, width, height: first }, second];
}
