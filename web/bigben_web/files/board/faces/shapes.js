// What faces are made of: suits, and thirteen ranks as strokes, so that every machine draws the same.

import { h } from "../../draw.js";

/** The shapes of the suits in a square of 20. @type {{[suit: string]: string}} */
const SUITS = {
  H: "M10 18.4C4.4 13.6 1.2 10.4 1.2 6.5 1.2 3.6 3.3 1.7 5.8 1.7c1.8 0 3.4 1 4.2 2.7.8-1.7 2.4-2.7 4.2-2.7 2.5 0 4.6 1.9 4.6 4.8 0 3.9-3.2 7.1-8.8 11.9z",
  D: "M10 .9C11.9 4.4 14.3 7.4 17.4 10 14.3 12.6 11.9 15.6 10 19.1 8.1 15.6 5.7 12.6 2.6 10 5.7 7.4 8.1 4.4 10 .9z",
  S: "M10 1c1.9 4 8.6 6.6 8.6 11.2 0 2.5-1.9 4.2-4.1 4.2-1.5 0-2.8-.7-3.6-2 .2 2 .9 3.5 2.2 4.6H6.9c1.3-1.1 2-2.6 2.2-4.6-.8 1.3-2.1 2-3.6 2-2.2 0-4.1-1.7-4.1-4.2C1.4 7.6 8.1 5 10 1z",
  C: "M10 1.1a4.2 4.2 0 0 1 3.3 6.8 4.2 4.2 0 1 1-2.5 6.6c.2 1.8.9 3.4 2.3 4.5H6.9c1.4-1.1 2.1-2.7 2.3-4.5a4.2 4.2 0 1 1-2.5-6.6A4.2 4.2 0 0 1 10 1.1z",
};

/** Each rank as a line on a grid 20 high, and how wide it is. @type {{[rank: string]: [line: string, width: number]}} */
const RANKS = {
  A: ["M.4 20 6.4 0 12.4 20M2.7 13.2H10.1", 12.8],
  2: ["M.7 5.1C.9-1.6 11.5-1.6 11.5 5.3 11.5 9.9 3.5 13.5.5 20H12", 12],
  3: ["M.9 3.1C3.2-1.4 11.1-1 11.1 4.7 11.1 8.3 8.2 9.5 4.9 9.5 8.8 9.5 11.8 11.2 11.8 14.7 11.8 21.4 2.3 21.4.3 16.5", 12],
  4: ["M9.1 20V0L.4 14.2H12.7", 12.8],
  5: ["M11 0H2.4L1.5 8.8C4.7 6.6 11.8 7 11.8 13.5 11.8 21.2 2.4 21.3.4 16.9", 12],
  6: ["M10.7 2C7.2-1.5.7.7.7 11.5.7 22.5 11.9 22.2 11.9 13.7 11.9 6 2.9 5.8.8 12", 12],
  7: ["M.2 0H11.9L4.5 20", 12],
  8: ["M6 9.4C-.3 9.4-.3 0 6 0S12.3 9.4 6 9.4C-1.6 9.4-1.6 20 6 20S13.6 9.4 6 9.4Z", 12],
  9: ["M1.3 18C4.8 21.5 11.3 19.3 11.3 8.5 11.3-2.5.1-2.2.1 6.3.1 14 9.1 14.2 11.2 8", 12],
  10: ["M0 3.6 3.6 0V20M12 0C6.4 0 6.4 20 12 20S17.6 0 12 0Z", 16.5],
  J: ["M9 0V14.6C9 21.8.4 21.8.2 14.8", 9.5],
  Q: ["M6.5 0C-1.9 0-1.9 20 6.5 20S14.9 0 6.5 0ZM7.8 14.2 13.2 21.2", 13],
  K: ["M.8 0V20M12 0 1.2 11.6M4.7 8 12.6 20", 13],
};

/** The line of a rank on a grid 20 high. @param {string} rank */
export function lineOf(rank) {
  return RANKS[rank][0];
}

/** How wide a rank is that is as high as `size`. @param {string} rank @param {number} size */
export function widthOf(rank, size) {
  return (RANKS[rank][1] * size) / 20;
}

/**
 * Moves a rank to this place: `x` is its middle, `y` its upper edge.
 * @param {string} rank @param {number} x @param {number} y @param {number} size
 */
export function rankPlace(rank, x, y, size) {
  const scale = (size / 20).toFixed(4);
  return `translate(${(x - widthOf(rank, size) / 2).toFixed(2)} ${y.toFixed(2)}) scale(${scale})`;
}

/** @param {string} rank @param {number} x @param {number} y @param {number} size */
export function rankAt(rank, x, y, size, kind = "stroke") {
  return h("path", { class: kind, d: lineOf(rank), transform: rankPlace(rank, x, y, size) });
}

/**
 * A suit with its middle here; `turned` upside down.
 * @param {string} suit @param {number} x @param {number} y @param {number} size
 * @param {{ turned?: boolean, kind?: string }} of
 */
export function suitAt(suit, x, y, size, { turned = false, kind = "suit" } = {}) {
  const scale = (size / 20).toFixed(4);
  const way = turned ? " rotate(180 10 10)" : "";
  const place = `translate(${(x - size / 2).toFixed(2)} ${(y - size / 2).toFixed(2)}) scale(${scale})${way}`;
  return h("path", { class: kind, d: SUITS[suit], transform: place });
}

/**
 * Strokes round a middle, every third one longer: a dial.
 * @param {number} x @param {number} y @param {[outer: number, long: number, short: number]} of @param {string} kind
 */
export function dialAt(x, y, [outer, long, short], kind) {
  const strokes = Array.from({ length: 12 }, (_, hour) => {
    const angle = (hour * Math.PI) / 6;
    const [right, up] = [Math.sin(angle), Math.cos(angle)];
    const inner = hour % 3 ? short : long;
    /** @param {number} far */
    const at = (far) => `${(x + right * far).toFixed(1)} ${(y - up * far).toFixed(1)}`;
    return `M${at(outer)}L${at(inner)}`;
  });
  return h("path", { class: kind, d: strokes.join("") });
}
