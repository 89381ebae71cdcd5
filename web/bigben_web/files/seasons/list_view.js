// The seasons of the player's groups, beside these groups: those that run, and a new one.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { icon } from "../figures/icons.js";
import { button } from "../page/controls.js";
import { planForm } from "./plan_form.js";
import { newPlan } from "./plan.js";
import { momentOf, weekdayOf } from "./times.js";

/** @typedef {Given<"attempt" | "form" | "focusOn" | "games" | "redraw" | "say" | "seasons" | "session"> & {season: import("./season.js").Season}} Parts */

/** @param {Parts} given @param {Protocol.Group} group */
export function seasonsOf(given, { group }) {
  const { say, seasons, form } = given;
  const own = (seasons.all ?? []).filter((one) => one.group === group);
  const making = form.typed.season_group === group;
  const begin = () => {
    [form.typed.season_group, given.season.draft] = [group, null];
    given.focusOn("#plan-name");
  };
  return h(
    "div",
    { class: "seasons", key: "seasons" },
    own.length ? h("ul", { "aria-label": say("club.seasons") }, own.map((one) => line(given, one))) : null,
    making ? newSeason(given, group) : button(given, "club.begin", begin, "quiet"),
  );
}

/** Those of no group that is the player's. @param {Parts} given @param {Protocol.Group[]} groups */
export function otherSeasons(given, groups) {
  const { say, seasons } = given;
  const others = (seasons.all ?? []).filter(({ group }) => !groups.some((one) => one.group === group));
  if (!others.length) return null;
  return h("section", { class: "card-like seasons", key: "others", "aria-labelledby": "other-seasons" }, h("h2", { id: "other-seasons" }, say("club.others")), h("ul", {}, others.map((one) => line(given, one))));
}

/** @param {Parts} given @param {string} group */
function newSeason(given, group) {
  const { say, season, session, form } = given;
  const cancel = () => (form.typed.season_group = "");
  return h(
    "section",
    { class: "making", key: "making", "aria-labelledby": "making" },
    h("h3", { id: "making" }, say("club.new_title")),
    planForm(given, newPlan(session.clock.now()), "club.make", async (plan) => {
      await season.make(group, plan);
      cancel();
    }),
    button(given, "club.cancel", cancel, "quiet"),
  );
}

/** @param {Given<"say" | "session">} given @param {Protocol.SeasonInfo} info */
function line({ say, session }, { season, name, phase, week = 0, opens_at: opens = 0, closes_at: closes = 0, race }) {
  const now = session.clock.now();
  const open = race && now < closes;
  const when = open ? say("week.open", { week, day: weekdayOf(say, closes, now) }) : week ? say("club.opens", { week, when: momentOf(say, opens, now) }) : say(`club.phase.${phase.replace(" ", "_")}`);
  return h(
    "li",
    { key: season },
    h("a", { href: hashOf({ screen: "season", season }) }, h("b", {}, name), h("small", {}, when)),
    open ? h("a", { class: "button", href: hashOf({ screen: "race", race }), "aria-label": say("club.play_of", { name }) }, icon("play"), say("home.week_play")) : null,
  );
}
