// A card's face and back in units of 100 x 140, in the forms that different sizes need. Knows no
// piles and no game.

import { h } from "../../draw.js";
import { figure, isCourt } from "./courts.js";
import { dialAt, rankAt, suitAt, widthOf } from "./shapes.js";

/**
 * The forms: `large` has pips and two indices, `stacked` too, with indices that flat strips show whole;
 * `column` and `row` are for small cards that are seen as upright or as flat strips, `far` for pictures
 * that are seen on a phone; of a `goal`, the lower quarter is left to what a foundation wants.
 * @typedef {"large" | "stacked" | "column" | "row" | "goal" | "far"} Form
 */

/** Where the first index of each form is: the middle of its rank, its upper edge, its height. @type {{[form: string]: [middle: number, top: number, size: number]}} */
const INDEX = { large: [13.5, 8, 19], column: [17, 9, 27], goal: [19, 9, 29], far: [16, 7, 33] };
/** Indices with the suit beside the rank. @type {{[form: string]: {left: number, top: number, size: number}}} */
const FLAT = { row: { left: 9, top: 8, size: 25 }, stacked: { left: 7, top: 8, size: 20 } };
const [LEFT, MIDDLE, RIGHT] = [34.5, 50, 65.5];
const CARD = { x: 0.5, y: 0.5, width: 99, height: 139, rx: 9 };

/** The place of the first index's rank: the middle of it, its upper edge, its height. @param {string} rank @param {Form} form @returns {[middle: number, top: number, size: number]} */
export function indexOf(rank, form) {
  if (!FLAT[form]) return INDEX[form];
  const { left, top, size } = FLAT[form];
  return [left + widthOf(rank, size) / 2, top, size];
}

/** All of a face but the rank of its first index. @param {string} rank @param {string} suit @param {Form} form */
export function face(rank, suit, form) {
  return [h("rect", { class: "paper", ...CARD }), ...FORMS[form](rank, suit)];
}

/** @type {{[form: string]: (rank: string, suit: string) => Child[]}} */
const FORMS = {
  large: (rank, suit) => {
    const corner = suitAt(suit, 13.5, 38, 15.5);
    const other = h("g", { transform: "rotate(180 50 70)" }, rankAt(rank, ...INDEX.large), corner);
    return [corner, other, ...inside(rank, suit)];
  },
  stacked: (rank, suit) => {
    const corner = suitAt(suit, 24 + widthOf(rank, FLAT.stacked.size), 18, 18);
    const other = h("g", { transform: "rotate(180 50 70)" }, rankAt(rank, ...indexOf(rank, "stacked")), corner);
    const within = isCourt(rank) ? h("g", { transform: "translate(15 21) scale(.7)" }, ...inside(rank, suit)) : null;
    return [corner, other, ...(within ? [within] : inside(rank, suit, 0.7))];
  },
  column: (rank, suit) => [
    suitAt(suit, 17, 51, 22),
    isCourt(rank) ? bust(rank, 62, 94, 1.02) : suitAt(suit, 64, 101, 54),
  ],
  far: (rank, suit) => [
    suitAt(suit, 17, 56, 24),
    isCourt(rank) ? bust(rank, 64, 96, 1.02) : suitAt(suit, 64, 101, 50),
  ],
  row: (rank, suit) => {
    const wide = widthOf(rank, FLAT.row.size);
    const corner = suitAt(suit, FLAT.row.left + wide + 20, 20.5, 24);
    if (isCourt(rank)) return [corner, bust(rank, 57, 92, 1.05)];
    const other = rankAt(rank, 6 + widthOf(rank, 18) / 2, 7, 18);
    return [corner, suitAt(suit, 46, 92, 54), h("g", { transform: "rotate(180 50 70)" }, other)];
  },
  goal: (rank, suit) => [
    suitAt(suit, 19, 53, 22),
    isCourt(rank) ? bust(rank, 63, 68, 1.02) : suitAt(suit, 64, 70, 50),
  ],
};

/** What is between the indices; pips at a part of their height from the middle. @param {string} rank @param {string} suit */
function inside(rank, suit, high = 1) {
  if (rank === "A") return [dialAt(50, 70, [33.5, 29, 31.3], "dial"), suitAt(suit, 50, 70, 40)];
  if (!isCourt(rank)) return pips(rank).map(([x, y]) => suitAt(suit, x, 70 + (y - 70) * high, 18.5 * high ** 0.3, { turned: y > 71 }));
  const frame = { x: 25, y: 9, width: 50, height: 122, rx: 3 };
  return [
    h("rect", { class: "panel", ...frame }),
    figure(rank),
    figure(rank, "rotate(180 50 70)"),
    h("path", { class: "pole", d: "M25 70H75" }),
    h("rect", { class: "frame", ...frame }),
  ];
}

