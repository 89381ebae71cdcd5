// A dial in a ring of fans that grow outwards, in three forms: wide, tall and flat.

import { berth, lying, places } from "./spread.js";
import { flat } from "./flat.js";
import { tall } from "./tall.js";
import { along, banded, inside } from "./curve.js";

/** A felt that is lower than this, and wider than high, has rows instead of a round dial. */
export const LOW = 500;

/** @param {Game} game @param {{width: number, height: number}} felt @param {Piles} piles */
export function clock({ slots, total }, { width, height }, piles) {
  const parts = {
    total,
    fans: byHour(slots, "outer"),
    inner: byHour(slots, "inner"),
    centre: slots.filter(({ place }) => place === "centre").sort((a, b) => a.at - b.at),
    count: (/** @type {Slot} */ slot) => Math.max(places(slot), lying(slot, piles[slot.pile]).length),
  };
  const form = width > height && height < LOW ? flat : width >= height ? wide : tall;
  return form(parts, width, height);
}

/** @param {Slot[]} slots @param {Slot["place"]} ring */
function byHour(slots, ring) {
  return new Map(slots.filter(({ place }) => place === ring).map((slot) => [slot.at, slot]));
}

/**
 * A true clock: twelve on top, five rows of fans, the inner ring in a cushion.
 * @param {Parts} of @param {number} W @param {number} H
 */
function wide({ fans, inner, centre, total }, W, H) {
  const m = Math.max(8, 0.014 * H);
  const w = Math.min(0.1186 * H, 0.0902 * W);
  const small = 0.9 * w;
  const [cx, cy] = [W / 2, H / 2];
  const column = small * 1.11;
  const band = Math.max(14, 0.033 * H);
  const [a, b] = [2.08 * column + small / 2 + 0.16 * w + 0.9 * band, cy - m - 1.4 * w - 0.008 * H];
  const dial = { cx, cy, a, b };
  /** @type {Berths} */
  const berths = {};
  for (const [hour, { pile }] of inner) {
    const { x, y } = innerPlace(hour, H);
    const top = cy - dial.b + band + 0.01 * H + y;
    const upper = hour > 9 || hour < 3;
    const at = hour % 6 === 3 ? cy - small * 0.7 : upper ? top : H - top - small * 1.4;
    berths[pile] = berth(cx + x * column - small / 2, at, small);
  }
  for (const slot of fans.values()) berths[slot.pile] = wideFan(slot, { W, H, m, w, cx, dial });
  const size = Math.max(11, w * 0.13);
  const gap = centre.length > 1 ? (1.96 * column) / (centre.length - 1) : 0;
  centre.forEach(({ pile }, i) => {
    const x = cx - ((centre.length - 1) * gap) / 2 + i * gap;
    const label = { x, y: cy + small * 0.7 + size * 0.75, size };
    berths[pile] = berth(x - small / 2, cy - small * 0.7, small, { label });
  });
  return {
    berths,
    ...banded(dial, band, total),
    numerals: numerals([...inner.values()], berths, dial, band, Math.max(11, 0.0195 * H)),
    text: { x: cx, y: cy, size: 0.36 * w },
    middle: { x: cx, y: cy, r: 0.72 * w, aside: 1.24 * w, a, b },
  };
}

/** The inner ring: columns from the middle, and how far below the top of the dial. @param {number} hour @param {number} H */
function innerPlace(hour, H) {
  const back = hour > 6 ? 12 - hour : hour;
  const side = hour > 6 ? -1 : 1;
  const up = back > 3 ? 6 - back : back;
  const [x, y] = [[0, 0], [1, 0.008], [1.96, 0.034], [2.08, 0]][up];
  return { x: side * x, y: y * H };
}

/** @param {Slot} slot @param {{ W: number, H: number, m: number, w: number, cx: number, dial: Dial }} of */
function wideFan(slot, { W, H, m, w, cx, dial }) {
  const h = 1.4 * w;
  const step = (W / H < 1.45 ? 0.4 : 0.44) * w;
  const row = (H - 2 * m - h) / 4;
  const top = Math.min(0.78 * w + step, 1.34 * w) + 0.12 * w;
  const inwards = 0.012 * W;
  const hour = slot.at;
  const back = hour > 6 ? 12 - hour : hour % 12;
  const arch = 0.014 * H;
  const y = m + [0, arch, row, (H - h) / 2 - m, 3 * row, 4 * row - arch, 4 * row][back];
  const common = { along: /** @type {const} */ ("x"), step, least: places(slot) };
  if (back % 6 === 0) {
    const room = 2 * top - 0.2 * w;
    return berth(cx - room / 2, y, w, { ...common, width: room, anchor: 0.5 });
  }
  const near = back === 1 || back === 5 ? top : dial.a + inwards - (back === 3 ? 0 : 0.06 * w);
  const room = W / 2 - near - (back === 3 ? 4 : m * 0.5);
  const left = hour > 6;
  return berth(left ? cx - near - room : cx + near, y, w, { ...common, width: room, anchor: left ? 1 : 0 });
}

/**
 * The hours, in the dial's band beside their piles.
 * @param {Slot[]} slots @param {Berths} berths @param {Dial} dial @param {number} band
 * @param {number} size
 */
export function numerals(slots, berths, dial, band, size) {
  const ring = inside(dial, 0.64 * band);
  return slots.map(({ pile, label }) => {
    const { x, y, w, h } = berths[pile];
    const turn = Math.atan2((x + w / 2 - dial.cx) / dial.a, -(y + h / 2 - dial.cy) / dial.b) / (2 * Math.PI);
    return { ...along(ring, turn), size, text: label };
  });
}
