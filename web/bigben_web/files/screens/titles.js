// How races and rules are called.

import { dayName } from "../words.js";

/** `Daily race, 21 November`, `Race K7QPXM`. */
export function title({ say, language }, { race: id, kind, rules }) {
  const [, date = ""] = id.split(".");
  const day = date && dayName(language, date);
  const name = say(`race.${kind}`, { day, race: id });
  return (rules.rules ?? "standard") === "standard" ? name : `${name} · ${rulesName(say, rules.rules)}`;
}

/** The rules that a player can choose by name; the texts name each as `rules.NAME`. */
export const PRESETS = ["standard", "book", "open"];

export function rulesName(say, rules) {
  return PRESETS.includes(rules)
    ? say(`rules.${rules}`)
    : say("rules.other", { rules });
}
