// What the start page begins with: a clock, today's race, and the races one can return to.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { button } from "../page/controls.js";
import { chooser } from "./rules.js";
import { gameName, title } from "../page/titles.js";
import { clock, start } from "./clock.js";

/** @param {Given<"attempt" | "choosing" | "games" | "go" | "joining" | "memory" | "races" | "say" | "today">} given */
export function hero(given) {
  const { say } = given;
  return h(
    "section",
    { class: "hero" },
    dial(given),
    h(
      "div",
      { class: "says" },
      h("h1", {}, say("home.title")),
      h("p", { class: "lead" }, say("home.lead")),
      today(given),
      h(
        "div",
        { class: "ways" },
        given.races.all.map((mine) => back(given, mine)),
        h("a", { class: "button", key: "learn", href: hashOf({ screen: "learn" }) }, say("home.learn")),
      ),
      chooser(given),
    ),
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

/** The way into today's race, or the result if it was played. @param {Given<"attempt" | "choosing" | "go" | "joining" | "say" | "today">} given */
function today(given) {
  const { say, joining, today } = given;
  const { seat, race, over } = today;
  const see = () => given.go({ screen: "race", race, watch: false });
  const key = over ? "home.daily_see" : seat ? "home.daily_continue" : "home.daily";
  return [
    button(given, key, over ? see : () => joining.daily(given.choosing.both), "start large"),
    h("p", { class: "hint" }, say(`${key}_hint`, { home: seat?.home ?? 0 })),
  ];
}

/** @typedef {import("./races.js").Mine} Mine */

/** The way back into a race. Today's has a button of its own. @param {Given<"games" | "say" | "today">} given @param {Mine} of */
function back(given, { info, home }) {
  const { say, today } = given;
  if (info.race === today.race) return null;
  const waits = info.state !== "playing";
  const of = info.kind === "live" || info.kind === "deadline" ? info.race : title(given, info);
  const game = given.games.of(info.rules) === given.games.usual || info.kind === "daily" ? "" : `${gameName(given, info.rules.game)} · `;
  const text = waits ? say("home.back_to_room", { race: of }) : say("home.continue", { race: of, home });
  return h("a", { class: "button", key: info.race, href: hashOf({ screen: "race", race: info.race }) }, game, text);
}
