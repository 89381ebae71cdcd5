// One card as SVG: its face, its back, an empty place. Knows no piles and no game.

import { h } from "../draw.js";

/** The shapes of the suits in a square of 20. */
const SHAPES = {
  H: "M10 18.4C4.4 13.6 1.2 10.4 1.2 6.5 1.2 3.6 3.3 1.7 5.8 1.7c1.8 0 3.4 1 4.2 2.7.8-1.7 2.4-2.7 4.2-2.7 2.5 0 4.6 1.9 4.6 4.8 0 3.9-3.2 7.1-8.8 11.9z",
  D: "M10 .9C11.9 4.4 14.3 7.4 17.4 10 14.3 12.6 11.9 15.6 10 19.1 8.1 15.6 5.7 12.6 2.6 10 5.7 7.4 8.1 4.4 10 .9z",
  S: "M10 1c1.9 4 8.6 6.6 8.6 11.2 0 2.5-1.9 4.2-4.1 4.2-1.5 0-2.8-.7-3.6-2 .2 2 .9 3.5 2.2 4.6H6.9c1.3-1.1 2-2.6 2.2-4.6-.8 1.3-2.1 2-3.6 2-2.2 0-4.1-1.7-4.1-4.2C1.4 7.6 8.1 5 10 1z",
  C: "M10 1.1a4.2 4.2 0 0 1 3.3 6.8 4.2 4.2 0 1 1-2.5 6.6c.2 1.8.9 3.4 2.3 4.5H6.9c1.4-1.1 2.1-2.7 2.3-4.5a4.2 4.2 0 1 1-2.5-6.6A4.2 4.2 0 0 1 10 1.1z",
};

/** @param {string} card `10H` @returns {[rank: string, suit: string]} */
export function rankAndSuit(card) {
  return [card.slice(0, -1), card.slice(-1)];
}

/**
 * A card's face. `row` puts the suit beside the rank, else below it: what is seen of a card that
 * another one covers from below, or from the right.
 */
export function face(card, { x, y, w, h: height, row, key, kind = "" }) {
  const [rank, suit] = rankAndSuit(card);
  const big = w > 60;
  const size = row ? (big ? 20 : 14.5) : big ? 22 : 15;
  const wide = size * (rank === "10" ? 1.05 : 0.74);
  const small = size * (row ? 0.74 : 0.8);
  const corner = row
    ? { x: 3.5 + wide, y: 3.4 + (size - small) / 2 }
    : { x: 3 + Math.max(0, wide - small) / 2, y: size + 3.5 };
  const pip = w * 0.46;
  return h(
    "g",
    { key, class: `card suit-${suit} ${kind}`, transform: `translate(${x} ${y})` },
    h("rect", { class: "face", width: w, height, rx: w * 0.1 }),
    h("text", { class: "rank", x: 3, y: size * 0.86 + 2.4, "font-size": size, ...fitted(rank, wide) }, rank),
    suitAt(suit, corner.x, corner.y, small),
    // A covered card shows its corner only.
    kind.includes("top") ? suitAt(suit, (w - pip) / 2 + w * 0.1, height - pip * 1.22, pip) : null,
  );
}

/** Two figures take the room of two, whatever the font. */
function fitted(rank, wide) {
  return rank.length > 1 ? { textLength: wide - 1, lengthAdjust: "spacingAndGlyphs" } : {};
}

/** A card that lies face down. */
export function back({ x, y, w, h: height, key }) {
  return h(
    "g",
    { key, class: "card back", transform: `translate(${x} ${y})` },
    h("rect", { class: "face", width: w, height, rx: w * 0.1 }),
    h("rect", { class: "pattern", x: 4, y: 4, width: w - 8, height: height - 8, rx: w * 0.06 }),
    h("path", { class: "weave", d: weave(w, height) }),
  );
}

/** Where a card might lie and none does. */
export function gap({ x, y, w, h: height, key }) {
  const place = { key, class: "gap", x: x + 1, y: y + 1, width: w - 2, height: height - 2 };
  return h("rect", { ...place, rx: w * 0.1 });
}

export function suitAt(suit, x, y, size) {
  return h("path", {
    class: "suit",
    d: SHAPES[suit],
    transform: `translate(${x} ${y}) scale(${size / 20})`,
  });
}

function weave(w, height) {
  const lines = [];
  for (let y = 12; y < height - 8; y += 10) lines.push(`M8 ${y}H${w - 8}`);
  return lines.join("");
}
