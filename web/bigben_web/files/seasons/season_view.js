// A season as it is seen by anybody: what it is and what is open on felt, the table, head to head, ways.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { avatar, numberOf, sign } from "../figures/avatar.js";
import { icon } from "../figures/icons.js";
import { medal } from "../figures/medal.js";
import { button, linkField } from "../page/controls.js";
import { publicAddress } from "../page/public.js";
import { gameName, rulesName } from "../page/titles.js";
import { playerName, shortName } from "../words.js";
import { changes } from "./changes_view.js";
import { duel } from "./duel_view.js";
import { organising } from "./organising_view.js";
import { full, namesOf, pointsText, scaleText } from "./plan.js";
import { table } from "./table_view.js";
import { left, momentOf, weekdayOf } from "./times.js";
import { weeks } from "./weeks_view.js";

/** @typedef {import("./season.js").Shown} Shown */
/** @typedef {Given<"attempt" | "form" | "focusOn" | "games" | "go" | "redraw" | "route" | "say" | "session" | "sharing"> & {season: import("./season.js").Season}} Parts */

/** More players than these have no sign on felt. */
const MOST_SIGNS = 12;

/** @param {Parts} given */
export function season(given) {
  const { say, season: { shown, unknown } } = given;
  if (unknown) return nothing(given);
  if (!shown) return h("p", { class: "opening" }, say("race.opening"));
  return [
    h("section", { class: "felt band", key: "band" }, about(given, shown), now(given, shown)),
    table(given, shown),
    duel(given, shown),
    ways(given, shown),
    weeks(given, shown),
    shown.organises || shown.rows?.some(({ player }) => player === given.session.me?.player) ? organising(given, shown) : null,
    changes(given, shown),
  ];
}

/** @param {Given<"say">} given */
function nothing({ say }) {
  return h(
    "section",
    { class: "card-like gate", key: "unknown" },
    h("h1", { class: "title" }, say("club.unknown")),
    h("p", {}, say("club.unknown_hint")),
    h("a", { class: "button primary", href: hashOf({ screen: "groups" }) }, say("groups.title")),
  );
}

/** @param {Parts} given @param {Shown} shown */
function about(given, shown) {
  const { say } = given;
  const plan = full(shown.plan);
  const game = `${gameName(given, plan.game)}, ${rulesName(given, plan)}`;
  const kicker = [shown.group_name, shown.rows?.length && say("club.players", { count: shown.rows.length }), game, plan.grade && say(`grade.${plan.grade}`)];
  return h(
    "div",
    { class: "says" },
    h("p", { class: "kicker" }, kicker.filter(Boolean).join(" · ")),
    h("h1", { class: "title" }, plan.name),
    h("p", { class: "terms" }, say(plan.weeks > 1 && plan.counted === 1 ? "club.counts_one" : "club.counts", { count: plan.weeks, counted: plan.counted }), " ", scaleText(say, shown)),
  );
}

/** The week that is open, else the one that is next, else how it ended. @param {Parts} given @param {Shown} shown */
function now(given, shown) {
  const open = shown.weeks.find(({ phase }) => phase === "open");
  const next = shown.weeks.find(({ phase }) => phase === "to come");
  if (open) return opened(given, shown, open);
  return next ? toCome(given, next) : ended(given, shown);
}

/** @param {Parts} given @param {Shown} shown @param {Protocol.SeasonWeek} week */
function opened(given, shown, week) {
  const { say, session } = given;
  const { rows = [] } = shown;
  const at = session.clock.now();
  const played = new Set((week.results ?? []).map(({ player }) => player));
  const count = rows.filter(({ player }) => played.has(player)).length;
  return h(
    "div",
    { class: "open-week" },
    h("h2", {}, say("week.open", { week: week.number, day: weekdayOf(say, week.closes_at, at) })),
    h("div", { class: "count", role: "timer", "aria-label": say("club.closes_in") }, left(say, week.closes_at - at)),
    h("p", { class: "played" }, rows.length > count ? say("club.played", { count, of: rows.length }) : say(count ? "club.played_all" : "club.played_none", { count }), " ", say("club.when_it_suits")),
    signs(say, rows, played),
    h("div", { class: "does" }, deed(given, shown, week, played)),
  );
}

/** Who has played, and who has not. @param {Say} say @param {Protocol.SeasonRow[]} rows @param {Set<string>} played */
function signs(say, rows, played) {
  if (rows.length > MOST_SIGNS) return null;
  /** @param {Protocol.SeasonRow} row */
  const one = (row) => {
    const there = played.has(row.player);
    const named = say(there ? "club.has_played" : "club.has_not_played", { name: playerName(say, row) });
    const shown = there ? avatar({ name: row.name }, numberOf(row.player)) : h("svg", { class: "avatar", viewBox: "-22 -22 44 44", "aria-hidden": "true" }, h("circle", { class: "missing", r: 20.5 }), sign({ name: row.name }));
    return h("li", { key: row.player, class: there ? "" : "missing" }, shown, h("span", { class: "unseen" }, named));
  };
  return h("ul", { class: "signs", "aria-label": say("club.who_played") }, rows.map(one));
}

