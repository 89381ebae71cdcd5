// The evening's series: which room is the rematch of which race, as this browser has seen it, and who won those
// races, as the server says. Draws nothing.

/** So many rematches are kept, the latest last. */
const MOST = 20;

/** @typedef {{races: number, wins: {player: string, name: string, won: number}[]}} Series the most wins first */

export class Evening {
  /** Who came first in a closed race. @type {Map<string, Standing[]>} */
  #winners = new Map();
  /** How many were in the room when they were asked for: more come as the race before ends. @type {Map<string, number>} */
  #asked = new Map();

  /** @param {Given<"memory" | "redraw" | "session">} given */
  constructor(given) {
    this.given = given;
  }

  /** This room is the rematch of that race. @param {string} race @param {string} rematch */
  follows(race, rematch) {
    const kept = this.#links.filter(([before]) => before !== race);
    if (kept.length === this.#links.length) this.given.memory.set("evening", JSON.stringify([...kept, [race, rematch]].slice(-MOST)));
  }

  /** The races before this room; null if none is known to be over. @param {Room} room @returns {Series | null} */
  before({ race: room, seats }) {
    const first = this.#chain(room).map((race) => this.#first(race, seats.length)).filter((rows) => rows.length);
    /** @type {Map<string, Series["wins"][number]>} */
    const wins = new Map();
    for (const { player, name } of first.flat()) wins.set(player, { player, name, won: (wins.get(player)?.won ?? 0) + 1 });
    return first.length ? { races: first.length, wins: [...wins.values()].sort((a, b) => b.won - a.won) } : null;
  }

  /** @returns {[race: string, rematch: string][]} */
  get #links() {
    return this.given.memory.list("evening");
  }

  /** The races before a room, the latest first. @param {string} room @returns {string[]} */
  #chain(room) {
    const before = this.#links.find(([, rematch]) => rematch === room)?.[0];
    return before ? [before, ...this.#chain(before)] : [];
  }

  /** Who came first; empty before the server has told. @param {string} race @param {number} count */
  #first(race, count) {
    if (!this.#winners.has(race) && this.#asked.get(race) !== count) {
      this.#asked.set(race, count);
      this.#ask(race);
    }
    return this.#winners.get(race) ?? [];
  }

  /** @param {string} race */
  async #ask(race) {
    const told = await this.given.session.tried({ type: "get-standings", race });
    if (!told?.final) return;
    this.#winners.set(race, (told.rows ?? []).filter(({ place }) => place === 1));
    this.given.redraw();
  }
}
