// Today's race for the start page: how far the player is in it. Asks the server, draws nothing.

import { dailyOf } from "./choosing.js";
import { hoursOf } from "../share/share.js";
import { OVER } from "../wire/over.js";

export class Today {
  /** The race of `seat`, by its full name. */
  race = "";
  /** @type {Standing|null} */
  #seat = null;

  /** How far each foundation came, once the race is played. @type {Hours} */
  hours = [];

  /** @param {Given<"choosing" | "games" | "memory" | "redraw" | "session">} given */
  constructor(given) {
    this.given = given;
    [this.race = "", this.#seat = null, this.hours = []] = given.memory.list("today");
  }

  /** Ask how far the player is. Until the server answers, it is what this browser saw last. */
  async load() {
    const { session } = this.given;
    const { player } = session.me ?? {};
    if (!player) return;
    const daily = dailyOf(this.given.games, this.given.choosing.both);
    const answer = await session.tried({ type: "get-standings", race: daily, only: [player] });
    if (answer && answer.race !== this.race) this.hours = [];
    if (answer) [this.race, this.#seat] = [answer.race, answer.rows?.[0] ?? null];
    this.#keep();
    if (this.over) {
      const record = await session.tried({ type: "get-record", race: this.race, player });
      if (record) this.hours = hoursOf(record, this.given.choosing.game);
      this.#keep();
    }
    this.given.redraw();
  }

  #keep() {
    this.given.memory.set("today", JSON.stringify([this.race, this.#seat, this.hours]));
  }

  /** The player's seat in it, once its clock has started. */
  get seat() {
    const { session } = this.given;
    const { game, rules } = this.given.choosing.both;
    const chosen = this.race === `daily.${this.day}.${game}.${rules}`;
    const fits = chosen && this.#seat?.player === session.who?.player;
    return fits ? this.#seat : null;
  }

  get over() {
    return OVER.includes(this.seat?.state);
  }

  /** `2026-11-22`, on the server's clock. */
  get day() {
    return new Date(this.given.session.clock.now()).toISOString().slice(0, 10);
  }
}
