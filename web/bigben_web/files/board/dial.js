// The dial under the cards: its band with the hours, a tick for each card that is home, and in its
// middle how many they are, and the order of the suits if all piles have one.

import { h } from "../draw.js";
import { suitAt } from "./faces/shapes.js";
import { eachOf, pileName } from "./words.js";

/** @typedef {Point & {size: number}} Words */

/** @param {Layout} layout @param {Shown} shown */
export function dial({ rim, plate, ticks, numerals, pendulum }, { home, clock }) {
  return [
    rim ? h("path", { class: "rim", d: rim }) : null,
    plate ? h("path", { class: "inside", d: plate }) : null,
    ticks.length ? h("path", { class: "ticks", d: ticks.slice(home).join("") }) : null,
    ticks.length ? h("path", { class: "ticks lit", d: ticks.slice(0, home - 1).join("") }) : null,
    // The latest is an element of its own, so that it lights up.
    ticks.length && home ? h("path", { key: `tick${home}`, class: "ticks lit latest", d: ticks[home - 1] }) : null,
    pendulum ? hanging(pendulum, Boolean(clock)) : null,
    ...numerals.map(({ text, ...place }) => words("numeral", place, text ?? "")),
  ];
}

/** A pendulum; it swings while the time runs. @param {NonNullable<Layout["pendulum"]>} of @param {boolean} swings */
function hanging({ x, from, to, r }, swings) {
  const suits = [..."SHCD"].map((suit, i) => suitAt(suit, x + (i % 2 ? 0.25 : -0.25) * r, to + (i < 2 ? -0.25 : 0.25) * r, 0.38 * r, { kind: "stamped" }));
  return h(
    "g",
    { key: "pendulum", class: `pendulum ${swings ? "swings" : ""}` },
    h("path", { d: `M${x} ${from}V${to}`, "stroke-width": r * 0.1 }),
    h("circle", { cx: x, cy: from, r: r * 0.14 }),
    h("circle", { class: "bob", cx: x, cy: to, r }),
    h("circle", { class: "engraved", cx: x, cy: to, r: r * 0.8 }),
    ...suits,
  );
}

/** @param {string} kind @param {Words} of @param {string} text */
export function words(kind, { x, y, size }, text) {
  return h("text", { class: kind, x, y, "font-size": size, "aria-hidden": "true" }, text);
}

/**
 * How many cards are home and of how many, and the time where nothing else tells it; then how far the
 * pile is that lies beside the exposed card.
 * @param {Shown} shown @param {Layout} layout @param {Say} say
 */
export function middle({ game, piles, home, clock }, { across, text, beside }, say) {
  if (!text) return null;
  const all = { kind: "home", count: home, rest: say("share.of", { total: game.total }), clock: across ? "" : clock };
  const slot = game.slots.find(({ pile }) => pile === beside?.pile);
  return h(
    "g",
    { class: "middle", "aria-hidden": "true" },
    ...counter(text, all),
    ...(beside && slot ? counter(beside, { kind: "many", count: piles[slot.pile].up.length, rest: besides(game, slot, say), clock: "" }) : []),
  );
}

/** @param {Game} game @param {Slot} slot @param {Say} say */
function besides(game, slot, say) {
  return say("board.beside", { total: eachOf(game), pile: pileName(say, slot) });
}

/** @typedef {{kind: string, count: number, rest: string, clock: string}} Counts */

/** @param {Words & {line?: boolean}} text @param {Counts} counts */
function counter(text, counts) {
  return text.line ? inLine(text, counts) : stacked(text, counts);
}

/** @param {Words} of @param {Counts} counts */
function inLine({ x, y, size }, { kind, count, rest, clock }) {
  const [small, apart] = [Math.max(12, size * 0.52), size * 0.26];
  return [
    h(
      "text",
      { x, y, "font-size": size },
      h("tspan", { class: kind }, count),
      h("tspan", { class: "rest", dx: apart, "font-size": small }, rest),
      clock && h("tspan", { class: "clock", dx: 2 * apart, "font-size": small }, clock),
    ),
  ];
}

/** @param {Words} of @param {Counts} counts */
function stacked({ x, y, size }, { kind, count, rest, clock }) {
  return [
    clock && words("clock", { x, y: y - size, size: Math.max(11, size * 0.5) }, clock),
    words(kind, { x, y, size }, String(count)),
    words("rest", { x, y: y + Math.max(size * 0.82, size * 0.5 + 8), size: Math.max(11, size * 0.38) }, rest),
  ];
}

/**
 * The order of the suits that all piles have, as far as it is decided: a disc for each.
 * @param {string[]} suits @param {number} total @param {Words} of @param {Say} say
 */
export function sequence(suits, total, { x, y, size: r }, say) {
  const names = suits.map((suit) => say(`suit.${suit}`)).join(", ");
  const discs = Array.from({ length: total }, (_, i) => {
    const [at, suit] = [x + (i - (total - 1) / 2) * 2.5 * r, suits[i]];
    const next = `M${at + 1.14 * r} ${y - 0.2 * r}l${0.2 * r} ${0.2 * r} ${-0.2 * r} ${0.2 * r}`;
    return h(
      "g",
      { key: i, class: suit ? `decided suit-${suit}` : "undecided" },
      h("circle", { cx: at, cy: y, r }),
      suit ? suitAt(suit, at, y, 1.3 * r) : words("open", { x: at, y, size: r }, "?"),
      i < total - 1 ? h("path", { class: "next", d: next }) : null,
    );
  });
  return h("g", { class: "order", role: "img", "aria-label": say("label.order", { suits: names || "?" }) }, ...discs);
}
