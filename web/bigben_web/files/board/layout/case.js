// A ring of piles in the case of a clock with columns beside or below it, in three forms: wide, tall and flat.

import { berth } from "./spread.js";
import { LOWER, UPPER } from "./tall.js";
import { LOW, numerals } from "./clock.js";
import { TALL, mirrored } from "./ring.js";
import { banded } from "./curve.js";

/** Where twelve to three o'clock are, in widths of a card and parts of the height. */
const HOURS = [[0, -2.077], [1.08, -2], [1.2, -1], [1.25, 0]];
/** The room of a column's number, and that between two rows of columns. */
const NUMBER = 22;
const APART = 8;

/** @typedef {{x: number, y: number, width: number, height: number, rows: number, most: number, step: number}} Room of columns */

/** @param {Game} game @param {Size} felt */
export function cased({ slots, total }, { width: W, height: H }) {
  const hours = slots.filter(({ place }) => place === "outer" || place === "inner");
  const columns = slots.filter((slot) => !hours.includes(slot)).sort((a, b) => a.row - b.row || a.at - b.at);
  return (W / H < TALL ? tall : wide)({ hours, columns, total, W, H });
}

/** @typedef {{hours: Slot[], columns: Slot[], total: number, W: number, H: number}} Parts */

/** The case in the middle, half of the columns on each side. @param {Parts} of */
function wide({ hours, columns, total, W, H }) {
  const band = Math.max(18, 0.036 * H);
  const h = Math.min((H - 20 - 2 * band) / 5.32, 0.138 * W);
  const w = h / 1.4;
  const v = (H - 20 - 2 * band - h) / 4.154;
  const dial = { cx: W / 2, cy: H / 2, a: 1.75 * w + band + 6, b: H / 2 - 4, full: 5 };
  /** @type {Berths} */
  const berths = {};
  for (const { pile, at } of hours) {
    const [x, y] = mirrored(at, HOURS);
    berths[pile] = berth(dial.cx + x * w - w / 2, dial.cy + y * v - h / 2, w);
  }
  const side = W / 2 - dial.a;
  // On a low felt the columns stand in one row, elsewhere in two.
  const low = H < LOW;
  const [rows, most, step] = low ? [1, 0.2 * H, 0.46] : [2, 0.155 * H, 0.285];
  const room = { y: 0, width: side, height: H, rows, most, step };
  const half = Math.ceil(columns.length / 2);
  const left = low ? columns.slice(0, half) : leftOf(columns);
  const right = columns.filter((slot) => !left.includes(slot));
  return {
    berths: { ...berths, ...placed(left, { ...room, x: 0 }), ...placed(right, { ...room, x: W - side }) },
    ...banded(dial, band, total),
    numerals: numerals(hours, berths, dial, band, Math.max(11, 0.0195 * H)),
    text: { x: dial.cx, y: dial.cy - 0.9 * h, size: 0.34 * h },
    pendulum: { x: dial.cx, from: dial.cy - 0.42 * h, to: dial.cy + 0.92 * h, r: 0.3 * h },
  };
}

/** The columns at the left, where they stand in two rows: they are read across the case. @param {Slot[]} columns */
function leftOf(columns) {
  const row = Math.ceil(columns.length / 2);
  return columns.filter((_, i) => i % row < row / 2);
}

/** The hours on a plate in two rows, the columns below. @param {Parts} of */
function tall({ hours, columns, W, H }) {
  const w = Math.min((W - 35) / 6, 0.088 * H);
  const h = 1.4 * w;
  const left = (W - 6 * w - 25) / 2;
  /** @type {Berths} */
  const berths = {};
  const shown = hours.map(({ pile, at, label }) => {
    const upper = UPPER.includes(at);
    const x = left + (upper ? UPPER : LOWER).indexOf(at) * (w + 5);
    const y = upper ? 25 : 25 + h + 27;
    berths[pile] = berth(x, y, w);
    return { x: x + w / 2, y: upper ? y - 10 : y + h + 10, size: 13, text: label };
  });
  const top = 2 * h + 76;
  const room = { x: 0, y: top, width: W, height: H - top, rows: 2, most: Infinity, step: 0.3 };
  return {
    berths: { ...berths, ...placed(columns, room) },
    rim: `M27 3H${W - 27}a24 24 0 0 1 24 24V${top - 27}a24 24 0 0 1-24 24H27a24 24 0 0 1-24-24V27a24 24 0 0 1 24-24Z`,
    numerals: shown,
    text: { x: W / 2, y: 25 + h + 13.5, size: 17, line: true },
  };
}

/** Columns in rows, each as long as its row has room for. @param {Slot[]} slots @param {Room} room */
function placed(slots, { x, y, width, height, rows, most, step }) {
  const each = Math.ceil(slots.length / rows);
  const pitch = (height - 2 * APART) / rows;
  const long = pitch - NUMBER - APART / 2;
  const w = Math.min((width - (each + 1) * 8) / each, most, long / 1.9 / 1.4);
  const gap = (width - each * w) / (each + 1);
  const size = Math.max(13, 0.1 * w);
  const berths = slots.map((slot, i) => {
    const left = x + gap + (i % each) * (w + gap);
    const top = y + APART + Math.floor(i / each) * pitch + NUMBER;
    const label = { x: left + w / 2, y: top - NUMBER / 2, size };
    return [slot.pile, berth(left, top, w, { height: long, along: "y", step: step * 1.4 * w, label })];
  });
  return /** @type {Berths} */ (Object.fromEntries(berths));
}
