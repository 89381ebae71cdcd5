// The start page: today's race in one tap, a race that goes on, a room with friends, practice.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { button } from "../controls.js";
import { others, self } from "../identities/identities_view.js";
import { roomForm } from "../race/room_form.js";
import { hero } from "./hero.js";
import { next } from "./next.js";
import { podium } from "./podium_view.js";

/** @param {Page} page */
export function home(page) {
  return [
    hero(page),
    h("div", { class: "tiles" }, podium(page), next(page), friends(page)),
    h("div", { class: "below" }, page.session.me ? self(page, page.session.me) : null, others(page)),
  ];
}

/** @param {Page} page */
function friends(page) {
  const { say, joining } = page;
  const practise = () => joining.create({ ...page.choosing.both, practice: true });
  return h(
    "section",
    { class: "card-like friends", "aria-labelledby": "friends" },
    h(
      "div",
      { class: "head" },
      h("h2", { id: "friends" }, say("home.friends")),
      h("a", { href: hashOf({ screen: "groups" }) }, say("groups.title")),
    ),
    roomForm(page),
    joinForm(page),
    button(page, "home.practice", practise),
  );
}

/** @param {Page} page */
function joinForm(page) {
  const { say } = page;
  /** @param {Event} event */
  const onsubmit = (event) => {
    event.preventDefault();
    page.try(() => page.joining.join());
  };
  const field = { ...page.field("code"), id: "code", autocomplete: "off", autocapitalize: "characters" };
  const label = { "aria-label": say("home.code"), placeholder: say("home.code_short") };
  return h(
    "form",
    { class: "join", onsubmit },
    h("div", { class: "row" }, h("input", { ...field, ...label }), h("button", {}, say("home.join"))),
  );
}
