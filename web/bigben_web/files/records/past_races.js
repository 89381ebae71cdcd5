// A player's last races as a table: the place, the wheel, what was played and when, cards home and time.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { medal } from "../figures/medal.js";
import { wheel } from "../figures/wheel.js";
import { gameName, rulesName } from "../page/titles.js";
import { dayName, resultTime } from "../words.js";

/** @param {Given<"games" | "say" | "today">} given @param {Protocol.PastRace[]} latest */
export function pastRaces(given, latest) {
  const { say } = given;
  /** @param {string} one */
  const head = (one) => h("th", { scope: "col", class: one, colspan: one === "race" ? 2 : null }, say(one === "race" ? "player.race" : `boards.${one}`));
  return h(
    "table",
    { class: "results", key: "latest" },
    h("thead", { class: "unseen" }, h("tr", {}, ["place", "race", "home", "time"].map(head))),
    h("tbody", {}, latest.map((one) => line(given, one))),
  );
}

/** @param {Given<"games" | "say" | "today">} given @param {Protocol.PastRace} of */
function line(given, { race, game, rules, day, home = 0, home_ms: homeMs = 0, place = 0, players = 0 }) {
  const { say, games, today } = given;
  const { total } = games.of({ game }) ?? games.usual;
  const name = race.startsWith("daily.") ? say("boards.title_past") : say("race.live", { race });
  const when = day === today.day ? say("period.daily") : dayName(say, day, { day: "numeric", month: "short" });
  const other = [game !== games.usual.name && gameName(given, game), rules !== "standard" && rulesName(given, { game, rules })];
  return h(
    "tr",
    { key: race },
    h("td", { class: "place" }, place ? medal(place) : null),
    h("td", { class: "emblem" }, wheel({ size: 38, home, total })),
    h(
      "th",
      { scope: "row", class: "player" },
      h("a", { href: hashOf({ screen: "race", race, watch: true }) }, name),
      h("small", {}, " ", [when, place && say("share.of", { total: players }), ...other].filter(Boolean).join(" · ")),
    ),
    h("td", { class: "score" }, h("b", {}, home)),
    h("td", { class: "time" }, resultTime(homeMs)),
  );
}
