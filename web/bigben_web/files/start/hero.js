// What the start page begins with: on felt a clock and today's race; once that is played, what came of it.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { icon } from "../figures/icons.js";
import { medal } from "../figures/medal.js";
import { wheel } from "../figures/wheel.js";
import { button } from "../page/controls.js";
import { gameName, title } from "../page/titles.js";
import { DAY_MS } from "../records/days.js";
import { ROOM_FORM } from "../race/room_form.js";
import { ordinal } from "../share/share.js";
import { resultTime, span } from "../words.js";
import { clock, start } from "./clock.js";
import { next } from "./next.js";

/** The width at which its own wheel is drawn. */
const WHEEL = 344;

/** @param {Given<"attempt" | "choosing" | "days" | "games" | "go" | "joining" | "memory" | "podium" | "profiles" | "races" | "say" | "session" | "today">} given */
export function hero(given) {
  const { session, today } = given;
  return h(
    "section",
    { class: `hero ${session.who ? "known" : ""} ${today.over ? "over" : ""}` },
    today.over ? own(given) : dial(given),
    h("div", { class: "says" }, today.over ? played(given) : invited(given)),
    session.who ? next(given) : null,
  );
}

/** One's own clock in a race that goes on, else the cards with which every deal begins. @param {Given<"games" | "memory" | "races" | "say">} given */
function dial(given) {
  const { say, races } = given;
  const own = races.shown;
  const text = own ? say("home.clock_own", { race: title(given, own.room) }) : say("home.clock");
  return h(
    "figure",
    {},
    clock(given, own?.view ? own.view.piles : start(given), text),
    own ? h("figcaption", {}, text) : null,
  );
}

/** The way into today's race: one tap. @param {Given<"attempt" | "choosing" | "games" | "joining" | "podium" | "races" | "say" | "session" | "today">} given */
function invited(given) {
  const { say, choosing, games, joining, today, podium, session } = given;
  const { game } = choosing;
  const usual = game === games.usual;
  const key = today.seat ? "home.daily_continue" : "home.daily";
  const luck = game.decides ? "" : ` ${say(`game.${game.name}.luck`)}`;
  const hint = joining.unnamed && !today.seat ? "home.unnamed_hint" : `${key}_hint`;
  return [
    h("h1", { class: usual ? "" : "plain" }, usual ? say("home.title") : gameName(given, game.name)),
    h("p", { class: "lead" }, usual ? say("home.lead") : say(`game.${game.name}.goal`) + luck),
    h(
      "div",
      { class: "go" },
      button(given, key, () => joining.daily(choosing.both), "start large"),
      h(
        "p",
        { class: "aside" },
        podium.played ? h("b", {}, say("home.played", { count: podium.played })) : null,
        h("span", {}, say("home.open_for", { span: span(DAY_MS - (session.clock.now() % DAY_MS)) })),
      ),
    ),
    ways(given),
    h("p", { class: "hint" }, say(hint, { home: today.seat?.home ?? 0 })),
  ];
}

/** What else one can do alone. @param {Given<"attempt" | "choosing" | "games" | "joining" | "races" | "say" | "today">} given */
function ways(given) {
  const { say, joining, choosing, races } = given;
  const practise = () => given.attempt(() => joining.create({ ...choosing.both, practice: true }));
  return h(
    "div",
    { class: "ways" },
    races.all.map((mine) => back(given, mine)),
    h("a", { class: "button", key: "learn", href: hashOf({ screen: "learn" }) }, icon("learn"), say("home.learn")),
    h("button", { type: "button", key: "practice", onclick: practise }, icon("undo"), say("home.practice")),
  );
}

/** The own result, as far as its hours came. @param {Given<"choosing" | "say" | "today">} given */
function own({ say, choosing, today }) {
  const { total } = choosing.game;
  const home = today.seat?.home ?? 0;
  const text = say("home.own_wheel", { home, total });
  return h("figure", { role: "img", "aria-label": text }, wheel({ size: WHEEL, home, total, hours: today.hours, middle: home, below: say("share.of", { total }), ticks: true }));
}

/** Today's race is played: the place, the time, the rating, and what is next. @param {Given<"attempt" | "choosing" | "games" | "go" | "joining" | "podium" | "profiles" | "races" | "say" | "today">} given */
function played(given) {
  const { say, podium, today, profiles, choosing } = given;
  const { home = 0, home_ms: ms = 0 } = today.seat ?? {};
  const { place, played: players } = podium;
  const { rating = 0 } = profiles.tally(profiles.mine, choosing.both) ?? {};
  const ranked = place && players > 1;
  /** @param {number} of */
  const th = (of) => ordinal(of, say("share.ordinals"));
  const friends = podium.friends?.place && ranked ? `${say("home.among_friends", { place: th(podium.friends.place) })}, ` : "";
  const see = () => given.go({ screen: "race", race: today.race, watch: false });
  return [
    h("p", { class: "eyebrow" }, ranked && place < 4 ? medal(place) : null, h("span", {}, say("home.is_played"))),
    h("h1", { class: "plain" }, friends, ranked ? say("home.placed", { place: th(place), players }) : say("home.placed_alone")),
    h("dl", { class: "figures" }, figure(home, ms ? say("home.in_time", { time: resultTime(ms) }) : say("over.cards")), rating ? figure(rating, say("player.rating")) : null),
    h(
      "div",
      { class: "ways" },
      h("button", { class: "gold", key: "room", form: ROOM_FORM }, icon("people"), say("home.create")),
      h("button", { type: "button", key: "see", onclick: () => given.attempt(see) }, icon("play"), say("home.daily_see")),
    ),
  ];
}

/** A number that matters, and what it is. @param {Child} value @param {Child} what */
export function figure(value, what, kind = "") {
  return h("div", { class: kind }, h("dd", {}, value), h("dt", {}, what));
}

/** @typedef {import("./races.js").Mine} Mine */

/** The way back into a race. Today's has a button of its own. @param {Given<"games" | "say" | "today">} given @param {Mine} of */
function back(given, { info, home }) {
  const { say, today } = given;
  if (info.race === today.race) return null;
  const waits = info.state !== "playing";
  const of = info.race.includes(".") || info.kind === "practice" ? title(given, info) : info.race;
  const game = given.games.of(info.rules) === given.games.usual || info.kind === "daily" ? "" : `${gameName(given, info.rules.game)} · `;
  const text = waits ? say("home.back_to_room", { race: of }) : say("home.continue", { race: of, home });
  return h("a", { class: "button", key: info.race, href: hashOf({ screen: "race", race: info.race }) }, game, text);
}
