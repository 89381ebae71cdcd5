// The board as a description of SVG: a game's piles where its layout has them. Knows no game and
// plays nothing: what is tapped, dragged or typed on it is handed on.

import { h } from "../draw.js";
import { bubble } from "./bubble.js";
import { back, face, formOf, gap, goalPlate, outline } from "./cards.js";
import { dial, middle, sequence, words } from "./dial.js";
import { exchange } from "./exchange.js";
import { drawn, litBy, marksOf } from "./marks.js";
import { isWithin } from "./layout/curve.js";
import { fanned, lying, spread } from "./layout/spread.js";
import { win } from "./win.js";
import { commandName, eachOf, needs, orderOf, pileLabel, pileName } from "./words.js";

/**
 * @typedef {import("./marks.js").Mark} Mark
 * @typedef {ReturnType<typeof spread>} Spot the places of a pile's cards and gaps
 * @typedef {{[pile: string]: Spot}} Spots
 * @typedef {Shown & {lit: Set<string> | null, spots: Spot}} ShownPile
 * @typedef {object} Shown
 * @property {Game} game
 * @property {Piles} piles
 * @property {Choices} choices
 * @property {string} picked the pile whose top is to move, or ""
 * @property {string[]} targets where it can go
 * @property {string[]} fresh the piles that the last move put cards on
 * @property {boolean} [hints] whether all cards are marked that can go anywhere
 * @property {{pile: string, title: string, text: string, cards: string[]} | null} [why] the pile whose card does
 *   not go, what is said of it, and for which cards it waits
 * @property {Hint | null} [hint] the best move, and why
 * @property {string} [open] the pile that is spread over its neighbours if it is tight, or ""
 * @property {import("./exchange.js").Offer | null} [offer] the cards of which one is to be exchanged
 * @property {string} focus the one pile that Tab leads to
 * @property {boolean} [won] whether the moment of a win is shown
 * @property {boolean} still whether it is only to be looked at
 * @property {number} n moves played
 * @property {number} home
 * @property {string} clock
 * @property {boolean} four whether each suit has a colour of its own
 */

/**
 * @param {Shown} shown @param {Layout} layout
 * @param {Say} say @param {Props} hands
 */
export function board(shown, layout, say, hands) {
  const { slots } = shown.game;
  /** @param {Slot} slot */
  const isHome = ({ kind }) => kind === "foundation";
  const order = [...slots.filter((slot) => !isHome(slot)), ...slots.filter(isHome)];
  const above = order.findIndex(({ pile: name }) => name === shown.open);
  if (above >= 0) order.push(...order.splice(above, 1));
  const marks = marksOf(shown);
  const lit = litBy(marks, shown);
  const said = shown.why ?? (shown.hint?.pile ? shown.hint : null);
  const spots = spotsOf(shown, layout);
  return h(
    "svg",
    {
      class: `board ${shown.four ? "four" : "two"} ${shown.won ? "won" : ""}`,
      viewBox: `0 0 ${layout.width} ${layout.height}`,
      role: "group",
      "data-n": shown.n,
      "aria-label": say("board.label"),
      ...(shown.still ? {} : hands),
    },
    ...dial(layout, shown),
    shown.offer ? null : middle(shown, layout, say),
    layout.order ? sequence(orderOf(shown.game, shown.piles), eachOf(shown.game), layout.order, say) : null,
    shown.won ? win(shown, layout, say) : null,
    ...order.map((slot) => pile(slot, { ...shown, lit, spots: spots[slot.pile] }, layout, say)),
    h("g", { key: "counts" }, ...slots.map((slot) => count(slot, shown.piles[slot.pile], layout.berths[slot.pile], say))),
    h("g", { key: "marks", "aria-hidden": "true" }, ...marks.map((mark) => marked(mark, spots, layout, shown.n))),
    shown.offer ? exchange({ ...shown, offer: shown.offer }, layout, say) : null,
    said ? bubble(said, topBox(said.pile, spots, layout), layout, say) : null,
    h("g", { key: "air", class: "air", "aria-hidden": "true", own: true }),
  );
}

/** Where the cards and the gaps of all piles are. @param {Shown} shown @param {Layout} layout */
function spotsOf({ game, piles, open }, layout) {
  const spots = game.slots.map((slot) => {
    const [berth, cards] = [layout.berths[slot.pile], lying(slot, piles[slot.pile])];
    return [slot.pile, slot.pile === open ? fanned(berth, cards, layout) : spread(berth, cards)];
  });
  return Object.fromEntries(spots);
}

/** The place of a pile's top card, or of its first gap. @param {string} name @param {Spots} spots @param {Layout} layout */
function topBox(name, spots, { berths }) {
  const { w, h: height } = berths[name];
  const { x, y } = spots[name].cards.at(-1) ?? spots[name].gaps[0];
  return { x, y, w, h: height };
}

/**
 * A mark round the top card of its pile, or round what is seen of a card below it.
 * @param {Mark} mark @param {Spots} spots @param {Layout} layout @param {number} n
 */
function marked(mark, spots, { berths }, n) {
  const { w, h: height, along } = berths[mark.pile];
  const { cards, gaps } = spots[mark.pile];
  const at = cards.findIndex((card) => card.at === mark.at);
  const spot = cards[at] ?? (mark.at === undefined ? (cards.at(-1) ?? gaps[0]) : null);
  if (!spot) return null; // another card covers all of it
  const next = at < 0 ? undefined : cards[at + 1];
  const seen = next ? { w: along === "x" ? next.x - spot.x - 1 : w, h: along === "y" ? next.y - spot.y - 1 : height } : { w, h: height };
  return drawn(mark, { x: spot.x, y: spot.y, ...seen }, n);
}

