// Two players head to head on the same deals, week by week.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { avatar, numberOf } from "../figures/avatar.js";
import { wheel } from "../figures/wheel.js";
import { playerName, resultTime } from "../words.js";
import { pointsText } from "./plan.js";

/** @typedef {import("./season.js").Shown} Shown */
/** @typedef {import("./season_view.js").Parts} Parts */
/** @typedef {{week: Protocol.SeasonWeek, own: Protocol.WeekResult | undefined, other: Protocol.WeekResult | undefined}} Pair */

const WHEEL = 50;

/** Me and the row that is chosen; who has no row sees the first against it. @param {Parts} given @param {Shown} shown */
export function duel(given, shown) {
  const { say, session, season } = given;
  const { rows = [], weeks } = shown;
  const me = rows.find(({ player }) => player === session.me?.player) ?? rows.find(({ player }) => player !== season.chosen);
  const others = rows.filter((row) => row !== me && row.place);
  const rival = others.find(({ player }) => player === season.chosen) ?? others.find(({ place = 0 }) => place >= (me?.place || 1)) ?? others.at(-1);
  if (!me?.place || !rival) return null;
  const pairs = weeks.filter(({ phase, results = [] }) => phase !== "to come" && phase !== "void" && results.length).map((week) => pairOf(week, me, rival));
  const both = pairs.filter(({ own, other }) => own?.place && other?.place);
  const [ahead, behind] = [both.filter((pair) => order(pair) > 0).length, both.filter((pair) => order(pair) < 0).length];
  const mine = me.player === session.me?.player;
  const [name, against] = [me, rival].map((row) => playerName(say, row));
  return h(
    "section",
    { class: `card-like duel-box ${pairs.length > 5 ? "many" : ""}`, key: "duel", "aria-labelledby": "duel" },
    h(
      "div",
      { class: "result-of" },
      avatar({ name: me.name }, numberOf(me.player)),
      h("b", { "aria-label": say("club.score", { ahead, behind }) }, ahead, " : ", behind),
      avatar({ name: rival.name }, numberOf(rival.player)),
    ),
    h("h2", { id: "duel" }, mine ? say("club.against", { name: against }) : say("club.between", { name, other: against })),
    h("ol", { class: "pairs", tabindex: 0, "aria-label": say("club.pairs") }, pairs.map((pair) => one(given, pair, mine ? say("you") : name, against))),
    h("p", { class: "stands" }, stands(say, me, rival, weeks, mine), " ", h("a", { href: hashOf({ screen: "player", player: rival.player }) }, say("club.profile", { name: against }))),
  );
}

/** @param {Protocol.SeasonWeek} week @param {Protocol.SeasonRow} me @param {Protocol.SeasonRow} rival @returns {Pair} */
function pairOf(week, me, rival) {
  const [own, other] = [me, rival].map(({ player }) => week.results?.find((one) => one.player === player));
  return { week, own, other };
}

/** More than 0 if the own result is the better one. @param {Pair} pair */
function order({ own, other }) {
  return own?.place && other?.place ? other.place - own.place : 0;
}

/** @param {Parts} given @param {Pair} pair @param {string} name @param {string} against */
function one(given, pair, name, against) {
  const { say } = given;
  const { week, own, other } = pair;
  const won = order(pair);
  const [home, theirs] = [own, other].map((result) => (result ? String(result.home ?? 0) : "–"));
  const level = own && other && home === theirs && home !== "–";
  const times = level ? [own, other].map(({ home_ms: ms = 0 }) => resultTime(ms)).filter(Boolean) : [];
  const said = say(won > 0 ? "club.pair_won" : won < 0 ? "club.pair_lost" : "club.pair", { name, against, home, theirs });
  return h(
    "li",
    { key: week.number, class: won > 0 ? "is-ahead" : won < 0 ? "is-behind" : "" },
    week.race ? h("a", { href: hashOf({ screen: "race", race: week.race, watch: true }) }, say("club.week", { week: week.number })) : say("club.week", { week: week.number }),
    h("span", { class: "two", "aria-hidden": "true" }, side(given, week, own), side(given, week, other)),
    h("span", { class: "homes", "aria-hidden": "true" }, h("b", {}, `${home} : ${theirs}`), times.length === 2 ? h("small", {}, times.join(" : ")) : null),
    h("span", { class: "unseen" }, said),
  );
}

/** A result as a wheel; a question mark while it can still come. @param {Parts} given @param {Protocol.SeasonWeek} week @param {Protocol.WeekResult | undefined} result */
function side({ games, season, session }, { phase, race = "", game }, result) {
  if (!result) return h("span", { class: "no-wheel" }, phase === "open" ? "?" : "–");
  const played = games.of({ game }) ?? games.usual;
  const shows = phase === "closed" || result.player === session.me?.player;
  return wheel({ size: WHEEL, home: result.home ?? 0, total: played.total, hours: shows ? season.hours(race, result.player, played) : [] });
}

/** @param {Say} say @param {Protocol.SeasonRow} me @param {Protocol.SeasonRow} rival @param {Protocol.SeasonWeek[]} weeks @param {boolean} mine */
function stands(say, me, rival, weeks, mine) {
  const by = (me.total ?? 0) - (rival.total ?? 0);
  const [name, other] = [me, rival].map((row) => playerName(say, row));
  const how = by > 0 ? "leads" : by < 0 ? "trails" : "equal";
  const first = say(mine ? `club.you_${how}` : `club.one_${how}`, { name, other, points: pointsText(say, Math.abs(by)), count: Math.abs(by) / 100 });
  const open = weeks.find(({ phase }) => phase === "open");
  const due = open && !open.results?.some(({ player }) => player === rival.player);
  return due ? `${first} ${say("club.still_plays", { name: other })}` : first;
}
