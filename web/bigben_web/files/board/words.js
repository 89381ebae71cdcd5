// The board in words, for those who hear it: what a pile is called and holds, what a move did.

import { RANKS, rankAndSuit } from "../cards.js";

/**
 * What the button of a move like `turn` says; a command that has no text is its own name.
 * @param {Say} say @param {string} move
 */
export function commandName(say, move) {
  const [word] = move.split(" ");
  const key = `does.${word}`;
  return say.knows(key) ? say(key) : word[0].toUpperCase() + word.slice(1);
}

/** @param {Say} say @param {string} card `7H` */
export function cardName(say, card) {
  const [rank, suit] = rankAndSuit(card);
  const name = "AJQK".includes(rank) ? say(`rank.${rank}`) : rank;
  return say("card", { rank: name, suit: say(`suit.${suit}`) });
}

/** `Fan 3`. @param {Say} say @param {Slot} slot */
export function pileName(say, { kind, place, label }) {
  return say(kind === "tableau" ? `kind.tableau.${place}` : `kind.${kind}`, { label });
}

/** `Fan 3: seven of hearts on top, 3 cards`. @param {Say} say @param {Slot} slot @param {Pile} pile @param {number} each */
export function pileLabel(say, slot, { up, down }, each) {
  const pile = pileName(say, slot);
  if (slot.kind === "reserve" && up.length) {
    const cards = up.map((card) => shortCard(say, card)).join(" ");
    return say("label.reserve", { pile, count: down, cards });
  }
  if (!up.length) return say(down ? "label.stock" : "label.empty", { pile, count: down });
  const values = { pile, card: cardName(say, up[up.length - 1]), count: up.length };
  if (slot.kind === "hand") return say("label.card", values);
  if (slot.kind !== "foundation") return say("label.cards", values);
  return say(needs(slot, up, each) ? "label.card" : "label.complete", values);
}

/** All cards of a pile, the top one last. @param {Say} say @param {Slot} slot @param {Pile} pile */
export function contents(say, slot, { up }) {
  const cards = up.map((card) => shortCard(say, card)).join(" ");
  return say("label.contents", { pile: pileName(say, slot), cards });
}

/** `7♥`. @param {Say} say @param {string} card */
export function shortCard(say, card) {
  const [rank, suit] = rankAndSuit(card);
  const letter = "AJQK".includes(rank) ? say(`letter.${rank}`) : rank;
  return letter + { C: "♣", D: "♦", H: "♥", S: "♠" }[suit] + "\ufe0e";
}

/** A sentence with cards as players name them instead of `QS`. @param {string} text @param {(card: string) => string} named */
export function withCards(text, named) {
  return text.replace(/\b(?:10|[2-9AJQK])[CDHS]\b/g, named);
}

/** What a diff did, in sentences. @param {Say} say @param {Game} game @param {Protocol.Diff} of */
export function deed(say, game, { move, steps = [], home }) {
  const slots = new Map(game.slots.map((slot) => [slot.pile, slot]));
  /** @type {{key: string, values: Values, count: number}[]} */
  const deeds = [];
  for (const [source, target, card, how = ""] of steps) {
    const [from, to] = [slots.get(source), slots.get(target)];
    if (!from || !to) continue;
    const key = move === "undo" ? "undo" : kindOfDeed(from, to, how ?? "");
    const values = { card: cardName(say, card), from: pileName(say, from), to: pileName(say, to), home };
    const last = deeds.at(-1);
    if (last?.key === key) last.count += 1;
    else deeds.push({ key, values, count: 1 });
  }
  return deeds.map(({ key, values, count }) => say(`deed.${key}`, { ...values, count })).join(" ");
}

/** @param {Slot} slot @param {Slot} to @param {string} how */
function kindOfDeed({ kind }, to, how) {
  if (how === "under") return "tuck";
  if (to.kind === "hand") return "expose";
  if (how === "down") return to.kind === "stock" ? "redeal" : "hide";
  if (kind === "stock") return to.kind === "waste" ? "turn" : "refill";
  return to.kind === "foundation" ? "home" : "build";
}

/** How many cards each pile with a goal has at the end, where all have as many. @param {Game} game */
export function eachOf({ total, slots }) {
  return total / Math.max(1, slots.filter(({ goal }) => goal).length);
}

/**
 * The suits in which all foundations go whose goal leaves the suit open: the longest one has decided them.
 * @param {Game} game @param {Piles} piles
 */
export function orderOf({ slots }, piles) {
  const open = slots.filter(({ kind, goal }) => kind === "foundation" && RANKS.includes(goal));
  const longest = open.map(({ pile }) => piles[pile].up).reduce((a, b) => (b.length > a.length ? b : a), []);
  return longest.map((card) => rankAndSuit(card)[1]);
}

/**
 * How many cards a foundation still needs: its top is to be its goal; where the goal leaves the
 * suit open, it is to have as many cards as each other one, `each`.
 * @param {Slot} slot @param {string[]} up @param {number} each
 */
export function needs({ goal }, up, each) {
  if (RANKS.includes(goal)) return Math.max(0, each - up.length);
  if (!up.length) return each;
  const [now, then] = [up[up.length - 1], goal].map((card) => RANKS.indexOf(rankAndSuit(card)[0]));
  return (then - now + 13) % 13;
}
