// The player's results in past dailies, day by day, and what days are called. Draws nothing.

import { hoursOf } from "../share/share.js";

export const DAY_MS = 86_400_000;

/** `2026-11-20` from `2026-11-21` and -1. @param {string} date */
export function dayAfter(date, days = 1) {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The Monday of a day's week. @param {string} date */
export function mondayOf(date) {
  return dayAfter(date, -((new Date(date).getUTCDay() + 6) % 7));
}

/** The day that an address names, or the usual one where it names none. @param {string} text @param {string} usual */
export function dayOf(text = "", usual) {
  return /^\d{4}-\d\d-\d\d$/.test(text) && Number.isFinite(Date.parse(text)) ? text : usual;
}

/** The month that an address names, or that of the usual day. @param {string} text @param {string} usual */
export function monthOf(text = "", usual) {
  return dayOf(`${text}-01`, usual).slice(0, 7);
}

/** Every day of `2026-11`. @param {string} month */
export function daysOf(month) {
  const days = [];
  for (let date = `${month}-01`; date.startsWith(month); date = dayAfter(date)) days.push(date);
  return days;
}

/** Cards home on average, to the tenth. @param {Say} say @param {number[]} homes */
export function average({ language }, homes) {
  const mean = homes.reduce((sum, home) => sum + home, 0) / homes.length;
  return mean.toLocaleString(language, { maximumFractionDigits: 1 });
}

/** A day and the thirteen before it, the oldest first. @param {string} date */
export function lastDays(date) {
  return Array.from({ length: 14 }, (_, i) => dayAfter(date, i - 13));
}

/** `2026-12` from `2026-11` and 1. @param {string} month */
export function monthAfter(month, months = 1) {
  const [year, number] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** The Monday of `2026-W47`. @param {string} week */
export function firstDayOf(week) {
  const [year, number] = week.split("-W").map(Number);
  return dayAfter(mondayOf(`${year}-01-04`), 7 * (number - 1));
}

/** @typedef {{mine: Standing | null, total: number, rows: Standing[]}} Day the player's row, the number of players, the best three */

export class Days {
  /** By day, game and rules. @type {Map<string, Day>} */
  #known = new Map();
  /** How far a player's hours came, by race and player. @type {Map<string, Hours>} */
  #hours = new Map();
  #player = "";

  /** @param {Given<"games" | "redraw" | "session" | "today">} given */
  constructor(given) {
    this.given = given;
  }

  /**
   * @param {Both} both @param {string} date
   * @returns {Day | undefined} undefined before it is known
   */
  of({ game, rules }, date) {
    const own = this.#player === (this.given.session.me?.player ?? "");
    return own ? this.#known.get(`${date}.${game}.${rules}`) : undefined;
  }

  /** How far a player's hours came on a day; empty before it is known. @param {Both} both @param {string} date @param {string} player */
  hours(both, date, player) {
    const race = `daily.${date}.${both.game}.${both.rules}`;
    const key = `${race} ${player}`;
    if (!this.#hours.has(key)) {
      this.#hours.set(key, []);
      this.#askHours(key, { race, player }, both);
    }
    return this.#hours.get(key) ?? [];
  }

  /** @param {string} key @param {{race: string, player: string}} of @param {Both} both */
  async #askHours(key, of, { game }) {
    const { games, redraw, session } = this.given;
    const record = await session.tried({ type: "get-record", ...of });
    const played = games.of({ game });
    if (record && played) this.#hours.set(key, hoursOf(record, played));
    redraw();
  }

  /** Ask for these days; what can't change any more is asked for once. @param {Both} both @param {string[]} dates */
  async load(both, dates) {
    const { session, today } = this.given;
    const player = session.me?.player ?? "";
    if (player !== this.#player) this.#known.clear();
    this.#player = player;
    if (!player) return;
    const wanted = dates.filter((date) => date <= today.day && (date >= dayAfter(today.day, -1) || !this.of(both, date)));
    await Promise.all(wanted.map((date) => this.#ask(both, date)));
    this.given.redraw();
  }

  /** Ask for the days of this week, and for yesterday. @param {Both} both */
  loadWeek(both) {
    const { day } = this.given.today;
    return this.load(both, [-1, 0, 1, 2, 3, 4, 5, 6].map((days) => dayAfter(days < 0 ? day : mondayOf(day), days)));
  }

  /** @param {Both} both @param {string} date */
  async #ask({ game, rules }, date) {
    const { session } = this.given;
    const answer = await session.tried({ type: "get-leaderboard", period: "daily", date, game, rules, count: 3 });
    if (!answer) return;
    const { mine = null, total, rows = [] } = answer;
    const own = mine ?? rows.find(({ player }) => player === session.me?.player) ?? null;
    this.#known.set(`${date}.${game}.${rules}`, { mine: own, total, rows });
  }
}
