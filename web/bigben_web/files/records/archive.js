// The dailies of a month as a calendar: what was played, and beside it one day with what can be done with it.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { icon } from "../figures/icons.js";
import { medal } from "../figures/medal.js";
import { wheel } from "../figures/wheel.js";
import { ordinal } from "../share/share.js";
import { choiceOf } from "../start/choosing.js";
import { average, daysOf, monthAfter, monthOf } from "./days.js";
import { dayName, playerName, resultTime } from "../words.js";
import { button } from "../page/controls.js";
import { choice } from "./choice.js";

/** So many places have a medal. */
const MEDALS = 3;
/** By how many days a key moves the focus. @type {{[key: string]: number}} */
const KEYS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** @typedef {Given<"attempt" | "days" | "form" | "games" | "go" | "joining" | "redraw" | "route" | "say" | "session" | "today">} Parts */

/** @param {Parts} given */
export function archive(given) {
  const { say, route: { place }, today, session } = given;
  const month = monthOf(place.month, today.day);
  const days = daysOf(month);
  const chosen = days.includes(given.form.typed.day) && given.form.typed.day <= today.day ? given.form.typed.day : lastOf(days, today.day);
  /** @param {number} months */
  const to = (months) => hashOf({ ...place, month: monthAfter(month, months) });
  const next = monthAfter(month) <= today.day.slice(0, 7);
  return [
    h(
      "div",
      { class: "head", key: "head" },
      h("h1", { class: "title" }, say("archive.title")),
      h(
        "div",
        { class: "row month", key: "month" },
        h("a", { class: "button step", key: "before", href: to(-1), "aria-label": say("archive.before") }, icon("earlier")),
        h("h2", { id: "month" }, dayName(say, `${month}-15`, { month: "long", year: "numeric" })),
        next ? h("a", { class: "button step", key: "after", href: to(1), "aria-label": say("archive.after") }, icon("later")) : h("span", { class: "step" }),
      ),
      choice(given),
    ),
    h(
      "section",
      { class: "month-box", key: "archive", "aria-labelledby": "month" },
      session.me ? null : h("div", { class: "card-like none" }, h("p", {}, say("archive.nobody")), h("a", { class: "button", href: "#" }, say("boards.play"))),
      calendar(given, days, chosen),
      sums(given, days),
    ),
    chosen ? day(given, chosen) : null,
  ];
}

/** @param {string[]} days @param {string} today */
function lastOf(days, today) {
  return days.filter((date) => date <= today).at(-1) ?? "";
}

/** @param {Parts} given @param {string[]} days @param {string} chosen */
function calendar(given, days, chosen) {
  const { say } = given;
  const first = (new Date(days[0]).getUTCDay() + 6) % 7;
  const names = ["2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22"];
  return h(
    "div",
    { class: "card-like calendar", key: "calendar", onkeydown: move },
    names.map((date) => h("span", { key: `name${date}`, class: "weekday", "aria-hidden": "true" }, dayName(say, date, { weekday: "short" }))),
    Array.from({ length: first }, (_, i) => h("span", { key: `none${i}` })),
    days.map((date) => cell(given, date, date === chosen)),
  );
}

/** The arrow keys go from day to day. @param {KeyboardEvent & {currentTarget: HTMLElement}} event */
function move(event) {
  const days = [...event.currentTarget.querySelectorAll("button")];
  const by = KEYS[event.key];
  const to = by && days[days.indexOf(/** @type {HTMLButtonElement} */ (event.target)) + by];
  if (!to) return;
  event.preventDefault();
  to.focus();
}

/** @param {Parts} given @param {string} date @param {boolean} chosen */
function cell(given, date, chosen) {
  const { say, today } = given;
  const number = Number(date.slice(-2));
  if (date > today.day) return h("span", { key: date, class: "day future" }, h("span", { class: "number" }, number));
  const known = resultOf(given, date);
  const { mine } = known ?? {};
  const now = date === today.day;
  const sign = mine ? `${mine.home ?? 0} ${rankOf(say, mine)}` : known || now ? say(now ? "archive.sign_now" : "archive.sign_missed") : "";
  const pick = () => {
    given.form.typed.day = date;
    given.redraw();
  };
  // Words that are seen begin what is heard, for people who speak to the page.
  const label = `${number} ${sign}, ${dayName(say, date)}: ${told(given, date)}`;
  const props = { type: "button", key: date, class: `day ${mine ? "played" : "missed"} ${now ? "now" : ""}`, "aria-label": label, "aria-pressed": String(chosen), onclick: pick };
  return h(
    "button",
    props,
    h("span", { class: "number" }, number),
    mine ? wheel({ size: 48, ...shownOf(given, mine) }) : h("span", { class: "ring-to-come" }),
    " ",
    mine ? h("span", { class: "how" }, h("b", {}, mine.home ?? 0), " ", rank(say, mine)) : h("small", {}, sign),
  );
}

/** @param {Say} say @param {Standing} of */
function rankOf(say, { place = 0 }) {
  return place <= MEDALS ? `${place}` : ordinal(place, say("share.ordinals"));
}

/** @param {Say} say @param {Standing} of */
function rank(say, of) {
  return (of.place ?? 0) <= MEDALS ? medal(of.place ?? 0) : h("small", {}, rankOf(say, of));
}

