// How long it is until the next daily race, how many days in a row were played, which of this week.

import { h } from "../draw.js";
import { DAY_MS, dayAfter, mondayOf } from "../records/days.js";
import { dayName, span } from "../words.js";

/** @param {Given<"choosing" | "days" | "profiles" | "say" | "session" | "today">} given */
export function next(given) {
  const { say, session } = given;
  const now = session.clock.now();
  return h(
    "section",
    { class: "next", "aria-labelledby": "next" },
    h("h2", { id: "next" }, say("home.next")),
    h("div", { class: "count", role: "timer" }, span(DAY_MS - (now % DAY_MS))),
    streak(given),
    week(given),
  );
}

/** @param {Given<"choosing" | "days" | "profiles" | "say" | "today">} given */
function streak({ say, profiles, today, choosing, days }) {
  const count = profiles.streak(choosing.both);
  const played = today.over || days.of(choosing.both, today.day)?.mine;
  const key = played ? "next.kept" : count ? "next.keep" : "next.begin";
  return h("p", { class: "streak" }, count ? h("b", {}, say("next.streak", { count })) : null, count ? " " : "", say(key));
}

/** Monday to Sunday: a full circle for each day that was played. @param {Given<"choosing" | "days" | "say" | "today">} given */
function week(given) {
  const { say, today } = given;
  const monday = mondayOf(today.day);
  const all = Array.from({ length: 7 }, (_, day) => {
    const date = dayAfter(monday, day);
    const state = stateOf(given, date);
    const named = `${dayName(say, date, { weekday: "long" })}: ${say(`next.${state}`)}`;
    return h("li", { key: date, class: state, "aria-label": named }, h("span", { "aria-hidden": "true" }, dayName(say, date, { weekday: "narrow" })));
  });
  return h("ol", { class: "week", "aria-label": say("period.weekly") }, all);
}

/** @param {Given<"choosing" | "days" | "today">} given @param {string} date */
function stateOf({ days, today, choosing }, date) {
  if (date > today.day) return "future";
  const now = date === today.day;
  if (days.of(choosing.both, date)?.mine || (now && today.over)) return "played";
  return now ? "now" : "missed";
}