/** @param {Slot} slot @param {ShownPile} shown @param {Layout} layout @param {Say} say */
function pile(slot, shown, layout, say) {
  const { picked, targets, choices, focus, still, game, lit } = shown;
  const name = slot.pile;
  const cards = shown.piles[name];
  const taps = still ? [] : choices.tapsOn(name);
  const kinds = [
    slot.kind,
    layout.berths[name].lead && "ledge",
    name === picked && "picked",
    name === shown.why?.pile && "stays",
    targets.includes(name) && "target",
    !still && (choices.from.has(name) || taps.length) && "movable",
    taps.length && "tappable",
    !still && choices.goesHome(name) && "homing",
    lit && !lit.has(name) && "dim",
    shown.offer && isUnder(layout, name) && "under",
  ];
  const parts = [
    pileLabel(say, slot, cards, eachOf(game)),
    taps.length && commandName(say, taps[0]),
    targets.includes(name) && say("label.target"),
  ];
  const role = still
    ? { role: "img" }
    : { role: "button", tabindex: name === focus ? 0 : -1, "aria-pressed": String(name === picked || name === shown.offer?.pile) };
  return h(
    "g",
    {
      key: name,
      class: `pile ${kinds.filter(Boolean).join(" ")}`,
      "data-pile": name,
      "aria-label": parts.filter(Boolean).join(", "),
      ...role,
    },
    ...faces(slot, layout.berths[name], shown),
    numeral(slot, layout.berths[name]),
    goal(slot, cards, layout.berths[name], shown),
  );
}

/** Whether a pile lies on the dial, where the cards of an exchange are laid. @param {Layout} layout @param {string} name */
function isUnder({ dial, berths }, name) {
  const { x, y, w, h: height } = berths[name];
  return Boolean(dial) && isWithin(/** @type {Dial} */ (dial), { x: x + w / 2, y: y + height / 2 });
}

/** Whether the lower quarter of a pile says what it collects: in a column its cards do. @param {Slot} slot @param {Berth} berth */
function hasPlate(slot, { lead }) {
  return Boolean(slot.goal) && !lead;
}

/** @param {Slot} slot @param {Berth} berth @param {ShownPile} of */
function faces(slot, berth, { piles, spots: { cards, gaps }, picked }) {
  const { w, h: height } = berth;
  // What lies under a back without showing can be seen on its way there.
  const { up, down } = piles[slot.pile];
  const tucked = down ? up : [];
  const form = formOf(berth, hasPlate(slot, berth));
  return [
    berth.lead ? outline(berth) : null,
    h("rect", { class: "reach", ...reach(berth, [...gaps, ...cards]) }),
    tucked.length && !berth.along ? face(tucked[0], form, { x: berth.x, y: berth.y, w, kind: "tucked", key: "tucked" }) : null,
    ...gaps.map((spot, i) => gap({ ...spot, w, h: height, key: `gap${i}` })),
    ...cards.map(({ card, down, at, x, y }, i) => {
      const kind = i < cards.length - 1 ? "" : slot.pile === picked ? "top lifted" : "top";
      const place = { x, y, w, kind, key: down ? "back" : at };
      if (!down) return face(card, form, place);
      return back({ count: isNamed(slot, berth) ? 0 : down, under: Math.min(2, down - 1) }, place);
    }),
  ];
}

/** The place that can be tapped: all of the pile's cards, and its gaps. @param {Berth} berth @param {Point[]} spots */
function reach({ w, h: height }, spots) {
  const [first, last] = [spots[0], spots[spots.length - 1]];
  return { x: first.x, y: first.y, width: last.x - first.x + w, height: last.y - first.y + height };
}

/** Whether a pile's name and its number of cards are written beside it. @param {Slot} slot @param {Berth} berth */
function isNamed({ kind }, { label }) {
  return Boolean(label) && (kind === "stock" || kind === "waste");
}

/** The label of a pile, beside it. @param {Slot} slot @param {Berth} berth */
function numeral(slot, berth) {
  return berth.label && slot.label && !isNamed(slot, berth) && !hasPlate(slot, berth) ? words("numeral", berth.label, slot.label) : null;
}

/**
 * The names of the stock and the waste with their cards. A pile says its cards otherwise, so this is no part of it.
 * @param {Slot} slot @param {Pile} pile @param {Berth} berth @param {Say} say
 */
function count(slot, { up, down }, berth, say) {
  return berth.label && isNamed(slot, berth) ? words("below", berth.label, `${pileName(say, slot)} ${slot.kind === "stock" ? down : up.length}`) : null;
}

/**
 * How far a pile is, and what completes it.
 * @param {Slot} slot @param {Pile} pile @param {Berth} berth @param {ShownPile} shown
 */
function goal(slot, { up, down }, berth, { game, piles, spots }) {
  const total = up.length + needs(slot, up, eachOf(game));
  if (hasPlate(slot, berth)) return goalPlate(up, total, slot.goal, berth, slot.kind === "foundation" ? orderOf(game, piles) : []);
  if (!slot.goal || down || up.length < total) return null;
  return goalPlate(up, total, slot.goal, { ...spots.cards[spots.cards.length - 1], w: berth.w });
}
