// The analyses of closed races, as the server computes them when the player asks. Draws nothing.


/** The games that the server analyses. */
const ANALYSED = ["bigben", "grandfathersclock"];

/**
 * @typedef {{n: number, chance: number, expected: number, home: number}} Point
 * @typedef {{n: number, move: string, better: string, cost: number, cards: number}} Costly
 * @typedef {{player: string, name: string, points: Point[], costly: Costly[], skill: number, luck: number, skillCards: number, luckCards: number}} Seat
 * @typedef {{seats: Seat[], par: number, grade: string}} Analysis
 */

export class Analyses {
  /** @type {Map<string, Analysis>} */
  #found = new Map();
  #waiting = new Set();

  /** @param {Given<"announce" | "attempt" | "say" | "session">} given */
  constructor(given) {
    this.given = given;
  }

  /** Whether this race can be analysed now. @param {Pick<Room, "kind" | "phase" | "rules">} of */
  may({ kind, phase, rules }) {
    return phase === "closed" && kind !== "practice" && ANALYSED.includes(rules.game ?? "bigben");
  }

  /** The analysis of a race; undefined before it was asked for and is there. @param {string} race */
  of(race) {
    return this.#found.get(race);
  }

  /** How much of it is computed, from 0 to 1; null if nobody waits for it. @param {string} race */
  progress(race) {
    if (!this.#waiting.has(race)) return null;
    const { done = 0, of = 1 } = this.given.session.analysing.get(race) ?? {};
    return done / of;
  }

  /** Ask for the analysis of a race: the player's own seat and the best. @param {string} race */
  ask(race) {
    if (this.#waiting.has(race)) return;
    this.#waiting.add(race);
    this.given.attempt(async () => {
      try {
        this.#found.set(race, read(await this.given.session.ask({ type: "get-analysis", race })));
        this.given.announce(this.given.say("analysis.there"));
      } finally {
        this.#waiting.delete(race);
      }
    });
  }
}

/** @param {Protocol.Analysis} of @returns {Analysis} */
function read({ seats = [], par = 0, grade = "" }) {
  return { par, grade, seats: seats.map(seatOf) };
}

/** @param {Protocol.AnalysedSeat} of */
function seatOf({ player, name, points = [], costly = [], skill = 0, luck = 0, skill_cards = 0, luck_cards = 0 }) {
  return {
    ...{ player, name, skill, luck },
    points: points.map(([n, chance, expected, home]) => ({ n, chance, expected, home })),
    costly: costly.map(([n, move, better, cost, cards]) => ({ n, move, better, cost, cards })),
    ...{ skillCards: skill_cards, luckCards: luck_cards },
  };
}
