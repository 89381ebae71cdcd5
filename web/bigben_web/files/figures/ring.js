// A ring that fills with the cards home, around a place or a sign.

import { h } from "../draw.js";

const R = 17;

/** @param {number} home @param {number} total @param {string|number} text */
export function ring(home, total, text = "") {
  const part = total ? Math.min(1, home / total) : 0;
  return h(
    "svg",
    { class: "ring", viewBox: "0 0 40 40", "aria-hidden": "true" },
    h("circle", { class: "track", cx: 20, cy: 20, r: R }),
    part >= 1 ? h("circle", { class: "arc", cx: 20, cy: 20, r: R }) : part > 0 ? h("path", { class: "arc", d: arc(20, R, part) }) : null,
    text === "" ? null : h("text", { x: 20, y: 25 }, text),
  );
}

/**
 * Part of a circle around (middle, middle) as a path, clockwise from twelve.
 * @param {number} middle @param {number} radius @param {number} part
 */
export function arc(middle, radius, part) {
  const [x, y] = onCircle(middle, radius, Math.min(0.9999, part));
  return `M${middle} ${middle - radius}A${radius} ${radius} 0 ${part > 0.5 ? 1 : 0} 1 ${x} ${y}`;
}

/** The point after this part of a turn. @param {number} middle @param {number} radius @param {number} part */
export function onCircle(middle, radius, part) {
  const turn = 2 * Math.PI * part;
  return [middle + radius * Math.sin(turn), middle - radius * Math.cos(turn)].map((one) => Number(one.toFixed(2)));
}
