// The exchange of the exposed card for a closed card of a pile: its cards lie on the dial, numbered from
// the top, with the exposed card before them. Knows no game: each card stands for a move.

import { h } from "../draw.js";
import { back, face, formOf } from "./cards.js";
import { words } from "./dial.js";
import { berth } from "./layout/spread.js";
import { drawn } from "./marks.js";
import { commandName, pileName } from "./words.js";

/**
 * @typedef {{pile: string, moves: string[], chosen: number}} Offer the pile whose cards are to choose from, the
 *   moves that take them from the top on, and the number of the one that is chosen
 */

/**
 * Where they lie: from left to right, or down where the dial is narrow.
 * @param {{dial?: Dial, width: number, height: number}} layout @param {number} w the usual width of a card
 * @param {number} count
 */
export function exchangePlaces({ dial, width, height }, w, count) {
  const { cx, cy, a } = dial ?? { cx: width / 2, cy: height / 2, a: width / 2 };
  const high = 1.4 * w;
  const gaps = Math.max(1, count - 1);
  if (a > 2.2 * w) {
    const step = Math.min(0.8 * w, (1.62 * w) / gaps);
    const cards = Array.from({ length: count }, (_, i) => ({ x: cx - 0.62 * w + i * step, y: cy - high / 2 }));
    const title = { x: cx, y: cy - 0.67 * high, size: Math.max(14, 0.19 * w) };
    const below = w < 80 ? null : { x: cx, y: cy + 0.68 * high, size: Math.max(13, 0.12 * w) };
    return { w, hand: berth(cx - 2.02 * w, cy - high / 2, w), cards, step, along: /** @type {Along} */ ("x"), title, below };
  }
  const [small, wide] = [0.62 * w, 0.84 * w];
  const top = cy - 1.48 * high;
  const first = top + 1.4 * small + 0.4 * high;
  const step = Math.min(0.34 * high, (1.3 * high - 1.4 * wide + high * 0.5) / gaps);
  const cards = Array.from({ length: count }, (_, i) => ({ x: cx - wide / 2, y: first + i * step }));
  const title = { x: cx, y: first - 0.19 * high, size: Math.max(14, 0.19 * w) };
  return { w: wide, hand: berth(cx - small / 2, top, small), cards, step, along: /** @type {Along} */ ("y"), title, below: null };
}

/** @param {Shown & {offer: Offer}} shown @param {Layout} layout @param {Say} say */
export function exchange({ game, piles, offer }, layout, say) {
  const exposed = game.slots.find(({ kind }) => kind === "hand");
  const slot = game.slots.find(({ pile }) => pile === offer.pile);
  if (!exposed || !slot) return null;
  const at = exchangePlaces(layout, layout.berths[exposed.pile].w, offer.moves.length);
  const { hand, title, below } = at;
  const card = piles[exposed.pile].up.at(-1);
  return h(
    "g",
    { key: "exchange", class: "exchange" },
    words("home", title, commandName(say, offer.moves[0])),
    card ? face(card, formOf(hand, false), { ...hand, kind: "given" }) : null,
    drawn({ kind: "chosen", pile: exposed.pile }, hand, 0),
    at.along === "x" ? arrows(hand.x + 1.07 * hand.w, hand.y + hand.h / 2, 0.26 * hand.w) : null,
    ...at.cards.map((_, i) => closed(i, offer, at, say)),
    below ? words("rest", below, say("offer.title", { pile: pileName(say, slot) })) : null,
  );
}

/** One closed card with its number, from 1. @param {number} i @param {Offer} offer @param {ReturnType<typeof exchangePlaces>} at @param {Say} say */
function closed(i, { moves, chosen }, { w, cards, step, along }, say) {
  const { x, y } = cards[i];
  const [last, mine] = [i === moves.length - 1, i + 1 === chosen];
  const r = Math.max(10, 0.11 * w);
  const seen = { w: last || along === "y" ? w : step, h: last || along === "x" ? 1.4 * w : step };
  const [cx, cy] = along === "x" ? [x + seen.w / 2, y + 1.4 * w - 1.5 * r] : [x + 1.5 * r, y + Math.max(1.35 * r, 0.15 * w)];
  return h(
    "g",
    {
      key: `closed${i}`,
      class: `closed ${mine ? "mine" : ""}`,
      "data-choice": i + 1,
      role: "button",
      tabindex: 0,
      "aria-label": say("offer.depth", { count: i + 1 }),
      "aria-pressed": String(mine),
    },
    back({ count: 0, under: 0 }, { x, y, w }),
    mine ? drawn({ kind: "choice", pile: "", at: i }, { x, y, ...seen }, 0) : null,
    h("circle", { class: "number", cx, cy, r }),
    words("digit", { x: cx, y: cy, size: 1.2 * r }, String(i + 1)),
  );
}

/** There and back. @param {number} x @param {number} y @param {number} long */
function arrows(x, y, long) {
  const [tip, apart] = [long / 4, long / 3];
  const there = `M${x} ${y - apart}h${long}l${-tip} ${-tip}m${tip} ${tip}l${-tip} ${tip}`;
  const again = `M${x + long} ${y + apart}h${-long}l${tip} ${-tip}m${-tip} ${tip}l${tip} ${tip}`;
  return h("path", { class: "swap", d: there + again });
}
