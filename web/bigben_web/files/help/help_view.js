// What lies over a screen: the rules of its game with a picture.

import { board } from "../board/board.js";
import { Choices } from "../board/choices.js";
import { layoutOf } from "../board/layout/layout.js";
import { sign } from "../board/marks.js";
import { h } from "../draw.js";
import { packOf, shuffled } from "../fairness/dealing.js";
import { hashOf } from "../address.js";
import { dialog, languages } from "../page/controls.js";
import { position } from "../table/position.js";
import { fourColours } from "../page/wishes.js";
import { gameName } from "../page/titles.js";

/** The picture shows the same deal to everybody. */
const SEED = new Uint8Array(32).fill(7);
const FELT = { width: 760, height: 500 };
const MARKS = ["home", "fan", "target", "deal", "stays", "awaited"];
const KEYS = ["arrows", "enter", "escape", "digits", "waste", "space", "undo", "hints", "best", "position", "help"];

/** @param {Given<"games" | "help" | "language" | "memory" | "playing" | "redraw" | "say" | "shortcuts">} given */
export function over(given) {
  if (given.help.open) return rules(given);
  return given.shortcuts.inWords && given.playing.plays ? position(given) : null;
}

/** @param {Given<"games" | "help" | "language" | "memory" | "playing" | "say" | "shortcuts">} given */
function rules(given) {
  const { say, help } = given;
  const { game } = help;
  const name = gameName(given, game.name);
  const close = () => help.show(false);
  return dialog(
    { key: "rules", class: "over rules", "aria-labelledby": "rules-title" },
    close,
    h(
      "header",
      {},
      h("h2", { id: "rules-title" }, name),
      languages(given, say("wish.language")), // a race has no other place for it
      h("button", { type: "button", class: "close", onclick: close }, say("help.close")),
    ),
    h(
      "div",
      { class: "body" },
      h(
        "div",
        {},
        h("p", { class: "lead" }, say(`game.${game.name}.goal`)),
        picture(given, game),
        h("p", {}, say(`game.${game.name}.how`)),
        game.decides ? null : h("p", { class: "luck" }, say(`game.${game.name}.luck`)),
        keys(say),
        given.playing.plays ? h("button", { type: "button", onclick: () => inWords(given) }, say("position.title")) : null,
        game === given.games.usual ? h("a", { class: "button", href: hashOf({ screen: "learn" }), onclick: close }, say("home.learn")) : null,
      ),
      h("div", {}, moves(say, game), marks(say)),
    ),
  );
}

/** @param {Given<"help" | "shortcuts">} given */
function inWords({ help, shortcuts }) {
  help.show(false);
  shortcuts.showWords(true);
}

/** A deal of the game, only to be looked at. @param {Given<"memory" | "say">} given @param {Game} game */
function picture(given, game) {
  if (!game.deal) return null;
  const piles = dealt(game, game.deal);
  const total = game.deal.laid.length;
  const shown = {
    ...{ game, piles, choices: new Choices([], game), picked: "", targets: [], fresh: [], focus: "", still: true },
    ...{ n: 0, home: total, clock: "", four: fourColours(given) },
  };
  const { children, props } = board(shown, layoutOf(game, FELT, piles), given.say, {});
  return h("svg", { ...props, role: "img", "aria-label": given.say("help.picture") }, ...children);
}

/** @param {Game} game @param {Deal} deal */
function dealt({ slots }, deal) {
  /** @type {Piles} */
  const piles = Object.fromEntries(slots.map(({ pile }) => [pile, { up: [], down: 0 }]));
  for (const [pile, card] of deal.laid) piles[pile].up.push(card);
  const cards = shuffled(packOf(deal), SEED);
  deal.dealt.forEach((pile, i) => {
    if (deal.down.includes(pile)) piles[pile].down += 1;
    else piles[pile].up.push(cards[i]);
  });
  return piles;
}

/** @param {Say} say @param {Game} game */
function moves(say, game) {
  const taps = game.slots.some(({ kind }) => kind === "tableau") ? "home.how_taps" : "home.how_turns";
  return h(
    "section",
    { class: "how" },
    h("h3", {}, say("help.moves")),
    h("p", {}, say(taps)),
    h("dl", {}, game.moves.map(({ example, says }) => [h("dt", {}, h("kbd", {}, example)), h("dd", {}, say(says))])),
  );
}

/** @param {Say} say */
function marks(say) {
  /** @param {string} kind */
  const line = (kind) =>
    h(
      "li",
      { key: kind },
      h("svg", { class: `mark is-${kind}`, viewBox: "-15 -15 30 30", "aria-hidden": "true" }, h("rect", { class: "case", ...BOX }), h("rect", { class: "line", ...BOX }), kind === "awaited" ? null : sign(kind)),
      h("span", {}, say(`help.mark.${kind}`)),
    );
  return h("section", {}, h("h3", {}, say("help.marks")), h("ul", { class: "marks" }, MARKS.map(line)));
}

const BOX = { x: -11, y: -11, width: 22, height: 22, rx: 3 };

/** @param {Say} say */
function keys(say) {
  /** @param {string} key */
  const line = (key) => [h("dt", {}, h("kbd", {}, say(`help.key.${key}`))), h("dd", {}, say(`help.does.${key}`))];
  return h("section", { class: "how" }, h("h3", {}, say("help.keys")), h("dl", {}, KEYS.map(line)));
}
