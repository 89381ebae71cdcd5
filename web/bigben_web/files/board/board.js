// The board as a description of SVG: a clock of foundations in a ring of fans. Plays nothing:
// what is tapped, dragged or typed on it is handed on.

import { h } from "../draw.js";
import { back, face, gap } from "./cards.js";
import { goesHome, isFoundation } from "./choices.js";
import { onDial, spotsOf } from "./geometry.js";
import { needs, pileLabel, pileName } from "./words.js";

const ROMAN = ["XII", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI"];

/**
 * @typedef {object} Shown
 * @property {Record<string, import("../wire/view.js").Pile>} piles
 * @property {import("./choices.js").Choices} choices
 * @property {string} picked the pile whose top is to move, or ""
 * @property {string[]} targets where it can go
 * @property {string[]} fresh the piles that the last move put cards on
 * @property {string} focus the one pile that Tab leads to
 * @property {boolean} still whether it is only to be looked at
 * @property {number} n moves played
 * @property {number} home
 * @property {string} clock
 * @property {boolean} four whether each suit has a colour of its own
 */

/**
 * @param {Shown} shown @param {import("./geometry.js").Layout} layout
 * @param {import("./words.js").Say} say @param {Record<string, (event: Event) => void>} hands
 */
export function board(shown, layout, say, hands) {
  const names = Object.keys(shown.piles);
  const order = [...names.filter((name) => !isFoundation(name)), ...names.filter(isFoundation)];
  return h(
    "svg",
    {
      class: `board ${layout.row ? "tall" : "wide"} ${shown.four ? "four" : "two"} ${shown.picked ? "picking" : ""}`,
      viewBox: `0 0 ${layout.width} ${layout.height}`,
      role: "group",
      "data-n": shown.n,
      "aria-label": say("board.label"),
      ...(shown.still ? {} : hands),
    },
    ...dial(layout),
    middle(shown, layout, say),
    ...order.map((name) => pile(name, shown, layout, say)),
    h("g", { key: "air", class: "air", "aria-hidden": "true", own: true }),
  );
}

function dial({ middle, dial, numerals, row }) {
  const { x: cx, y: cy } = middle;
  const hours = ROMAN.map((text, hour) => {
    const { x, y } = onDial(middle, numerals, hour);
    return h("text", { class: "numeral", x, y, "aria-hidden": "true" }, text);
  });
  const ticks = Array.from({ length: 60 }, (_, minute) => {
    const from = onDial(middle, dial, minute / 5);
    const to = onDial(middle, { x: dial.x - 5, y: dial.y - 5 }, minute / 5);
    return `M${from.x.toFixed(1)} ${from.y.toFixed(1)}L${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
  });
  return [
    h("ellipse", { class: "rim", cx, cy, rx: dial.x, ry: dial.y }),
    row ? null : h("circle", { class: "plate", cx, cy, r: numerals.x - 20 }),
    h("path", { class: "ticks", d: ticks.join("") }),
    ...hours,
  ];
}

function middle({ piles, home, clock }, { count, berths }, say) {
  const total = Object.values(piles).reduce((sum, { up, down }) => sum + up.length + down, 0);
  const stock = say("pile.stock");
  const waste = say("pile.waste");
  return h(
    "g",
    { class: "middle", "aria-hidden": "true" },
    h("text", { class: "home", x: count.x, y: count.y }, `${home} / ${total}`),
    h("text", { class: "clock", x: count.x, y: count.y - 24 }, clock),
    h("text", { class: "below", ...berths.s.label }, `${stock} ${piles.s.down}`),
    h("text", { class: "below", ...berths.w.label }, `${waste} ${piles.w.up.length}`),
  );
}

function pile(name, shown, layout, say) {
  const { picked, targets, choices, focus, still } = shown;
  const cards = shown.piles[name];
  const berth = layout.berths[name];
  const target = targets.includes(name);
  const deal = name === "s" && !still && choices.deal;
  const kinds = [
    isFoundation(name) ? "foundation" : Number(name) ? "fan" : name === "s" ? "stock" : "waste",
    name === picked && "picked",
    target && "target",
    !still && (choices.from.has(name) || deal) && "movable",
    !still && goesHome(choices, name) && "homing",
  ];
  const parts = [
    pileLabel(say, name, cards),
    deal && say(`button.${deal}`),
    target && say("label.target"),
  ];
  const role = still
    ? { role: "img" }
    : { role: "button", tabindex: name === focus ? 0 : -1, "aria-pressed": String(name === picked) };
  return h(
    "g",
    {
      key: name,
      class: `pile ${kinds.filter(Boolean).join(" ")}`,
      "data-pile": name,
      "aria-label": parts.filter(Boolean).join(", "),
      ...role,
    },
    ...(name === "s" ? stock(cards, berth) : faces(name, cards, berth, shown, layout)),
    label(name, cards, berth, say),
  );
}

function stock({ down }, { at, w, h: height }) {
  const place = { ...at, w, h: height };
  return down ? [back({ ...place, key: "back" })] : [gap({ ...place, key: "gap" })];
}

function faces(name, { up }, berth, { fresh }, { row }) {
  const { hidden, spots, gaps } = spotsOf(berth, up.length);
  const { w, h: height } = berth;
  const upright = Boolean(berth.step.y) || (!berth.step.x && row);
  return [
    h("rect", { class: "reach", ...reach(berth, spots, gaps) }),
    ...gaps.map((spot, i) => gap({ ...spot, w, h: height, key: `gap${i}` })),
    ...spots.map((spot, i) => {
      const top = i === spots.length - 1;
      const kind = top ? `top ${fresh.includes(name) ? "fresh" : ""}` : "";
      const at = { ...spot, w, h: height, row: upright, kind, key: hidden + i };
      return face(up[hidden + i], at);
    }),
    berth.room && hidden ? more(spots[0], hidden) : null,
  ];
}

/** The place that can be tapped: all of the pile's cards, and its gaps. */
function reach({ w, h: height }, spots, gaps) {
  const all = [...spots, ...gaps];
  const [first, last] = [all[0], all.at(-1)];
  return { x: first.x, y: first.y, width: last.x - first.x + w, height: last.y - first.y + height };
}

/** How many of a long fan's lowest cards are not drawn. */
function more({ x, y }, count) {
  return h(
    "g",
    { class: "more", transform: `translate(${x} ${y})` },
    h("circle", { r: 9 }),
    h("text", {}, `+${count}`),
  );
}

function label(name, { up }, { at, w, h: height, label }, say) {
  if (name === "w" || name === "s") return null;
  if (!isFoundation(name)) {
    return h("text", { class: "hour", ...label, "aria-hidden": "true" }, name);
  }
  const left = needs(name, up);
  const done = up.length / (up.length + left);
  const y = at.y + height - 5;
  const [x, long] = [at.x + 5, w - 10];
  return h(
    "g",
    { class: left ? "needs" : "needs complete" },
    h("title", {}, pileName(say, name)),
    h("path", { class: "whole", d: `M${x} ${y}h${long}` }),
    h("path", { class: "part", d: `M${x} ${y}h${long * done}` }),
    left ? null : h("path", { class: "tick", d: `M${at.x + w - 13} ${at.y + 7}l3 3 6 -6` }),
  );
}
