// The games of a race as the server has recorded them, with where every card lay after each move.
// Of others they are there once the race is closed, and not before. Draws nothing.

import { carried, pilesOf } from "../wire/view.js";
import { RefusedError } from "../wire/session.js";

/** So many games are loaded of a race, the best first, and the player's own. */
const MOST = 12;

/** In the place of a player: the line that the server has found. */
const LINE = "certificate";

/**
 * @typedef {object} Recorded one seat's game
 * @property {Protocol.Record} record as the server gave it
 * @property {Piles[]} piles after each move, before the first at 0
 * @property {number[]} homes the cards home after each move, before the first at 0
 *
 * @typedef {object} Loaded
 * @property {string} race
 * @property {boolean} final
 * @property {Standing[]} rows the seats, the player's own first
 * @property {Map<string, Recorded>} games by player
 */

export class RecordedGames {
  /** @type {Map<string, Promise<Loaded>>} */
  #asked = new Map();
  /** @type {Map<string, Loaded>} */
  #there = new Map();

  /** @param {Given<"games" | "redraw" | "say" | "session">} given */
  constructor(given) {
    this.given = given;
  }

  /** The games of a closed race; null until they are there. @param {string} race @returns {Loaded|null} */
  of(race) {
    const there = this.#there.get(race);
    if (there?.final) return there;
    if (!this.#asked.has(race)) this.load(race).catch(withoutRecords);
    return null;
  }

  /** Ask for them. Rejects with RefusedError. @param {string} race @returns {Promise<Loaded>} */
  async load(race) {
    const there = this.#there.get(race);
    if (there?.final) return there;
    const asked = this.#asked.get(race) ?? this.#load(race).finally(() => this.#asked.delete(race));
    this.#asked.set(race, asked);
    return asked;
  }

  /** @param {string} race */
  async #load(race) {
    const { session } = this.given;
    const me = session.me?.player ?? "";
    const ask = { type: /** @type {const} */ ("get-standings"), race };
    const [best, mine] = await Promise.all([session.ask(ask), session.ask({ ...ask, only: [me] })]);
    const others = best.final ? (best.rows ?? []).filter(({ player }) => player !== me) : [];
    const rows = [...(mine.rows ?? []), ...others].slice(0, MOST);
    const found = await Promise.all(rows.map(({ player }) => session.ask({ type: "get-record", race, player })));
    const line = best.final && rows.length ? await this.#line(race) : null;
    const games = new Map([...found, ...(line ? [line] : [])].map((record) => [record.standing.player, this.#recorded(record)]));
    if (line) rows.push(line.standing);
    const loaded = { race, final: best.final ?? false, rows, games };
    this.#there.set(race, loaded);
    this.given.redraw();
    return loaded;
  }

  /** A line that wins the deal, if one is known, as the record of a game. @param {string} race */
  async #line(race) {
    const { session, say } = this.given;
    const line = await session.tried({ type: "get-record", race, player: LINE });
    return line && { ...line, standing: { ...line.standing, name: say("replay.line") } };
  }

  /** @param {Protocol.Record} record @returns {Recorded} */
  #recorded(record) {
    const game = this.given.games.of(record.rules ?? {}) ?? this.given.games.usual;
    const piles = [pilesOf(record.piles ?? {})];
    for (const step of record.steps ?? []) piles.push(carried(piles[piles.length - 1], step));
    const there = game.slots.filter(({ kind }) => kind === "foundation" || kind === "reserve");
    const homes = piles.map((one) => there.reduce((sum, { pile }) => sum + (one[pile]?.up.length ?? 0), 0));
    // At the end it is as the server counts.
    homes[homes.length - 1] = record.standing.home ?? homes[homes.length - 1];
    return { record, piles, homes };
  }
}

/** The result goes without what is made of them. @param {unknown} error */
function withoutRecords(error) {
  if (!(error instanceof RefusedError)) throw error;
}

/** @typedef {{ms: number, player: string, name: string}} Lead when a player went ahead of all others */

/** The games that somebody played. @param {Loaded} loaded @returns {Recorded[]} */
export function played({ games }) {
  return [...games.values()].filter(({ record }) => record.standing.player !== LINE);
}

/** When the lead changed, in order of time. @param {Loaded} loaded @returns {Lead[]} */
export function leads(loaded) {
  const all = played(loaded);
  const gains = all.flatMap(({ record, homes }) => record.moves.map(([ms], i) => ({ ms, home: homes[i + 1], of: record.standing })));
  gains.sort((a, b) => a.ms - b.ms);
  const home = new Map();
  /** @type {Lead[]} */
  const found = [];
  for (const { ms, home: now, of } of gains) {
    home.set(of.player, now);
    const others = [...home].filter(([player]) => player !== of.player).map(([, theirs]) => theirs);
    if (found.at(-1)?.player === of.player || others.some((theirs) => theirs >= now)) continue;
    found.push({ ms, player: of.player, name: of.name });
  }
  return all.length > 1 ? found.slice(1) : [];
}
