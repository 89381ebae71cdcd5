// The other games, each with the shape of its board, and the rules of the chosen one.

import { layoutOf } from "../board/layout/layout.js";
import { h } from "../draw.js";
import { select } from "../page/controls.js";
import { gameName, rulesName } from "../page/titles.js";

/** The felt on which a shape is laid out, before it is shown small. */
const FELT = { width: 480, height: 340 };

/** @param {Given<"choosing" | "focusOn" | "games" | "say">} given */
export function games(given) {
  const { say, choosing, games } = given;
  const others = games.all.filter((game) => game !== choosing.game);
  return h(
    "section",
    { class: "card-like games", "aria-labelledby": "games" },
    h("div", { class: "head" }, h("h2", { id: "games" }, say("home.games", { count: others.length })), rules(given)),
    h("ul", {}, others.map((game) => tile(given, game))),
  );
}

/** @param {Given<"choosing" | "focusOn" | "games" | "say">} given @param {Game} game */
function tile(given, game) {
  const { say, choosing } = given;
  const onclick = () => {
    choosing.choose({ game: game.name });
    given.focusOn(".hero .large, .hero .gold");
  };
  return h(
    "li",
    { key: game.name },
    h(
      "button",
      { type: "button", "data-game": game.name, onclick },
      shape(game),
      h("b", {}, gameName(given, game.name)),
      h("span", {}, say(game.decides ? "home.skill" : "home.luck")),
    ),
  );
}

/** The rules by which the chosen game is played, if it has several. @param {Given<"choosing" | "games" | "say">} given */
function rules(given) {
  const { say, choosing } = given;
  const { game, rules } = choosing;
  if (game.presets.length < 2) return null;
  /** @type {(value: string) => [value: string, text: string]} */
  const option = (value) => [value, rulesName(given, { game: game.name, rules: value })];
  return select({ id: "rules", key: game.name, "aria-label": say("room.rules") }, game.presets.map(option), rules, (value) => choosing.choose({ rules: value }));
}

/** Where a game's piles lie, and the ring of its dial. @param {Game} game */
export function shape(game) {
  /** @type {Piles} */
  const piles = Object.fromEntries(game.slots.map(({ pile }) => [pile, { up: [], down: 0 }]));
  const { berths, dial } = layoutOf(game, FELT, piles);
  return h(
    "svg",
    { class: "shape", viewBox: `0 0 ${FELT.width} ${FELT.height}`, "aria-hidden": "true" },
    dial ? h("ellipse", { cx: dial.cx, cy: dial.cy, rx: dial.a, ry: dial.b }) : null,
    Object.values(berths).map((berth) => h("rect", { ...first(berth), width: berth.w, height: berth.h, rx: berth.w * 0.12 })),
  );
}

/** Where the first card of a pile lies. @param {Berth} of */
function first({ x, y, width, height, w, h, along, anchor }) {
  return { x: along === "x" ? x + (width - w) * anchor : x, y: along === "y" ? y + (height - h) * anchor : y };
}
