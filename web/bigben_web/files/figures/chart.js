// Cards home over time, a line for each player with their name at its end.

import { h } from "../draw.js";
import { span } from "../words.js";

const PHONE = "(max-width: 699px)";
const [LEFT, TOP, BOTTOM] = [30, 10, 20];
/** The least way from one name to the next. */
const APART = 16;
/** The longest names, with and without a note behind them. */
const LETTERS = { wide: 14, narrow: 9 };
/** The letters for which there is room behind a line. */
const ROOM = 20;
const COLOURS = 4;
const MOST_TIMES = 6;
const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 300, 600, 900, 1800, 3600, 7200, 14_400];

/**
 * @param {{player: string, name: string, points: [ms: number, home: number][], note: string}[]} lines the best first
 * @param {number} total @param {{mine: string, turned: number, label: string}} of the player whose line stands out, when the lead
 *   changed for the last time, 0 if it never did, and what the chart is of
 */
export function chart(lines, total, { mine, turned, label }) {
  const narrow = matchMedia(PHONE).matches;
  const [width, names, least] = narrow ? [342, 78, 134] : [516, 156, 240];
  const height = Math.max(least, lines.length * APART + TOP + BOTTOM);
  const right = width - names;
  const end = Math.max(1, ...lines.map(({ points }) => points.at(-1)?.[0] ?? 0));
  /** @param {number} ms */
  const x = (ms) => Number((LEFT + ((right - LEFT) * ms) / end).toFixed(1));
  /** @param {number} home */
  const y = (home) => Number((height - BOTTOM - ((height - TOP - BOTTOM) * home) / total).toFixed(1));
  const step = 1000 * (SECONDS.find((one) => end / (1000 * one) <= (narrow ? MOST_TIMES - 2 : MOST_TIMES)) ?? SECONDS.at(-1) ?? 1);
  const marks = narrow ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
  const heights = apart(lines.map(({ points }) => y(points.at(-1)?.[1] ?? 0)), height - BOTTOM);
  return h(
    "svg",
    { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${label}: ${lines.map(({ name, note }) => `${name} ${note}`).join("; ")}` },
    marks.map((part) => [
      h("path", { class: "grid", d: `M${LEFT} ${y(total * part)}H${right}` }),
      h("text", { class: "of", x: LEFT - 6, y: y(total * part) + 4 }, Math.round(total * part)),
    ]),
    Array.from({ length: Math.floor(end / step) + 1 }, (_, i) => h("text", { class: "when", x: x(i * step), y: height - 4 }, span(i * step))),
    turned ? h("path", { class: "turned", d: `M${x(turned)} ${TOP}V${height - BOTTOM}` }) : null,
    lines.map(({ player, name, points, note }, i) => {
      const at = { x: x(points.at(-1)?.[0] ?? 0), y: y(points.at(-1)?.[1] ?? 0) };
      const kind = `colour${i % COLOURS} ${player === mine ? "mine" : ""}`;
      return h(
        "g",
        { key: player, class: kind },
        h("path", { class: `line dash${i % COLOURS}`, d: stairs(points, x, y) }),
        h("path", { class: "thread", d: `M${at.x + 5} ${at.y}L${right + 3} ${heights[i]}H${right + 9}` }),
        h("circle", { class: "end", cx: at.x, cy: at.y, r: player === mine ? 5 : 3.6 }),
        h("text", { class: "name", x: right + 12, y: heights[i] + 4 }, short(name, narrow), narrow ? null : h("tspan", {}, ` ${fitting(name, note)}`)),
      );
    }),
  );
}

/** Heights in this order that are far enough apart, the last one no lower than the end. @param {number[]} wanted @param {number} end */
function apart(wanted, end) {
  const all = wanted.map((height) => height);
  for (let i = 1; i < all.length; i++) all[i] = Math.max(all[i], all[i - 1] + APART);
  let lowest = end;
  for (let i = all.length - 1; i >= 0; i--, lowest -= APART) all[i] = Math.min(all[i], lowest);
  return all;
}

/** @param {string} name @param {boolean} narrow */
function short(name, narrow) {
  const [letters, most] = [[...name], narrow ? LETTERS.narrow : LETTERS.wide];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : name;
}

/** A note that fits behind a name, without its words if need be. @param {string} name @param {string} note */
function fitting(name, note) {
  return name.length + note.length > ROOM ? note.split(",")[0] : note;
}

/** @param {[ms: number, home: number][]} points @param {(ms: number) => number} x @param {(home: number) => number} y */
function stairs(points, x, y) {
  return points.map(([ms, home], i) => (i ? `H${x(ms)}V${y(home)}` : `M${x(ms)} ${y(home)}`)).join("");
}
