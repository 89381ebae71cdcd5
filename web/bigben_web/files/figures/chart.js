// Cards home over time, a line for each player.

import { h } from "../draw.js";
import { span } from "../words.js";

const [WIDTH, HEIGHT] = [630, 150];
const [LEFT, RIGHT, TOP, BOTTOM] = [30, 112, 10, 20];
const STEPS = 4;
/** The longest name that fits beside its line. */
const LETTERS = 15;

/**
 * @param {{player: string, name: string, points: [ms: number, home: number][]}[]} lines the best first
 * @param {number} total @param {string} mine the player whose line stands out
 */
export function chart(lines, total, mine) {
  const end = Math.max(1, ...lines.map(({ points }) => points.at(-1)?.[0] ?? 0));
  /** @param {number} ms */
  const x = (ms) => Number((LEFT + ((WIDTH - LEFT - RIGHT) * ms) / end).toFixed(1));
  /** @param {number} home */
  const y = (home) => Number((HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * home) / total).toFixed(1));
  let last = -Infinity;
  const named = lines.map((line) => {
    last = Math.max(y(line.points.at(-1)?.[1] ?? 0) + 4, last + 14);
    return { ...line, label: last };
  });
  return h(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDTH} ${Math.max(HEIGHT, last + 6)}`, "aria-hidden": "true" },
    [0, total / 2, total].map((home) => [
      h("path", { class: "grid", d: `M${LEFT} ${y(home)}H${WIDTH - RIGHT}` }),
      h("text", { class: "of", x: LEFT - 6, y: y(home) + 4 }, Math.round(home)),
    ]),
    Array.from({ length: STEPS + 1 }, (_, i) => h("text", { class: "when", x: x((end * i) / STEPS), y: HEIGHT - 4 }, span((end * i) / STEPS))),
    named.map(({ player, name, points, label }, i) => [
      h("path", { key: player, class: `line ${player === mine ? "mine" : `line${i % 3}`}`, d: stairs(points, x, y, end) }),
      h("text", { key: `name ${player}`, class: "name", x: WIDTH - RIGHT + 6, y: label }, short(name)),
    ]),
  );
}

/** @param {string} name */
function short(name) {
  const letters = [...name];
  return letters.length > LETTERS ? `${letters.slice(0, LETTERS - 1).join("")}…` : name;
}

/**
 * @param {[ms: number, home: number][]} points @param {(ms: number) => number} x @param {(home: number) => number} y
 * @param {number} end
 */
function stairs(points, x, y, end) {
  if (!points.length) return "";
  const [[first, home], ...rest] = points;
  const way = rest.map(([ms, now]) => `H${x(ms)}V${y(now)}`).join("");
  return `M${x(first)} ${y(home)}${way}H${x(Math.min(end, points[points.length - 1][0]))}`;
}
