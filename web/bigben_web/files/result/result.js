// The end of one's game, or of the race: what came of it, and what can be done next. At the table it
// is told beside the board; the result has a screen of its own.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { playerName, resultTime, shortName, span } from "../words.js";
import { analysis } from "./analysis.js";
import { bars } from "./bars.js";
import { cheers } from "../cheers/buttons.js";
import { verdict } from "../fairness/fair.js";
import { choiceOf } from "../start/choosing.js";
import { leads, played } from "../replay/recorded_games.js";
import { hoursOf } from "../share/share.js";
import { button } from "../page/controls.js";
import { chart } from "../figures/chart.js";
import { wheel } from "../figures/wheel.js";
import { shareBox } from "../share/box.js";

/** Beside the board, where the controls were. @param {Given<"attempt" | "checking" | "joining" | "playing" | "say" | "session">} given @param {Followed} followed */
export function summary(given, followed) {
  const { say, playing } = given;
  const { room, state, over } = followed;
  if (!over && room.phase !== "closed") return null;
  const lies = given.checking.lies(followed);
  return h(
    "section",
    { class: `result summary ${state ?? ""}`, key: "summary" },
    h("h2", {}, ended(given, followed)),
    place(given, followed),
    lies.length ? verdict(given, followed) : null,
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "primary", key: "see", onclick: () => playing.leaveTable() }, say("over.see")),
      again(given, followed, ""),
    ),
  );
}

/** A screen of its own. @param {Given<"analyses" | "attempt" | "checking" | "cheering" | "courses" | "focusOn" | "games" | "ghosts" | "joining" | "records" | "say" | "session" | "sharing">} given @param {Followed} followed */
export function result(given, followed) {
  const { room, state } = followed;
  const closed = room.phase === "closed";
  const [fair, lies] = [verdict(given, followed), given.checking.lies(followed)];
  return [
    h(
      "section",
      { class: `result ${state ?? ""}`, key: "result" },
      h("h2", {}, ended(given, followed)),
      place(given, followed),
      closed ? par(given, followed) : goesOn(given, followed),
      // A contradiction is shown above everything else that the player could do.
      lies.length ? fair : null,
      closed ? (places(given, followed) ?? bars(given, followed)) : bars(given, followed),
      h("div", { class: "row" }, again(given, followed, "primary large"), next(given, followed)),
      cheers(given, followed),
      closed ? course(given, followed) : null,
      analysis(given, followed),
      lies.length ? null : fair,
    ),
    shareBox(given, followed),
  ];
}

/** @param {Given<"say">} given @param {Followed} followed */
function ended({ say }, { over, state, homeMs }) {
  if (!over) return say("race.closed");
  const time = resultTime(homeMs);
  if (!time) return say(`over.${state}`);
  return state === "won" ? say("over.won_in", { time }) : `${say(`over.${state}`)} ${say("over.last_home", { time })}`;
}

/** The place: for good once the race is closed, so far until then. @param {Given<"say">} given @param {Followed} followed */
function place({ say }, { room, placed, seat, over }) {
  if (!seat || !placed?.place || room.kind === "practice" || !(over || placed.final)) return null;
  if (Math.max(room.players ?? 0, room.seats.length) < 2) return null;
  return h("p", { class: "own-place", role: "status" }, say(placed.final ? "over.place" : "over.so_far", { place: placed.place }));
}

/**
 * The shortest line that is known to win this deal, and how the player's own game compares.
 * @param {Given<"say">} given @param {Followed} followed
 */
function par({ say }, { room, state, seat }) {
  if (!room.par) return null;
  const own = room.seats.find(({ player }) => player === seat?.player) ?? seat;
  const text = state === "won" && own ? say("over.par_won", { par: room.par, count: own.moves ?? 0 }) : say("over.par", { count: room.par });
  return h("p", { class: "par" }, text);
}

