// The fields of the forms of a season.

import { h } from "../draw.js";
import { labelled, select } from "../page/controls.js";
import { gameName, rulesName } from "../page/titles.js";

export const MINUTE_MS = 60_000;
const MINUTES = [5, 10, 20, 30, 60, 120];
const GRADES = ["", "easy", "medium", "hard", "fiendish"];

/** @typedef {{game: string, rules: string, grade: string, limit_ms: number}} Played what a week plays */

/**
 * A field with its label, and what the server has against it.
 * @param {string} id @param {string} label @param {Props} props @param {{hint?: string, wrong?: string}} [about]
 */
export function input(id, label, props, { hint = "", wrong = "" } = {}) {
  const said = [hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(" ");
  return h(
    "p",
    { class: "field", key: id },
    h("label", { for: id }, label),
    h("input", { id, autocomplete: "off", ...props, "aria-describedby": said || null, "aria-invalid": wrong ? "true" : null }),
    hint ? h("span", { class: "hint", id: `${id}-hint` }, hint) : null,
    wrong ? h("span", { class: "wrong", id: `${id}-wrong`, role: "alert" }, wrong) : null,
  );
}

/**
 * The game, its rules, the grade of its deals and the time.
 * @param {Given<"games" | "say">} given @param {string} id how the ids of the fields begin @param {Played} now
 */
export function played(given, id, { game, rules, grade, limit_ms: limit }) {
  const { say, games } = given;
  const { presets } = games.of({ game }) ?? games.usual;
  const minutes = Math.round(limit / MINUTE_MS);
  const times = MINUTES.includes(minutes) ? MINUTES : [...MINUTES, minutes];
  const known = presets.includes(rules) ? presets : [rules, ...presets];
  return [
    labelled(`${id}-game`, say("club.game"), select({ id: `${id}-game`, name: "game" }, games.all.map(({ name }) => [name, gameName(given, name)]), game)),
    labelled(`${id}-rules`, say("club.rules"), select({ id: `${id}-rules`, name: "rules" }, known.map((one) => [one, rulesName(given, { game, rules: one })]), rules)),
    labelled(`${id}-grade`, say("room.deal"), select({ id: `${id}-grade`, name: "grade" }, GRADES.map((one) => [one, say(one ? `grade.${one}` : "room.any_deal")]), grade)),
    labelled(`${id}-minutes`, say("room.limit"), select({ id: `${id}-minutes`, name: "minutes" }, times.map((count) => [count, say("span.minutes", { count })]), minutes)),
  ];
}

/** What those fields say. @param {FormData} fields @param {Played} before @returns {Played} */
export function playedOf(fields, before) {
  const game = String(fields.get("game"));
  const rules = game === before.game ? String(fields.get("rules")) : "standard";
  return { game, rules, grade: String(fields.get("grade")), limit_ms: Number(fields.get("minutes")) * MINUTE_MS };
}
