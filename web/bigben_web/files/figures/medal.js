// A place: gold, silver and bronze for the first three, the digit alone from the fourth on.

import { h } from "../draw.js";

/** Of the disc, its two rings, and the digit. */
const METALS = [
  ["#f2c55a", "#8a6413", "#2b2008"],
  ["#d5dbdc", "#7c878a", "#20292b"],
  ["#dda36f", "#8a5426", "#2d1806"],
];

/** @param {number} place */
export function medal(place) {
  const metal = METALS[place - 1];
  if (!metal) return h("span", { class: "medal plain" }, place);
  const [disc, ring, digit] = metal;
  return h(
    "svg",
    { class: "medal", viewBox: "0 0 28 28" },
    h("circle", { cx: 14, cy: 14, r: 12.5, fill: disc, stroke: ring, "stroke-width": 1.5 }),
    h("circle", { cx: 14, cy: 14, r: 9.5, fill: "none", stroke: ring, "stroke-opacity": 0.55 }),
    h("text", { x: 14, y: 19, fill: digit }, place),
  );
}
