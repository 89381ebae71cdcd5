// A player's statistics: races and wins, streaks, records, rating, cards home by week, head to head.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { choiceOf } from "../start/choosing.js";
import { playerName, resultTime } from "../words.js";
import { avatar, numberOf } from "../figures/avatar.js";
import { weeks } from "../figures/weeks.js";
import { choice } from "./choice.js";
import { challenging } from "../challenges/challenges_view.js";
import { form, lastRaces } from "./form_view.js";

/** @typedef {Given<"attempt" | "challenges" | "days" | "games" | "go" | "identities" | "notices" | "profiles" | "route" | "say" | "session" | "today">} Parts */

/** @param {Parts} given */
export function player(given) {
  const { say, profiles, games, route: { place }, session, notices: { text: notice } } = given;
  const { shown } = profiles;
  if (!session.me && !place.player && !given.identities.token) return nobody(given);
  if (!shown) return notice ? null : h("p", { class: "opening" }, say("race.opening"));
  const both = choiceOf(games, place);
  const tally = profiles.tally(shown, both);
  const mine = shown.player === session.me?.player;
  const name = mine && session.me ? session.me.name : playerName(say, shown);
  const title = say("player.title", { name });
  const at = title.lastIndexOf(name);
  return [
    h(
      "section",
      { class: "felt band", key: "band" },
      avatar({ name, bot: shown.player.startsWith("bot:") }, numberOf(shown.player)),
      h("h1", { class: "title" }, h("span", { class: "unseen" }, title.slice(0, at)), name, h("span", { class: "unseen" }, title.slice(at + name.length))),
      choice(given),
      tally ? numbers(given, tally) : none(given, mine),
    ),
    tally ? form(given, shown.player, tally) : null,
    byWeek(given, shown, mine),
    lastRaces(given, shown),
    profiles.against ? compared(given, shown, { ...profiles.against, name: playerName(say, shown) }) : null,
  ];
}

/**
 * Over all games; a server that does not count weeks has none beside its tallies.
 * @param {Given<"say">} given @param {Protocol.Profile} of @param {boolean} mine
 */
function byWeek(given, { weeks: told = [], tallies = [] }, mine) {
  const { say } = given;
  if (!told.length && tallies.length) return null;
  return h(
    "section",
    { class: "card-like weeks", key: "weeks", "aria-labelledby": "weeks" },
    h("h2", { id: "weeks" }, say("player.weeks")),
    told.length ? weeks(given, told) : h("p", {}, say(mine ? "player.no_weeks_yet" : "player.no_weeks")),
    told.length || !mine ? null : h("a", { class: "button", href: "#" }, say("boards.play")),
  );
}

/** @param {Given<"say">} given */
function nobody({ say }) {
  return h("section", { class: "felt band", key: "band" }, h("h1", { class: "title" }, say("player.statistics")), none({ say }, true));
}

/** @param {Given<"say">} given @param {boolean} mine */
function none({ say }, mine) {
  return h(
    "div",
    { class: "none", key: "none" },
    h("p", {}, say(mine ? "player.none_yet" : "player.none")),
    mine
      ? h("a", { class: "button gold", href: "#" }, say("boards.play"))
      : h("a", { class: "button", href: hashOf({ screen: "boards", period: "daily" }) }, say("boards.title")),
  );
}

/** @param {Given<"games" | "say">} given @param {Protocol.Tally} tally */
function numbers({ say, games }, tally) {
  const { played = 0, won = 0, rating = 0, rated = 0, provisional = false, days_played: days = {}, days_won: wins = {} } = tally;
  const { decides } = games.of({ game: tally.game }) ?? games.usual;
  /** @type {([key: string, value: string | number, more?: Child] | false)[]} */
  const all = [
    ["player.played", played],
    ["player.won", played ? say("player.won_of", { won, percent: Math.round((100 * won) / played) }) : won],
    ["player.streak", days.now ?? 0, say("player.longest", { days: days.longest ?? 0 })],
    ["player.wins", wins.now ?? 0, say("player.longest", { days: wins.longest ?? 0 })],
    decides && ["player.best", resultTime(tally.best_ms ?? 0) || "–", way(say, tally.best_race)],
    decides && ["player.fewest", tally.fewest_moves || "–", way(say, tally.fewest_race)],
    decides && ["player.rating", rated ? `${rating}${provisional ? "?" : ""}` : "–", rated ? say("player.rated", { count: rated }) : ""],
  ];
  return h(
    "div",
    { key: "numbers", class: "stats" },
    h("dl", { class: "numbers" }, all.flatMap((one) => (one ? [one] : [])).map(([key, value, more = ""]) => h("div", { key }, h("dt", {}, say(key)), h("dd", {}, h("b", {}, value), more ? h("small", {}, more) : null)))),
    provisional ? h("p", { class: "hint" }, say("player.provisional")) : null,
  );
}

/** To the race in which a record was set. @param {Say} say @param {string | undefined} race */
function way(say, race) {
  return race ? h("a", { href: hashOf({ screen: "race", race, watch: true }) }, say("player.see")) : "";
}

/** The own races against the player on the screen, and the way to one more. @param {Parts} given @param {Protocol.Profile} shown @param {Protocol.HeadToHead} of */
function compared(given, shown, { name, ahead = 0, behind = 0, level = 0 }) {
  const { say } = given;
  const total = ahead + behind + level;
  const bar = total
    ? h(
        "div",
        { class: "duel", "aria-hidden": "true" },
        h("b", {}, ahead),
        h(
          "svg",
          { class: "versus", viewBox: `0 0 ${total} 1`, preserveAspectRatio: "none" },
          h("rect", { class: "ahead", width: ahead, height: 1 }),
          h("rect", { class: "level", x: ahead, width: level, height: 1 }),
          h("rect", { class: "behind", x: ahead + level, width: behind, height: 1 }),
        ),
        h("b", {}, behind),
      )
    : null;
  return h(
    "section",
    { class: "card-like", key: "against", "aria-labelledby": "against" },
    h("h2", { id: "against" }, say("player.against", { name })),
    bar,
    h("p", {}, total ? say("player.against_is", { name, ahead, behind, level }) : say("player.against_none", { name })),
    challenging(given, shown),
  );
}
