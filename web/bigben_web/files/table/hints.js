// What can be done now: the wish to see it, and what its marks mean.

import { sign } from "../board/marks.js";
import { h } from "../draw.js";
import { icon } from "../figures/icons.js";

/** In a game with choices. @param {Given<"playing" | "say">} given */
export function hintButton({ playing, say }) {
  if (!playing.game.decides) return null;
  const words = say(playing.hints ? "hints.hide" : "hints.show");
  const state = playing.hints ? "hints on" : "hints";
  const does = { type: "button", key: "hints", class: state, "aria-label": words, title: words };
  return h(
    "button",
    { ...does, "aria-keyshortcuts": playing.offersBest ? "Shift+H" : "H", onclick: () => playing.toggleHints() },
    icon("hints"),
    h("span", { class: "word" }, words),
    playing.offersBest ? null : key("H"),
  );
}

/** Asks for the best move. @param {Given<"say">} given @param {() => void} onclick */
export function bestButton({ say }, onclick) {
  const words = say("hint.best");
  return h(
    "button",
    { type: "button", key: "best", class: "hints best", "aria-label": words, title: words, "aria-keyshortcuts": "H", onclick },
    icon("best"),
    h("span", { class: "word" }, words),
    key("H"),
  );
}

/**
 * A key beside the words of a button that it stands for. It is drawn by the style: no part of what the button says.
 * @param {string} name
 */
function key(name) {
  return h("kbd", { "aria-hidden": "true", "data-key": name });
}

/** The hint in words, where no pile on the board has its bubble. @param {Hint | null} hint */
export function adviceLine(hint) {
  return hint && !hint.pile ? h("p", { class: "hint", key: "advice" }, hint.text) : null;
}

/** How many cards go where, beside the signs that they have on the board. @param {Given<"playing" | "say">} given */
export function legend({ playing, say }) {
  const { choices, game } = playing;
  if (!playing.hints || playing.picked || playing.why.shown || choices.onlyTaps) return null;
  const piles = game.slots.map(({ pile }) => pile);
  const home = piles.filter((pile) => choices.goesHome(pile)).length;
  const fan = piles.filter((pile) => choices.targets(pile).length && !choices.goesHome(pile)).length;
  const taps = piles.filter((pile) => choices.tapsOn(pile).length).length;
  /** @type {[kind: string, count: number][]} */
  const all = [["home", home], ["fan", fan], ["deal", taps]];
  const rows = all.filter(([, count]) => count);
  /** @param {[kind: string, count: number]} of */
  const row = ([kind, count]) =>
    h(
      "li",
      { key: kind },
      h("svg", { class: `mark is-${kind}`, viewBox: "-13 -13 26 26", "aria-hidden": "true" }, sign(kind)),
      h("span", {}, say(`hints.${kind}`, { count })),
    );
  return h("ul", { class: "legend", key: "legend" }, rows.length ? rows.map(row) : h("li", {}, say("hints.none")));
}
