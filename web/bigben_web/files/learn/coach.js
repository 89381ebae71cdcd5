// What the lesson says at each step: why, what to do, and how; and at the end, what one can do next.

import { h } from "../draw.js";
import { button, nameField } from "../page/controls.js";
import { backToInvitation } from "../start/invitation_view.js";

/** The kinds of steps whose card is sent by taps, by what the page says about it. @type {{[teaches: string]: string}} */
const HOW = {
  ...{ home: "home", waste_home: "home", build: "build", waste_build: "build" },
  ...{ refill: "stock", turn: "stock", undo: "undo" },
};

/** @param {Given<"attempt" | "learning" | "say">} given */
export function coach(given) {
  const { learning, say } = given;
  const { step, at, steps, wrong } = learning;
  const done = learning.done();
  const how = HOW[step.teaches] && say(`lesson.how.${HOW[step.teaches]}`);
  return h(
    "section",
    { class: `coach ${step.teaches}`, key: "coach", "aria-label": say("learn.title") },
    done ? h("p", { class: "done", key: "done" }, done) : null,
    h("p", { class: "why", key: "why" }, learning.text("why"), at === learning.gold ? ` ${say("lesson.gold")}` : ""),
    wrong ? h("p", { class: "wrong", key: "wrong" }, say("lesson.not_yet")) : null,
    h("p", { class: "do", key: "do" }, learning.text("do"), how ? ` ${how}` : ""),
    h(
      "div",
      { class: "row", key: "row" },
      dots(learning),
      h("span", { class: "count" }, say("lesson.count", { at: at + 1, total: steps.length })),
      h("button", { type: "button", key: "back", class: "quiet back", disabled: !at, onclick: () => learning.to(at - 1) }, say("button.earlier")),
      button(given, "lesson.skip", () => learning.to(steps.length), "quiet"),
      h("button", { type: "button", key: "go", class: go(step), onclick: () => learning.play() }, say(forward(step))),
    ),
  );
}

/** @param {{ move: string }} of */
function go({ move }) {
  return move && move !== "undo" ? "go" : "go primary";
}

/** @param {{ move: string }} of */
function forward({ move }) {
  if (!move) return "button.next";
  return move === "undo" ? "button.undo" : "lesson.show";
}

/** One for each part of the lesson. @param {import("./learning.js").Learning} of */
function dots({ parts, part }) {
  const all = parts.map(({ title }, i) => h("i", { key: title, class: i === part ? "on" : "" }));
  return h("span", { class: "dots", "aria-hidden": "true" }, all);
}

/** The end of the lesson. @param {Given<"attempt" | "form" | "games" | "go" | "joining" | "learning" | "say" | "session">} given */
export function ending(given) {
  const { learning, joining, say, games } = given;
  const of = { game: games.usual.name, rules: "standard" };
  return h(
    "section",
    { class: "coach ending", key: "ending", "aria-label": say("learn.title") },
    h("h2", {}, say("lesson.over")),
    learning.done() ? h("p", {}, learning.done()) : null,
    h("p", {}, say("lesson.next")),
    given.session.me || learning.from ? null : nameField(given),
    h(
      "div",
      { class: "ways" },
      backToInvitation(given) ?? button(given, "home.daily", () => joining.daily(of), "primary go"),
      learning.from ? null : button(given, "home.practice", () => joining.create({ ...of, practice: true })),
      learning.from ? null : button(given, "home.create", () => joining.create({ ...of })),
      button(given, "button.home", () => given.go({ screen: "home" }), "quiet"),
      h("button", { type: "button", key: "again", class: "quiet", onclick: () => learning.to(0) }, say("lesson.again")),
    ),
  );
}
