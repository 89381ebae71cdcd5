// A player as two letters on one of six grounds, a guest as the last two digits of `Guest 4711`; a house player
// has a clock instead.

import { h } from "../draw.js";

const NUMBERED = / \d\d(\d\d)$/;
const GROUNDS = ["#ffcf4a", "#8fe0ff", "#c3d6cb", "#ffb59f", "#cdb8ff", "#a5e8c0"];

/** The ground of a player, the same for a whole race. @param {number} at where the player sits in the room */
export function groundOf(at) {
  return GROUNDS[at % GROUNDS.length];
}

/** Where there is no room: the same number for a player on every screen. @param {string} player */
export function numberOf(player) {
  return [...player].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
}

/** What stands for a player around (0, 0). @param {{name: string, bot?: boolean}} of */
export function sign({ name, bot = false }) {
  return bot
    ? h("path", { class: "hands", d: "M10.5 0A10.5 10.5 0 1 1 -10.5 0A10.5 10.5 0 1 1 10.5 0M0 -6V0L4.5 2.8" })
    : h("text", { y: 6 }, NUMBERED.exec(name)?.[1] ?? [...name].slice(0, 2).join(""));
}

/** @param {{name: string, bot?: boolean}} of @param {number} at @param {string} [ground] */
export function avatar(of, at, ground = groundOf(at)) {
  return h(
    "svg",
    { class: "avatar", viewBox: "-22 -22 44 44", "aria-hidden": "true" },
    h("circle", { r: 20.5, fill: ground }),
    sign(of),
  );
}