/** All places, with a wheel for each game: the cards are public by now. @param {Given<"records" | "say" | "session">} given @param {Followed} followed */
function places({ say, session, records }, { race, room, standings, game }) {
  const loaded = records.of(race);
  if (!loaded || !standings?.rows) return null;
  /** @param {string} player */
  const profile = (player) => hashOf({ screen: "player", player, game: game.name, rules: room.rules.rules ?? "standard" });
  /** @param {Standing} standing */
  const row = (standing) => {
    const { player, state, place, home = 0, home_ms: homeMs = 0, bot } = standing;
    const { record } = loaded.games.get(player) ?? {};
    const hours = record ? hoursOf(record, game) : [];
    return h(
      "li",
      { key: player, class: `${state.replace(" ", "-")} ${player === session.me?.player ? "mine" : ""}` },
      h("span", { class: "number" }, place),
      wheel({ size: 50, home, total: game.total, hours }),
      h("span", { class: "name" }, h("a", { href: profile(player) }, shortName(standing)), h("small", {}, [say(`state.${state}`), bot && say("house.bot")].filter(Boolean).join(", "))),
      h("span", { class: "home", "aria-label": say("cards.home", { home }) }, home),
      h("span", { class: "ms" }, resultTime(homeMs)),
    );
  };
  return h("section", { class: "bars places", key: "places", "aria-label": say("race.result") }, h("h2", {}, say("race.result")), h("ol", {}, standings.rows.map(row)));
}

/** How it went: cards home over time, and from when on the winner was ahead. @param {Given<"records" | "say" | "session">} given @param {Followed} followed */
function course({ say, session, records }, { race, game }) {
  const loaded = records.of(race);
  if (!loaded) return null;
  const lines = played(loaded).map(({ record, homes }) => {
    const { player } = record.standing;
    /** @type {[ms: number, home: number][]} */
    const later = record.moves.map(([ms], i) => [ms, homes[i + 1]]);
    /** @type {[ms: number, home: number][]} */
    const points = [[0, homes[0]], ...later];
    return { player, name: shortName(record.standing), points };
  });
  lines.sort((a, b) => b.points[b.points.length - 1][1] - a.points[a.points.length - 1][1]);
  const last = leads(loaded).at(-1);
  return h(
    "section",
    { class: "course", key: "course" },
    h("h3", {}, say("over.course")),
    last ? h("p", { class: "hint" }, say("over.ahead", { name: playerName(say, last), at: span(last.ms) })) : null,
    chart(lines, game.total, session.me?.player ?? ""),
  );
}

/** Why there is no place for good yet. @param {Given<"say" | "session">} given @param {Followed} followed */
function goesOn({ say, session }, { room, othersPlay }) {
  const left = span((room.closes_at ?? 0) - session.clock.now());
  const until = room.kind === "daily" || room.kind === "deadline" ? say("race.final_in", { span: left }) : "";
  return h("p", {}, othersPlay ? say("race.others") : "", " ", until);
}

/**
 * The rematch: to be joined if there is one, else to be opened by a player who has finished.
 * @param {Given<"attempt" | "joining" | "say">} given @param {Followed} followed @param {string} kind
 */
function again(given, { room, seat, over }, kind) {
  const { say, joining } = given;
  const { race, rematch, phase } = room;
  if (room.kind !== "live") return null;
  if (rematch) {
    const name = joining.hostOf(rematch);
    const text = name ? say("race.rematch_of", { name }) : say("race.join_rematch");
    return h("a", { key: "rematch", class: `button ${kind}`, href: hashOf({ screen: "race", race: rematch }) }, text);
  }
  if (!seat || !(over || phase === "closed")) return null;
  return button(given, "button.rematch", () => joining.rematch(race), kind);
}

/** @param {Given<"attempt" | "games" | "joining" | "say">} given @param {Followed} followed */
function next(given, { room, seat }) {
  const { say } = given;
  const { race, kind, phase } = room;
  /** @param {string} key @param {Place} to */
  const link = (key, to, style = "") => h("a", { key, class: `button ${style}`, href: hashOf(to) }, say(key));
  const { game, rules = "standard" } = room.rules;
  const played = { ...(game && { game }), rules };
  const closed = phase === "closed";
  return [
    closed || seat ? link(closed ? "race.replay" : "race.replay_own", { screen: "replay", race, player: "" }) : null,
    kind === "daily" ? link("boards.title", { screen: "boards", period: "daily", ...played }) : null,
    kind === "daily" && closed ? button(given, "home.daily", () => given.joining.daily(choiceOf(given.games, played)), "primary") : null,
    kind === "practice" ? button(given, "home.practice", () => given.joining.create({ ...played, practice: true }), "primary") : null,
    link("button.home", { screen: "home" }),
  ];
}
