// Leaderboards: a period, a page of rows, one's own row; beside them the best three and one's own days.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { avatar, numberOf } from "../figures/avatar.js";
import { bar, spark } from "../figures/cells.js";
import { columnOf, columns } from "../figures/columns.js";
import { icon } from "../figures/icons.js";
import { medal } from "../figures/medal.js";
import { wheel } from "../figures/wheel.js";
import { choice } from "../records/choice.js";
import { choiceOf } from "../start/choosing.js";
import { freeSteps } from "../start/podium_view.js";
import { dayName, playerName, resultTime, span } from "../words.js";
import { button } from "../page/controls.js";
import { DAY_MS, dayAfter, dayOf } from "../records/days.js";
import { gameName, groupName, rulesName } from "../page/titles.js";

/** @typedef {import("./board_table.js").Row} Row */

/** From so many players on it is said of the upper half among which part of them one is. */
const MANY = 10;

/** @param {Given<"attempt" | "form" | "games" | "go" | "groups" | "redraw" | "route" | "say" | "session" | "table" | "today">} given */
export function boards(given) {
  return [
    h("div", { class: "head", key: "head" }, h("h1", { class: "title" }, ...heading(given)), filters(given)),
    rows(given),
    h("aside", { class: "aside", key: "aside" }, podium(given), own(given), about(given)),
  ];
}

/** Which board; where there is little room, a button that opens a sheet of them. @param {Given<"form" | "games" | "go" | "groups" | "redraw" | "route" | "say" | "table">} given */
function filters(given) {
  const { say, route: { place }, form, redraw } = given;
  const { date, ...now } = place;
  const periods = say.under("period.").map((period) => tab(say(`period.${period}`), { ...now, period }, period === place.period && !date));
  const here = hashOf(place);
  const open = form.typed.filters === here;
  /** @param {boolean} opens */
  const turn = (opens) => {
    form.typed.filters = opens ? here : "";
    redraw();
  };
  /** @param {KeyboardEvent} event */
  const onkeydown = ({ key }) => key === "Escape" && open && turn(false);
  const shown = [say(`period.${place.period}`), place.group ? groupTitle(given) : say("group.everybody")].join(" · ");
  return h(
    "div",
    { class: `filters ${open ? "open" : ""}`, onkeydown },
    h("button", { type: "button", class: "opens", key: "opens", "aria-expanded": String(open), onclick: () => turn(!open) }, shown),
    h("div", { class: "shade", key: "shade", onclick: () => turn(false) }),
    h(
      "div",
      { class: "sheet", key: "sheet" },
      h("nav", { class: "segments", key: "periods", "aria-label": say("boards.title") }, periods),
      divisions(given),
      choice(given),
    ),
  );
}

/** Whose board: everybody's, that of guests where they are ranked apart, those of groups. @param {Given<"groups" | "route" | "say" | "table">} given */
function divisions(given) {
  const { say, route: { place }, table, groups } = given;
  /** @param {string} group @param {string} text */
  const of = (group, text) => tab(text, { ...place, group }, group === (place.group ?? ""));
  const [usual, guests] = table.apart ? ["boards.division_verified", of("guests", say("boards.division_guests"))] : ["group.everybody", null];
  const own = (groups.all ?? []).map((one) => of(one.group, groupName(given, one)));
  const all = h("a", { key: "groups", href: hashOf({ screen: "groups" }) }, say(own.length ? "groups.title" : "boards.groups"));
  return h("nav", { class: "segments", key: "divisions", "aria-label": say("boards.division") }, of("", say(usual)), guests, own, all);
}

/** What is shown: the day, week or month of the rows, and in smaller letters their game, rules and players. @param {Given<"games" | "groups" | "route" | "say" | "table" | "today">} given @returns {Child[]} */
function heading(given) {
  const { say, route: { place }, table, games, today } = given;
  const { period = "" } = place;
  // While another period is being loaded, the last answer still belongs to the previous one.
  const [kind, span = ""] = table.answer?.board.split(".") ?? [];
  if (kind !== period) return [say("boards.title")];
  const [when, beside = ""] = period === "daily" ? dayNames(say, span, span === today.day) : [spanName(say, period, span)];
  // Also seen in the list and beside it.
  const of = [games.of(place) !== games.usual && gameName(given, place.game), rulesName(given, place), place.group && groupTitle(given)];
  return [when, beside ? [" ", h("small", {}, beside)] : null, h("span", { class: "unseen" }, ["", ...of.filter(Boolean)].join(" · "))];
}

