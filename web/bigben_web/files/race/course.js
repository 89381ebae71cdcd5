// A race as it goes: what happened in it, and how many cards everybody had home, and when.
// It is folded from Rooms and Progresses, which name no card. Shows nothing.

import { OVER } from "../wire/over.js";
import { playerName } from "../words.js";

/** Gains of one player that follow each other this fast are told as one. */
const ONE_GAIN_MS = 8000;
const MOST_EVENTS = 60;
const MINUTE_MS = 60_000;
/** A race this large tells only who joins, comes and finishes. */
const CROWD = 16;

/**
 * @typedef {object} Happening
 * @property {number} at on the server's clock
 * @property {string} key of the text
 * @property {{state?: string, home?: number, count?: number, name?: Standing, other?: Standing}} values of its holes; `state` is a state's name, and
 *   players are their seats
 * @property {boolean} quiet whether it is only to be seen
 */

/** @typedef {Protocol.Room | Protocol.Progress} News @typedef {(key: string, values?: Happening["values"], quiet?: boolean) => unknown} Tell */

export class Course {
  /** What happened, the latest last. @type {Happening[]} */
  events = [];
  /** The last Standing of each player. @type {Map<string, Standing>} */
  #seats = new Map();
  /** @type {Map<string, [at: number, home: number][]>} */
  #points = new Map();
  #away = new Map();
  /** Who was ahead last, for each two players. */
  #ahead = new Map();
  #phase = "";
  #rematch = "";

  /**
   * Take in a Room or a Progress.
   * @param {News} news @param {number} now @param {string | undefined} me @returns {Happening[]} what has happened by it
   */
  take(news, now, me) {
    const { seats = [] } = news;
    const first = !this.#seats.size;
    const told = this.events.length ? this.events.at(-1) : null;
    /** @type {Happening[]} */
    const events = [];
    /** @type {Tell} */
    const tell = (key, values = {}, quiet = false) => events.push({ at: now, key, values, quiet });
    if (news.type === "room") this.#enter({ phase: news.phase, rematch: news.rematch ?? "", seats }, tell);
    for (const seat of seats) this.#seat(seat, now, me, tell);
    if (first) events.length = 0;
    this.events.push(...merged(told, events));
    this.events.splice(0, this.events.length - MOST_EVENTS);
    return events;
  }

  /** Since when the player is away; 0 if they are not. @param {string} player */
  awaySince(player) {
    return this.#away.get(player) ?? 0;
  }

  /** How many cards the player had home, and from when on. @param {string} player */
  points(player) {
    return this.#points.get(player) ?? [];
  }

  /** How many cards came home in the last minute. @param {string} player @param {number} now */
  lastMinute(player, now) {
    const points = this.points(player);
    const before = points.findLast(([at]) => at <= now - MINUTE_MS) ?? points[0];
    return before ? (points.at(-1)?.[1] ?? 0) - before[1] : 0;
  }

  /** @param {{ phase: string, rematch: string, seats: Standing[] }} of @param {Tell} tell */
  #enter({ phase, rematch, seats }, tell) {
    const there = new Set(seats.map(({ player }) => player));
    if (phase === "open") {
      for (const [player, seat] of [...this.#seats]) {
        if (there.has(player)) continue;
        this.#seats.delete(player);
        tell("news.left", { name: seat });
      }
    }
    if (this.#phase && phase !== this.#phase) {
      if (phase === "running") tell("news.begun");
      if (phase === "closed") tell("race.closed");
    }
    if (rematch && !this.#rematch) tell("news.rematch");
    [this.#phase, this.#rematch] = [phase, rematch];
  }

  /** @param {Standing} seat @param {number} now @param {string | undefined} me @param {Tell} tell */
  #seat(seat, now, me, tell) {
    const { player, state, home = 0, away = false } = seat;
    const was = this.#seats.get(player);
    this.#seats.set(player, seat);
    this.#note(player, now, home);
    if (away && !this.awaySince(player)) this.#away.set(player, now);
    if (!away) this.#away.delete(player);
    if (player === me) {
      if (was) this.#passes(player, me, tell);
      return;
    }
    if (!was && state === "joined") tell("news.joined", { name: seat });
    if (was?.state !== state) {
      if (state === "ready") tell("news.ready", { name: seat });
      if (state === "won") tell("news.won", { name: seat });
      else if (OVER.includes(state)) tell("news.out", { name: seat, home, state });
    }
    if (!was) return;
    if (away && !was.away && !OVER.includes(state)) tell(state === "playing" ? "news.away_playing" : "news.away", { name: seat });
    if (!away && was.away && !OVER.includes(state)) tell("news.back", { name: seat });
    const gain = home - (was.home ?? 0);
    if (gain > 0 && state === "playing" && was.state === "playing") tell("news.gain", { name: seat, count: gain }, true);
    this.#passes(player, me, tell);
  }

  /** @param {string} player @param {number} now @param {number} home */
  #note(player, now, home) {
    const points = this.points(player);
    if (points.at(-1)?.[1] !== home) this.#points.set(player, [...points, [now, home]]);
  }

  /**
   * Tell whom the player has passed: the best of them.
   * @param {string} player @param {string | undefined} me @param {Tell} tell
   */
  #passes(player, me, tell) {
    const own = this.#seats.get(player);
    if (!own) return;
    const { home = 0 } = own;
    let passed = null;
    for (const [other, seat] of this.#seats) {
      const theirs = seat.home ?? 0;
      if (other === player || theirs === home) continue;
      const pair = [player, other].sort().join(" ");
      const leads = home > theirs ? player : other;
      const led = this.#ahead.get(pair);
      this.#ahead.set(pair, leads);
      if (led === other && leads === player && theirs >= (passed?.home ?? 0)) passed = { ...seat, home: theirs };
    }
    if (!passed || this.#seats.size > CROWD) return;
    if (player === me) tell("news.you_passed", { other: passed });
    else if (passed.player === me) tell("news.passed_you", { name: own });
    else tell("news.passed", { name: own, other: passed });
  }
}

/** The sentence for a happening. @param {Say} say @param {Happening} of */
export function sentence(say, { key, values }) {
  const { name, other, state, ...counts } = values;
  return say(key, {
    ...counts,
    ...(name && { name: playerName(say, name) }),
    ...(other && { other: playerName(say, other) }),
    ...(state && { state: say(`state.${state}`) }),
  });
}

/**
 * The events, with a gain added to the one that it follows closely.
 * @param {Happening | null | undefined} last @param {Happening[]} events
 */
function merged(last, events) {
  const [first, ...rest] = events;
  const goes = first && last?.key === "news.gain" && first.key === last.key && first.values.name?.player === last.values.name?.player;
  if (!goes || first.at - last.at > ONE_GAIN_MS) return events;
  last.values = { ...last.values, count: (last.values.count ?? 0) + (first.values.count ?? 0) };
  last.at = first.at;
  return rest;
}
