// The first screen: who you are, today's race, a room with friends, practice.

import { h } from "../draw.js";
import { button, nameField } from "./controls.js";
import { others, self } from "./identities.js";
import { roomForm } from "./room_form.js";

/** @param {import("../page/page.js").Page} page */
export function home(page) {
  const { say, joining } = page;
  return [
    h(
      "section",
      { class: "hero card-like" },
      h("h1", {}, say("home.title")),
      h("p", { class: "lead" }, say("home.lead")),
      page.session.me ? null : nameForm(page),
      today(page),
    ),
    h(
      "section",
      { class: "card-like", "aria-labelledby": "friends" },
      h("h2", { id: "friends" }, say("home.friends")),
      roomForm(page),
      joinForm(page),
    ),
    h(
      "section",
      { class: "card-like more-ways" },
      button(page, "home.practice", () => joining.create({ practice: true })),
      h("p", { class: "hint" }, say("home.practice_hint")),
      h("a", { class: "button", href: "#board=daily&rules=standard" }, say("home.boards")),
    ),
    page.session.me ? self(page) : null,
    others(page),
    how(say),
  ];
}

/** The way into today's race, or the result if it was played. */
function today(page) {
  const { say, joining, today } = page;
  const { seat, race, over } = today;
  const see = () => page.go({ screen: "race", race, watch: false });
  const key = over ? "home.daily_see" : seat ? "home.daily_continue" : "home.daily";
  return [
    button(page, key, over ? see : () => joining.daily(), "primary large"),
    h("p", { class: "hint" }, say(`${key}_hint`, { home: seat?.home ?? 0 })),
  ];
}

/** Enter only confirms the name: a daily gives one try, so it must not start by Enter. */
function nameForm(page) {
  const onsubmit = (event) => {
    event.preventDefault();
    page.try(() => page.joining.welcome()).then(() => page.focusOn(page.session.me ? ".hero .primary" : "#name"));
  };
  return h("form", { key: "name", onsubmit, novalidate: true }, nameField(page));
}

function joinForm(page) {
  const { say } = page;
  const onsubmit = (event) => {
    event.preventDefault();
    page.try(() => page.joining.join());
  };
  const field = { ...page.field("code"), id: "code", autocomplete: "off", autocapitalize: "characters" };
  return h(
    "form",
    { class: "join", onsubmit },
    h("label", { for: "code" }, say("home.code")),
    h("div", { class: "row" }, h("input", field), h("button", {}, say("home.join"))),
  );
}

function how(say) {
  const lines = [1, 2, 3, 4].map((n) => h("li", {}, say(`home.how_${n}`)));
  return h("details", { class: "card-like how" }, h("summary", {}, say("home.how")), h("ul", {}, lines));
}
