// Leaderboards: a period, a page of rows, one's own row.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { dayName, playerName, resultTime } from "../words.js";
import { button } from "../page/controls.js";
import { dayAfter, dayOf } from "../records/days.js";
import { groupName } from "../groups/groups_view.js";
import { gameName, rulesName } from "../page/titles.js";

/** @typedef {import("./board_table.js").Row} Row */

/** @param {Given<"attempt" | "games" | "groups" | "route" | "say" | "session" | "table" | "today">} given */
export function boards(given) {
  const { say, route: { place }, games } = given;
  const { date, ...now } = place;
  const tabs = say.under("period.").map((period) => tab(say(`period.${period}`), { ...now, period }, period === place.period && !date));
  const game = games.of(place) ?? games.usual;
  const all = games.all.map((one) => {
    return tab(gameName(given, one.name), { ...place, game: one.name, rules: one.presets[0] }, one === game);
  });
  const rules = game.presets.map((one) => {
    return tab(rulesName(given, { game: game.name, rules: one }), { ...place, rules: one }, one === place.rules);
  });
  return [
    h("h1", { class: "title" }, heading(given)),
    h("nav", { class: "tabs", "aria-label": say("boards.title") }, tabs),
    all.length > 1 ? h("nav", { class: "tabs small", "aria-label": say("room.game") }, all) : null,
    h("nav", { class: "tabs small", "aria-label": say("room.rules") }, rules),
    divisions(given),
    place.period === "daily" ? days(given) : null,
    rows(given),
  ];
}

/** Whose board: everybody's, that of guests where they are ranked apart, those of groups. @param {Given<"groups" | "route" | "say" | "table">} given */
function divisions(given) {
  const { say, route: { place }, table, groups } = given;
  /** @param {string} group @param {string} text */
  const of = (group, text) => tab(text, { ...place, group }, group === (place.group ?? ""));
  const [usual, guests] = table.apart ? ["boards.division_verified", of("guests", say("boards.division_guests"))] : ["boards.everybody", null];
  const own = (groups.all ?? []).map((one) => of(one.group, groupName(given, one)));
  const all = h("a", { key: "groups", href: hashOf({ screen: "groups" }) }, say(own.length ? "groups.title" : "boards.groups"));
  return h("nav", { class: "tabs small", "aria-label": say("boards.division") }, of("", say(usual)), guests, own, all);
}

/** The day before, the day after, and all days. @param {Given<"route" | "say" | "table" | "today">} given */
function days({ say, route: { place }, table, today }) {
  const date = dayOf(table.answer?.board.split(".")[1] ?? place.date, today.day);
  /** @param {string} day */
  const named = (day) => dayName(say, day, { day: "numeric", month: "short" });
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

/** The day, week or month of the rows, and their rules. @param {Given<"games" | "groups" | "route" | "say" | "table">} given */
function heading(given) {
  const { say, route: { place }, table, games } = given;
  const { period = "" } = place;
  // While another period is being loaded, the last answer still belongs to the previous one.
  const [kind, span = ""] = table.answer?.board.split(".") ?? [];
  if (kind !== period) return say("boards.title");
  const when = period === "daily" ? say("race.daily", { day: dayName(say, span) }) : spanName(say, period, span);
  const guests = place.group ? ` · ${groupTitle(given)}` : "";
  const game = games.of(place) === games.usual ? "" : ` · ${gameName(given, place.game)}`;
  return `${when}${game} · ${rulesName(given, place)}${guests}`;
}

/** What people call a span, past or present, or the period that has none. @param {Say} say @param {string} period @param {string} span */
function spanName(say, period, span) {
  if (!say.knows(`span.${period}`)) return say(`period.${period}`);
  const [year, number] = span.split(/-W?/);
  const month = say.knows(`month.${Number(number)}`) ? say(`month.${Number(number)}`) : "";
  return say(`span.${period}`, { year, month, number: Number(number) });
}

/** @param {Given<"groups" | "route" | "say">} given */
function groupTitle(given) {
  const { group } = given.route.place;
  const own = given.groups.all?.find((one) => one.group === group);
  return group === "guests" ? given.say("boards.division_guests") : own ? groupName(given, own) : (group ?? "");
}

/** @param {string} text @param {Place} place @param {boolean} here */
function tab(text, place, here) {
  return h("a", { key: text, href: hashOf(place), "aria-current": here ? "page" : null }, text);
}

/** @param {Given<"attempt" | "groups" | "route" | "say" | "session" | "table" | "today">} given */
function rows(given) {
  const { say, table } = given;
  if (!table.answer) return h("p", { class: "opening" }, say("race.opening"));
  if (!table.total) return empty(given);
  const last = table.first + table.rows.length;
  return h(
    "section",
    { class: "card-like leaderboard" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ["place", "player", "score"].map((one) => h("th", { scope: "col" }, say(`boards.${one}`))))),
      h("tbody", {}, table.rows.map((row) => line(given, row)), table.mine ? line(given, table.mine, "apart") : null),
    ),
    h(
      "div",
      { class: "row" },
      table.first > 0 ? button(given, "button.earlier", () => table.earlier()) : null,
      h("span", { class: "hint" }, say("boards.shown", { first: table.first + 1, last, total: table.total })),
      last < table.total ? button(given, "button.later", () => table.later()) : null,
      table.mine ? button(given, "boards.mine", () => table.show({ around: true })) : null,
    ),
  );
}

/** Nobody is there yet: what can be done about it. @param {Given<"groups" | "route" | "say" | "today">} given */
function empty({ say, route: { place }, groups, today }) {
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

/** @param {Given<"route" | "say" | "session">} given @param {Row} row */
function line({ say, session, route: { place } }, row, kind = "") {
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
