// What is marked on the board: which cards can go, where to, why one can't, what has just moved. Each
// mark has a colour, a line and a sign of its own, and a dark case that shows it on cards and felt.

import { rankAndSuit } from "../cards.js";
import { h } from "../draw.js";

/**
 * @typedef {"home" | "fan" | "target" | "picked" | "deal" | "choice" | "chosen" | "stays" | "awaited" | "fresh" | "focus"} Kind
 * @typedef {{kind: Kind, pile: string, at?: number}} Mark of the top card of a pile, or of the card
 *   `at` from its bottom
 * @typedef {Point & {w: number, h: number}} Box
 */

/** @type {{[kind: string]: string}} */
const SIGNS = {
  home: "M-5.5.2 0-5.2 5.5.2M-3.6-.8V4.8H3.6V-.8",
  fan: "M-5.5 0H5.5M2.3-3.3 5.5 0 2.3 3.3M-2.3-3.3-5.5 0-2.3 3.3",
  target: "M0-5V4.5M-4 .8 0 4.8 4 .8",
  deal: "M0-4.5V4.5M-4.5 0H4.5",
  stays: "M-4-4 4 4M4-4-4 4",
};
/** How far outside of the card a line is. */
/** @type {{[kind: string]: number}} */
const OUTSIDE = { focus: 3 };

/**
 * What is marked on this board. A picked card, or one of which is asked why it stays, has the board
 * for itself; else all cards are marked that can go home, and with hints those that can go on a fan.
 * @param {Shown} shown @returns {Mark[]}
 */
export function marksOf({ game, piles, choices, picked, targets, fresh, hints, why, hint, focus, still, offer }) {
  /** @type {Mark[]} */
  const last = fresh.map((pile) => ({ kind: "fresh", pile }));
  /** @type {Mark[]} */
  const best = hint?.pile && !why ? [{ kind: "picked", pile: hint.pile }, ...targetOf(hint)] : [];
  if (still) return [...last, ...best];
  /** @type {Mark} */
  const ring = { kind: "focus", pile: focus };
  if (best.length) return [...best, ring];
  if (why) return [...awaited(game, piles, why.cards), { kind: "stays", pile: why.pile }, ring];
  /** @type {(kind: Kind, pile: string) => Mark} */
  const mark = (kind, pile) => ({ kind, pile });
  if (picked) return [mark("picked", picked), ...targets.map((pile) => mark("target", pile)), ring];
  const all = game.slots.flatMap((slot) => {
    const kind = slot.pile === offer?.pile ? "chosen" : possible(slot, choices, hints);
    return kind ? [{ kind, pile: slot.pile }] : [];
  });
  if (choices.onlyTaps) return [...all, ring];
  return [...last, ...aim(game, piles, choices), ...all, ring];
}

/** The pile under which the exposed card goes, if anything is to be turned. @param {Game} game @param {Piles} piles @param {Choices} choices @returns {Mark[]} */
function aim({ slots }, piles, { commands }) {
  const exposed = slots.find(({ kind }) => kind === "hand");
  const card = exposed && piles[exposed.pile].up.at(-1);
  const pile = card && commands.length && slots.find(({ kind, goal }) => kind === "reserve" && goal === rankAndSuit(card)[0])?.pile;
  return pile ? [{ kind: "choice", pile }] : [];
}

/** @param {Hint} of @returns {Mark[]} */
function targetOf({ target }) {
  return target ? [{ kind: "target", pile: target }] : [];
}

/**
 * What can be done with a pile.
 * @param {Slot} slot @param {Choices} choices @param {boolean | undefined} hints @returns {Kind | ""}
 */
function possible({ pile, kind }, choices, hints) {
  if (choices.goesHome(pile)) return "home";
  if (hints && choices.targets(pile).length) return "fan";
  if (choices.onlyTaps) return choices.tapsOn(pile).length ? "choice" : "";
  return choices.tapsOn(pile).length && (hints || kind !== "stock") ? "deal" : "";
}

/**
 * Where these cards lie face up and can still come free: on a foundation they could be followed now.
 * @param {Game} game @param {Piles} piles @param {string[]} cards @returns {Mark[]} */
function awaited({ slots }, piles, cards) {
  return slots
    .filter(({ kind }) => kind !== "foundation")
    .flatMap(({ pile }) => piles[pile].up.flatMap((card, at) => (cards.includes(card) ? [{ kind: "awaited", pile, at }] : [])));
}

/** The piles that are not to be dimmed; all if nothing is dimmed. @param {Mark[]} marks @param {Shown} shown */
export function litBy(marks, { game, choices, picked, hints, why, hint, still }) {
  const onlyTaps = choices.onlyTaps && !still;
  if (!picked && !hints && !why && !onlyTaps && (!hint?.pile || still)) return null;
  const exposed = onlyTaps ? game.slots.filter(({ kind }) => kind === "hand") : [];
  return new Set([...exposed, ...marks.filter(({ kind }) => kind !== "focus" && kind !== "fresh")].map(({ pile }) => pile));
}

/** @param {Mark} mark @param {Box} box of the card, or of what is seen of it @param {number} n */
export function drawn({ kind, pile, at }, { x, y, w, h: height }, n) {
  const out = OUTSIDE[kind] ?? 0;
  const place = kind === "fresh" ? { d: corners(x, y, w, height) } : frame(x, y, w, height, out);
  const shape = kind === "fresh" ? "path" : "rect";
  return h(
    "g",
    // The brackets of another move are others: they are to fade anew.
    { key: `${kind} ${pile} ${at ?? ""}${kind === "fresh" ? n : ""}`, class: `mark is-${kind}`, "data-mark": pile },
    h(shape, { class: "case", ...place }),
    h(shape, { class: "line", ...place }),
    placed(kind, x, y, w),
  );
}

/** @param {number} x @param {number} y @param {number} w @param {number} height @param {number} out */
function frame(x, y, w, height, out) {
  const place = { x: x - out, y: y - out, width: w + 2 * out, height: height + 2 * out };
  return { ...place, rx: w * 0.09 + out };
}

/** @param {number} x @param {number} y @param {number} w @param {number} height */
function corners(x, y, w, height) {
  const [q, right, low] = [w * 0.2, x + w, y + height];
  return [
    `M${x} ${y + q}V${y}H${x + q}`,
    `M${right - q} ${y}H${right}V${y + q}`,
    `M${right} ${low - q}V${low}H${right - q}`,
    `M${x + q} ${low}H${x}V${low - q}`,
  ].join("");
}

/** @param {Kind} kind @param {number} x @param {number} y @param {number} w */
function placed(kind, x, y, w) {
  if (!SIGNS[kind]) return null;
  const r = Math.max(8, Math.min(13, w * 0.115));
  const place = `translate(${(x + w - r * 0.55).toFixed(1)} ${(y + r * 0.55).toFixed(1)}) scale(${(r / 10).toFixed(3)})`;
  return h("g", { transform: place }, sign(kind));
}

/** The sign of a mark, as large as 10 all round. @param {string} kind */
export function sign(kind) {
  return h("g", { class: "sign" }, h("circle", { r: 10 }), h("path", { d: SIGNS[kind] }));
}
