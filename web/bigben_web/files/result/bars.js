// How far everybody is: a ring for each seat with its place, the best first. Names no card.

import { h } from "../draw.js";
import { OVER } from "../wire/over.js";
import { resultTime, shortName, span } from "../words.js";
import { ring } from "../figures/ring.js";
import { bubble } from "../cheers/buttons.js";

const MOST = 12;

/** @typedef {Standing & {ghost?: boolean}} Ghost */

/** @param {Given<"cheering" | "courses" | "ghosts" | "say" | "session">} given @param {Followed} followed */
export function bars(given, followed) {
  const { say } = given;
  const { room, standings, seat } = followed;
  const final = room.phase === "closed";
  const seats = room.seats.filter(begun).map((one) => ghost(given, followed, one)).sort(byProgress);
  const all = final && standings?.final ? standings.rows : seats;
  const shown = all.slice(0, MOST);
  if (seat && !shown.some(({ player }) => player === seat.player)) {
    const mine = all.find(({ player }) => player === seat.player);
    if (mine) shown.push(mine);
  }
  if (!all.length || (all.length === 1 && room.kind === "practice")) return null;
  const total = Math.max(room.players ?? 0, all.length);
  const than = seat && begun(seat) ? seat : all[0];
  return h(
    "section",
    { class: "bars", key: "bars", "aria-label": final ? say("race.result") : say("race.so_far") },
    h("h2", {}, final ? say("race.result") : say("race.so_far")),
    h("ol", {}, shown.map((row) => line(given, followed, row, placeIn(all, row), than))),
    total > shown.length ? h("p", { class: "hint" }, say("race.more", { count: total - shown.length })) : null,
  );
}

/**
 * While the own clock runs, a player who has finished stands where they stood at this time.
 * @param {Given<"ghosts" | "session">} given @param {Followed} followed @param {Standing} seat
 */
function ghost({ ghosts, session }, { race, view, over }, seat) {
  if (!view?.begunAt || over || !OVER.includes(seat.state)) return seat;
  const home = ghosts.home(race, seat.player, session.clock.now() - view.begunAt);
  return home === null ? seat : { ...seat, home, place: 0, ghost: true };
}

/**
 * A standing as a line: ring, name, how it stands to `than`, cards home.
 * @param {Given<"cheering" | "courses" | "say" | "session">} given @param {Followed} followed @param {Ghost} row @param {number} place @param {Standing} than
 */
function line(given, followed, row, place, than) {
  const { say, session } = given;
  const { player, home = 0, away } = row;
  const state = row.ghost ? "ghost" : row.state;
  const mine = player === session.me?.player;
  return h(
    "li",
    { key: player, "aria-current": mine ? "true" : null, class: `${state.replace(" ", "-")} ${mine ? "mine" : ""} ${away && state === "playing" ? "away" : ""}` },
    h("span", { class: "place" }, ring(home, followed.game?.total, place)),
    h("span", { class: "name" }, ...called(say, row)),
    bubble(given, followed.race, player, how(given, followed, row, than)),
    h("span", { class: "home", "aria-label": say("cards.home", { home }) }, home),
  );
}

/** A player's name, and a sign beside that of a bot. @param {Say} say @param {Ghost} row */
export function called(say, row) {
  return [h("bdi", {}, shortName(row)), row.bot ? h("small", { class: "bot" }, say("house.bot")) : null];
}

/**
 * How a seat ended, or that its player is away, or how far before or behind.
 * @param {Given<"courses" | "say" | "session">} given @param {Followed} followed @param {Ghost} row @param {Standing} than
 */
export function how({ say, session, courses }, { room, race }, row, than) {
  const { player, state, home = 0, home_ms: homeMs = 0, away, ends_at: ends } = row;
  if (row.ghost) return ghostly(say, home - (than.home ?? 0));
  if (state === "won" && homeMs) return resultTime(homeMs);
  if (OVER.includes(state)) return say(`state.${state}`);
  const now = session.clock.now();
  if (ends && room.phase === "running") return say("state.ends", { span: span(Math.max(0, ends - now)) });
  if (away) {
    const since = courses.of(race).awaySince(player) || now;
    return say("state.away", { span: span(now - since) });
  }
  if (player === session.me?.player) return say("you");
  if (player === than.player) return "";
  const apart = home - (than.home ?? 0);
  if (!apart) return say("state.level");
  return say(apart > 0 ? "state.ahead" : "state.behind", { count: Math.abs(apart) });
}

/** @param {Say} say @param {number} apart */
function ghostly(say, apart) {
  if (!apart) return say("ghost");
  return say(apart > 0 ? "state.ghost_ahead" : "state.ghost_behind", { count: Math.abs(apart) });
}

/** @param {Standing} seat */
export function begun({ state }) {
  return state !== "joined" && state !== "ready";
}

/**
 * While a race runs, as at its end: by cards home, then by who had them home first.
 * @param {Standing} seat @param {Standing} seat
 */
export function byProgress({ home: a = 0, home_ms: at = 0 }, { home: b = 0, home_ms: then = 0 }) {
  return b - a || at - then;
}

/** Equals share a place. @param {Standing[]} sorted @param {Standing} row */
export function placeIn(sorted, row) {
  return row.place || 1 + sorted.findIndex((one) => !byProgress(one, row));
}
