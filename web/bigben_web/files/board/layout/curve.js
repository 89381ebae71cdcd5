// A dial's line: an ellipse with fuller corners.

/** How full the corners are where a dial does not say. */
const FULL = 4.4;

/** @typedef {{cx: number, cy: number, a: number, b: number, full?: number}} Dial */

/** The whole line as a path. @param {Dial} dial */
export function superellipse({ cx, cy, a, b, full = FULL }, steps = 96) {
  /** @param {number} part */
  const fuller = (part) => Math.sign(part) * Math.abs(part) ** (2 / full);
  const points = Array.from({ length: steps }, (_, i) => {
    const angle = (2 * Math.PI * i) / steps;
    const [x, y] = [cx + a * fuller(Math.sin(angle)), cy - b * fuller(Math.cos(angle))];
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}

/** Where a ray at this part of the full turn meets the line. @param {Dial} dial @param {number} part */
export function along({ cx, cy, a, b, full = FULL }, part) {
  const angle = 2 * Math.PI * part;
  const [x, y] = [Math.sin(angle) * a, -Math.cos(angle) * b];
  const far = (Math.abs(x / a) ** full + Math.abs(y / b) ** full) ** (-1 / full);
  return { x: cx + x * far, y: cy + y * far };
}

/** Whether a point lies within the line. @param {Dial} dial @param {Point} point */
export function isWithin({ cx, cy, a, b, full = FULL }, { x, y }) {
  return Math.abs((x - cx) / a) ** full + Math.abs((y - cy) / b) ** full < 1;
}

/**
 * A dial with a band: its two edges, and in the band a tick for each card that is to come home, from twelve
 * on. Ticks take a part of the band; beside numerals a small one.
 * @param {Dial} dial @param {number} band @param {number} total
 */
export function banded(dial, band, total, part = 0.26) {
  const [outer, inner] = [3, 3 + part * band].map((inset) => inside(dial, inset));
  const ticks = Array.from({ length: total }, (_, i) => {
    const [from, to] = [along(outer, i / total), along(inner, i / total)];
    return `M${from.x.toFixed(1)} ${from.y.toFixed(1)}L${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
  });
  return { dial, rim: superellipse(dial), plate: superellipse(inside(dial, band)), ticks };
}

/** @param {Dial} dial @param {number} inset @returns {Dial} */
export function inside(dial, inset) {
  return { ...dial, a: dial.a - inset, b: dial.b - inset };
}
