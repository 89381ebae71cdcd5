// What the start page begins with: a clock, today's race, and the races one can return to.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { button, nameField } from "../controls.js";
import { chooser } from "./rules.js";
import { gameName, title } from "../titles.js";
import { clock, start } from "./clock.js";

/** @param {Page} page */
export function hero(page) {
  const { say, session } = page;
  return h(
    "section",
    { class: "hero" },
    dial(page),
    h(
      "div",
      { class: "says" },
      h("h1", {}, say("home.title")),
      h("p", { class: "lead" }, say("home.lead")),
      session.me ? null : nameForm(page),
      today(page),
      h(
        "div",
        { class: "ways" },
        page.races.all.map((mine) => back(page, mine)),
        h("a", { class: "button", key: "learn", href: hashOf({ screen: "learn" }) }, say("home.learn")),
      ),
      chooser(page),
    ),
  );
}

/** One's own clock in a race that goes on, else the cards with which every deal begins. @param {Page} page */
function dial(page) {
  const { say, races } = page;
  const own = races.shown;
  const text = own ? say("home.clock_own", { race: title(page, own.room) }) : say("home.clock");
  return h(
    "figure",
    {},
    clock(page, own?.view ? own.view.piles : start(page), text),
    own ? h("figcaption", {}, text) : null,
  );
}

/** The way into today's race, or the result if it was played. @param {Page} page */
function today(page) {
  const { say, joining, today } = page;
  const { seat, race, over } = today;
  const see = () => page.go({ screen: "race", race, watch: false });
  const key = over ? "home.daily_see" : seat ? "home.daily_continue" : "home.daily";
  return [
    button(page, key, over ? see : () => joining.daily(page.choosing.both), "start large"),
    h("p", { class: "hint" }, say(`${key}_hint`, { home: seat?.home ?? 0 })),
  ];
}

/** @typedef {import("./races.js").Mine} Mine */

/** The way back into a race. Today's has a button of its own. @param {Page} page @param {Mine} of */
function back(page, { info, home }) {
  const { say, today } = page;
  if (info.race === today.race) return null;
  const waits = info.state !== "playing";
  const of = info.kind === "live" || info.kind === "deadline" ? info.race : title(page, info);
  const game = page.games.of(info.rules) === page.games.usual || info.kind === "daily" ? "" : `${gameName(page, info.rules.game)} · `;
  const text = waits ? say("home.back_to_room", { race: of }) : say("home.continue", { race: of, home });
  return h("a", { class: "button", key: info.race, href: hashOf({ screen: "race", race: info.race }) }, game, text);
}

/** Enter only confirms the name: a daily gives one try, so it must not start by Enter. @param {Page} page */
function nameForm(page) {
  /** @param {Event} event */
  const onsubmit = (event) => {
    event.preventDefault();
    page.try(() => page.joining.welcome()).then(() => page.focusOn(page.session.me ? ".hero .start" : "#name"));
  };
  return h("form", { key: "name", onsubmit, novalidate: true }, nameField(page));
}
