// The start page: today's race in one tap, a room with friends, the podium, the other games.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { icon } from "../figures/icons.js";
import { submit } from "../page/controls.js";
import { roomForm } from "../race/room_form.js";
import { games } from "./games_view.js";
import { openWeeks, stillOpen } from "./open_view.js";
import { podium } from "./podium_view.js";
import { yesterday } from "./yesterday_view.js";

/** The letters of a room's code. */
const LETTERS = 6;

/** @typedef {Given<"analyses" | "attempt" | "choosing" | "days" | "focusOn" | "form" | "games" | "joining" | "podium" | "races" | "redraw" | "say" | "seasons" | "session" | "today">} Parts */

/** @param {Parts} given @param {Child} hero @param {Child[]} below */
export function home(given, hero, below) {
  const { over } = given.today;
  const before = over ? yesterday(given) : null;
  const boxes = over ? [podium(given), before ?? games(given), friends(given), before ? games(given) : null] : [friends(given), podium(given), games(given)];
  return [hero, h("div", { class: over ? "tiles over" : "tiles" }, ...boxes), h("div", { class: "below" }, ...below)];
}

/** A room and its code; once today's race is played, with what is still open. @param {Parts} given */
function friends(given) {
  const { say, today } = given;
  return h(
    "section",
    { class: "card-like friends", "aria-labelledby": "friends" },
    h("div", { class: "head" }, h("h2", { id: "friends" }, say(today.over ? "home.open" : "home.friends"))),
    today.over ? stillOpen(given) : (openWeeks(given) ?? h("p", { class: "hint" }, say("home.friends_hint"))),
    // Once today's race is played, the one button on felt opens the room.
    roomForm(given, today.over ? null : h("button", { class: "primary" }, icon("people"), say("home.create"))),
    joinForm(given),
  );
}

/** A code has a box for each letter; a link that is pasted shows as it is. @param {Given<"attempt" | "form" | "joining" | "redraw" | "say">} given */
function joinForm(given) {
  const { say, form } = given;
  const onsubmit = submit(given, () => given.joining.join());
  const field = form.field("code");
  /** @param {Changed} event */
  const oninput = (event) => {
    field.oninput(event);
    given.redraw();
  };
  const long = (form.typed.code ?? "").length > LETTERS;
  return h(
    "form",
    { class: "join", onsubmit },
    h("label", { for: "code" }, say("home.code")),
    h(
      "div",
      { class: "row" },
      h(
        "span",
        { class: `letters ${long ? "long" : ""}` },
        h("input", { ...field, oninput, id: "code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false" }),
        Array.from({ length: LETTERS }, () => h("i", {})),
      ),
      h("button", {}, say("button.join")),
    ),
  );
}

/** The ways that have no place of their own above. @param {Given<"choosing" | "say" | "today">} given */
export function more({ say, choosing, today }) {
  const { both } = choosing;
  return h(
    "nav",
    { class: "more", key: "more", "aria-label": say("home.more") },
    h("a", { href: hashOf({ screen: "archive", month: today.day.slice(0, 7), ...both }) }, say("archive.title")),
  );
}
