// The table of a season: points by week with the places of the week, what does not count, and the totals. On a
// phone the weeks are chips under the names; it is the same table.

import { h } from "../draw.js";
import { avatar, numberOf } from "../figures/avatar.js";
import { medal } from "../figures/medal.js";
import { playerName } from "../words.js";
import { full, namesOf, pointsText } from "./plan.js";

/** @typedef {import("./season.js").Shown} Shown */
/** @typedef {import("./season_view.js").Parts} Parts */
/** @typedef {{results: Map<string, Protocol.WeekResult>, week: Protocol.SeasonWeek}} Column */

const METALS = ["at-1", "at-2", "at-3"];
const NONE = -1;

/** @param {Parts} given @param {Shown} shown */
export function table(given, shown) {
  const { say } = given;
  const { rows = [], weeks } = shown;
  const plan = full(shown.plan);
  const columns = weeks.map((week) => ({ week, results: new Map((week.results ?? []).map((one) => [one.player, one])) }));
  // Means, and points by share, have more digits.
  const fine = rows.some(({ points = [] }) => points.some((one) => one % 100 > 0));
  // In the first week all are new, and nobody is told so.
  const begun = rows.some((one) => one.place && !one.new);
  const scrolls = weeks.length > 8 ? { tabindex: 0, role: "region", "aria-label": say("club.table") } : {};
  return h(
    "section",
    { class: "card-like season-table", key: "table" },
    h(
      "div",
      { class: "scrolls", ...scrolls },
      h(
        "table",
        { class: `results ${fine ? "fine" : ""} ${weeks.length > 8 ? "many" : ""}`, role: "table" },
        h("caption", { class: "unseen" }, say("club.caption", { name: plan.name, counted: plan.counted, count: plan.weeks })),
        h("colgroup", {}, ["place", "emblem", "player", ...weeks.map(() => "week"), "total"].map((kind) => h("col", { class: kind }))),
        h("thead", { role: "rowgroup" }, heads(say, columns, plan.counted)),
        h("tbody", { role: "rowgroup" }, rows.map((row) => line(given, begun ? row : { ...row, new: false }, columns)), rows.length ? null : nobody(say, weeks.length)),
      ),
    ),
    level(say, rows),
  );
}

/** @param {Say} say @param {Column[]} columns @param {number} counted */
function heads(say, columns, counted) {
  /** @param {string} kind @param {Child} words @param {Props} [more] */
  const head = (kind, words, more) => h("th", { scope: "col", role: "columnheader", class: kind, key: kind, ...more }, words);
  return h(
    "tr",
    { role: "row" },
    head("place", say("boards.place")),
    head("player", say("boards.player"), { colspan: 2 }),
    columns.map(({ week: { number, phase } }) => head(`week ${kindOf(phase)}`, h("span", {}, phase === "open" ? say("club.this_week") : say("club.week", { week: number }), ["void", "missed"].includes(phase) ? h("small", {}, " ", say(`club.is_${phase}`)) : null), { key: number })),
    head("total", say("club.best", { count: counted })),
  );
}

/** @param {string} phase */
function kindOf(phase) {
  return { open: "current", "to come": "ahead", void: "void", missed: "void" }[phase] ?? "";
}

/** @param {Parts} given @param {Protocol.SeasonRow} row @param {Column[]} columns */
function line(given, row, columns) {
  const { say, session, season } = given;
  const { player, place = 0, total = 0 } = row;
  const mine = player === session.me?.player;
  const choose = () => {
    season.chosen = player;
    given.redraw();
  };
  const name = playerName(say, row);
  const pick = { type: "button", class: "pick", "aria-pressed": mine ? null : String(season.chosen === player), onclick: choose };
  return h(
    "tr",
    { role: "row", key: player, class: mine ? "mine" : "" },
    h("td", { role: "cell", class: "place" }, place ? [h("span", { class: "unseen" }, place), h("span", { "aria-hidden": "true" }, medal(place))] : "–"),
    h("td", { role: "cell", class: "emblem" }, avatar({ name: row.name, bot: player.startsWith("bot:") }, numberOf(player))),
    h("th", { role: "rowheader", scope: "row", class: "player" }, mine ? h("b", {}, name) : h("button", pick, name), movement(say, row)),
    columns.map((column, at) => cell(say, row, column, at)),
    h("td", { role: "cell", class: "total" }, h("b", {}, place ? pointsText(say, total) : "–")),
  );
}

/** How the place has changed since last week. @param {Say} say @param {Protocol.SeasonRow} row */
function movement(say, { moved = 0, new: fresh = false, place = 0 }) {
  if (!place || (!moved && !fresh)) return null;
  if (fresh) return h("small", { class: "moved" }, " ", say("club.new"));
  const key = moved > 0 ? "up" : "down";
  const count = Math.abs(moved);
  return h("small", { class: `moved ${key}` }, h("span", { "aria-hidden": "true" }, moved > 0 ? "▲" : "▼", count), h("span", { class: "unseen" }, " ", say(`club.${key}`, { count })));
}

/** @param {Say} say @param {Protocol.SeasonRow} row @param {Column} column @param {number} at */
function cell(say, row, { week, results }, at) {
  const points = row.points?.[at] ?? NONE;
  const result = results.get(row.player);
  /** @param {string} kind @param {Child} shown */
  const as = (kind, shown) => h("td", { role: "cell", key: week.number, class: `week ${kindOf(week.phase)} ${kind}` }, h("span", { class: "worth" }, shown));
  /** A sign, and what it means. @param {string} kind @param {string} sign @param {string} words */
  const sign = (kind, sign, words) => as(kind, [h("span", { class: "sign", "aria-hidden": "true" }, sign), h("span", { class: "unseen" }, words)]);
  if (result?.out) return sign("empty", "×", say("club.taken_out", { reason: result.out }));
  if (points === NONE) {
    if (week.phase === "to come") return sign("coming", "", say("club.to_come"));
    if (week.phase === "open") return as("waits-for", h("span", { class: "still" }, say("club.to_play")));
    return sign("empty", "–", say(week.phase === "void" ? "club.is_void" : "club.no_result"));
  }
  const text = pointsText(say, points);
  const struck = row.struck?.includes(week.number);
  const place = result?.place ?? 0;
  return as(`${METALS[place - 1] ?? "scored"} ${struck ? "struck" : ""}`, [
    struck ? [h("s", {}, text), h("span", { class: "unseen" }, " ", say("club.struck"))] : h("b", {}, text),
    place && place <= METALS.length ? h("span", { class: "prize" }, h("span", { class: "unseen" }, ", ", say("club.place", { place })), h("span", { "aria-hidden": "true" }, medal(place))) : null,
  ]);
}

/** @param {Say} say @param {number} weeks */
function nobody(say, weeks) {
  return h("tr", { role: "row", class: "nobody" }, h("td", { role: "cell", colspan: weeks + 4 }, h("p", {}, say("club.nobody_yet"))));
}

/** Who shares a place: nothing else decides. @param {Say} say @param {Protocol.SeasonRow[]} rows */
function level(say, rows) {
  const shared = [...new Set(rows.map(({ place = 0 }) => place))].map((place) => rows.filter((row) => place && row.place === place)).filter(({ length }) => length > 1);
  if (!shared.length) return null;
  /** @param {Protocol.SeasonRow[]} group */
  const said = (group) => say("club.level", { names: namesOf(say, group), points: pointsText(say, group[0].total ?? 0), at: group[0].place ?? 0 });
  return h("p", { class: "hint level" }, shared.length > 2 ? say("club.level_many") : shared.map(said).join(" "));
}
