// The end of one's game, or of the race: the place first, what came of it, and what can be done next. At
// the table it is told beside the board; the result has a screen of its own.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { playerName, resultTime, shortName, span } from "../words.js";
import { analysis } from "./analysis.js";
import { bars } from "./bars.js";
import { cheers } from "../cheers/buttons.js";
import { verdict } from "../fairness/fair.js";
import { choiceOf } from "../start/choosing.js";
import { figure } from "../start/hero.js";
import { next as tomorrow } from "../start/next.js";
import { leads, played } from "../replay/recorded_games.js";
import { hoursOf } from "../share/share.js";
import { button, nameForm } from "../page/controls.js";
import { title, toSeason } from "../page/titles.js";
import { chart } from "../figures/chart.js";
import { medal } from "../figures/medal.js";
import { rays } from "../figures/rays.js";
import { wheel } from "../figures/wheel.js";
import { shareBox, shareOpens } from "../share/box.js";

/** The width at which the large wheel is drawn. */
const WHEEL = 256;
/** More places than these are shown by a button. */
const MOST_PLACES = 5;

/** Beside the board, where the controls were. @param {Given<"attempt" | "checking" | "evening" | "joining" | "playing" | "say" | "session">} given @param {Followed} followed */
export function summary(given, followed) {
  const { say, playing } = given;
  const { room, state, over } = followed;
  if (!over && room.phase !== "closed") return null;
  const lies = given.checking.lies(followed);
  return h(
    "section",
    { class: `result summary ${state ?? ""}`, key: "summary" },
    headline(given, followed),
    lies.length ? verdict(given, followed) : null,
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "primary", key: "see", onclick: () => playing.leaveTable() }, say("over.see")),
      again(given, followed, ""),
    ),
  );
}

/** @typedef {Given<"analyses" | "attempt" | "checking" | "cheering" | "choosing" | "courses" | "days" | "evening" | "focusOn" | "form" | "games" | "ghosts" | "joining" | "podium" | "profiles" | "ratings" | "records" | "say" | "session" | "sharing" | "today">} Parts */

/** A screen of its own. @param {Parts} given @param {Followed} followed */
export function result(given, followed) {
  const { room, state } = followed;
  const closed = room.phase === "closed";
  const [fair, lies] = [verdict(given, followed), given.checking.lies(followed)];
  return h(
    "section",
    { class: `result ${state ?? ""} ${room.kind}`, key: "result" },
    felt(given, followed),
    shareBox(given, followed),
    h(
      "div",
      { class: "boxes" },
      // A contradiction is shown above everything else that the player could do.
      lies.length ? h("div", { class: "wide" }, fair) : null,
      closed ? (places(given, followed) ?? bars(given, followed)) : bars(given, followed),
      closed ? course(given, followed) : null,
      h("div", { class: "what" }, h("h2", {}, given.say("way.title")), analysis(given, followed), ways(given, followed)),
      cheers(given, followed),
      h("div", { class: "wide proof" }, lies.length ? null : fair, toSeason(given, room), h("a", { class: "button quiet", href: "#" }, given.say("button.home"))),
    ),
  );
}

/** What matters, on felt: the wheel, the place, the cards home, the time, what is next. @param {Parts} given @param {Followed} followed */
function felt(given, followed) {
  const { say } = given;
  const { room, seat, standings, over } = followed;
  const closed = room.phase === "closed";
  const first = seat ? null : standings?.rows?.[0];
  return h(
    "header",
    { class: "onfelt" },
    seat ? large(given, followed, seat) : first ? large(given, followed, first) : null,
    h(
      "div",
      { class: "says" },
      h("h1", { class: "title" }, title(given, room)),
      headline(given, followed),
      first ? h("p", { class: "lead" }, say("over.winner", { name: playerName(say, first), home: first.home ?? 0 })) : null,
      closed ? passed(given, followed) : goesOn(given, followed),
      seat && over ? figures(given, followed) : null,
      closed ? par(given, followed) : null,
      seat && given.joining.unnamed ? nameForm(given) : null,
      h("div", { class: "ways" }, again(given, followed, "gold"), next(given, followed), shareOpens(given, followed)),
    ),
    seat && room.kind === "daily" ? tomorrow(given) : null,
  );
}

