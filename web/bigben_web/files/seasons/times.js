// When the weeks of a season are, in words: by the reader's clock what the server tells in ms, and by the
// season's clock what a plan says.

import { localeFor, span } from "../words.js";
import { DAY_MS, dayAfter } from "../records/days.js";

const MINUTE_MS = 60_000;
/** So near a weekday alone says which day is meant. */
const NEAR_MS = 6 * DAY_MS;
export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** @typedef {Pick<Say, "language">} Speaks */

/** `Monday, 18:00`, or `Mon 5 Oct, 18:00` if that is not soon. @param {Speaks} say @param {number} at @param {number} now */
export function momentOf(say, at, now) {
  const near = Math.abs(at - now) < NEAR_MS;
  /** @type {Intl.DateTimeFormatOptions} */
  const day = near ? { weekday: "long" } : { weekday: "short", day: "numeric", month: "short" };
  return format(say, { ...day, hour: "numeric", minute: "2-digit" }).format(at);
}

/** The day alone. @param {Speaks} say @param {number} at @param {number} now */
export function weekdayOf(say, at, now) {
  const near = Math.abs(at - now) < NEAR_MS;
  return format(say, near ? { weekday: "long" } : { weekday: "long", day: "numeric", month: "long" }).format(at);
}

/** How long it is still: `1d 7:46` in days, hours and minutes, `7:46:12` on the last day. @param {Say} say @param {number} ms */
export function left(say, ms) {
  if (ms < DAY_MS) return span(ms);
  const minutes = Math.floor(ms / MINUTE_MS);
  const time = `${Math.floor(minutes / 60) % 24}:${String(minutes % 60).padStart(2, "0")}`;
  return say("club.left", { days: Math.floor(ms / DAY_MS), time });
}

/** The value of a field for a day and a time, by the reader's clock. @param {number} at */
export function fieldValue(at) {
  return new Date(at - new Date(at).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

/** `fri`: the weekday of a day. @param {string} date */
export function weekdayNamed(date) {
  return DAYS[(new Date(date).getUTCDay() + 6) % 7];
}

/** A weekday in words. @param {Speaks} say @param {string} day `fri` */
export function dayWord(say, day) {
  // The fifth of January 1970 was a Monday.
  return format(say, { weekday: "long", timeZone: "UTC" }).format((4 + DAYS.indexOf(day)) * DAY_MS);
}

/**
 * When a week of a plan is open, by the season's clock, in words: the server makes the same of it.
 * @param {Speaks} say @param {Pick<Protocol.Plan, "first_day" | "opens" | "closes">} plan @param {number} number
 */
export function weekOf(say, { first_day: first, opens = "fri 18:00", closes = "mon 18:00" }, number) {
  const from = { day: dayAfter(onOrAfter(first, opens), 7 * (number - 1)), time: opens.split(" ")[1] };
  const found = { day: onOrAfter(from.day, closes), time: closes.split(" ")[1] };
  const to = found.day === from.day && found.time <= from.time ? { ...found, day: dayAfter(found.day, 7) } : found;
  const words = format(say, { weekday: "long", day: "numeric", month: "long", hour: "numeric", minute: "2-digit", timeZone: "UTC" });
  return [from, to].map(({ day, time }) => words.format(Date.parse(`${day}T${time}Z`)));
}

/** The first such day in the week on this day or after it. @param {string} date @param {string} moment `fri 18:00` */
function onOrAfter(date, moment) {
  const days = DAYS.indexOf(moment.split(" ")[0]) - DAYS.indexOf(weekdayNamed(date));
  return dayAfter(date, (days + 7) % 7);
}

/** @param {Speaks} say @param {Intl.DateTimeFormatOptions} wanted */
function format({ language }, wanted) {
  return new Intl.DateTimeFormat(localeFor(language), wanted);
}
