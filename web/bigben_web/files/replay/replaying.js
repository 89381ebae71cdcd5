// The games of a race shown again on one clock: whose, where on the clock, how fast.
// Draws nothing and knows no rules: the records name the cards that went.

import { leads } from "./recorded_games.js";

const TICK_MS = 100;
const SPEEDS = [1, 4, 16, 64];
/** Two boards stand side by side where a race has its wide rail. */
const PAIR = "(min-width: 960px) and (min-height: 500px)";

export class Replay {
  /** @type {import("./recorded_games.js").Loaded|null} */
  loaded = null;
  /** Whose games may be shown beside each other. @type {string[]} */
  chosen = [];
  /** How many of the moves of the shown games are played. */
  played = 0;
  /** Where on the clock, in ms. */
  at = 0;
  plays = false;
  speed = SPEEDS[1];
  #timer = 0;
  #pair = matchMedia(PAIR);

  /** @param {Given<"attempt" | "fly" | "games" | "hinting" | "records" | "redraw" | "route" | "session">} given */
  constructor(given) {
    this.given = given;
    this.#pair.addEventListener("change", () => this.loaded && this.to(this.at));
  }

  /**
   * Show the games of a race, this player's first, before their move of this number.
   * @param {{race: string, player: string, move?: number}} of
   */
  async show({ race, player, move = 0 }) {
    const { session, records } = this.given;
    if (!session.me) return;
    if (this.loaded?.race !== race || !this.loaded.final) {
      this.pause();
      this.loaded = null;
      this.loaded = await records.load(race);
      [this.played, this.at] = [0, 0];
    }
    const { rows, games } = this.loaded;
    const first = games.has(player) ? player : rows[0]?.player;
    const best = rows.filter((row) => row.player !== first).sort((a, b) => (a.place ?? 0) - (b.place ?? 0))[0];
    this.chosen = [first, best?.player].filter(Boolean);
    this.to(this.at);
    if (move) this.#before(first, move);
  }

  /** Show the games as they were when this player was about to play this move. @param {string} player @param {number} move */
  #before(player, move) {
    const moves = this.#moves;
    const own = moves.flatMap(([, one], i) => (one === player ? [i] : []));
    this.played = own[move - 1] ?? 0;
    this.at = this.played ? moves[this.played - 1][0] : 0;
    this.given.redraw();
  }

  /** Show this player's game on one of the boards. @param {number} board @param {string} player */
  choose(board, player) {
    const was = this.chosen[board];
    this.chosen = this.chosen.map((one, i) => (i === board ? player : one === player ? was : one));
    this.to(this.at);
  }

  /** The players whose boards are shown. */
  get shown() {
    return this.chosen.slice(0, this.#pair.matches ? 2 : 1);
  }

  /** The moves of the shown games in order of time. @returns {[ms: number, player: string][]} */
  get #moves() {
    /** @type {(ms: number, player: string) => [ms: number, player: string]} */
    const one = (ms, player) => [ms, player];
    const all = this.shown.flatMap((player) => this.#gameOf(player).record.moves.map(([ms]) => one(ms, player)));
    return all.sort(([a], [b]) => a - b);
  }

  /** The time of the last move of any shown game. */
  get end() {
    return this.#moves.at(-1)?.[0] ?? 0;
  }

  /** The rules of the games that are shown. */
  get rules() {
    return [...(this.loaded?.games.values() ?? [])][0]?.record.rules;
  }

  get lead() {
    return this.loaded ? leads(this.loaded) : [];
  }

  /** @param {string} player */
  #gameOf(player) {
    return /** @type {import("./recorded_games.js").Recorded} */ (this.loaded?.games.get(player));
  }

  /** A player's game as it is shown. @param {string} player */
  board(player) {
    const { record, piles, homes } = this.#gameOf(player);
    const n = this.#moves.slice(0, this.played).filter(([, one]) => one === player).length;
    const [ms, move] = n ? record.moves[n - 1] : [0, ""];
    const fresh = n ? (record.steps?.[n - 1] ?? []).map(([, target]) => target) : [];
    const game = this.given.games.of(record.rules ?? {}) ?? this.given.games.usual;
    return { record, game, n, total: piles.length - 1, piles: piles[n], home: homes[n], ms, move, fresh };
  }

  /** Show it at this time. @param {number} ms */
  to(ms) {
    this.at = Math.max(0, Math.min(this.end, ms));
    this.played = this.#moves.filter(([at]) => at <= this.at).length;
    this.given.redraw();
  }

  /** Show one move more or less. @param {number} by */
  step(by) {
    const moves = this.#moves;
    this.played = Math.max(0, Math.min(moves.length, this.played + by));
    this.at = this.played ? moves[this.played - 1][0] : 0;
    const [player] = this.shown;
    if (by > 0 && this.shown.length === 1) this.given.fly(this.#gameOf(player).record.steps?.[this.board(player).n - 1] ?? []);
    this.given.redraw();
  }

  /** Whether the best move may be asked for where this player's game is shown. @param {string} player */
  offersHints(player) {
    return Boolean(player && this.loaded?.final && this.board(player).game.decides);
  }

  /** Ask for the best move where this player's game is shown. Whether that is possible. @param {string} player */
  hint(player) {
    if (!this.offersHints(player)) return false;
    this.pause();
    const { n, game } = this.board(player);
    this.given.attempt(() => this.given.hinting.ask({ race: this.loaded?.race ?? "", n, player }, game));
    return true;
  }

  play() {
    if (this.at >= this.end) this.to(0);
    this.plays = true;
    this.#timer = setInterval(() => {
      this.to(this.at + TICK_MS * this.speed);
      if (this.at >= this.end || this.given.route.place.screen !== "replay") this.pause();
    }, TICK_MS);
    this.given.redraw();
  }

  pause() {
    clearInterval(this.#timer);
    this.plays = false;
    this.given.redraw();
  }

  /** Play at the next speed. */
  faster() {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length];
    this.given.redraw();
  }
}
