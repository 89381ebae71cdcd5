// Where the bubble of the lesson lies on a wide felt: near the card's goal, and over none of the piles
// that are pointed at.

const GAP = 26;
const EDGE = 12;

/** @param {HTMLElement} bubble @param {Box[]} boxes @param {{width: number, height: number}} felt */
export function place(bubble, boxes, felt) {
  const size = { w: bubble.offsetWidth, h: bubble.offsetHeight };
  const spots = [...boxes].reverse().flatMap((box) => around(box, size));
  const middle = { x: (felt.width - size.w) / 2, y: (felt.height - size.h) / 2 };
  const inside = [...(boxes.length ? spots : []), middle].map((spot) => within(spot, size, felt));
  const there = [...boxes, ...between(boxes)];
  /** @param {Point} spot */
  const covered = (spot) => there.reduce((sum, box) => sum + common({ ...spot, ...size }, box), 0);
  const best = inside.reduce((one, other) => (covered(other) < covered(one) ? other : one));
  bubble.style.setProperty("--left", `${Math.round(best.x)}px`);
  bubble.style.setProperty("--top", `${Math.round(best.y)}px`);
}

/** Small boxes on the way of the card from the first pile to the second one. @param {Box[]} boxes */
function between(boxes) {
  if (boxes.length !== 2) return [];
  const [from, to] = boxes.map(({ x, y, w, h }) => ({ x: x + w / 2, y: y + h / 2 }));
  return [0.2, 0.4, 0.6, 0.8].map((part) => {
    const [x, y] = [from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part];
    return { x: x - 12, y: y - 12, w: 24, h: 24 };
  });
}

/** Right of a box, left of it, below it, above it. @param {Box} box @param {{ w: number, h: number }} size */
function around({ x, y, w, h: height }, size) {
  return [
    { x: x + w + GAP, y: y - 6 },
    { x: x - GAP - size.w, y: y - 6 },
    { x: x + w / 2 - size.w / 2, y: y + height + GAP },
    { x: x + w / 2 - size.w / 2, y: y - GAP - size.h },
  ];
}

/** @param {Point} of @param {{ w: number, h: number }} size @param {Size} felt */
function within({ x, y }, size, { width, height }) {
  /** @param {number} value @param {number} most */
  const clamped = (value, most) => Math.max(EDGE, Math.min(value, most - EDGE));
  return { x: clamped(x, width - size.w), y: clamped(y, height - size.h) };
}

/** The area that two boxes share, with a margin. @param {Box} a @param {Box} b */
function common(a, b) {
  const wide = Math.min(a.x + a.w, b.x + b.w + GAP / 2) - Math.max(a.x, b.x - GAP / 2);
  const high = Math.min(a.y + a.h, b.y + b.h + GAP / 2) - Math.max(a.y, b.y - GAP / 2);
  return Math.max(0, wide) * Math.max(0, high);
}
