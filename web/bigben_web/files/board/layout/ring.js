// A ring of piles around a dial with a few piles in its middle, in two forms: wide and tall.

import { RANKS } from "../../cards.js";
import { TINY, berth } from "./spread.js";
import { banded } from "./curve.js";

/** A felt that is narrower than this, as a part of its height, is tall. */
export const TALL = 0.9;

/** Where twelve, one, two and three o'clock are, in card widths and heights from the middle; the other hours mirror them. */
const TALL_HOURS = [[0, -2.2], [1.06, -2.04], [1.46, -1.02], [1.46, 0]];
/** @param {number} top @returns {number[][]} */
const wideHours = (top) => [[0, top], [1.32, top + 0.12], [2.5, -1.12], [2.95, 0]];

/**
 * @typedef {object} Middle of a dial
 * @property {Slot[]} centre its piles @property {number} cx @property {number} cy
 * @property {boolean} ordered whether all foundations have one order of suits
 * @property {number} w the width of a card @property {number} h its height
 */

/** @typedef {Point & {size: number, line: boolean}} Line */

/** @param {Game} game @param {Size} felt */
export function ring({ slots, total }, { width: W, height: H }) {
  const tall = W / H < TALL;
  const m = Math.max(8, 0.01 * H);
  const h = tall ? Math.min((H - 2 * m) / 5.4, (1.4 * (W - 2 * m)) / 3.96) : Math.min((H - 2 * m) / 4.14, 0.178 * W);
  const w = h / 1.4;
  const [cx, cy] = [W / 2, H / 2];
  const hours = tall ? TALL_HOURS : wideHours((m + h / 2 - cy) / h);
  /** @type {Berths} */
  const berths = {};
  const centre = [];
  for (const slot of slots) {
    if (slot.place === "centre") centre.push(slot);
    else {
      const [x, y] = mirrored(slot.at, hours);
      berths[slot.pile] = berth(cx + x * w - w / 2, cy + y * h - h / 2, w);
    }
  }
  centre.sort((a, b) => a.at - b.at);
  const [a, b, full] = tall ? [0.93 * w, 1.66 * h, 4.2] : [2.39 * w, cy - m - 1.045 * h, 2.4];
  const dial = { cx, cy, a, b, full };
  const ordered = slots.some(({ kind, goal }) => kind === "foundation" && RANKS.includes(goal));
  const within = (tall ? stacked : besides)({ centre, ordered, cx, cy, w, h });
  return { ...banded(dial, Math.max(16, 0.135 * w), total, 0.66), ...within, berths: { ...berths, ...within.berths } };
}

/** Where an hour is, by those from twelve to three. @param {number} hour @param {number[][]} hours */
export function mirrored(hour, hours) {
  const side = hour > 6 ? -1 : 1;
  const back = hour > 6 ? 12 - hour : hour % 12;
  const [x, y] = hours[back > 3 ? 6 - back : back];
  return [side * x, back > 3 ? -y : y];
}

/** The piles of a wide dial's middle: in a row, with a line above and one below. @param {Middle} of */
function besides({ centre, ordered, cx, cy, w, h }) {
  const placed = centre.map((slot, i) => {
    const x = cx + (i - (centre.length - 1) / 2) * 1.24 * w;
    return [slot.pile, berth(x - w / 2, cy - h / 2, w, { label: named(x, cy + h / 2, w) })];
  });
  const size = Math.max(22, 0.3 * w);
  const below = { x: cx, y: cy + 0.5 * h + 0.25 * w, size: Math.max(16, 0.2 * w), line: true };
  const berths = Object.fromEntries(placed);
  if (ordered) return { berths, order: { x: cx, y: cy - 0.655 * h, size: 0.114 * h }, text: { ...below, size } };
  return { berths, text: { x: cx, y: cy - 0.72 * h, size, line: true }, beside: told(centre, below) };
}

/**
 * The piles of a tall dial's middle: one large, the others below it, side by side if they are several.
 * @param {Middle} of
 */
function stacked({ centre, ordered, cx, cy, w, h }) {
  const [large, ...others] = centre.length > 2 ? [centre[1], ...centre.toSpliced(1, 1)] : centre;
  const small = others.length > 1 ? Math.min(0.76 * w, (1.62 * w) / others.length) : w;
  const [top, below] = ordered ? [cy - 1.36 * h, cy + 0.02 * h] : [cy - 1.1 * h, cy + 0.1 * h];
  const foot = below + 1.4 * small;
  const placed = others.map((slot, i) => {
    const x = cx + (i - (others.length - 1) / 2) * (small + 6);
    return [slot.pile, berth(x - small / 2, below, small, { label: named(x, foot, w) })];
  });
  if (large) placed.unshift([large.pile, berth(cx - w / 2, top, w)]);
  const berths = Object.fromEntries(placed);
  const [size, line] = [Math.max(20, 0.28 * w), true];
  if (ordered) return { berths, order: { x: cx, y: cy - 0.16 * h, size: 0.106 * h }, text: { x: cx, y: cy + 1.18 * h, size, line } };
  const beside = told(centre, { x: cx, y: cy + 1.24 * h, size: Math.max(16, 0.2 * w), line });
  return { berths, text: { x: cx, y: cy - 1.26 * h, size, line }, beside };
}

/** What is told of the pile beside the exposed card, and where. @param {Slot[]} centre @param {Line} at */
function told(centre, at) {
  const pile = centre.some(({ kind }) => kind === "hand") && centre.find(({ kind }) => kind === "reserve")?.pile;
  return pile ? { ...at, pile } : null;
}

/** The place of a pile's name below it. @param {number} x @param {number} y @param {number} w */
function named(x, y, w) {
  if (w < TINY) return null;
  const size = Math.max(11, w * 0.12);
  return { x, y: y + size, size };
}
