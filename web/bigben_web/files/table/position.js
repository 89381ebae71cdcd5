// The whole position in words, on request: every pile with its cards, and what can be moved.

import { cardName, commandName, pileName } from "../board/words.js";
import { h } from "../draw.js";
import { dialog } from "../page/controls.js";

const AREAS = [["foundation"], ["tableau", "reserve"], ["hand", "waste", "stock"]];

/** @param {Given<"playing" | "say" | "shortcuts">} given */
export function position({ say, playing, shortcuts }) {
  const { game, view } = playing;
  const close = () => shortcuts.showWords(false);
  const areas = AREAS.map((kinds) => game.slots.filter(({ kind }) => kinds.includes(kind)));
  return dialog(
    { key: "position", class: "over rules position", "aria-labelledby": "position-title" },
    close,
    h(
      "header",
      {},
      h("h2", { id: "position-title" }, say("position.title")),
      h("button", { type: "button", class: "close", onclick: close }, say("help.close")),
    ),
    areas.filter((slots) => slots.length).map((slots) => h("ul", {}, slots.map((slot) => h("li", {}, pileInWords(say, slot, view.piles[slot.pile]))))),
    h("h3", {}, say("position.moves")),
    h("ul", {}, view.legal.length ? view.legal.map((move) => h("li", {}, moveInWords(say, game, view, move))) : h("li", {}, say("position.none"))),
  );
}

/** `Fan 3: seven of hearts, four of clubs, from the top.` @param {Say} say @param {Slot} slot @param {Pile} pile */
function pileInWords(say, slot, { up, down }) {
  const pile = pileName(say, slot);
  const cards = up.toReversed().map((card) => cardName(say, card)).join(", ");
  if (!up.length) return say(down ? "position.down" : "position.empty", { pile, count: down });
  if (slot.kind === "foundation") {
    const top = cardName(say, up[up.length - 1]);
    const goal = slot.goal.length > 1 ? cardName(say, slot.goal) : "";
    return goal ? say("position.foundation", { pile, card: top, goal }) : say("position.pile", { pile, cards: top });
  }
  const text = say(up.length > 1 ? "position.cards" : "position.pile", { pile, cards });
  return down ? `${text} ${say("position.below", { count: down })}` : text;
}

/** `Seven of hearts from Fan 3 to Foundation 9.` @param {Say} say @param {Game} game @param {View} view @param {string} move */
function moveInWords(say, game, view, move) {
  const [from, to] = move.split(" ").map((name) => game.slots.find(({ pile }) => pile === name));
  if (!from || !to) return commandName(say, move);
  const card = cardName(say, view.piles[from.pile].up.slice(-1)[0]);
  return say("deed.build", { card, from: pileName(say, from), to: pileName(say, to) });
}
