// The dailies of a month as a calendar: what was played, and what can still be played unranked.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { choiceOf } from "../start/choosing.js";
import { daysOf, monthAfter, monthOf } from "./days.js";
import { dayName, resultTime } from "../words.js";
import { button } from "../page/controls.js";
import { choice } from "./choice.js";

/** @param {Given<"attempt" | "days" | "form" | "games" | "go" | "joining" | "redraw" | "route" | "say" | "session" | "today">} given */
export function archive(given) {
  const { say, route: { place }, today, session } = given;
  const month = monthOf(place.month, today.day);
  const days = daysOf(month);
  const chosen = days.includes(given.form.typed.day) && given.form.typed.day <= today.day ? given.form.typed.day : lastOf(days, today.day);
  /** @param {number} months */
  const to = (months) => hashOf({ ...place, month: monthAfter(month, months) });
  return [
    h("h1", { class: "title" }, say("archive.title")),
    choice(given),
    session.me ? null : h("p", { class: "card-like" }, say("archive.nobody")),
    h(
      "section",
      { class: "card-like archive", "aria-labelledby": "month" },
      h(
        "div",
        { class: "head" },
        h("a", { class: "button quiet", key: "before", href: to(-1), "aria-label": say("archive.before") }, "‹"),
        h("h2", { id: "month" }, dayName(say, `${month}-15`, { month: "long", year: "numeric" })),
        monthAfter(month) <= today.day.slice(0, 7)
          ? h("a", { class: "button quiet", key: "after", href: to(1), "aria-label": say("archive.after") }, "›")
          : h("span", {}),
      ),
      calendar(given, days, chosen),
      chosen ? day(given, chosen) : null,
    ),
  ];
}

/** @param {string[]} days @param {string} today */
function lastOf(days, today) {
  return days.filter((date) => date <= today).at(-1) ?? "";
}

/** @param {Given<"days" | "form" | "games" | "redraw" | "route" | "say" | "session" | "today">} given @param {string[]} days @param {string} chosen */
function calendar(given, days, chosen) {
  const { say } = given;
  const first = (new Date(days[0]).getUTCDay() + 6) % 7;
  const names = ["2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22"];
  return h(
    "div",
    { class: "calendar" },
    names.map((date) => h("span", { key: `name${date}`, class: "weekday", "aria-hidden": "true" }, dayName(say, date, { weekday: "narrow" }))),
    Array.from({ length: first }, (_, i) => h("span", { key: `none${i}` })),
    days.map((date) => cell(given, date, date === chosen)),
  );
}

/** @param {Given<"days" | "form" | "games" | "redraw" | "route" | "say" | "session" | "today">} given @param {string} date @param {boolean} chosen */
function cell(given, date, chosen) {
  const { say, today } = given;
  const number = Number(date.slice(-2));
  if (date > today.day) return h("span", { key: date, class: "day future" }, number);
  const known = resultOf(given, date);
  const state = known?.mine ? (known.mine.state === "won" ? "won" : "played") : date === today.day ? "now" : "missed";
  const sign = state === "played" ? (known?.mine?.home ?? 0) : say(`archive.sign_${state}`);
  const label = `${dayName(say, date)}: ${told(given, date)}`;
  // Words that are seen begin what is heard, for people who speak to the page.
  const seen = state === "played" || state === "now" ? `${number} ${sign}, ` : "";
  const pick = () => {
    given.form.typed.day = date;
    given.redraw();
  };
  const props = { type: "button", key: date, class: `day ${state}`, "aria-label": seen + label, "aria-pressed": String(chosen), onclick: pick };
  return h("button", props, h("span", {}, number), " ", h("small", {}, sign));
}

/** @param {Given<"days" | "games" | "route">} given @param {string} date */
function resultOf({ days, games, route: { place } }, date) {
  return days.of(choiceOf(games, place), date);
}

/** What became of a day, in words. @param {Given<"days" | "games" | "route" | "say" | "session" | "today">} given @param {string} date */
function told(given, date) {
  const { say, today, session } = given;
  const known = resultOf(given, date);
  if (!session.me) return say(date === today.day ? "archive.today" : "archive.closed");
  if (!known) return say("race.opening");
  const { mine, total } = known;
  if (!mine) return say(date === today.day ? "archive.today" : "archive.missed");
  const { state, home = 0, home_ms: homeMs = 0, place: rank } = mine;
  const time = state === "won" && resultTime(homeMs);
  const result = time ? say("archive.won", { time }) : say("cards.home", { home });
  return say("archive.played", { result, place: rank, players: total });
}

/** The day that was picked, and what can be done with it. @param {Given<"attempt" | "days" | "games" | "joining" | "route" | "say" | "session" | "today">} given @param {string} date */
function day(given, date) {
  const { say, today, games, route: { place }, joining } = given;
  const both = choiceOf(games, place);
  const race = `daily.${date}.${both.game}.${both.rules}`;
  const past = date < today.day;
  const known = resultOf(given, date);
  const practise = () => joining.create({ ...both, practice: true, daily: race });
  return h(
    "div",
    { class: "chosen", key: date, "aria-live": "polite" },
    h("h3", {}, dayName(say, date, { weekday: "long", day: "numeric", month: "long" })),
    h("p", {}, told(given, date)),
    h(
      "div",
      { class: "row" },
      past ? button(given, "archive.play", practise, known?.mine ? "" : "primary") : null,
      past ? null : h("a", { class: "button primary", key: "today", href: "#" }, say("boards.play")),
      h("a", { class: "button", key: "board", href: hashOf({ screen: "boards", period: "daily", ...both, date: past ? date : "" }) }, say("archive.board")),
      past && known?.total
        ? h("a", { class: "button", key: "replay", href: hashOf({ screen: "replay", race, player: "" }) }, say("race.replay"))
        : null,
    ),
    past ? h("p", { class: "hint" }, say("archive.play_hint")) : null,
  );
}
