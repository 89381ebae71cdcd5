// The choice of a game and its rules on screens about results; each has an address.

import { h } from "../draw.js";
import { choiceOf } from "../start/choosing.js";
import { gameName, rulesName } from "../page/titles.js";

/** @param {Given<"games" | "go" | "route" | "say">} given */
export function choice(given) {
  const { say, route: { place }, games } = given;
  const { game: name, rules } = choiceOf(games, place);
  const { presets } = games.of({ game: name }) ?? games.usual;
  /** @type {[value: string, text: string][]} */
  const all = games.all.map((one) => [one.name, gameName(given, one.name)]);
  /** @type {[value: string, text: string][]} */
  const named = presets.map((one) => [one, rulesName(given, { game: name, rules: one })]);
  /** @param {Both} chosen */
  const go = (chosen) => given.go({ ...place, ...chosen });
  return h(
    "div",
    { class: "row choice", key: "choice" },
    all.length > 1 ? select("game", say("room.game"), all, name, (game) => go({ game, rules: games.of({ game })?.presets[0] ?? "standard" })) : null,
    presets.length > 1 ? select("rules", say("room.rules"), named, rules, (preset) => go({ game: name, rules: preset })) : null,
  );
}

/**
 * @param {string} id @param {string} label @param {[value: string, text: string][]} options @param {string} chosen
 * @param {(value: string) => void} choose
 */
function select(id, label, options, chosen, choose) {
  const all = options.map(([value, text]) => h("option", { value, key: value, selected: value === chosen }, text));
  return h("select", { key: `${id}${options.length}`, "aria-label": label, onchange: ({ target }) => choose(target.value) }, all);
}