/** The wheel of a game; for the first place with rays, for the second and third in silver and bronze. @param {Parts} given @param {Followed} followed @param {Standing} of */
function large(given, followed, of) {
  const { say, records, sharing } = given;
  const { race, game, placed, seat, view } = followed;
  const { record } = records.of(race)?.games.get(of.player) ?? {};
  const own = of.player === seat?.player;
  const hours = record ? hoursOf(record, game) : own ? sharing.hours(followed) : [];
  const home = (own ? view?.home : null) ?? of.home ?? 0;
  const place = own && ranked(followed) ? (placed?.place ?? 0) : 0;
  const label = say("home.own_wheel", { home, total: game.total });
  return h(
    "figure",
    { class: `place-${place}`, role: "img", "aria-label": label },
    place === 1 && placed?.final ? rays() : null,
    wheel({ size: WHEEL, home, total: game.total, hours, middle: home, below: say("share.of", { total: game.total }) }),
  );
}

/** Whether there is a place to tell: in a race with others. @param {Followed} followed */
function ranked({ seat, placed, room, over }) {
  if (!seat || !placed?.place || room.kind === "practice" || !(over || placed.final)) return false;
  return Math.max(room.players ?? 0, room.seats.length) > 1;
}

/** The place if there are others, else the cards home; how the game ended is a note. @param {Given<"say">} given @param {Followed} followed */
function headline({ say }, followed) {
  const { over, state, placed, seat, view } = followed;
  if (!over) return h("h2", { class: "ended" }, say("race.closed"));
  const how = endedHow(say, followed);
  const ended = h("p", { class: "ended", role: "status" }, how);
  if (ranked(followed)) {
    const { place = 0, final } = placed ?? {};
    const named = `over.place_${place}`;
    const text = final ? say(say.knows(named) ? named : "over.place", { place }) : say("over.so_far", { place });
    return [h("h2", { class: "own-place" }, place > 1 && place < 4 ? h("span", { "aria-hidden": "true" }, medal(place)) : null, text), ended];
  }
  if (state === "won") return h("div", { class: "ended", role: "status" }, h("h2", {}, how));
  return [h("h2", {}, say("cards.home", { home: view?.home ?? seat?.home ?? 0 })), ended];
}

/** @param {Say} say @param {Followed} followed */
function endedHow(say, { state, homeMs }) {
  const time = resultTime(homeMs);
  if (!time) return say(`over.${state}`);
  return state === "won" ? say("over.won_in", { time }) : `${say(`over.${state}`)} ${say("over.last_home", { time })}`;
}

/** Cards home, time, moves, and what the rating became. @param {Parts} given @param {Followed} followed */
function figures(given, followed) {
  const { say, profiles } = given;
  const { room, seat, view, homeMs } = followed;
  const both = choiceOf(given.games, room.rules);
  const { rating = 0, best_ms: best = 0 } = profiles.tally(profiles.mine, both) ?? {};
  const change = room.kind === "live" && room.phase === "closed" ? profiles.change(both) : 0;
  const chip = change ? h("span", { class: `chip ${change < 0 ? "down" : "up"}` }, `${change < 0 ? "▼" : "▲"} ${Math.abs(change)}`) : null;
  const moves = view?.n ?? seat?.moves ?? 0;
  return h(
    "dl",
    { class: "figures" },
    figure(view?.home ?? seat?.home ?? 0, say("over.cards"), "cards"),
    homeMs ? figure(resultTime(homeMs), timeOf(given, followed, best)) : null,
    figure(moves, say("over.moves", { count: moves }), "moves"),
    rating && room.kind !== "practice" ? figure([String(rating), chip], say("player.rating")) : null,
  );
}

/**
 * What the time is: that of the last card home, and after a win how it compares with the fastest one.
 * @param {Given<"games" | "profiles" | "say">} given @param {Followed} followed @param {number} best
 */
function timeOf(given, { room, state, homeMs }, best) {
  const { say, profiles } = given;
  if (state !== "won" || room.rules.undo || !best) return say("over.time");
  if (homeMs > best) return say("over.best_is", { best: resultTime(best) });
  const gained = profiles.gained(choiceOf(given.games, room.rules));
  return gained ? say("over.best_by", { span: span(gained) }) : say("over.best");
}

