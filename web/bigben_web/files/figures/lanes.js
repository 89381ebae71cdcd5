// How far everybody is, as lanes round one dial: a full turn is every card home. Names no card.

import { h } from "../draw.js";
import { groundOf, sign } from "./avatar.js";
import { arc, onCircle } from "./ring.js";

const SIZE = 690;
const MIDDLE = SIZE / 2;
const R = 291;
/** Of the radius: the outermost lane, the innermost one, and the most between two. */
const [OUTER, INNER, APART] = [0.88, 0.3, 0.16];
const AWAY = "#c3d6cb";

/** The colour of a player's lane. @param {number} at where the player sits in the room */
export function colourOf(at, away = false) {
  return away ? AWAY : groundOf(at);
}

/** @typedef {{player: string, name: string, home: number, at: number, away: boolean, bot?: boolean}} Lane */

/**
 * @param {Lane[]} players the best first
 * @param {number} total @param {{clock: string, below: string}} words in the middle
 */
export function lanes(players, total, words) {
  const most = Math.max(0, ...players.map(({ home }) => home));
  const apart = Math.min(APART, (OUTER - INNER) / Math.max(1, players.length - 1));
  return h(
    "svg",
    { class: "lanes", viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true" },
    h("circle", { class: "band", cx: MIDDLE, cy: MIDDLE, r: R + 34 }),
    h("circle", { class: "plate", cx: MIDDLE, cy: MIDDLE, r: R }),
    h("path", { class: "tick", d: ticks(most, total, total) }),
    h("path", { class: "tick on", d: ticks(0, most, total) }),
    Array.from({ length: 8 }, (_, i) => numeral(i / 8, total)),
    players.map((one, i) => lane(one, R * (OUTER - i * apart), Math.min(30, R * apart * 0.65), total)),
    h("path", { class: "start", d: `M${MIDDLE} ${MIDDLE - R}V${MIDDLE - R * INNER}` }),
    players.map((one, i) => bubble(one, R * (OUTER - i * apart), total)),
    h("text", { class: "clock", x: MIDDLE, y: MIDDLE + 10 }, words.clock),
    h("text", { class: "below", x: MIDDLE, y: MIDDLE + 36 }, words.below),
  );
}

/** @param {number} from @param {number} to @param {number} total */
function ticks(from, to, total) {
  /** @param {number} i */
  const one = (i) => {
    const [[x, y], [x2, y2]] = [onCircle(MIDDLE, R + 30, i / total), onCircle(MIDDLE, R + 22, i / total)];
    return `M${x} ${y}L${x2} ${y2}`;
  };
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => one(from + i)).join("");
}

/** @param {number} part @param {number} total */
function numeral(part, total) {
  const [x, y] = onCircle(MIDDLE, R + 10.5, part);
  return h("text", { class: "numeral", x, y: y + 5 }, Math.round(part * total) || total);
}

/** @param {Lane} of @param {number} r @param {number} width @param {number} total */
function lane({ player, home, at, away }, r, width, total) {
  return h(
    "g",
    { key: player },
    h("circle", { class: "track", cx: MIDDLE, cy: MIDDLE, r, "stroke-width": width }),
    home
      ? h("path", { class: `way ${away ? "away" : ""}`, d: arc(MIDDLE, r, home / total), stroke: colourOf(at, away), "stroke-width": away ? 6 : width * 0.47 })
      : null,
  );
}

/** @param {Lane} of @param {number} r @param {number} total */
function bubble(of, r, total) {
  const { player, home, at, away } = of;
  const [x, y] = onCircle(MIDDLE, r, home / total);
  return h(
    "g",
    { key: `bubble ${player}`, class: "bubble", transform: `translate(${x} ${y})` },
    h("circle", { r: 21, fill: colourOf(at, away) }),
    sign(of),
  );
}
