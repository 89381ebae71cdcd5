// A wheel of twelve hours, each filled with the cards of its foundation; before the hours are
// public, a dial with a tick for each card. All its colours are attributes: it is a picture too.

import { h } from "../draw.js";
import { onCircle } from "./ring.js";

export const COLOURS = { done: "#8de0a6", part: "#f2c559", none: "#314e48", disc: "#0c3028" };
const HOURS = 12;
/** Of the radius: where the hours begin, how wide the gap between two of them is, in turns. */
const INNER = 0.36;
const BETWEEN = 0.008;

/**
 * @param {{x: number, y: number, r: number, home: number, total: number,
 *   hours: [have: number, whole: number][]}} of
 */
export function wheel({ x, y, r, home, total, hours }) {
  return h(
    "g",
    { transform: `translate(${x} ${y})` },
    h("circle", { r: r + 4, fill: COLOURS.disc }),
    hours.length === HOURS ? hours.map((hour, at) => sector(hour, at / HOURS, r)) : ticks(home, total, r),
  );
}

/**
 * The cards of one foundation, from the middle outwards.
 * @param {[have: number, whole: number]} of @param {number} turn @param {number} r
 */
function sector([have, whole], turn, r) {
  const colour = have >= whole ? COLOURS.done : COLOURS.part;
  const step = (r * (1 - INNER)) / whole;
  const half = 0.5 / HOURS - BETWEEN;
  const cards = Array.from({ length: whole }, (_, card) => {
    const from = r * INNER + card * step;
    const d = slice(turn - half, turn + half, from, from + step - Math.max(0.6, r * 0.014));
    return h("path", { d, fill: card < have ? colour : COLOURS.none });
  });
  return h("g", {}, cards);
}

/** @param {number} home @param {number} total @param {number} r */
function ticks(home, total, r) {
  const half = 0.36 / total;
  return Array.from({ length: total }, (_, card) => {
    const turn = (card + 0.5) / total;
    const d = slice(turn - half, turn + half, r * 0.62, r * 0.97);
    return h("path", { d, fill: card < home ? COLOURS.part : COLOURS.none });
  });
}

/**
 * A part of a ring, from one turn to another, clockwise from twelve.
 * @param {number} from @param {number} to @param {number} inner @param {number} outer
 */
function slice(from, to, inner, outer) {
  /** @param {number} turn @param {number} r */
  const at = (turn, r) => onCircle(0, r, turn).join(" ");
  return (
    `M${at(from, inner)}L${at(from, outer)}A${outer.toFixed(2)} ${outer.toFixed(2)} 0 0 1 ${at(to, outer)}` +
    `L${at(to, inner)}A${inner.toFixed(2)} ${inner.toFixed(2)} 0 0 0 ${at(from, inner)}Z`
  );
}
