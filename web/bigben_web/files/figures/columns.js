// How many results bring how many cards home, as columns; one of them stands out, and has a word above it.

import { h } from "../draw.js";

const [WIDTH, HEIGHT, TOP, FOOT] = [282, 150, 22, 18];
const GAP = 4;
/** How near to the edge a word may stand. */
const EDGE = 23;
/** So many columns have one number below them. */
const NAMED = 3;

/** The column of a result: each has a thirteenth of the cards, the last one also all of them. @param {number} home @param {number} total @param {number} count */
export function columnOf(home, total, count) {
  return Math.min(count - 1, Math.floor((home * count) / total));
}

/**
 * @param {Given<"say">} given @param {number[]} homes the results in each column @param {number} total all cards
 * @param {{own: number, word: string, title: string, what: string}} of the column that stands out, -1 for none; what
 *   the table is called for those who hear it, and what is counted
 */
export function columns({ say }, homes, total, { own, word, title, what }) {
  const [wide, most] = [WIDTH / homes.length, Math.max(1, ...homes)];
  const cards = total / homes.length;
  /** @param {number} count */
  const high = (count) => (count ? Math.max(2, ((HEIGHT - TOP - FOOT) * count) / most) : 0);
  /** @param {number} at */
  const middle = (at) => wide * (at + 0.5);
  return [
    h(
      "svg",
      { class: "columns", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
      h("path", { class: "grid", d: `M0 ${HEIGHT - FOOT}H${WIDTH}` }),
      homes.map((count, at) => {
        const place = { x: wide * at + GAP / 2, y: HEIGHT - FOOT - high(count), width: wide - GAP, height: high(count) };
        return h("rect", { key: at, class: at === own ? "gold" : "", rx: 2, ...place });
      }),
      homes.map((_, at) => (at % NAMED ? null : h("text", { class: "axis", x: middle(at), y: HEIGHT - 4 }, cards * at))),
      own >= 0 ? h("text", { class: "word", x: Math.min(Math.max(middle(own), EDGE), WIDTH - EDGE), y: HEIGHT - FOOT - high(Math.max(...homes.slice(Math.max(0, own - 1), own + 2))) - 6 }, word) : null,
    ),
    h(
      "table",
      { class: "unseen" },
      h("caption", {}, title),
      h("thead", {}, h("tr", {}, [say("boards.home"), what].map((one) => h("th", { scope: "col" }, one)))),
      h(
        "tbody",
        {},
        homes.map((count, at) => {
          const last = at === homes.length - 1 ? total : cards * (at + 1) - 1;
          return h("tr", { key: at }, h("th", { scope: "row" }, `${cards * at}–${last}`), h("td", {}, count, at === own ? ` (${word})` : ""));
        }),
      ),
    ),
  ];
}
