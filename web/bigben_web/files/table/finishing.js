// Bringing home what is left when nothing else is left to decide: each card is a move of its own,
// and the next one is sent when the last one is acknowledged.

import { wayHome } from "../board/choices.js";

/** The time between two moves, so that one sees them. */
const PACE_MS = 140;

export class Finishing {
  /** Whether it goes on. */
  runs = false;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Whether all cards that are left can go home, one after the other. */
  get offered() {
    const { plays, game, view, choices } = this.page.playing;
    return plays && !this.runs && wayHome(game, view.piles, choices).length > 1;
  }

  start() {
    this.runs = true;
    this.#next();
  }

  stop() {
    this.runs = false;
    this.page.redraw();
  }

  /** A move has come about. */
  moved() {
    if (this.runs) setTimeout(() => this.#next(), PACE_MS);
  }

  #next() {
    const { page } = this;
    if (!this.runs || !page.race) return;
    const { plays, game, view, choices } = page.playing;
    const [pile] = plays ? wayHome(game, view.piles, choices) : [];
    if (!pile) this.stop();
    else if (!page.race.moves.count) page.playing.play(`${pile} fdn`);
  }
}
