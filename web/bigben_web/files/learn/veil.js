// The veil over the board of the lesson: holes for the piles it points at, and the way of the card.

import { h } from "../draw.js";

/** How far a hole reaches round its pile. */
const ROUND = 7;
const RADIUS = 12;

/** @param {import("./learning.js").Learning} learning */
export function veil({ boxes, step }) {
  if (!boxes.length) return null;
  const holes = boxes.map(({ x, y, w, h: height }) => ({ x: x - ROUND, y: y - ROUND, w: w + 2 * ROUND, h: height + 2 * ROUND }));
  const tap = step.move && step.move !== "undo";
  return h(
    "svg",
    { class: "veil", "aria-hidden": "true" },
    h("path", { class: "dark", d: `M0 0H9999V9999H0Z${holes.map(outline).join("")}` }),
    holes.map((hole, i) => h("path", { class: tap && i === 0 ? "tap" : "goal", d: outline(hole) })),
    holes.length === 2 && step.move ? way(holes[0], holes[1]) : null,
  );
}

/** @param {Box} box */
function outline({ x, y, w, h: height }) {
  const [r, right, low] = [RADIUS, x + w, y + height];
  return (
    `M${x + r} ${y}H${right - r}A${r} ${r} 0 0 1 ${right} ${y + r}V${low - r}A${r} ${r} 0 0 1 ${right - r} ${low}` +
    `H${x + r}A${r} ${r} 0 0 1 ${x} ${low - r}V${y + r}A${r} ${r} 0 0 1 ${x + r} ${y}Z`
  );
}

/** A bent line from one hole to the other, with a point. @param {Box} from @param {Box} to */
function way(from, to) {
  const [start, end] = [middle(from), middle(to)];
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const bend = { x: (start.x + end.x) / 2 - dy * 0.18, y: (start.y + end.y) / 2 + dx * 0.18 };
  const [a, b] = [edge(from, bend), edge(to, bend)];
  const angle = Math.atan2(b.y - bend.y, b.x - bend.x);
  /** @param {number} turn */
  const wing = (turn) => `${(b.x - 15 * Math.cos(angle + turn)).toFixed(1)} ${(b.y - 15 * Math.sin(angle + turn)).toFixed(1)}`;
  return [
    h("path", { class: "way", d: `M${a.x.toFixed(1)} ${a.y.toFixed(1)}Q${bend.x.toFixed(1)} ${bend.y.toFixed(1)} ${b.x.toFixed(1)} ${b.y.toFixed(1)}` }),
    h("path", { class: "point", d: `M${wing(0.5)}L${b.x.toFixed(1)} ${b.y.toFixed(1)}L${wing(-0.5)}` }),
  ];
}

/** @param {Box} box */
function middle({ x, y, w, h: height }) {
  return { x: x + w / 2, y: y + height / 2 };
}

/**
 * Where the line from the middle of the hole to this point leaves it, and a little farther.
 * @param {Box} hole @param {Point} point
 */
function edge(hole, point) {
  const { x, y } = middle(hole);
  const [dx, dy] = [point.x - x, point.y - y];
  const part = Math.min(1, (hole.w / 2 + 5) / Math.abs(dx || 1), (hole.h / 2 + 5) / Math.abs(dy || 1));
  return { x: x + dx * part, y: y + dy * part };
}
