// Piles in rows, with the exposed card on a dial: below the rows with those beside it, or in a place of the last row.

import { TALLER, berth } from "./spread.js";
import { TALL } from "./ring.js";
import { LOW } from "./clock.js";
import { banded } from "./curve.js";

/** The room of a label above a pile. */
const LABEL = 26;
/** A row of so few piles lies on the dial with the exposed card. */
const FEW = 3;
/** The room that half of a counter takes. */
const ROOM = 55;
/** So many cards are tucked below a pile at most. */
const TUCKED = 4;

/** @typedef {{lead: number, step: number}} Way down a column, in heights of a card: to the first card that is tucked, and on to the next */

/** @param {Game} game @param {Size} felt */
export function rows({ slots, total }, felt) {
  const numbers = [...new Set(slots.map(({ row }) => row))].sort((a, b) => a - b);
  const lines = numbers.map((number) => slots.filter(({ row }) => row === number).sort((a, b) => a.at - b.at));
  const last = lines.at(-1) ?? [];
  if (lines.length > 1 && last.length <= FEW) return above(lines.slice(0, -1), last, total, felt);
  return within(lines, total, felt);
}

/** Rows of columns, and below them a dial with the piles of the last row. @param {Slot[][]} lines @param {Slot[]} last @param {number} total @param {Size} felt */
function above(lines, last, total, { width: W, height: H }) {
  const tall = W / H < TALL;
  const all = tall ? lines.flatMap(halves) : lines;
  const most = Math.max(...all.map((line) => line.length));
  const gap = tall ? 5 : 0.0095 * W;
  const way = tall ? { lead: 0.42, step: 0.235 } : { lead: 0.58, step: 0.34 };
  const long = longOf(way);
  // The dial needs a third of the height.
  const fit = (0.62 * H - all.length * LABEL) / all.length / long / TALLER;
  const w = Math.min((W - (tall ? 12 : 32) - (most - 1) * gap) / most, fit);
  /** @type {Berths} */
  const berths = {};
  all.forEach((line, i) => Object.assign(berths, row(line, { W, y: LABEL + 2 + i * (long * TALLER * w + LABEL), w, gap }, way)));
  const bottom = LABEL + all.length * (long * TALLER * w + LABEL) - LABEL + 14;
  const [cx, cy, b] = [W / 2, (bottom + H) / 2, (H - bottom) / 2 - 6];
  const a = tall ? W / 2 - 5 : Math.min(0.4 * W, 2 * b);
  const size = Math.min((2 * b - (tall || H < LOW ? 40 : 64)) / TALLER, (tall ? 0.26 : 0.15) * W);
  const [between, band] = [tall ? 6 : 0.24 * size, Math.max(14, 0.1 * size)];
  const wide = last.length * (size + between) - between;
  // With less room the piles stand aside for the cards home.
  const aside = tall || a - wide / 2 < 2 * ROOM;
  const start = cx - wide / 2 - (aside ? Math.min(a - wide / 2 - band - 6, 0.9 * ROOM) : 0);
  last.forEach(({ pile }, i) => (berths[pile] = berth(start + i * (size + between), cy - size * 0.7, size)));
  return {
    berths,
    ...banded({ cx, cy, a, b }, band, total, 0.5),
    ...counts(last, aside, { cx, cy, a, size, start, right: start + wide }),
  };
}

/**
 * The cards home beside the piles of a dial, and on its other side, if there is room, how far the pile is
 * that lies with the exposed card.
 * @param {Slot[]} last @param {boolean} aside @param {{cx: number, cy: number, a: number, size: number, start: number, right: number}} of
 */
function counts(last, aside, { cx, cy, a, size, start, right }) {
  const text = { y: cy - 0.1 * size, size: Math.min(54, 0.4 * size) };
  const pile = last.find(({ kind }) => kind === "reserve")?.pile;
  const second = { ...text, x: (right + cx + a) / 2, size: Math.min(44, 0.32 * size) };
  if (aside) return { text: { ...text, x: second.x } };
  return { text: { ...text, x: (cx - a + start) / 2 }, beside: pile ? { ...second, pile } : null };
}

