// What a player's results are made of: the rating by week, the average clock, how often how many cards came
// home, the last fourteen days, and the last races.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { spark } from "../figures/cells.js";
import { columns } from "../figures/columns.js";
import { ratingLine } from "../figures/rating.js";
import { wheel } from "../figures/wheel.js";
import { choiceOf } from "../start/choosing.js";
import { average, lastDays } from "./days.js";
import { pastRaces } from "./past_races.js";

/** @typedef {Given<"days" | "games" | "say" | "session" | "today">} Parts */

/** Of so many dailies the average clock is made: the server looks each of them up. */
const CLOCKS = 7;
const HOURS = 12;

/** @param {Parts} given @param {string} player @param {Protocol.Tally} tally */
export function form(given, player, tally) {
  if (!tally.homes?.length) return null;
  const game = given.games.of({ game: tally.game }) ?? given.games.usual;
  return [game.decides ? rating(given, tally) : null, clock(given, player, tally, game), homes(given, tally, game)];
}

/** @param {Given<"say">} given @param {Protocol.Tally} tally */
function rating(given, tally) {
  const { say } = given;
  const { rating = 0, uncertainty = 0 } = tally;
  return box(
    "rating",
    say("player.rating"),
    rating
      ? [ratingLine(given, tally), h("p", { class: "hint" }, say("player.between", { least: rating, most: rating + 2 * uncertainty }))]
      : [h("p", {}, say("player.unrated")), h("a", { class: "button", href: "#" }, say("boards.play"))],
  );
}

/** The mean of each hour over the last dailies. @param {Parts} given @param {string} player @param {Protocol.Tally} tally @param {Game} game */
function clock({ say, days, session, today }, player, { game, rules, lately = [] }, { total }) {
  const own = player === session.me?.player;
  const played = lastDays(today.day)
    .map((date, at) => ({ date, home: lately[at] }))
    // Until its race is closed, a game can be seen by its player alone.
    .filter(({ date, home }) => home >= 0 && (own || date < today.day))
    .slice(-CLOCKS);
  if (!played.length) return null;
  const known = played.map(({ date }) => days.hours({ game, rules }, date, player)).filter(({ length }) => length >= HOURS);
  const hours = means(known);
  const home = Math.round(played.reduce((sum, one) => sum + one.home, 0) / played.length);
  return box("clock", say("player.clock"), [
    wheel({ size: 216, home, total, hours, middle: home, below: say("share.of", { total }), numbers: true }),
    h("p", {}, say("player.clock_of", { count: played.length }), " ", extremes(say, hours)),
  ]);
}

/** @param {Hours[]} known @returns {Hours} */
export function means(known) {
  const [first = []] = known;
  return first.map(([, whole], hour) => [Math.round(known.reduce((sum, one) => sum + one[hour][0], 0) / known.length), whole]);
}

/** Which hour is ahead of all others, and which behind. @param {Say} say @param {Hours} hours */
function extremes(say, hours) {
  const parts = hours.slice(0, HOURS).map(([have, whole]) => have / whole);
  const [most, least] = [Math.max(...parts), Math.min(...parts)];
  if (!parts.length || most === least) return null;
  /** @param {number} part */
  const named = (part) => parts.indexOf(part) || HOURS;
  return say("player.clock_is", { best: named(most), worst: named(least) });
}

/** How often how many cards came home, and the last fourteen days. @param {Given<"say">} given @param {Protocol.Tally} tally @param {Game} game */
function homes(given, { homes = [], lately = [] }, { total }) {
  const { say } = given;
  const own = homes.findLastIndex((count) => count > 0);
  const title = say("player.homes");
  const known = lately.filter((home) => home >= 0);
  return box("homes", title, [
    columns(given, homes, total, { own, word: say("player.homes_best"), title, what: say("player.homes_races") }),
    known.length ? [spark(given, lately, total), h("p", { class: "hint" }, say("player.lately"), " · ", say("archive.average", { home: average(say, known) }))] : h("p", { class: "hint" }, say("player.no_days")),
  ]);
}

/** The last races, and where to find the others. @param {Given<"games" | "route" | "say" | "session" | "today">} given @param {Protocol.Profile} profile */
export function lastRaces(given, { player, latest = [] }) {
  const { say, games, route: { place }, session, today } = given;
  const mine = player === session.me?.player;
  if (!latest.length) return null;
  return box("latest", say("player.latest"), [
    pastRaces(given, latest),
    mine ? h("a", { class: "button", href: hashOf({ screen: "archive", month: today.day.slice(0, 7), ...choiceOf(games, place) }) }, say("archive.title")) : null,
    mine ? h("p", { class: "hint" }, say("player.against_hint")) : null,
  ]);
}

/** @param {string} key @param {string} title @param {Child} children */
function box(key, title, children) {
  return h("section", { class: `card-like ${key}-box`, key, "aria-labelledby": `of-${key}` }, h("h2", { id: `of-${key}` }, title), children);
}
