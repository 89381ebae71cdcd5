// Bringing home what is left when nothing else is left to decide: each card is a move of its own,
// and the next one is sent when the last one is acknowledged.

import { wayHome } from "../board/choices.js";

/** The time between two moves, so that one sees them. */
const PACE_MS = 140;

export class Finishing {
  /** Whether it goes on. */
  runs = false;

  /** @param {Given<"playing" | "redraw">} given */
  constructor(given) {
    this.given = given;
  }

  /** Whether all cards that are left can go home, one after the other. */
  get offered() {
    const { plays, game, view, choices } = this.given.playing;
    return plays && !this.runs && wayHome(game, view.piles, choices).length > 1;
  }

  start() {
    this.runs = true;
    this.#next();
  }

  stop() {
    this.runs = false;
    this.given.redraw();
  }

  /** A move has come about. */
  moved() {
    if (this.runs) setTimeout(() => this.#next(), PACE_MS);
  }

  #next() {
    const { playing } = this.given;
    const { race, plays, game, view, choices } = playing;
    if (!this.runs || !race) return;
    const [pile] = plays ? wayHome(game, view.piles, choices) : [];
    if (!pile) this.stop();
    else if (!race.moves.count) playing.play(`${pile} fdn`);
  }
}