/** Rows of columns, one place of which holds the exposed card on a dial. @param {Slot[][]} lines @param {number} total @param {Size} felt */
function within(lines, total, { width: W, height: H }) {
  const cards = lines.flat();
  const hand = cards.find(({ kind }) => kind === "hand");
  const columns = cards.filter((slot) => slot !== hand);
  const tall = W / H < TALL;
  const most = tall ? 5 : Math.max(...lines.map((line) => line.length));
  const low = !tall && H < LOW;
  const way = low ? { lead: 0.3, step: 0.2 } : tall ? { lead: 0.44, step: 0.24 } : { lead: 0.5, step: 0.22 };
  const long = longOf(way);
  const places = hand ? withHand(columns, hand, lines, most, tall) : inLines(lines, most);
  const pitch = (H - 8) / places.length;
  const w = Math.min((W - 24) / (most + (most - 1) * (tall ? 0.12 : 0.3)), (pitch - LABEL - (low ? 8 : 16)) / long / TALLER);
  const gap = (W - most * w - 24) / Math.max(1, most - 1);
  const slack = (pitch - LABEL - long * TALLER * w) * 0.5;
  /** @type {Berths} */
  const berths = {};
  places.forEach((line, i) => Object.assign(berths, row(line, { W, y: 4 + i * pitch + slack + LABEL, w, gap }, way)));
  if (!hand || !berths[hand.pile]) return { berths, text: { x: W / 2, y: 14, size: 15, line: true } };
  const { x, y } = berths[hand.pile];
  const high = long * TALLER * w;
  const cy = y + high / 2;
  berths[hand.pile] = berth(x, cy - (TALLER * w) / 2 - (tall ? 0 : 4), w);
  const [aside, over] = tall ? [Math.min(9, gap / 2), 6] : [Math.min(0.62 * gap, 0.3 * w), Math.min(LABEL / 2, H - y - high - 3)];
  const dial = { cx: x + w / 2, cy, a: w / 2 + aside, b: high / 2 + over, full: 4.6 };
  const size = Math.max(17, Math.min(34, 0.26 * w));
  // The cards home stand above the card; on a tall felt in the last place, which is free.
  const text = tall
    ? { x: 12 + (most - 1) * (w + gap) + w / 2, y: 4 + (places.length - 1) * pitch + slack + LABEL + high / 2, size }
    : { x: dial.cx, y: (cy - dial.b + cy - 0.7 * w) / 2 - (low ? 0 : 4), size: Math.min(size, (dial.b - 0.7 * w) * 0.42), line: low };
  return { berths, ...banded(dial, Math.max(12, 0.1 * w), total, 0.5), text };
}

/**
 * The places of the rows: the exposed card in the middle of its row; on a tall felt at the end of the
 * last but one, and at the end of the last is room for the cards home.
 * @param {Slot[]} columns @param {Slot} hand @param {Slot[][]} lines @param {number} most @param {boolean} tall @returns {(Slot | null)[][]}
 */
function withHand(columns, hand, lines, most, tall) {
  if (!tall) {
    return lines.map((line) => {
      if (!line.includes(hand)) return line;
      const others = line.filter((slot) => slot !== hand);
      const middle = Math.floor(others.length / 2);
      return [...others.slice(0, middle), hand, ...others.slice(middle)];
    });
  }
  const rest = [...columns];
  const count = Math.ceil((columns.length + 2) / most);
  return Array.from({ length: count }, (_, i) => {
    const line = rest.splice(0, i < count - 2 ? most : most - 1);
    return i === count - 2 ? [...line, hand] : i === count - 1 ? [...line, null] : line;
  });
}

/** The rows in lines that fit. @param {Slot[][]} lines @param {number} most */
function inLines(lines, most) {
  return lines.flatMap((line) => (line.length > most ? halves(line) : [line]));
}

/** @param {Slot[]} line */
function halves(line) {
  const half = Math.ceil(line.length / 2);
  return [line.slice(0, half), line.slice(half)];
}

/** @param {(Slot | null)[]} line @param {{W: number, y: number, w: number, gap: number}} of @param {Way} way */
function row(line, { W, y, w, gap }, { lead, step }) {
  const left = (W - line.length * w - (line.length - 1) * gap) / 2;
  const h = TALLER * w;
  const size = Math.max(13, Math.min(22, 0.18 * w));
  const berths = line.flatMap((slot, i) => {
    if (!slot) return [];
    const x = left + i * (w + gap);
    const label = { x: x + w / 2, y: y - LABEL / 2, size };
    const height = longOf({ lead, step }) * h;
    const room = { height, along: /** @type {const} */ ("y"), label };
    return [[slot.pile, berth(x, y, w, slot.kind === "reserve" ? { ...room, lead: lead * h, step: step * h } : { ...room, step: 0.285 * h })]];
  });
  return /** @type {Berths} */ (Object.fromEntries(berths));
}

/** How long a column is, in heights of a card. @param {Way} way */
function longOf({ lead, step }) {
  return 1 + lead + (TUCKED - 1) * step;
}
