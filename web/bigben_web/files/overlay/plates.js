// What an overlay shows: the clock, and a plate for each of two to four players. Names no card.

import { h } from "../draw.js";
import { colourOf } from "../figures/lanes.js";
import { medal } from "../figures/medal.js";
import { wheel } from "../figures/wheel.js";
import { title } from "../page/titles.js";
import { begun, byProgress, how, placeIn } from "../result/bars.js";
import { shortName, span } from "../words.js";

const WHEEL = 140;
const BAR = { width: 236, height: 16 };
const QUARTERS = [0.25, 0.5, 0.75];

/** @typedef {import("./following.js").Following} Following @typedef {import("./options.js").Options} Options */
/** @typedef {NonNullable<Following["shown"]["room"]>} Shown */

/** @param {Given<"games" | "say">} given @param {Following} following @param {Options} options */
export function overlay(given, following, options) {
  const { say } = given;
  const { refusal, shown: { room } } = following;
  if (!options.race) return h("p", { class: "wrong" }, say("overlay.no_code"));
  if (refusal) return h("p", { class: "wrong" }, say.told(refusal.id ? [{ id: refusal.id, values: refusal.values }] : [], refusal.text));
  if (!room) return null;
  return h("main", { class: options.side }, clock(given, room, following.now()), plates(given, following, room, options));
}

/** @param {Given<"games" | "say">} given @param {Shown} room @param {number} now */
function clock(given, room, now) {
  const [time, note, value] = times(given.say, room, now);
  return h(
    "section",
    { class: "clock" },
    h("p", {}, h("b", {}, "Big Ben"), h("span", { translate: "no" }, room.kind === "daily" ? title(given, room) : room.race)),
    h("p", { class: "time" }, time),
    h("p", { class: "ends" }, h("span", {}, note), h("span", {}, value)),
  );
}

/** The large time, and two lines beside it. @param {Say} say @param {Shown} room @param {number} now */
function times(say, { kind, phase, seats, starts_at: start = 0, closes_at: end = 0 }, now) {
  const ready = seats.filter(({ state }) => state === "ready").length;
  if (phase === "open" && kind === "live") return ["0:00", say("lobby.count", { ready, count: seats.length }), say("lobby.are_ready")];
  if (phase === "countdown") return ["0:00", say("overlay.starts"), start ? Math.ceil(Math.max(0, start - now) / 1000) : "…"];
  const left = span(end - now);
  if (phase === "running" && kind === "live") return [span(now - start), ...(end ? [say("overlay.ends"), left] : [])];
  if (phase !== "closed" && phase !== "cancelled") return [end ? left : "", say("overlay.left"), ""];
  return [span(Math.max(0, ...seats.map(({ ms = 0 }) => ms))), say("race.ended"), ""];
}

/** @param {Given<"games" | "say">} given @param {Following} following @param {Shown} room @param {Options} options */
function plates(given, following, room, { players, most }) {
  const all = room.phase === "open" && room.kind === "live" ? room.seats : room.seats.filter((seat) => begun(seat) || room.phase === "countdown").sort(byProgress);
  const shown = players.length ? all.filter((seat) => isOneOf(seat, players)) : all.slice(0, most);
  return h("ol", {}, shown.map((seat) => plate(given, following, { room, seat, all })));
}

/** @param {Standing} seat @param {string[]} players */
function isOneOf(seat, players) {
  return [seat.player, seat.name, shortName(seat)].some((one) => players.includes(one.toLowerCase()));
}

/** @param {Given<"games" | "say">} given @param {Following} following @param {{room: Shown, seat: Standing, all: Standing[]}} of */
function plate(given, following, { room, seat, all }) {
  const { player, home = 0, away = false, state } = seat;
  const total = given.games.of(room.rules)?.total ?? 1;
  const place = all[0].home ? placeIn(all, seat) : 0;
  const isAway = away && state === "playing";
  const colour = colourOf(room.seats.findIndex((one) => one.player === player), isAway);
  return h(
    "li",
    { key: player, class: `plate ${place === 1 ? "leads" : ""} ${isAway ? "away" : ""}` },
    wheel({ size: WHEEL, home, total }),
    place ? medal(place) : null,
    h("svg", { class: "colour", viewBox: "0 0 7 30", "aria-hidden": "true" }, h("rect", { width: 7, height: 30, rx: 3.5, fill: colour })),
    h("b", { class: "name" }, h("bdi", {}, shortName(seat))),
    h("span", { class: "how" }, words(given, following, { room, seat, all })),
    h("b", { class: "home", "aria-label": given.say("cards.home", { home }) }, home),
    quarters(home / total, colour),
  );
}

/** How the player stands to the leader. @param {Given<"say">} given @param {Following} following @param {{room: Shown, seat: Standing, all: Standing[]}} of */
function words({ say }, following, { room, seat, all: [first, second] }) {
  if (!begun(seat)) return say(`state.${seat.state}`);
  const { course } = following.shown;
  /** @type {any} */
  const given = { say, session: { clock: following, me: null }, courses: { of: () => course } };
  /** @type {any} */
  const followed = { room, race: room.race };
  const leads = seat === first && second && byProgress(first, second) < 0;
  return how(given, followed, seat, leads || !second ? seat : seat === first ? second : first) || (leads ? say("overlay.front") : "");
}

/** The cards home as a part of all, marked by quarter. @param {number} part @param {string} colour */
function quarters(part, colour) {
  const { width, height } = BAR;
  return h(
    "svg",
    { class: "quarters", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    h("rect", { class: "all", width, height, rx: height / 2 }),
    h("rect", { width: Number((width * part).toFixed(1)), height, rx: height / 2, fill: colour }),
    h("path", { d: QUARTERS.map((at) => `M${width * at} 0v${height}`).join("") }),
  );
}
