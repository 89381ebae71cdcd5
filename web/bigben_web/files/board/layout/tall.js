// The clock on a felt that is higher than wide: six columns, each fan above or below its hour of the
// inner ring. Twelve and one stand at the top: turned by half an hour, the dial has room for
// larger cards.

import { berth, places } from "./spread.js";

/** The hours of the upper and of the lower columns, from the left. */
export const UPPER = [10, 11, 12, 1, 2, 3];
export const LOWER = [9, 8, 7, 6, 5, 4];
/** How much lower than the middle columns the outer ones are, in card heights. */
const ARCH = [0.26, 0.07, 0, 0, 0.07, 0.26];
const BAND = 17;
const LEAST_CARDS = 4;

/** @param {Parts} parts @param {number} W @param {number} H */
export function tall({ fans, inner, centre, count }, W, H) {
  const w = Math.min((W - 35) / 6, (H - 60) / 6.6 / 1.4);
  const h = 1.4 * w;
  const gap = Math.min(28, (W - 6 * w) / 7);
  const left = (W - 6 * w - 5 * gap) / 2;
  const [above, below] = [UPPER, LOWER].map((hours) => longest(hours, fans, count));
  const free = H - 3 * h - 24 - 2 * BAND - 8 - 2 * h;
  const step = Math.max(0, Math.min(0.33 * h, free / (above + below - 2)));
  const slack = Math.max(0, free - step * (above + below - 2)) / 3;
  const [upper, lower] = [above, below].map((cards) => h + (cards - 1) * step + slack);
  const first = 4 + upper + BAND;
  const second = first + h + h + 24 + slack;
  /** @type {Berths} */
  const berths = {};
  /** @type {import("./layout.js").Words[]} */
  const numerals = [];
  const fan = { along: /** @type {const} */ ("y"), step: 0.33 * h };
  ARCH.forEach((arch, i) => {
    const x = left + i * (w + gap);
    const bend = arch * h;
    /** @param {number} hour @param {number} y @param {number} numeral @param {Partial<Berth> & {y: number}} room */
    const put = (hour, y, numeral, room) => {
      const [ring, out] = [inner.get(hour), fans.get(hour)];
      if (ring) berths[ring.pile] = berth(x, y, w);
      if (out) berths[out.pile] = berth(x, room.y, w, { ...fan, ...room, least: places(out) });
      if (ring || out) numerals.push({ x: x + w / 2, y: numeral, size: 11.5, text: (ring ?? out)?.label });
    };
    put(UPPER[i], first + bend, first + bend - 8, { y: 4 + bend, height: upper, anchor: 1 });
    const under = second + h + BAND - bend;
    put(LOWER[i], second - bend, second - bend + h + 8, { y: under, height: lower, anchor: 0 });
  });
  const cy = first + h + (h + 24 + slack) / 2;
  const between = centre.length > 1 ? Math.min((W - 16 - w) / (centre.length - 1), 2.2 * w) : 0;
  centre.forEach(({ pile }, i) => {
    const x = W / 2 + (i - (centre.length - 1) / 2) * between;
    berths[pile] = berth(x - w / 2, cy - h / 2, w);
  });
  const xs = ARCH.map((_, i) => left + i * (w + gap) + w / 2);
  const rim = edge({ W, h, xs, top: 4 + upper - 1, bottom: second + h + BAND + 1 });
  const middle = { x: W / 2, y: cy, r: 0.62 * w, aside: 1.5 * w, a: W, b: (second + h - first) / 2 + BAND };
  return { berths, rim, numerals, middle, text: { x: W / 2, y: cy, size: Math.min(30, w * 0.5) } };
}

/**
 * The longest fan, in steps of two, so that the dial seldom moves.
 * @param {number[]} hours @param {Parts["fans"]} fans @param {Parts["count"]} count
 */
function longest(hours, fans, count) {
  const most = Math.max(LEAST_CARDS, ...hours.flatMap((hour) => fans.get(hour) ?? []).map(count));
  return most + (most % 2);
}

/**
 * The dial's upper and lower edge, from one side of the felt to the other.
 * @param {{ W: number, h: number, xs: number[], top: number, bottom: number }} of
 */
function edge({ W, h, xs, top, bottom }) {
  const [outer, next] = [ARCH[0] * h, ARCH[1] * h];
  const points = [
    [-6, outer + 4],
    [xs[0], outer],
    [xs[1], next],
    [W / 2, 0],
    [xs[4], next],
    [xs[5], outer],
    [W + 6, outer + 4],
  ];
  /** @param {number} y @param {number} down @param {number[][]} all */
  const line = (y, down, all) =>
    all.slice(1).map(([x, bend], i) => {
      const [before, was] = all[i];
      const half = ((before + x) / 2).toFixed(1);
      return `C${half} ${(y + down * was).toFixed(1)} ${half} ${(y + down * bend).toFixed(1)} ${x.toFixed(1)} ${(y + down * bend).toFixed(1)}`;
    });
  const start = `M-6 ${(top + outer + 4).toFixed(1)}`;
  const turn = `V${(bottom - outer - 4).toFixed(1)}`;
  return [start, ...line(top, 1, points), turn, ...line(bottom, -1, points.reverse()), "Z"].join("");
}
