// The clock of the start page: twelve foundations on a round dial, and hands that tell the time.

import { face, goalPlate } from "../board/cards.js";
import { needs } from "../board/words.js";
import { h } from "../draw.js";
import { onCircle } from "../figures/ring.js";
import { fourColours } from "../page/wishes.js";

const SIZE = 400;
const MIDDLE = SIZE / 2;
const CARD = 44;
const TICKS = { inner: 180, outer: 188 };
const HANDS = [
  { kind: "hour", long: 58 },
  { kind: "minute", long: 88 },
];

/**
 * @param {Given<"games" | "memory">} given
 * @param {Piles} piles @param {string} label what it is, for those who hear the page
 */
export function clock(given, piles, label) {
  const { slots, total } = given.games.usual;
  const homes = slots.filter(({ kind }) => kind === "foundation");
  const home = homes.reduce((sum, { pile }) => sum + piles[pile].up.length, 0);
  const four = fourColours(given) ? "four" : "two";
  return h(
    "svg",
    { class: `start-clock ${four}`, viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", "aria-label": label },
    h("circle", { class: "band", cx: MIDDLE, cy: MIDDLE, r: 194 }),
    h("circle", { class: "plate", cx: MIDDLE, cy: MIDDLE, r: 174 }),
    h("path", { class: "ticks", d: ticks(home, total, total) }),
    h("path", { class: "ticks lit", d: ticks(0, home, total) }),
    homes.map((slot) => foundation(slot, piles[slot.pile].up)),
    hands(new Date()),
    h("circle", { class: "pin", cx: MIDDLE, cy: MIDDLE, r: 8 }),
  );
}

/** The cards with which every deal of the main game begins. @param {Given<"games">} given */
export function start(given) {
  return Object.fromEntries((given.games.usual.deal?.laid ?? []).map(([pile, card]) => [pile, { up: [card], down: 0 }]));
}

/** @param {Slot} slot @param {string[]} up */
function foundation(slot, up) {
  const [x, y] = onCircle(MIDDLE, 136, slot.at / 12);
  const place = { x: x - CARD / 2, y: y - CARD * 0.7, w: CARD };
  const left = needs(slot, up, 0);
  return h(
    "g",
    { key: slot.pile },
    face(up[up.length - 1], "goal", place),
    goalPlate(up, up.length + left, slot.goal, place),
  );
}

/** One for each card of the game. @param {number} first @param {number} last @param {number} total */
function ticks(first, last, total) {
  const lines = [];
  for (let i = first; i < last; i += 1) {
    const [from, to] = [onCircle(MIDDLE, TICKS.outer, i / total), onCircle(MIDDLE, TICKS.inner, i / total)];
    lines.push(`M${from}L${to}`);
  }
  return lines.join("");
}

/** @param {Date} now */
function hands(now) {
  const minute = now.getMinutes() / 60;
  /** @type {{[kind: string]: number}} */
  const turns = { hour: (now.getHours() + minute) / 12, minute };
  return HANDS.map(({ kind, long }) => {
    const [tail, tip] = [onCircle(MIDDLE, 14, turns[kind] + 0.5), onCircle(MIDDLE, long, turns[kind])];
    return h("path", { class: `hand ${kind}`, d: `M${tail}L${tip}` });
  });
}