/** How the race was decided. @param {Given<"records" | "say" | "session">} given @param {Followed} followed */
function passed({ say, records, session }, { race }) {
  const loaded = records.of(race);
  const last = loaded && leads(loaded).at(-1);
  if (!last) return null;
  const own = last.player === session.me?.player;
  return h("p", { class: "lead" }, say(own ? "over.you_ahead" : "over.ahead", { name: playerName(say, last), at: span(last.ms) }));
}

/**
 * The shortest line that is known to win this deal, and how the player's own game compares.
 * @param {Given<"say">} given @param {Followed} followed
 */
function par({ say }, { room, state, seat }) {
  if (!room.par) return null;
  const own = room.seats.find(({ player }) => player === seat?.player) ?? seat;
  const text = state === "won" && own ? say("over.par_won", { par: room.par, count: own.moves ?? 0 }) : say("over.par", { count: room.par });
  return h("p", { class: "par hint" }, text);
}

/**
 * The places, with a wheel for each game: the cards are public by now. Of many there are the own one and those next to it.
 * @param {Given<"attempt" | "form" | "ratings" | "records" | "say" | "session">} given @param {Followed} followed
 */
function places({ attempt, form, ratings, say, session, records }, { race, room, standings, game }) {
  const loaded = records.of(race);
  if (!loaded || !standings?.rows) return null;
  /** @param {string} player */
  const profile = (player) => hashOf({ screen: "player", player, game: game.name, rules: room.rules.rules ?? "standard" });
  /** @param {Standing} standing */
  const row = (standing) => {
    const { player, state, place = 0, home = 0, home_ms: homeMs = 0, bot } = standing;
    const { record } = loaded.games.get(player) ?? {};
    const hours = record ? hoursOf(record, game) : [];
    return h(
      "li",
      { key: player, class: `${state.replace(" ", "-")} ${player === session.me?.player ? "mine" : ""}` },
      h("span", { class: "number" }, medal(place)),
      wheel({ size: 50, home, total: game.total, hours }),
      h("span", { class: "name" }, h("a", { href: profile(player) }, shortName(standing)), h("small", {}, [say(`state.${state}`), bot && say("house.bot")].filter(Boolean).join(", "))),
      h("span", { class: "home", "aria-label": say("cards.home", { home }) }, home),
      h("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, h("rect", { width: 100, height: 10 }), h("rect", { class: home >= game.total ? "full" : "part", width: (100 * home) / game.total, height: 10 })),
      h("span", { class: "ms" }, resultTime(homeMs)),
      rated ? rating(say, ratings.of(race, player)) : null,
    );
  };
  const { rows } = standings;
  const rated = rows.some(({ player }) => ratings.of(race, player).rating);
  const all = form.typed.places === race || rows.length <= MOST_PLACES;
  const own = rows.findIndex(({ player }) => player === session.me?.player);
  const from = all ? 0 : Math.max(0, Math.min(own - 2, rows.length - MOST_PLACES));
  return h(
    "section",
    { class: "card-like bars places", key: "places", "aria-label": say("race.result") },
    h("h2", {}, say("race.result")),
    h("ol", { class: rated ? "rated" : "" }, rows.slice(from, all ? rows.length : from + MOST_PLACES).map(row)),
    all ? null : h("button", { type: "button", key: "all", class: "quiet", onclick: () => attempt(() => (form.typed.places = race)) }, say("over.all", { count: rows.length })),
  );
}

/** A rating after the race, and its change. @param {Say} say @param {{rating: number, change: number}} of */
function rating(say, { rating, change }) {
  const sign = change && h("small", { class: change < 0 ? "down" : "up" }, `${change < 0 ? "−" : "+"}${Math.abs(change)}`);
  return h("span", { class: "rating" }, rating ? [h("span", { class: "unseen" }, say("player.rating"), " "), rating, " ", sign || null] : null);
}

/** How it went: cards home over time, and from when on the winner was ahead. @param {Given<"records" | "say" | "session">} given @param {Followed} followed */
function course({ say, session, records }, { race, game, standings }) {
  const loaded = records.of(race);
  if (!loaded) return null;
  const lines = played(loaded).map(({ record, homes }) => {
    const { player, state, home = 0, home_ms: ms = 0 } = record.standing;
    /** @type {[ms: number, home: number][]} */
    const later = record.moves.map(([ms], i) => [ms, homes[i + 1]]);
    /** @type {[ms: number, home: number][]} */
    const points = [[0, homes[0]], ...later];
    const note = state === "won" ? span(ms) : state === "blocked" ? `${home}` : `${home}, ${say(`state.${state}`)}`;
    const now = standings?.rows.find((one) => one.player === player) ?? record.standing;
    return { player, name: shortName(now), points, note };
  });
  lines.sort((a, b) => b.points[b.points.length - 1][1] - a.points[a.points.length - 1][1]);
  const last = leads(loaded).at(-1);
  return h(
    "section",
    { class: "card-like course", key: "course" },
    h("div", { class: "head" }, h("h3", {}, say("over.course")), last ? h("span", {}, say("over.turned", { at: span(last.ms) })) : null),
    chart(lines, game.total, { mine: session.me?.player ?? "", turned: last?.ms ?? 0, label: say("over.course") }),
  );
}

/** What can be done after a race: the same cards unranked, others, tomorrow. @param {Parts} given @param {Followed} followed */
function ways(given, followed) {
  const { race, room, seat, reveal, game } = followed;
  const { say, joining } = given;
  const { kind, phase, rules } = room;
  if (!seat || kind === "practice") return null;
  const both = choiceOf(given.games, rules);
  const closed = phase === "closed";
  const again = kind === "daily" ? { daily: race } : { seed: reveal?.seed ?? "" };
  /** @param {string} key @param {Child} action @param {Child} more */
  const box = (key, action, more = null) => h("section", { class: "card-like way", key }, h("h3", {}, say(`way.${key}`)), h("p", {}, say(`way.${key}_why`)), more, action);
  return [
    closed && game.decides ? box("again", button(given, "way.again_do", () => joining.create({ ...both, practice: true, ...again }))) : null,
    kind === "daily" && !closed ? box("turn", null) : null,
    closed ? null : box("practice", button(given, "home.practice", () => joining.create({ ...both, practice: true }))),
    kind === "live" ? null : box("friends", button(given, "home.create", () => joining.create(both)), friendsToday(given, followed)),
  ];
}

/** How the best of one's group did in this race, if it is today's. @param {Given<"podium" | "say" | "session" | "today">} given @param {Followed} followed */
function friendsToday({ podium: { friends }, say, session, today }, { race, game }) {
  if (race !== today.race || !friends) return null;
  /** @param {Standing} one */
  const row = ({ player, name, place = 0, home = 0 }) => {
    const mine = player === session.me?.player;
    return h("li", { key: player, class: mine ? "mine" : "" }, medal(place), wheel({ size: 34, home, total: game.total }), h("b", {}, name), h("span", { "aria-label": say("cards.home", { home }) }, home));
  };
  return h("ol", { "aria-label": say("home.friends_today") }, friends.rows.map(row));
}

/** Why there is no place for good yet. @param {Given<"say" | "session">} given @param {Followed} followed */
function goesOn({ say, session }, { room, othersPlay }) {
  const left = span((room.closes_at ?? 0) - session.clock.now());
  const until = room.kind === "daily" || room.kind === "deadline" ? say("race.final_in", { span: left }) : "";
  return h("p", { class: "lead" }, othersPlay ? say("race.others") : "", " ", until);
}

/**
 * The rematch: to be joined if there is one, else to be opened by a player who has finished.
 * @param {Given<"attempt" | "evening" | "joining" | "say">} given @param {Followed} followed @param {string} kind
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
  return button(given, "button.rematch", async () => given.evening.follows(race, await joining.rematch(race)), kind);
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
    kind === "daily" && closed ? button(given, "home.daily", () => given.joining.daily(choiceOf(given.games, played)), "gold") : null,
    kind === "practice" ? button(given, "home.practice", () => given.joining.create({ ...played, practice: true }), "gold") : null,
    closed || seat ? link(closed ? "race.replay" : "race.replay_own", { screen: "replay", race, player: "" }) : null,
    kind === "daily" ? link("boards.title", { screen: "boards", period: "daily", ...played }) : null,
  ];
}
