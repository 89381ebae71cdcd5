// A game of the past, move by move: the record that the server gave, and where in it one is.
// Draws nothing and knows no rules: the record names the cards that went.

import { carried, pilesOf } from "../wire/view.js";

const MOVE_MS = 450;

export class Replay {
  record = null;
  /** The seats whose games may be seen. */
  seats = [];
  /** How many moves are shown as played. */
  n = 0;
  plays = false;
  /** The piles after each move, those before the first one at 0. */
  #piles = [];
  #timer = 0;

  /** @param {import("./page.js").Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Ask for one player's game in a race. @param {{race: string, player: string}} of */
  async show({ race, player }) {
    this.pause();
    this.record = null;
    const { session } = this.page;
    if (!session.me) return;
    const me = session.me.player;
    const ask = { type: "get-standings", race };
    const [best, mine] = await Promise.all([session.ask(ask), session.ask({ ...ask, only: [me] })]);
    // The games of others are shown when the race is closed, and not before.
    const others = best.final ? best.rows.filter((seat) => seat.player !== me) : [];
    this.seats = [...(mine.rows ?? []), ...others];
    const whose = player || this.seats[0]?.player;
    const record = await session.ask({ type: "get-record", race, player: whose });
    const { piles = {}, steps = [] } = record;
    this.#piles = [pilesOf(piles)];
    for (const step of steps) this.#piles.push(carried(this.#piles.at(-1), step));
    [this.record, this.n] = [record, 0];
    this.page.redraw();
  }

  get total() {
    return this.#piles.length - 1;
  }

  get piles() {
    return this.#piles[this.n];
  }

  /** The move that led here: ms on the seat's clock, and its notation. */
  get move() {
    return this.n ? this.record.moves[this.n - 1] : [0, ""];
  }

  /** The piles that it put cards on. */
  get fresh() {
    return this.n ? this.record.steps[this.n - 1].map(([, target]) => target) : [];
  }

  /** Show it after `n` moves. */
  to(n) {
    const was = this.n;
    this.n = Math.max(0, Math.min(this.total, n));
    if (this.n === was + 1) this.page.fly(this.record.steps[was]);
    this.page.redraw();
  }

  play() {
    if (this.n === this.total) this.n = 0;
    this.plays = true;
    this.#timer = setInterval(() => {
      this.to(this.n + 1);
      if (this.n === this.total || this.page.place.screen !== "replay") this.pause();
    }, MOVE_MS);
    this.page.redraw();
  }

  pause() {
    clearInterval(this.#timer);
    this.plays = false;
    this.page.redraw();
  }
}