/** The one thing to do: play it, or remind somebody. @param {Parts} given @param {Shown} shown @param {Protocol.SeasonWeek} week @param {Set<string>} played */
function deed(given, shown, week, played) {
  const { say, session } = given;
  const { race = "" } = week;
  const me = session.me?.player ?? "";
  const own = (week.results ?? []).find(({ player }) => player === me);
  if (shown.plays && !own && race) return h("a", { class: "button gold", href: hashOf({ screen: "race", race }) }, icon("play"), say("club.play"));
  const late = missing(given, shown, played);
  if (own && late) return remind(given, shown, week, late);
  return race ? h("a", { class: "button", href: hashOf({ screen: "race", race, watch: true }) }, icon("play"), say("club.watch", { week: week.number })) : null;
}

/** Who has still to play: the one with whom is compared, else the best of them. @param {Parts} given @param {Shown} shown @param {Set<string>} played */
function missing({ season, session }, { rows = [] }, played) {
  const late = rows.filter(({ player }) => !played.has(player) && player !== session.me?.player);
  return late.find(({ player }) => player === season.chosen) ?? late[0];
}

/** @param {Parts} given @param {Shown} shown @param {Protocol.SeasonWeek} week @param {Protocol.SeasonRow} row */
function remind(given, { season, plan }, { number, closes_at: closes }, row) {
  const { say, session, sharing } = given;
  const name = shortName(row);
  const when = momentOf(say, closes, session.clock.now());
  const text = say("club.reminder", { name, week: number, season: plan.name, when, link: linkOf(season) });
  const does = () => given.attempt(() => sharing.words(text, null));
  return h("button", { type: "button", key: "remind", onclick: does }, icon("share"), say("club.remind", { name }));
}

/** @param {Parts} given @param {Protocol.SeasonWeek} week */
function toCome({ say, session }, { number, opens_at: opens }) {
  const at = session.clock.now();
  return h(
    "div",
    { class: "open-week" },
    h("h2", {}, say("club.opens", { week: number, when: momentOf(say, opens, at) })),
    h("div", { class: "count", role: "timer", "aria-label": say("club.opens_in") }, left(say, opens - at)),
    h("p", { class: "played" }, say("club.opens_hint")),
  );
}

/** Who has won it; together, if their totals are equal. @param {Parts} given @param {Shown} shown */
function ended({ say }, { rows = [] }) {
  const best = rows.filter(({ place }) => place === 1);
  const names = namesOf(say, best);
  return h(
    "div",
    { class: "open-week ended" },
    best.length ? medal(1) : null,
    h("h2", {}, best.length ? say("club.won", { count: best.length, names }) : say("club.over")),
    h("p", { class: "played" }, best.length ? say("club.won_with", { points: pointsText(say, best[0].total ?? 0) }) : say("club.nobody")),
  );
}

/** @param {string} season */
export function linkOf(season) {
  return `${publicAddress()}${hashOf({ screen: "season", season }).replace("#", "/#")}`;
}

/** Its link, its calendar, its figures. @param {Parts} given @param {Shown} shown */
function ways(given, { season, weeks, plays }) {
  const { say, session, sharing } = given;
  const link = linkOf(season);
  const copy = () => sharing.link(link, /** @type {HTMLInputElement | null} */ (document.getElementById("season-link")));
  const open = weeks.find(({ phase }) => phase === "open");
  const watched = plays && open?.race && open.results?.some(({ player }) => player === session.me?.player) ? h("a", { class: "button", key: "watch", href: hashOf({ screen: "race", race: open.race, watch: true }) }, icon("play"), say("club.watch", { week: open.number })) : null;
  return h(
    "section",
    { class: "card-like ways", key: "ways" },
    h("div", { class: "field" }, h("label", { for: "season-link" }, say("club.link")), h("div", { class: "row" }, linkField("season-link", link), button(given, "race.share_do", copy))),
    h(
      "div",
      { class: "row" },
      watched,
      h("a", { class: "button", key: "ics", href: `/api/seasons/${season}.ics`, download: `${season}.ics` }, say("club.calendar")),
      h("a", { class: "button", key: "csv", href: `/api/seasons/${season}.csv`, download: `${season}.csv` }, say("club.csv")),
    ),
  );
}
