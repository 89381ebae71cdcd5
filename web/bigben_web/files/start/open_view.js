// What is still open once today's race is played: the own races, those that run first, then another clock.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { icon } from "../figures/icons.js";
import { ring } from "../figures/ring.js";
import { gameName, title } from "../page/titles.js";
import { localeFor } from "../words.js";
import { shape } from "./games_view.js";

/** So many rows fit above the code of a room. */
const MOST = 2;
/** So near a weekday alone says which day is meant. */
const NEAR_MS = 6 * 86_400_000;

/** @param {Given<"choosing" | "focusOn" | "games" | "races" | "say" | "seasons" | "session" | "today">} given */
export function stillOpen(given) {
  const { races, today, choosing, games } = given;
  const weeks = openSeasons(given);
  const own = races.all.filter(({ info }) => info.race !== today.race && !weeks.some(({ race }) => race === info.race)).sort((a, b) => Number(runs(b)) - Number(runs(a)));
  const other = games.all.find((game) => game !== choosing.game && game.decides);
  const rows = [...weeks.map((info) => week(given, info)), ...own.map((mine) => race(given, mine))];
  return h("ul", { class: "still-open" }, rows, other && rows.length < MOST ? clock(given, other) : null);
}

/** The weeks of the own seasons that are still to be played, before today's race is; null if there are none. @param {Given<"races" | "say" | "seasons" | "session">} given */
export function openWeeks(given) {
  const weeks = openSeasons(given);
  return weeks.length ? h("ul", { class: "still-open" }, weeks.slice(0, MOST).map((info) => week(given, info))) : null;
}

/** @param {Given<"races" | "seasons">} given */
function openSeasons({ races, seasons }) {
  return seasons.open.filter(({ race = "" }) => !races.over.has(race));
}

/** @param {Given<"races" | "say" | "session">} given @param {Protocol.SeasonInfo} info */
function week({ races, say, session }, { season, name, week = 0, race = "", closes_at: closes = 0 }) {
  const near = closes - session.clock.now() < NEAR_MS;
  const day = new Intl.DateTimeFormat(localeFor(say.language), near ? { weekday: "long" } : { weekday: "long", day: "numeric", month: "long" }).format(closes);
  const begun = races.all.find(({ info }) => info.race === race);
  const go = say(begun && runs(begun) ? "home.go_on" : "home.week_play");
  return h(
    "li",
    { key: race },
    h("span", { class: "room" }, icon("people")),
    h("span", { class: "facts" }, h("b", {}, h("a", { href: hashOf({ screen: "season", season }) }, name)), h("small", {}, say("week.open", { week, day }))),
    h("a", { class: "button", href: hashOf({ screen: "race", race }), "aria-label": `${go}: ${name}` }, go),
  );
}

/** @typedef {import("./races.js").Mine} Mine @param {Mine} of */
function runs({ info }) {
  return info.state === "playing";
}

/** @param {Given<"games" | "say">} given @param {Mine} mine */
function race(given, mine) {
  const { say } = given;
  const { info, home } = mine;
  const total = given.games.of(info.rules)?.total ?? 0;
  const [what, go] = runs(mine) ? [say("home.runs"), say("home.go_on")] : [say("home.waits"), say("home.go_back")];
  return h(
    "li",
    { key: info.race },
    runs(mine) ? ring(home, total, home) : h("span", { class: "room" }, icon("people")),
    h("span", { class: "facts" }, h("b", {}, title(given, info)), h("small", {}, what)),
    h("a", { class: "button", href: hashOf({ screen: "race", race: info.race }), "aria-label": `${go}: ${title(given, info)}` }, go),
  );
}

/** @param {Given<"choosing" | "focusOn" | "games" | "say">} given @param {Game} game */
function clock(given, game) {
  const { say, choosing } = given;
  const onclick = () => {
    choosing.choose({ game: game.name });
    given.focusOn(".hero .large, .hero .gold");
  };
  const name = gameName(given, game.name);
  return h(
    "li",
    { key: game.name },
    shape(game),
    h("span", { class: "facts" }, h("b", {}, name), h("small", {}, say("home.its_race"))),
    h("button", { type: "button", "aria-label": `${say("home.go_to")}: ${name}`, onclick }, say("home.go_to")),
  );
}
