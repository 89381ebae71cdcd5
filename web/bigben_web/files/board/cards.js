// One card on the felt: its face, its back, an empty place, what a foundation wants.

import { rankAndSuit } from "../cards.js";
import { h } from "../draw.js";
import { completePlate, indexOf, plate, suitPlate } from "./faces/faces.js";
import { rankPlace } from "./faces/shapes.js";
import { backSymbol, faceSymbol, rankSymbol } from "./faces/sheet.js";

/** @typedef {import("./faces/faces.js").Form} Form */
/** @typedef {Point & {w: number, key?: string | number, kind?: string}} CardPlace */

/** Cards that are wider than this have pips and two indices. */
const LARGE = 70;

/** The form of a pile's faces; a plate covers the lower quarter of a goal. @param {Berth} berth @param {boolean} goal @returns {Form} */
export function formOf({ w, along }, goal) {
  if (goal) return "goal";
  if (w >= LARGE) return along === "y" ? "stacked" : "large";
  return along === "y" ? "row" : "column";
}

/** A card's face. @param {string} card @param {Form} form @param {CardPlace} of */
export function face(card, form, { x, y, w, key, kind = "" }) {
  const [rank, suit] = rankAndSuit(card);
  const scale = w / 100;
  const index = `scale(${scale.toFixed(4)}) ${rankPlace(rank, ...indexOf(rank, form))}`;
  return h(
    "g",
    { key, class: `card suit-${suit} ${kind}`, transform: at(x, y) },
    h("use", { class: "face", href: faceSymbol(rank, suit, form), width: w, height: w * 1.4 }),
    h("use", { class: "rank", href: rankSymbol(rank), transform: index }),
  );
}

/**
 * Cards that lie face down, of which the top one is seen; their `count` if nothing else tells it.
 * @param {{ count: number, under: number }} of @param {CardPlace} of
 */
export function back({ count, under }, { x, y, w, key, kind = "" }) {
  return h(
    "g",
    { key, class: `card back ${kind}`, transform: at(x, y) },
    ...Array.from({ length: under }, (_, i) => {
      const y = (under - i) * Math.max(1, w * 0.018);
      return h("rect", { class: "under", x: 0, y, width: w, height: w * 1.4, rx: w * 0.09 });
    }),
    h("use", { class: "face", href: backSymbol(), width: w, height: w * 1.4 }),
    count ? disc(count, w) : null,
  );
}

/** How many cards lie face down, at the top of the back. @param {number} count @param {number} w */
function disc(count, w) {
  const r = Math.max(9.5, w * 0.115);
  return h(
    "g",
    { class: "count" },
    h("circle", { cx: w / 2, cy: w * 0.22, r }),
    h("text", { x: w / 2, y: w * 0.22, "font-size": r * 1.2 }, count),
  );
}

/** Where a card might lie and none does. @param {Box & { key: string }} of */
export function gap({ x, y, w, h: height, key }) {
  const place = { key, class: "gap", x: x + 1, y: y + 1, width: w - 2, height: height - 2 };
  return h("rect", { ...place, rx: w * 0.09 });
}

/** The place of a column that has room for more cards. @param {Berth} of */
export function outline({ x, y, w, height }) {
  const out = 0.035 * w;
  return h("rect", { class: "slot", x: x - out, y: y - out, width: w + 2 * out, height: height + 2 * out, rx: w * 0.11 });
}

/**
 * What a pile is to collect, on its lower quarter.
 * @param {string[]} up its cards @param {number} total how many they will be
 * @param {string} goal a card, or a rank of any suit
 * @param {Point & { w: number }} of @param {string[]} order of the suits, as far as it is decided
 */
export function goalPlate(up, total, goal, { x, y, w }, order = []) {
  const place = `${at(x, y)} scale(${(w / 100).toFixed(4)})`;
  const kind = `needs ${up.length >= total ? "complete" : ""}`;
  return h("g", { key: "plate", class: kind, transform: place }, ...shown(up, total, goal, order));
}

/** @param {string[]} up @param {number} total @param {string} goal @param {string[]} order */
function shown(up, total, goal, order) {
  if (up.length >= total) return completePlate();
  if ("CDHS".includes(goal.slice(-1))) return plate(up.length, total, ...rankAndSuit(goal));
  return suitPlate(up.map((card) => rankAndSuit(card)[1]), total, goal, undefined, order);
}

/** @param {number} x @param {number} y */
function at(x, y) {
  return `translate(${x.toFixed(2)} ${y.toFixed(2)})`;
}
