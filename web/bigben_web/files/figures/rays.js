// Rays around the wheel of a first place, of three lengths.

import { h } from "../draw.js";
import { onCircle } from "./ring.js";

const SIZE = 340;
const [COUNT, FROM] = [48, 137];

export function rays() {
  const d = Array.from({ length: COUNT }, (_, i) => {
    const long = i % 4 ? (i % 2 ? 8 : 15) : 27;
    const [a, b] = [FROM, FROM + long].map((r) => onCircle(SIZE / 2, r, i / COUNT).join(" "));
    return `M${a}L${b}`;
  });
  return h("svg", { class: "rays", viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true" }, h("path", { d: d.join("") }));
}