/** @param {Given<"games" | "route">} given @param {Standing} of */
function shownOf({ games, route: { place } }, { home = 0 }) {
  return { home, total: (games.of(place) ?? games.usual).total };
}

/** The month in three numbers. @param {Parts} given @param {string[]} days */
function sums(given, days) {
  const { say, today } = given;
  const mine = days.flatMap((date) => resultOf(given, date)?.mine ?? []);
  if (!mine.length) return null;
  const numbers = [
    say("archive.count", { played: mine.length, days: days.filter((date) => date <= today.day).length }),
    say("archive.all_home", { count: mine.filter(({ state }) => state === "won").length }),
    say("archive.average", { home: average(say, mine.map(({ home = 0 }) => home)) }),
  ];
  return h("p", { class: "sums", key: "sums" }, numbers.map((one) => h("span", {}, one)));
}

/** @param {Given<"days" | "games" | "route">} given @param {string} date */
function resultOf({ days, games, route: { place } }, date) {
  return days.of(choiceOf(games, place), date);
}

/** What became of a day, in words. @param {Given<"days" | "games" | "route" | "say" | "session" | "today">} given @param {string} date */
function told(given, date) {
  const { say, today, session } = given;
  const known = resultOf(given, date);
  if (!session.me) return say(date === today.day ? "archive.today" : "race.closed");
  if (!known) return say("race.opening");
  const { mine, total } = known;
  if (!mine) return say(date === today.day ? "archive.today" : "archive.missed");
  const { state, home = 0, home_ms: homeMs = 0, place: rank } = mine;
  const time = state === "won" && resultTime(homeMs);
  const result = time ? say("archive.won", { time }) : say("cards.home", { home });
  return say("archive.played", { result, place: rank, players: total });
}

/** The day that was picked, and what can be done with it. @param {Parts} given @param {string} date */
function day(given, date) {
  const { say, today, games, route: { place }, joining, days } = given;
  const both = choiceOf(games, place);
  const race = `daily.${date}.${both.game}.${both.rules}`;
  const past = date < today.day;
  const known = resultOf(given, date);
  const practise = () => joining.create({ ...both, practice: true, daily: race });
  return h(
    "aside",
    { class: "card-like chosen", key: date },
    h(
      "div",
      { class: "felt" },
      h("h3", {}, dayName(say, date, { weekday: "long", day: "numeric", month: "long" })),
      known?.mine
        ? [
            wheel({ size: 216, ...shownOf(given, known.mine), hours: days.hours(both, date, known.mine.player), middle: known.mine.home ?? 0, below: say("share.of", { total: shownOf(given, known.mine).total }), numbers: true }),
            figures(given, known.mine, known.total),
            h("p", { class: "unseen" }, told(given, date)),
          ]
        : [h("span", { class: "ring-to-come large" }), h("p", {}, told(given, date))],
    ),
    known ? best(given, known) : null,
    past ? button(given, "archive.play", practise, "primary") : h("a", { class: "button primary", key: "today", href: "#" }, say("boards.play")),
    h(
      "div",
      { class: "row" },
      h("a", { class: "button", key: "board", href: hashOf({ screen: "boards", period: "daily", ...both, date: past ? date : "" }) }, say("archive.board")),
      past && known?.total ? h("a", { class: "button", key: "replay", href: hashOf({ screen: "replay", race, player: "" }) }, say("race.replay")) : null,
    ),
    past ? h("p", { class: "hint" }, say("archive.play_hint")) : null,
  );
}

/** Place, time and moves. @param {Given<"say">} given @param {Standing} mine @param {number} total */
function figures({ say }, mine, total) {
  const { place = 0, home_ms: homeMs = 0, moves = 0 } = mine;
  const all = [
    [ordinal(place, say("share.ordinals")), say("share.of", { total })],
    [resultTime(homeMs) || "–", say("boards.time")],
    [moves, say("boards.moves")],
  ];
  return h("p", { class: "figures", "aria-hidden": "true" }, all.map(([number, what]) => h("span", {}, h("b", {}, number), what)));
}

/** The best of the day, and one's own row. @param {Parts} given @param {import("./days.js").Day} of */
function best(given, { rows, mine }) {
  const { say, session, route: { place } } = given;
  if (!rows.length) return null;
  const all = mine && !rows.some(({ player }) => player === mine.player) ? [...rows, mine] : rows;
  return [
    h("h3", { key: "best" }, say("archive.best")),
    h(
      "table",
      { class: "results", key: "rows" },
      h("thead", { class: "unseen" }, h("tr", {}, ["place", "player", "home"].map((one) => h("th", { scope: "col", colspan: one === "player" ? 2 : null }, say(`boards.${one}`))))),
      h(
        "tbody",
        {},
        all.map((row) =>
          h(
            "tr",
            { key: row.player, class: row.player === session.me?.player ? "mine" : "" },
            h("td", { class: "place" }, medal(row.place ?? 0)),
            h("td", { class: "emblem" }, wheel({ size: 32, ...shownOf(given, row) })),
            h("th", { scope: "row", class: "player" }, h("a", { href: hashOf({ screen: "player", player: row.player, game: place.game, rules: place.rules }) }, playerName(say, row))),
            h("td", { class: "score" }, h("b", {}, row.home ?? 0)),
          ),
        ),
      ),
    ),
  ];
}
