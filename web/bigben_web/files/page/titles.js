// How races, games, rules and groups are called.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { weekOf } from "../wire/races.js";
import { dayName } from "../words.js";

/** @typedef {Partial<Room> & {race: string, kind: Room["kind"], rules: Protocol.Rules}} Titled a room, or what is known of one */

/** `Daily race, 21 November`, `Race K7QPXM`. @param {Given<"games" | "say">} given @param {Titled} room */
export function title(given, room) {
  const { race: id, kind, phase, rules } = room;
  const { say, games } = given;
  const [, date = ""] = (rules.daily || id).split(".");
  const { number: week } = weekOf(id);
  const day = date && !week && dayName(say, date);
  const words = [say(rules.daily ? "race.archived" : week ? "race.week" : `race.${kind}`, { day: day || "", race: id, week })];
  if (games.of(rules) !== games.usual) words.push(gameName(given, rules.game));
  if ((rules.rules ?? "standard") !== "standard") words.push(rulesName(given, rules));
  if (room.commitment && phase !== "open") words.push(dealText(given, room)); // a RaceInfo does not say what was found
  return words.filter(Boolean).join(" · ");
}

/**
 * What a room asks of its deal, and once it is chosen what came of it; empty if it asks for nothing. A daily has
 * the grade of its weekday, or none.
 * @param {Given<"say">} given @param {Titled} of
 */
export function dealText({ say }, { kind, rules, phase, grade, mixing, choosing, certified }) {
  if (kind === "daily") return grade ? say(`grade.${grade}`) : "";
  const wanted = wishOf(rules);
  if (!wanted || certified || mixing || choosing || phase === "open" || phase === "cancelled") return wanted && say(`grade.${wanted}`);
  return say("grade.unknown");
}

/** `easy` … `fiendish`, `winnable`, or empty. @param {Protocol.Rules} of */
export function wishOf({ grade = "", winnable = false }) {
  return grade || (winnable ? "winnable" : "");
}

/** A game as people call it; its id if the page is older than the game. @param {Given<"games" | "say">} given @param {string} [name] */
export function gameName({ say, games }, name = games.usual.name) {
  const key = `game.${name}`;
  return say.knows(key) ? say(key) : name;
}

/**
 * The rules of a game: a preset's name, or the values that it consists of.
 * @param {Given<"games" | "say">} given @param {{ game?: string, rules?: string }} of
 */
export function rulesName({ say, games }, { game, rules = "standard" }) {
  const { name, choices } = games.of({ game }) ?? games.usual;
  if (say.knows(`rules.${name}.${rules}`)) return say(`rules.${name}.${rules}`);
  const values = rules.split("-");
  const keys = choices.map(({ field }, i) => `rules.${name}.${field}.${values[i]}`);
  return keys.length && keys.every((key) => say.knows(key)) ? keys.map((key) => say(key)).join("; ") : say("rules.other", { rules });
}

/** What a group is called; a front end's own group has no name here. @param {Given<"say">} given @param {Protocol.Group} of */
export function groupName({ say }, { group, name }) {
  const [issuer, end] = [group.split(":")[0], group.slice(-4)];
  return name || (say.knows(`groups.of_${issuer}`) ? say(`groups.of_${issuer}`, { end }) : `${issuer} …${end}`);
}

/** The way from a week's race to its season; null from another race. @param {Given<"say">} given @param {{ race: string }} room */
export function toSeason({ say }, { race }) {
  const { season } = weekOf(race);
  return season ? h("a", { class: "button quiet", key: "season", href: hashOf({ screen: "season", season }) }, say("race.season")) : null;
}
