// The choice of a game and its rules.

import { h } from "../draw.js";
import { labelled, select } from "../page/controls.js";
import { gameName, rulesName } from "../page/titles.js";

/** The game and the rules of what the start page offers. @param {Given<"choosing" | "games" | "say">} given */
export function chooser(given) {
  const { say, choosing, games } = given;
  const { game, rules } = choosing;
  /** @type {(value: string) => [value: string, text: string]} */
  const ofRules = (value) => [value, rulesName(given, { game: game.name, rules: value })];
  return h(
    "div",
    { class: "chooser" },
    games.all.length > 1
      ? choice("game", say("room.game"), games.all.map(({ name }) => [name, gameName(given, name)]), game.name, (value) => choosing.choose({ game: value }))
      : null,
    game.presets.length > 1
      ? choice("rules", say("room.rules"), game.presets.map(ofRules), rules, (value) => choosing.choose({ rules: value }))
      : null,
    game === games.usual ? null : h("p", { class: "goal" }, say(`game.${game.name}.goal`), game.decides ? "" : ` ${say(`game.${game.name}.luck`)}`),
  );
}

/**
 * @param {string} id @param {string} label @param {[value: string, text: string][]} options @param {string} chosen
 * @param {(value: string) => void} choose
 */
function choice(id, label, options, chosen, choose) {
  return labelled(id, label, select({ id, key: options.length }, options, chosen, choose));
}