/** What a day is called, and what is said of it in smaller letters. @param {Say} say @param {string} date @param {boolean} now */
function dayNames(say, date, now) {
  const long = dayName(say, date, { weekday: "long", day: "numeric", month: "long" });
  return now ? [say("boards.title_today"), long] : [dayName(say, date), `${dayName(say, date, { weekday: "long" })} · ${say("boards.title_past")}`];
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

/** @param {Given<"attempt" | "games" | "groups" | "route" | "say" | "session" | "table" | "today">} given */
function rows(given) {
  const { say, table } = given;
  if (!table.answer) return h("p", { class: "opening", key: "opening" }, say("race.opening"));
  const last = table.first + table.rows.length;
  const heads = ["place", "player", ...(table.daily ? ["home", "time", "moves"] : ["score"])];
  if (table.answer.form?.length) heads.push(...(rated(given) ? ["rating", "lately"] : ["lately"]));
  /** Players have a sign before their name. @param {string} one */
  const head = (one) => h("th", { scope: "col", class: one, colspan: one === "player" ? 2 : null }, say(one === "rating" ? "player.rating" : `boards.${one}`));
  return h(
    "section",
    { class: "card-like leaderboard", key: "board" },
    h(
      "table",
      { class: "results" },
      table.total ? h("thead", {}, h("tr", {}, heads.map(head))) : null,
      h("tbody", {}, table.total ? null : nobody(given), table.rows.map((row) => line(given, row)), table.mine ? line(given, table.mine, "apart") : null),
    ),
    table.total
      ? h(
          "div",
          { class: "row" },
          h("span", { class: "hint" }, say("boards.shown", { first: table.first + 1, last, total: table.total })),
          table.mine ? button(given, "boards.mine", () => table.show({ around: true })) : null,
          step(given, "earlier", table.first > 0 ? () => table.earlier() : null),
          step(given, "later", last < table.total ? () => table.later() : null),
        )
      : null,
  );
}

/** Whether players of this game are rated: not where nothing is decided. @param {Given<"games" | "route">} given */
function rated({ games, route: { place } }) {
  return (games.of(place) ?? games.usual).decides;
}

/** To the rows before or after these. @param {Given<"attempt" | "say">} given @param {"earlier" | "later"} way @param {(() => unknown) | null} does */
function step({ attempt, say }, way, does) {
  const props = { type: "button", class: "step", key: way, "aria-label": say(way === "later" ? "button.next" : "button.earlier"), disabled: !does };
  return h("button", { ...props, onclick: does && (() => attempt(does)) }, icon(way));
}

/** Nobody is there yet: what can be done about it. @param {Given<"groups" | "route" | "say" | "today">} given */
function nobody({ say, route: { place }, groups, today }) {
  const own = groups.all?.find(({ group, code }) => code && group === place.group);
  const past = place.date && place.date < today.day;
  return h(
    "tr",
    { key: "nobody", class: "nobody" },
    h(
      "td",
      {},
      h("p", {}, say(past ? "boards.empty_past" : own ? "boards.empty_group" : "boards.empty_now")),
      h(
        "div",
        { class: "row" },
        h("a", { class: "button primary", href: past ? hashOf({ ...place, date: "" }) : "#" }, say(past ? "boards.today" : "boards.play")),
        own ? h("a", { class: "button", href: hashOf({ screen: "groups" }) }, say("groups.invite_do")) : null,
      ),
    ),
  );
}

/** @param {Given<"games" | "route" | "say" | "session" | "table">} given @param {Row} row */
function line(given, row, kind = "") {
  const { say, session, games, table, route: { place } } = given;
  const { player, home = 0, home_ms: homeMs = 0, state, points = 0, moves = 0 } = row;
  const mine = player === session.me?.player;
  const { total } = games.of(place) ?? games.usual;
  const daily = state !== undefined;
  const form = table.form(player);
  return h(
    "tr",
    { key: player, class: `${kind} ${mine ? "mine" : ""}` },
    h("td", { class: "place" }, medal(row.place ?? 0)),
    h("td", { class: "emblem" }, daily ? wheel({ size: 38, home, total }) : avatar(row, numberOf(player))),
    h(
      "th",
      { scope: "row", class: "player" },
      // The own row lies over others: a link in it would cover theirs. The own name above leads there.
      mine ? [h("b", {}, playerName(say, row)), h("small", {}, " ", say("you"))] : h("a", { href: hashOf({ screen: "player", player, game: place.game, rules: place.rules }) }, playerName(say, row)),
    ),
    daily ? number("home", say("cards.home", { home }), home, bar(home, total)) : number("score", say("points", { count: points }), points),
    // Where nothing is decided, time does not count.
    daily ? [h("td", { class: "time" }, resultTime(homeMs)), h("td", { class: "moves" }, moves || "")] : null,
    form ? [rated(given) ? h("td", { class: "rating" }, form.rating ? `${form.rating}${form.provisional ? "?" : ""}` : "") : null, h("td", { class: "lately" }, spark(given, form.lately ?? [], total))] : null,
  );
}

/** A number in large letters; those who hear the page hear all of what it counts. @param {string} kind @param {string} words @param {number} count @param {Child} more */
function number(kind, words, count, more = null) {
  const [before, after] = words.split(String(count));
  return h("td", { class: kind }, h("span", { class: "unseen" }, before), h("b", {}, count), h("span", { class: "unseen" }, after), more);
}

/** The best three, on the steps of a podium. @param {Given<"games" | "route" | "say" | "table">} given */
function podium({ say, games, table, route: { place } }) {
  const { total } = games.of(place) ?? games.usual;
  const best = table.first ? [] : table.rows.slice(0, 3);
  if (!best.length) return null;
  /** @param {Row} row */
  const stand = (row) => {
    const { player, place: at, name, home = 0, home_ms: homeMs = 0, state, points = 0 } = row;
    const time = state === "won" && resultTime(homeMs);
    const score = !table.daily ? say("points", { count: points }) : time || say("cards.home", { home });
    return h(
      "li",
      { key: player },
      table.daily ? wheel({ size: 62, home, total }) : avatar(row, numberOf(player)),
      h("span", { class: "name" }, name),
      h("span", { class: "score" }, score),
      h("span", { class: "stand" }, at),
    );
  };
  return h("div", { class: "felt podium", key: "podium", "aria-hidden": "true" }, h("ol", {}, best.map(stand), ...freeSteps(best.length)));
}

/** One's own place, and how many brought how many cards home. @param {Given<"games" | "route" | "say" | "session" | "table">} given */
function own(given) {
  const { say, games, route: { place }, table } = given;
  const { own } = table;
  const homes = table.answer?.homes ?? [];
  if (!own?.place && !homes.length) return null;
  const { total } = games.of(place) ?? games.usual;
  const percent = Math.ceil((100 * (own?.place ?? 0)) / table.total);
  const at = own && homes.length ? columnOf(own.home ?? 0, total, homes.length) : -1;
  const title = say("boards.homes");
  return h(
    "section",
    { class: "card-like own", key: "own" },
    own?.place
      ? h("div", { class: "row" }, h("h2", {}, say("boards.own", { place: own.place })), table.total >= MANY && percent <= 50 ? h("span", { class: "chip" }, say("boards.top", { percent })) : null)
      : null,
    homes.length ? [h(own ? "p" : "h2", { class: own ? "hint" : "" }, title), columns(given, homes, total, { own: at, word: say("you"), title, what: say("boards.players") })] : null,
  );
}

/** How the rows are ordered, until when it is open, and the days around it. @param {Given<"games" | "route" | "say" | "session" | "table" | "today">} given */
function about(given) {
  const { say, route: { place }, table, today, session, games } = given;
  if (!table.answer) return null;
  const date = dayOf(table.answer.board.split(".")[1] ?? place.date, today.day);
  const both = choiceOf(games, place);
  const past = table.daily && date < today.day;
  const left = DAY_MS - (session.clock.now() % DAY_MS);
  const order = table.daily ? (games.of(place)?.decides ? "boards.by_home_time" : "boards.by_home") : "boards.by_points";
  return h(
    "section",
    { class: "card-like about", key: "about" },
    h("p", {}, table.daily && !past ? [say("boards.open", { span: span(left) }), " "] : null, say(order)),
    table.daily ? days(given, date) : null,
    past && table.total ? h("a", { class: "button", key: "replay", href: hashOf({ screen: "replay", race: `daily.${date}.${both.game}.${both.rules}`, player: "" }) }, icon("play"), say("race.replay")) : null,
  );
}

/** The day before, the day after, and all days. @param {Given<"route" | "say" | "today">} given @param {string} date */
function days({ say, route: { place }, today }, date) {
  /** @param {string} day */
  const named = (day) => dayName(say, day, { day: "numeric", month: "short" });
  const [before, after] = [dayAfter(date, -1), dayAfter(date)];
  /** @param {string} day */
  const to = (day) => hashOf({ ...place, date: day === today.day ? "" : day });
  return h(
    "nav",
    { class: "row days", "aria-label": say("boards.days") },
    h("a", { class: "button", key: "before", href: to(before) }, "‹ ", named(before)),
    h("a", { class: "button", key: "all", href: hashOf({ ...place, screen: "archive", month: date.slice(0, 7), date: "", group: "" }) }, say("archive.title")),
    after <= today.day ? h("a", { class: "button", key: "after", href: to(after) }, named(after), " ›") : null,
  );
}
