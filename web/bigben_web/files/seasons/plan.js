// What a season is, in full: the server leaves out what is as usual. Draws nothing.

import { dayAfter } from "../records/days.js";
import { playerName } from "../words.js";
import { weekdayNamed } from "./times.js";

/** The points of the places, from the first one on. */
const PLACES = [12, 10, 8, 6, 5, 4, 3, 2, 1];
/** Points come in hundredths. */
const POINT = 100;

/** @param {Protocol.Plan} plan @returns {Required<Protocol.Plan>} */
export function full(plan) {
  const usual = { weeks: 8, zone: "UTC", opens: "fri 18:00", closes: "mon 18:00", game: "bigben", rules: "standard", grade: /** @type {const} */ (""), limit_ms: 3_600_000, scale: /** @type {const} */ (""), verified: false };
  const known = { ...usual, ...plan };
  return { ...known, counted: plan.counted || Math.max(1, known.weeks - 2) };
}

/** What a new season is, unless somebody wants something else: from the next Friday on. @param {number} now */
export function newPlan(now) {
  const today = new Date(now - new Date(now).getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
  const first = Array.from({ length: 7 }, (_, days) => dayAfter(today, days + 1)).find((day) => weekdayNamed(day) === "fri") ?? today;
  return full({ name: "", first_day: first, zone: new Intl.DateTimeFormat().resolvedOptions().timeZone });
}

/** `8`, `5.5`, `6.33`, as one writes them here. @param {Pick<Say, "language">} say @param {number} hundredths */
export function pointsText({ language }, hundredths) {
  return (hundredths / POINT).toLocaleString(language, { maximumFractionDigits: 2 });
}

/** How points are given, if it is known. @param {Say} say @param {{ scale?: string, rows?: Protocol.SeasonRow[] }} of */
export function scaleText(say, { scale, rows = [] }) {
  if (!scale) return say("club.scale_open");
  const some = PLACES.slice(0, Math.min(PLACES.length, Math.max(3, rows.length)));
  return say(`club.scale_${scale}`, { places: some.join(" · ") });
}

/** `Ada, Bob and Cy`. @param {Say} say @param {Protocol.SeasonRow[]} rows */
export function namesOf(say, rows) {
  return new Intl.ListFormat(say.language).format(rows.map((row) => playerName(say, row)));
}
