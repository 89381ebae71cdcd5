// Cards home by week as bars, with the same numbers in a table.

import { h } from "../draw.js";
import { dayAfter, firstDayOf } from "../records/days.js";
import { dayName } from "../words.js";

const NARROW = "(max-width: 1099px)";
/** The room beside, above and below what a player's charts show. */
export const MARGINS = [44, 14, 24];
const [LEFT, TOP, FOOT] = MARGINS;
const MOST = 26;
const WEEK = 7;

/** The width and height of such a chart. */
export const chartSize = () => (matchMedia(NARROW).matches ? [342, 150] : [480, 206]);

/** @typedef {{week: string, played: number, won: number, home: number}} Week */

/** @param {Given<"say">} given @param {Week[]} told only weeks with a result */
export function weeks(given, told) {
  const { say } = given;
  const [WIDTH, HEIGHT] = chartSize();
  const all = gapless(told);
  const most = all.reduce((high, { home }) => Math.max(high, home), 1);
  const top = rounded(most);
  const [wide, high] = [(WIDTH - LEFT) / all.length, HEIGHT - TOP - FOOT];
  /** @param {number} home */
  const y = (home) => TOP + high * (1 - home / top);
  const every = Math.ceil(all.length / 4);
  return [
    h(
      "svg",
      { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": say("player.plot", { count: all.length, most }) },
      [0, top / 2, top].map((home) => [
        h("path", { class: "grid", d: `M${LEFT} ${y(home)}H${WIDTH}` }),
        h("text", { class: "axis", x: LEFT - 8, y: y(home) + 4, "text-anchor": "end" }, home),
      ]),
      all.map(({ monday, home }, at) => {
        const x = LEFT + wide * at;
        return h("rect", { class: "bar", key: monday, x: x + wide * 0.12, y: y(home), width: Math.min(48, wide * 0.76), height: HEIGHT - FOOT - y(home), rx: 2 });
      }),
      all.map(({ monday }, at) => {
        const name = dayName(say, monday, { day: "numeric", month: "short" });
        const middle = LEFT + wide * at + wide * 0.12 + Math.min(48, wide * 0.76) / 2;
        const last = at === all.length - 1 && at > 0;
        const place = { x: last ? WIDTH : middle, y: HEIGHT - 6, "text-anchor": last ? "end" : "middle" };
        return (all.length - 1 - at) % every ? null : h("text", { class: "axis", ...place }, name);
      }),
    ),
    h("details", {}, h("summary", {}, say("player.table")), table(given, all)),
  ];
}

/** @param {Given<"say">} given @param {(Omit<Week, "week"> & {monday: string})[]} all */
function table({ say }, all) {
  /** @type {Intl.DateTimeFormatOptions} */
  const day = { day: "numeric", month: "short", year: "numeric" };
  const columns = ["player.week", "player.played", "player.won", "boards.home"].map((key) => h("th", { scope: "col", key }, say(key)));
  const rows = [...all].reverse().map(({ monday, played, won, home }) =>
    h("tr", { key: monday }, h("th", { scope: "row" }, dayName(say, monday, day)), [played, won, home].map((number) => h("td", {}, number))),
  );
  return h("table", {}, h("thead", {}, h("tr", {}, columns)), h("tbody", {}, rows));
}

/** The last weeks, with those between that have no result. @param {Week[]} told */
function gapless(told) {
  const known = new Map(told.map((one) => [firstDayOf(one.week), one]));
  const mondays = [...known.keys()];
  const [first, last] = [mondays[0], mondays[mondays.length - 1]];
  const all = [];
  for (let monday = first; monday <= last; monday = dayAfter(monday, WEEK)) {
    all.push({ played: 0, won: 0, home: 0, ...known.get(monday), monday });
  }
  return all.slice(-MOST);
}

/** A round number at or above this one, which can be halved. @param {number} most */
function rounded(most) {
  const step = 10 ** Math.max(1, Math.floor(Math.log10(most)));
  return [1, 2, 4, 6, 8, 10].map((times) => times * step).find((top) => top >= most) ?? most;
}
