// The choice of a game and its rules on screens about results, in one list; each has an address.

import { h } from "../draw.js";
import { choiceOf } from "../start/choosing.js";
import { select } from "../page/controls.js";
import { gameName, rulesName } from "../page/titles.js";

/** @param {Given<"games" | "go" | "route" | "say">} given */
export function choice(given) {
  const { say, route: { place }, games } = given;
  const chosen = choiceOf(games, place);
  /** @type {Both[]} */
  const all = games.all.flatMap(({ name, presets }) => presets.map((rules) => ({ game: name, rules })));
  const listed = all.some((one) => valueOf(one) === valueOf(chosen)) ? all : [...all, chosen];
  /** @type {[value: string, text: string][]} */
  const options = listed.map((one) => [valueOf(one), nameOf(given, one)]);
  /** @param {string} value */
  const go = (value) => given.go({ ...place, ...listed.find((one) => valueOf(one) === value) });
  return h("div", { class: "choice", key: "choice" }, select({ key: `of${options.length}`, "aria-label": say("boards.choice") }, options, valueOf(chosen), go));
}

/** @param {Both} of */
function valueOf({ game, rules }) {
  return `${game} ${rules}`;
}

/** A game, and its rules where it has more than one kind. @param {Given<"games" | "say">} given @param {Both} of */
function nameOf(given, { game, rules }) {
  const { presets } = given.games.of({ game }) ?? given.games.usual;
  const name = gameName(given, game);
  return presets.length === 1 && presets[0] === rules ? name : `${name} · ${rulesName(given, { game, rules })}`;
}
