// The ratings of all players of a live race, before it and after it. Asks the server, draws nothing.

/** How often the page asks again for ratings that the race has not changed yet. */
const TRIES = 20;
const AGAIN_MS = 500;

/** @typedef {Map<string, number>} ByPlayer those who have a rating */

export class Ratings {
  /** By race, where this page was there while it ran. @type {Map<string, ByPlayer>} */
  #before = new Map();
  /** @type {Map<string, ByPlayer>} */
  #after = new Map();
  /** What was asked for: `K7QPXM running`. @type {Set<string>} */
  #asked = new Set();

  /** @param {Given<"redraw" | "session">} given */
  constructor(given) {
    this.given = given;
  }

  /** A player's rating after the race, and how much the race has changed it; 0 for what is not known. @param {string} race @param {string} player */
  of(race, player) {
    const [before = 0, rating = 0] = [this.#before, this.#after].map((known) => known.get(race)?.get(player));
    return { rating, change: before && rating ? rating - before : 0 };
  }

  /** Ask while the race runs and after its close, once each. @param {Followed} followed */
  async update({ race, game, room }) {
    if (room?.kind !== "live" || room.seats.length < 2 || !game.decides) return;
    const asked = `${race} ${room.phase}`;
    if (this.#asked.has(asked) || !["running", "closed"].includes(room.phase)) return;
    this.#asked.add(asked);
    if (room.phase === "running") this.#before.set(race, await this.#ask(room));
    else await this.#askUntilChanged(room);
  }

  /** Ratings change soon after the close. @param {Room} room */
  async #askUntilChanged(room) {
    const { race } = room;
    for (let tries = 0; tries < TRIES; tries++) {
      if (tries) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      const [before, after] = [this.#before.get(race), await this.#ask(room)];
      this.#after.set(race, after);
      this.given.redraw();
      if (!before || [...after].some(([player, rating]) => rating !== before.get(player))) return;
    }
  }

  /** Of house players there are none: they are rated among bots. @param {Room} room @returns {Promise<ByPlayer>} */
  async #ask({ rules, seats }) {
    const { game, rules: preset } = rules;
    const only = seats.map(({ player }) => player);
    const board = await this.given.session.tried({ type: "get-leaderboard", period: "all-time", by: "rating", game, rules: preset, only });
    return new Map((board?.ranked ?? []).map(({ player, rating = 0 }) => [player, rating]));
  }
}
