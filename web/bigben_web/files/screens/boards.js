// Leaderboards: a period, a page of rows, one's own row.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { PERIODS } from "../page/leaderboards.js";
import { dayName, fineSpan } from "../words.js";
import { button } from "./controls.js";
import { PRESETS, rulesName } from "./titles.js";

/** @param {import("../page/page.js").Page} page */
export function boards(page) {
  const { say, place } = page;
  const tabs = PERIODS.map((period) => tab(say(`boards.${period}`), { ...place, period }, period === place.period));
  const rules = PRESETS.map((one) => tab(rulesName(say, one), { ...place, rules: one }, one === place.rules));
  return [
    h("h1", { class: "title" }, heading(page)),
    h("nav", { class: "tabs", "aria-label": say("boards.title") }, tabs),
    h("nav", { class: "tabs small", "aria-label": say("room.rules") }, rules),
    page.table.apart ? divisions(page) : null,
    rows(page),
  ];
}

/** The choice where guests are ranked apart: verified players, or guests. */
function divisions({ say, place }) {
  const all = ["", "guests"].map((group) => {
    return tab(say(`boards.division_${group || "verified"}`), { ...place, group }, group === (place.group ?? ""));
  });
  return h("nav", { class: "tabs small", "aria-label": say("boards.division") }, all);
}

/** The day, week or month of the rows, and their rules. */
function heading({ say, language, place, table }) {
  const { period, rules } = place;
  // While another period is being loaded, the last answer still belongs to the previous one.
  const [kind, span] = table.answer?.board.split(".") ?? [];
  if (kind !== period) return say("boards.title");
  const [year, number] = span.split("-W");
  const other = () => say(`boards.${period}`);
  const when = {
    daily: () => say("race.daily", { day: dayName(language, span) }),
    weekly: () => say("boards.week", { number: Number(number), year }),
    monthly: () => dayName(language, `${span}-15`, { month: "long", year: "numeric" }),
  };
  const guests = place.group === "guests" ? ` · ${say("boards.division_guests")}` : "";
  return `${(when[period] ?? other)()} · ${rulesName(say, rules)}${guests}`;
}

function tab(text, place, here) {
  return h("a", { key: text, href: hashOf(place), "aria-current": here ? "page" : null }, text);
}

function rows(page) {
  const { say, table } = page;
  if (!table.answer) return h("p", { class: "opening" }, say("race.opening"));
  if (!table.total) return h("p", { class: "card-like" }, say("boards.empty"));
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

function line({ say, session }, row, kind = "") {
  const mine = row.player === session.me?.player;
  return h(
    "tr",
    { key: row.player, class: `${kind} ${mine ? "mine" : ""}` },
    h("td", { class: "place" }, row.place),
    h("td", {}, row.name, mine ? h("small", {}, ` (${say("you")})`) : null),
    h("td", { class: "score" }, score(say, row)),
  );
}

/** Of a day the time or how far; of longer the points. */
function score(say, { points, state, ms = 0, home = 0 }) {
  if (state === undefined) return say("boards.points", { count: points ?? 0 });
  return state === "won" ? fineSpan(ms) : say("cards.home", { home });
}
