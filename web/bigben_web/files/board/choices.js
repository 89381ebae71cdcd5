// What can be played, as the server listed it: from where to where, and what a tap on a pile means.
// Knows no rules and no screen.

import { RANKS, rankAndSuit } from "../cards.js";

/** The moves that are legal now. */
export class Choices {
  /** The targets by source. @type {Map<string, string[]>} */
  from = new Map();
  /** The moves without a target, by the pile that stands for them. @type {Map<string, string[]>} */
  taps = new Map();
  /** The moves that name no pile: `turn`. @type {string[]} */
  commands = [];

  /** @param {string[]} legal `["3 f9", "w 5", "turn", "swap 7 2"]` @param {Game} game */
  constructor(legal, game) {
    this.foundations = new Set(pilesOf(game, "foundation"));
    const piles = new Set(game.slots.map(({ pile }) => pile));
    for (const move of legal) {
      const [first, second] = move.split(" ");
      if (piles.has(first)) add(this.from, first, second);
      else if (piles.has(second)) add(this.taps, second, move);
      else this.#command(move, game);
    }
  }

  /** @param {string} move @param {Game} game */
  #command(move, { moves }) {
    this.commands.push(move);
    const tap = moves.find(({ example }) => example === move)?.tap;
    if (tap) add(this.taps, tap, move);
  }

  /** Where the top of this pile can go. @param {string} pile */
  targets(pile) {
    return this.from.get(pile) ?? [];
  }

  /** The moves that a tap on this pile means. @param {string} pile */
  tapsOn(pile) {
    return this.taps.get(pile) ?? [];
  }

  /** Whether a pile is to be tapped, and there is nothing else to play. */
  get onlyTaps() {
    return this.taps.size > 0 && !this.from.size && !this.commands.length;
  }

  /** Whether one tap plays this move: a command, for which no card is picked first. @param {string} move */
  isOneTap(move) {
    return [...this.commands, ...this.taps.values()].flat().includes(move);
  }

  /** Whether the top of this pile can go to a foundation. @param {string} pile */
  goesHome(pile) {
    return this.targets(pile).some((target) => this.foundations.has(target));
  }

  /**
   * The move that a pile tapped twice means: home if its card can go there, else the only other
   * one; "" if that is not clear. Of two foundations the server takes the one that needs more.
   * @param {string} pile
   */
  sensible(pile) {
    const targets = this.targets(pile);
    if (this.goesHome(pile)) return `${pile} fdn`;
    return targets.length === 1 ? `${pile} ${targets[0]}` : "";
  }

  /**
   * What a tap on this pile means while another one is picked, or none.
   * @param {string} picked @param {string} pile @returns {Tapped}
   */
  tapped(picked, pile) {
    const nothing = { picked: "", move: "", offer: "", none: "", wrong: "" };
    if (picked === pile) return { ...nothing, move: this.sensible(pile) };
    if (picked && this.targets(picked).includes(pile)) {
      return { ...nothing, move: `${picked} ${pile}` };
    }
    if (this.targets(pile).length) return { ...nothing, picked: pile };
    const taps = this.tapsOn(pile);
    if (taps.length > 1) return { ...nothing, offer: pile };
    if (taps.length) return { ...nothing, move: taps[0] };
    return picked ? { ...nothing, none: picked, wrong: pile } : { ...nothing, none: pile };
  }
}

/**
 * @typedef {{picked: string, move: string, offer: string, none: string, wrong: string}} Tapped what
 *   is picked now, the move to play if any, the pile with several moves to choose from, or the pile
 *   that can't move if that is why nothing happens; `wrong` is where it was to go, if anywhere
 */

/** @param {Map<string, string[]>} map @param {string} name @param {string} what */
function add(map, name, what) {
  map.set(name, [...(map.get(name) ?? []), what]);
}

/** The piles of one kind. @param {Game} game @param {Slot["kind"]} kind */
export function pilesOf({ slots }, kind) {
  return slots.filter((slot) => slot.kind === kind).map(({ pile }) => pile);
}

/**
 * Of the targets the one nearest to a point, by the middles of their places; "" if none is near.
 * @param {[pile: string, middle: Point][]} places @param {Point} point @param {number} reach
 */
export function nearest(places, point, reach) {
  let best = { pile: "", far: reach };
  for (const [pile, { x, y }] of places) {
    const far = Math.hypot(x - point.x, y - point.y);
    if (far < best.far) best = { pile, far };
  }
  return best.pile;
}

/**
 * The piles whose top cards go home one after the other until none is left; none if they don't. The
 * server has said that the first one does; of the rest, foundations that build up in suit to a card
 * are foreseen, and the server is asked again at each.
 * @param {Game} game @param {Piles} piles @param {Choices} choices
 */
export function wayHome({ slots }, piles, choices) {
  const homes = slots.filter(({ kind }) => kind === "foundation");
  const others = slots.filter(({ kind }) => kind !== "foundation").map(({ pile }) => pile);
  if (others.some((pile) => piles[pile].down) || homes.some(({ goal }) => !isCard(goal))) return [];
  const ends = homes.map(({ pile, goal }) => ({ top: piles[pile].up.at(-1), goal }));
  const left = new Map(others.map((pile) => [pile, [...piles[pile].up]]));
  const way = [];
  /** @param {string | undefined} card */
  const goesOn = (card) => ends.find(({ top, goal }) => top && top !== goal && nextOf(top) === card);
  for (;;) {
    const pile = others.find((one) => goesOn(left.get(one)?.at(-1)) && (way.length || choices.goesHome(one)));
    const card = left.get(pile ?? "")?.pop();
    const end = goesOn(card);
    if (!pile || !end) break;
    end.top = card;
    way.push(pile);
  }
  return [...left.values()].some((cards) => cards.length) ? [] : way;
}

/** @param {string} goal */
function isCard(goal) {
  return "CDHS".includes(goal.slice(-1));
}

/** @param {string} card */
function nextOf(card) {
  const [rank, suit] = rankAndSuit(card);
  return RANKS[(RANKS.indexOf(rank) + 1) % 13] + suit;
}
