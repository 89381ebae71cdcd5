// The choice of a game and its rules on screens about results; each has an address.

import { h } from "../draw.js";
import { choiceOf } from "../start/choosing.js";
import { select } from "../page/controls.js";
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
    all.length > 1 ? select({ key: `game${all.length}`, "aria-label": say("room.game") }, all, name, (game) => go({ game, rules: games.of({ game })?.presets[0] ?? "standard" })) : null,
    presets.length > 1 ? select({ key: `rules${named.length}`, "aria-label": say("room.rules") }, named, rules, (preset) => go({ game: name, rules: preset })) : null,
  );
}
