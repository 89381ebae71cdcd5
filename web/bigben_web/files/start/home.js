// The start page: today's race in one tap, a room with friends, the podium, the other games.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { icon } from "../figures/icons.js";
import { submit } from "../page/controls.js";
import { roomForm } from "../race/room_form.js";

/** The letters of a room's code. */
const LETTERS = 6;

/** @param {Child} hero @param {Child[]} tiles @param {Child[]} below */
export function home(hero, tiles, below) {
  return [hero, h("div", { class: "tiles" }, ...tiles), h("div", { class: "below" }, ...below)];
}

/** @param {Given<"attempt" | "choosing" | "form" | "joining" | "redraw" | "say" | "session" | "today">} given */
export function friends(given) {
  const { say } = given;
  return h(
    "section",
    { class: "card-like friends", "aria-labelledby": "friends" },
    h(
      "div",
      { class: "head" },
      h("h2", { id: "friends" }, say("home.friends")),
      h("a", { href: hashOf({ screen: "groups" }) }, say("groups.title")),
    ),
    // Once today's race is played, the one button on felt opens the room.
    h("p", { class: "hint" }, say("home.friends_hint")),
    roomForm(given, given.today.over ? null : h("button", { class: "primary" }, icon("people"), say("home.create"))),
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
    h("a", { class: "boards", href: hashOf({ screen: "boards", period: "daily", ...both }) }, say("boards.title")),
    h("a", { href: hashOf({ screen: "archive", month: today.day.slice(0, 7), ...both }) }, say("archive.title")),
  );
}
