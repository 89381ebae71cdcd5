// The board in words, for those who hear it: what a pile is called and holds, what a move did.

import { rankAndSuit } from "./cards.js";
import { isFoundation } from "./choices.js";

/** @typedef {(key: string, values?: object) => string} Say */

/** @param {Say} say @param {string} card `7H` */
export function cardName(say, card) {
  const [rank, suit] = rankAndSuit(card);
  const name = "AJQK".includes(rank) ? say(`rank.${rank}`) : rank;
  return say("card", { rank: name, suit: say(`suit.${suit}`) });
}

/** @param {Say} say */
export function pileName(say, pile) {
  if (pile === "s") return say("pile.stock");
  if (pile === "w") return say("pile.waste");
  return isFoundation(pile)
    ? say("pile.foundation", { hour: pile.slice(1) })
    : say("pile.fan", { hour: pile });
}

/** `Fan 3: seven of hearts on top, 3 cards`. @param {Say} say */
export function pileLabel(say, pile, { up, down }) {
  const name = pileName(say, pile);
  if (pile === "s") return say("label.stock", { pile: name, count: down });
  if (!up.length) return say("label.empty", { pile: name });
  const values = { pile: name, card: cardName(say, up.at(-1)), count: up.length };
  if (!isFoundation(pile)) return say("label.cards", values);
  return say(isComplete(pile, up) ? "label.complete" : "label.foundation", values);
}

/** All cards of a pile, the top one last. @param {Say} say */
export function contents(say, pile, { up }) {
  const cards = up.map((card) => shortCard(say, card)).join(" ");
  return say("label.contents", { pile: pileName(say, pile), cards });
}

/** `7♥`. @param {Say} say */
export function shortCard(say, card) {
  const [rank, suit] = rankAndSuit(card);
  const letter = "AJQK".includes(rank) ? say(`letter.${rank}`) : rank;
  return letter + { C: "♣", D: "♦", H: "♥", S: "♠" }[suit] + "\ufe0e";
}

/** What a diff did, in a sentence. @param {Say} say */
export function deed(say, { move, steps = [], home }) {
  if (!steps.length) return "";
  const [source, target, card] = steps[0];
  const values = {
    card: cardName(say, card),
    from: pileName(say, source),
    to: pileName(say, target),
    count: steps.length,
    home,
  };
  if (move === "undo" || move === "refill" || move === "turn") return say(`deed.${move}`, values);
  return say(isFoundation(target) ? "deed.home" : "deed.build", values);
}

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

/** How many cards a foundation still needs: its top is to show its hour. */
export function needs(pile, up) {
  const rank = RANKS.indexOf(rankAndSuit(up.at(-1))[0]) + 1;
  return (Number(pile.slice(1)) - rank + 13) % 13;
}

export function isComplete(pile, up) {
  return needs(pile, up) === 0;
}
