// The clock on a low felt: fans in the first and the last of four rows, the inner ring in the two
// rows between. The rows of fans are elastic: a long fan takes room from the short ones.

import { LOWER, UPPER } from "./tall.js";
import { berth, places } from "./spread.js";

const MARGIN = 8;
const BETWEEN = 9;
/** The least room between two fans. */
const APART = 12;
/** What the dial leaves for words and buttons on each side, where cards are not smaller than LEAST. */
const BESIDE = 124;
const LEAST = 44;
/** The least room for the cards home beside the time. */
const ROOM = 150;

/** @param {Parts} parts @param {number} W @param {number} H */
export function flat({ fans, inner, centre, count }, W, H) {
  const middle = Math.ceil(centre.length / 2);
  const beside = Math.max(LEAST, (W / 2 - BESIDE) / 3.5 - 6);
  const w = Math.min((H - 2 * 7 - 3 * BETWEEN) / 5.6, (W - 2 * MARGIN) / (6 + middle) - 6, beside);
  const h = 1.4 * w;
  const top = (H - 4 * h - 3 * BETWEEN) / 2;
  const rows = [0, 1, 2, 3].map((i) => top + i * (h + BETWEEN));
  const pitch = w + 6;
  const half = ((6 + middle) * pitch) / 2;
  /** @type {Berths} */
  const berths = {};
  [UPPER, LOWER].forEach((hours, lower) => {
    hours.forEach((hour, i) => {
      const column = i < 3 ? i : i + middle;
      const slot = inner.get(hour);
      if (slot) berths[slot.pile] = berth(W / 2 - half + column * pitch + 3, rows[1 + lower], w);
    });
    Object.assign(berths, elastic(hours, { fans, count, W, w, y: rows[lower ? 3 : 0] }));
  });
  centre.forEach(({ pile }, i) => {
    const column = 3 + Math.floor(i / 2);
    berths[pile] = berth(W / 2 - half + column * pitch + 3, rows[1 + (i % 2)], w);
  });
  const [left, right] = [W / 2 - half - BETWEEN + 1, W / 2 + half + BETWEEN - 1];
  const text = left > ROOM ? { x: left - 36, y: rows[1] + 20, size: 14, line: true } : null;
  const disc = { x: W / 2, y: H / 2, r: w * 0.5, aside: 0, a: half + BETWEEN, b: h + BETWEEN };
  return { berths, rim: rounded(left, rows[1] - 4.5, right, rows[2] + h + 4.5, 22), text, middle: disc, across: true };
}

/**
 * One row of fans from edge to edge.
 * @param {number[]} hours @param {{ fans: Parts["fans"], count: Parts["count"], W: number, w: number, y: number }} of
 */
function elastic(hours, { fans, count, W, w, y }) {
  const slots = hours.flatMap((hour) => fans.get(hour) ?? []);
  const steps = slots.map((slot) => count(slot) - 1);
  const all = steps.reduce((sum, one) => sum + one, 0);
  const between = slots.length - 1;
  const room = W - 2 * MARGIN - slots.length * w;
  const step = Math.min(0.52 * w, (room - between * APART) / Math.max(1, all));
  const apart = (room - all * step) / Math.max(1, between);
  let x = MARGIN;
  const placed = slots.map((slot, i) => {
    const width = w + steps[i] * step;
    const found = [slot.pile, berth(x, y, w, { width, along: "x", step, least: places(slot) })];
    x += width + apart;
    return found;
  });
  return Object.fromEntries(placed);
}

/** @param {number} left @param {number} top @param {number} right @param {number} bottom @param {number} r */
function rounded(left, top, right, bottom, r) {
  /** @param {number} x @param {number} y */
  const corner = (x, y) => `a${r} ${r} 0 0 1 ${x} ${y}`;
  const [long, high] = [right - left - 2 * r, bottom - top - 2 * r];
  return `M${left + r} ${top}h${long}${corner(r, r)}v${high}${corner(-r, r)}h${-long}${corner(-r, -r)}v${-high}${corner(r, -r)}Z`;
}
