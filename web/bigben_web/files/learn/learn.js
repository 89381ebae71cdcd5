// The lesson on the screen: the board under a veil, what is said, and the parts of the lesson.

import { board } from "../board/board.js";
import { h } from "../draw.js";
import { fourColours } from "../page/wishes.js";
import { coach, ending } from "./coach.js";
import { veil } from "./veil.js";

/** @param {Given<"attempt" | "form" | "games" | "go" | "joining" | "layout" | "learning" | "memory" | "say" | "session">} given */
export function learn(given) {
  const { learning, say } = given;
  if (!learning.ready) return h("p", { class: "opening" }, say("race.opening"));
  return [
    h("h1", { class: "title", key: "title" }, say("learn.title")),
    h("div", { class: "lesson", key: "felt" }, table(given), learning.over ? null : veil(learning)),
    learning.over ? ending(given) : coach(given),
    parts(given),
  ];
}

/** @param {Given<"layout" | "learning" | "memory" | "say">} given */
function table(given) {
  const { learning, say } = given;
  const { game, piles, home, choices, picked, targets, fresh, focus, over, at } = learning;
  const shown = {
    ...{ game, piles, home, choices, picked, targets, fresh, focus, still: over },
    ...{ n: at, clock: "", four: fourColours(given) },
  };
  return board(shown, given.layout(game, piles), say, learning.hands);
}

/** What the lesson has, and where one is in it. @param {Given<"learning" | "say">} given */
function parts({ learning, say }) {
  const { parts: all, part: now } = learning;
  /** @type {(part: {title: string, at: number}, i: number) => Described} */
  const line = ({ title, at }, i) =>
    h(
      "li",
      { key: title },
      h(
        "button",
        { type: "button", class: i === now ? "here" : "", "aria-current": i === now ? "step" : null, onclick: () => learning.to(at) },
        h("span", { class: "number", "aria-hidden": "true" }, i < now || learning.over ? "✓" : i + 1),
        title,
      ),
    );
  return h(
    "aside",
    { key: "parts" },
    h("div", { class: "card-like" }, h("h2", {}, say("lesson.title")), h("p", { class: "hint" }, say("lesson.lead"))),
    h("ol", {}, all.map(line)),
    h("button", { type: "button", class: "back", disabled: !learning.at, onclick: () => learning.to(learning.at - 1) }, say("lesson.back")),
  );
}
