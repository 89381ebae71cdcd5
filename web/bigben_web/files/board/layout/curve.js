// A dial's line: an ellipse with fuller corners.

const FULL = 4.4;

/** @typedef {{cx: number, cy: number, a: number, b: number}} Dial */

/** The whole line as a path. @param {Dial} dial */
export function superellipse({ cx, cy, a, b }, steps = 96) {
  /** @param {number} part */
  const fuller = (part) => Math.sign(part) * Math.abs(part) ** (2 / FULL);
  const points = Array.from({ length: steps }, (_, i) => {
    const angle = (2 * Math.PI * i) / steps;
    const [x, y] = [cx + a * fuller(Math.sin(angle)), cy - b * fuller(Math.cos(angle))];
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}

/** Where a ray at this part of the full turn meets the line. @param {Dial} dial @param {number} part */
export function along({ cx, cy, a, b }, part) {
  const angle = 2 * Math.PI * part;
  const [x, y] = [Math.sin(angle) * a, -Math.cos(angle) * b];
  const far = (Math.abs(x / a) ** FULL + Math.abs(y / b) ** FULL) ** (-1 / FULL);
  return { x: cx + x * far, y: cy + y * far };
}
