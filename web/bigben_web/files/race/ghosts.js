// Ghosts in a race on own clocks: those who have finished race along, as their cards came home.
// They are curves of public progress; no card is named. Draws nothing.

import { OVER } from "../wire/over.js";

export class Ghosts {
  /** The curves by race, and for how many finished players they were asked. */
  /** @type {Map<string, Protocol.Curve[]>} */
  #curves = new Map();
  #asked = new Map();

  /** @param {Given<"memory" | "redraw" | "session">} given */
  constructor(given) {
    this.given = given;
  }

  /** A wish of the player that is kept. */
  get on() {
    return this.given.memory.get("ghosts") !== "off";
  }

  /** Ask for the curves when somebody else has finished. @param {Followed} followed */
  update({ race, room, view, over, me }) {
    const own = room?.kind === "deadline" || room?.kind === "daily";
    if (!own || !view || over || !this.on) return;
    const count = room.seats.filter(({ player, state }) => player !== me() && OVER.includes(state)).length;
    if (!count || this.#asked.get(race) === count) return;
    this.#asked.set(race, count);
    this.#ask(race);
  }

  /** @param {string} race */
  async #ask(race) {
    const answer = await this.given.session.tried({ type: "get-curves", race });
    // Without curves the finished stand where they ended.
    if (answer) this.#curves.set(race, answer.curves ?? []);
    this.given.redraw();
  }

  /**
   * How many cards a ghost has home by this time on its clock; null if there is none of the player.
   * @param {string} race @param {string} player @param {number} ms
   */
  home(race, player, ms) {
    if (!this.on) return null;
    const curve = this.#curves.get(race)?.find((one) => one.player === player);
    return curve ? (curve.points.findLast(([at]) => at <= ms)?.[1] ?? curve.points[0]?.[1] ?? 0) : null;
  }
}
