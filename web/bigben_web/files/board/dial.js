// The dial under the cards: its band with the hours, a tick for each card that is home, and in its
// middle how many they are.

import { h } from "../draw.js";

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
  return h(
    "g",
    { key: "pendulum", class: `pendulum ${swings ? "swings" : ""}` },
    h("path", { d: `M${x} ${from}V${to}`, "stroke-width": r * 0.1 }),
    h("circle", { cx: x, cy: from, r: r * 0.14 }),
    h("circle", { class: "bob", cx: x, cy: to, r }),
    h("circle", { class: "engraved", cx: x, cy: to, r: r * 0.8 }),
  );
}

/** @param {string} kind @param {Words} of @param {string} text */
export function words(kind, { x, y, size }, text) {
  return h("text", { class: kind, x, y, "font-size": size, "aria-hidden": "true" }, text);
}

/** The time and the cards home, below each other or in a line. @param {Shown} shown @param {Layout} layout @param {Say} say */
export function middle({ game, home, clock }, { across, text }, say) {
  if (!text) return null;
  const { x, y, size, line } = text;
  const rest = say("share.of", { total: game.total });
  // Beside the dial, the page itself tells the time.
  if (across) return h("text", { class: "middle home", x, y, "font-size": size }, `${home} / ${game.total}`);
  if (line) {
    const all = `${home} / ${game.total}`;
    return h(
      "g",
      { class: "middle", "aria-hidden": "true" },
      h("text", { class: "home", x: clock ? x - 40 : x, y, "font-size": size }, all),
      clock && h("text", { class: "clock", x: x + 50, y, "font-size": size }, clock),
    );
  }
  return h(
    "g",
    { class: "middle", "aria-hidden": "true" },
    clock && h("text", { class: "clock", x, y: y - size, "font-size": Math.max(11, size * 0.5) }, clock),
    h("text", { class: "home", x, y, "font-size": size }, home),
    h("text", { class: "rest", x, y: y + Math.max(size * 0.82, size * 0.5 + 8), "font-size": Math.max(11, size * 0.38) }, rest),
  );
}