/** @param {string} rank @returns {number[][]} */
function pips(rank) {
  const [top, high, middle, low, bottom] = [27, 48.5, 70, 91.5, 113];
  /** @param {number} y */
  const both = (y) => [[LEFT, y], [RIGHT, y]];
  const corners = [...both(top), ...both(bottom)];
  const sides = [...corners, ...both(middle)];
  const fours = [...corners, ...both(55.7), ...both(84.3)];
  /** @type {{[rank: string]: number[][]}} */
  const all = {
    2: [[MIDDLE, top], [MIDDLE, bottom]],
    3: [[MIDDLE, top], [MIDDLE, middle], [MIDDLE, bottom]],
    4: corners,
    5: [...corners, [MIDDLE, middle]],
    6: sides,
    7: [...sides, [MIDDLE, high]],
    8: [...sides, [MIDDLE, high], [MIDDLE, low]],
    9: [...fours, [MIDDLE, middle]],
    10: [...fours, [MIDDLE, 41.3], [MIDDLE, 98.7]],
  };
  return all[rank];
}

/**
 * The upper half of a figure; `x` and `y` are its middle.
 * @param {string} rank @param {number} x @param {number} y @param {number} scale
 */
function bust(rank, x, y, scale) {
  return figure(rank, `translate(${x - 50 * scale} ${y - 41 * scale}) scale(${scale})`);
}

/** The back: a clock on a lattice. */
export function back() {
  const lattice = Array.from({ length: 15 }, (_, i) => strand(-85 + 15 * i)).join("");
  return [
    h("rect", { class: "paper", ...CARD }),
    h("rect", { class: "ground", x: 5, y: 5, width: 90, height: 130, rx: 6 }),
    h("path", { class: "lattice", d: lattice }),
    h("rect", { class: "braid", x: 9, y: 9, width: 82, height: 122, rx: 4 }),
    ...[22, 118].map((y) => h("circle", { class: "ground braid", cx: 50, cy: y, r: 6 })),
    h("circle", { class: "ground braid", cx: 50, cy: 70, r: 33 }),
    h("circle", { class: "braid", cx: 50, cy: 70, r: 28.5 }),
    dialAt(50, 70, [26, 20, 23], "hours"),
    h("path", { class: "hands", d: "M50 70V49M50 70 62 77" }),
    h("circle", { class: "axle", cx: 50, cy: 70, r: 3 }),
  ];
}

/** Two crossing lines that start at this height, cut to the back. @param {number} y */
function strand(y) {
  const [from, to] = [Math.max(y, 5), Math.min(y + 90, 135)];
  const [a, b] = [5 + from - y, 5 + to - y];
  return `M${a} ${from}L${b} ${to}M${100 - a} ${from}L${100 - b} ${to}`;
}

const PLATE = "M0 108H100V131a9 9 0 0 1-9 9H9a9 9 0 0 1-9-9Z";

/** The plate of a pile that has all its cards: gold, with a tick. */
export function completePlate() {
  return [h("path", { class: "plate", d: PLATE }), h("path", { class: "tick", d: "M38 124 46 132 62 115" })];
}

/**
 * The plate of a pile that ends with one card: a segment for each card, filled for those that lie
 * there, and the rank and the suit that complete it, which is as high as `size`.
 * @param {number} done @param {number} total @param {string} rank @param {string} suit
 */
export function plate(done, total, rank, suit, size = 18) {
  const wide = widthOf(rank, size);
  const left = 91 - size - wide;
  const each = (left - 13) / total;
  const segments = Array.from({ length: total }, (_, i) => {
    const place = { x: (8 + i * each).toFixed(2), y: 117, width: (each - 1.6).toFixed(2), height: 14, rx: 1.2 };
    return h("rect", { class: i < done ? "part there" : "part", ...place });
  });
  return [
    h("path", { class: "plate", d: PLATE }),
    ...segments,
    rankAt(rank, left + wide / 2 + 1, 124 - size / 2, size, "stroke aim"),
    suitAt(suit, left + wide + 2.5 + size / 2, 124, size - 1, { kind: "suit aim" }),
  ];
}

/**
 * The plate of a pile of one rank: a place for each suit, those that are there in their order, then those
 * that are due, as far as that is decided, and the rank.
 * @param {string[]} suits @param {number} total @param {string} rank @param {number} high @param {string[]} order
 */
export function suitPlate(suits, total, rank, high = 19, order = []) {
  const wide = widthOf(rank, high);
  const each = (78 - wide) / total;
  const size = Math.min(19, each * 1.02);
  const places = Array.from({ length: total }, (_, i) => {
    const x = 8 + each * (i + 0.5);
    if (suits[i]) return suitAt(suits[i], x, 124, size, { kind: "suit there" });
    if (order[i]) return suitAt(order[i], x, 124, size * 0.9, { kind: "suit due" });
    return h("circle", { class: "open", cx: x.toFixed(2), cy: 124, r: Math.min(5.2, each * 0.3).toFixed(2) });
  });
  return [h("path", { class: "plate", d: PLATE }), ...places, rankAt(rank, 93 - wide / 2, 124 - high / 2, high, "stroke aim")];
}
