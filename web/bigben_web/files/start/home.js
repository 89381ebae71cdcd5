// The start page: today's race in one tap, a race that goes on, a room with friends, practice.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { button, submit } from "../page/controls.js";
import { roomForm } from "../race/room_form.js";

/** @param {Child} hero @param {Child[]} tiles @param {Child[]} below */
export function home(hero, tiles, below) {
  return [hero, h("div", { class: "tiles" }, ...tiles), h("div", { class: "below" }, ...below)];
}

/** @param {Given<"attempt" | "choosing" | "form" | "joining" | "redraw" | "say" | "session">} given */
export function friends(given) {
  const { say, joining } = given;
  const practise = () => joining.create({ ...given.choosing.both, practice: true });
  return h(
    "section",
    { class: "card-like friends", "aria-labelledby": "friends" },
    h(
      "div",
      { class: "head" },
      h("h2", { id: "friends" }, say("home.friends")),
      h("a", { href: hashOf({ screen: "groups" }) }, say("groups.title")),
    ),
    roomForm(given),
    joinForm(given),
    button(given, "home.practice", practise),
  );
}

/** @param {Given<"attempt" | "form" | "joining" | "say">} given */
function joinForm(given) {
  const { say } = given;
  const onsubmit = submit(given, () => given.joining.join());
  const field = { ...given.form.field("code"), id: "code", autocomplete: "off", autocapitalize: "characters" };
  const label = { "aria-label": say("home.code"), placeholder: say("home.code_short") };
  return h(
    "form",
    { class: "join", onsubmit },
    h("div", { class: "row" }, h("input", { ...field, ...label }), h("button", {}, say("home.join"))),
  );
}
