// Leaderboards: a period, a page of rows, one's own row.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { PERIODS } from "./board_table.js";
import { dayName, playerName, resultTime } from "../words.js";
import { button } from "../controls.js";
import { dayAfter, dayOf } from "../records/days.js";
import { groupName } from "../groups/groups_view.js";
import { gameName, rulesName } from "../titles.js";

/** @typedef {import("./board_table.js").Row} Row */

/** @param {Page} page */
export function boards(page) {
  const { say, place, games } = page;
  const { date, ...now } = place;
  const tabs = PERIODS.map((period) => tab(say(`boards.${period}`), { ...now, period }, period === place.period && !date));
  const game = games.of(place) ?? games.usual;
  const all = games.all.map((one) => {
    return tab(gameName(page, one.name), { ...place, game: one.name, rules: one.presets[0] }, one === game);
  });
  const rules = game.presets.map((one) => {
    return tab(rulesName(page, { game: game.name, rules: one }), { ...place, rules: one }, one === place.rules);
  });
  return [
    h("h1", { class: "title" }, heading(page)),
    h("nav", { class: "tabs", "aria-label": say("boards.title") }, tabs),
    all.length > 1 ? h("nav", { class: "tabs small", "aria-label": say("room.game") }, all) : null,
    h("nav", { class: "tabs small", "aria-label": say("room.rules") }, rules),
    divisions(page),
    place.period === "daily" ? days(page) : null,
    rows(page),
  ];
}

/** Whose board: everybody's, that of guests where they are ranked apart, those of groups. @param {Page} page */
function divisions(page) {
  const { say, place, table, groups } = page;
  /** @param {string} group @param {string} text */
  const of = (group, text) => tab(text, { ...place, group }, group === (place.group ?? ""));
  const [usual, guests] = table.apart ? ["boards.division_verified", of("guests", say("boards.division_guests"))] : ["boards.everybody", null];
  const own = (groups.all ?? []).map((one) => of(one.group, groupName(page, one)));
  const all = h("a", { key: "groups", href: hashOf({ screen: "groups" }) }, say(own.length ? "groups.title" : "boards.groups"));
  return h("nav", { class: "tabs small", "aria-label": say("boards.division") }, of("", say(usual)), guests, own, all);
}

/** The day before, the day after, and all days. @param {Page} page */
function days({ say, language, place, table, today }) {
  const date = dayOf(table.answer?.board.split(".")[1] ?? place.date, today.day);
  /** @param {string} day */
  const named = (day) => dayName(language, day, { day: "numeric", month: "short" });
  const [before, after] = [dayAfter(date, -1), dayAfter(date)];
  /** @param {string} day */
  const to = (day) => hashOf({ ...place, date: day === today.day ? "" : day });
  return h(
    "nav",
    { class: "days", "aria-label": say("boards.days") },
    h("a", { key: "before", href: to(before) }, "‹ ", named(before)),
    h("a", { key: "all", href: hashOf({ ...place, screen: "archive", month: date.slice(0, 7), date: "", group: "" }) }, say("archive.title")),
    after <= today.day ? h("a", { key: "after", href: to(after) }, named(after), " ›") : h("span", {}),
  );
}

/** The day, week or month of the rows, and their rules. @param {Page} page */
function heading(page) {
  const { say, language, place, table, games } = page;
  const { period = "" } = place;
  // While another period is being loaded, the last answer still belongs to the previous one.
  const [kind, span = ""] = table.answer?.board.split(".") ?? [];
  if (kind !== period) return say("boards.title");
  const [year, number] = span.split("-W");
  const other = () => say(`boards.${period}`);
  /** @type {{[period: string]: () => string}} */
  const when = {
    daily: () => say("race.daily", { day: dayName(language, span) }),
    weekly: () => say("boards.week", { number: Number(number), year }),
    monthly: () => dayName(language, `${span}-15`, { month: "long", year: "numeric" }),
  };
  const guests = place.group ? ` · ${groupTitle(page)}` : "";
  const game = games.of(place) === games.usual ? "" : ` · ${gameName(page, place.game)}`;
  return `${(when[period] ?? other)()}${game} · ${rulesName(page, place)}${guests}`;
}

/** @param {Page} page */
function groupTitle(page) {
  const { group } = page.place;
  const own = page.groups.all?.find((one) => one.group === group);
  return group === "guests" ? page.say("boards.division_guests") : own ? groupName(page, own) : (group ?? "");
}

/** @param {string} text @param {Place} place @param {boolean} here */
function tab(text, place, here) {
  return h("a", { key: text, href: hashOf(place), "aria-current": here ? "page" : null }, text);
}

/** @param {Page} page */
function rows(page) {
  const { say, table } = page;
  if (!table.answer) return h("p", { class: "opening" }, say("race.opening"));
  if (!table.total) return empty(page);
  const last = table.first + table.rows.length;
  return h(
    "section",
    { class: "card-like leaderboard" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ["place", "player", "score"].map((one) => h("th", { scope: "col" }, say(`boards.${one}`))))),
      h("tbody", {}, table.rows.map((row) => line(page, row)), table.mine ? line(page, table.mine, "apart") : null),
    ),
    h(
      "div",
      { class: "row" },
      table.first > 0 ? button(page, "button.earlier", () => table.earlier()) : null,
      h("span", { class: "hint" }, say("boards.shown", { first: table.first + 1, last, total: table.total })),
      last < table.total ? button(page, "button.later", () => table.later()) : null,
      table.mine ? button(page, "boards.mine", () => table.show({ around: true })) : null,
    ),
  );
}

/** Nobody is there yet: what can be done about it. @param {Page} page */
function empty({ say, place, groups, today }) {
  const own = groups.all?.find(({ group, code }) => code && group === place.group);
  const past = place.date && place.date < today.day;
  return h(
    "section",
    { class: "card-like" },
    h("p", {}, say(past ? "boards.empty_past" : own ? "boards.empty_group" : "boards.empty")),
    h(
      "div",
      { class: "row" },
      past ? null : h("a", { class: "button primary", href: "#" }, say("boards.play")),
      own ? h("a", { class: "button", href: hashOf({ screen: "groups" }) }, say("groups.invite_do")) : null,
    ),
  );
}

/** @param {Page} page @param {Row} row */
function line({ say, session, games, place }, row, kind = "") {
  const mine = row.player === session.me?.player;
  return h(
    "tr",
    { key: row.player, class: `${kind} ${mine ? "mine" : ""}` },
    h("td", { class: "place" }, row.place),
    h("td", {}, h("a", { href: hashOf({ screen: "player", player: row.player, game: place.game, rules: place.rules }) }, playerName(say, row)), mine ? h("small", {}, ` (${say("you")})`) : null),
    h("td", { class: "score" }, score(say, row)),
  );
}

/**
 * Of a day the time or how far; of longer the points. Where nothing is decided time does not count.
 * @param {Say} say @param {Row} of
 */
function score(say, { points, state, home_ms: homeMs = 0, home = 0 }) {
  if (state === undefined) return say("boards.points", { count: points ?? 0 });
  return (state === "won" && resultTime(homeMs)) || say("cards.home", { home });
}
