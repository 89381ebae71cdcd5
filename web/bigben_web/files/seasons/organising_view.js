// What organisers do with a whole season: its plan before the first week, members, organisers, its end. And how
// a member leaves it.

import { placeOf } from "../address.js";
import { h } from "../draw.js";
import { button, labelled, select, submit } from "../page/controls.js";
import { alike } from "./alike_view.js";
import { input } from "./fields.js";
import { planForm } from "./plan_form.js";
import { nameOf } from "./weeks_view.js";

/** @typedef {import("./season.js").Shown} Shown */
/** @typedef {import("./season_view.js").Parts} Parts */

/** @param {Parts} given @param {Shown} shown */
export function organising(given, shown) {
  const { say, season } = given;
  return h(
    "details",
    { class: "card-like organising", key: "organising" },
    h("summary", {}, h("h2", {}, say(shown.organises ? "club.organise" : "club.member"))),
    shown.organises && shown.phase === "to come"
      ? h("section", { key: "plan" }, h("h3", {}, say("club.plan")), planForm(given, shown.plan, "club.plan_do", (plan) => season.change({ type: "replan", plan }, say("club.changed"))))
      : null,
    shown.organises ? [members(given), organisers(given, shown), webhook(given, shown), alike(given, shown)] : null,
    last(given, shown),
  );
}

/** Somebody who is not in the group. @param {Parts} given */
function members(given) {
  const { say, season, form } = given;
  const onsubmit = submit(given, async () => {
    await season.change({ type: "add", player: playerIn(form.typed.season_member ?? "") }, say("club.changed"), "season");
    form.typed.season_member = "";
  });
  return h(
    "form",
    { class: "join", onsubmit, key: "members" },
    h("h3", {}, say("club.add")),
    input("season-member", say("club.add_field"), { ...form.field("season_member"), maxlength: 200, required: true }, { hint: say("club.add_hint"), wrong: season.against("season-member") }),
    h("button", {}, say("club.add_do")),
  );
}

/** The player of a link to their page, or an id as it is. @param {string} text */
function playerIn(text) {
  const [, hash = ""] = text.split("#");
  return placeOf(hash).player || text.trim();
}

/** @param {Parts} given @param {Shown} shown */
function organisers(given, shown) {
  const { say, season, session } = given;
  const { organisers: all = [], rows = [] } = shown;
  const others = rows.filter(({ player }) => !all.includes(player)).map(({ player }) => /** @type {[string, string]} */ ([player, nameOf(say, shown, player)]));
  const onsubmit = submit(given, (form) => season.change({ type: "organiser", player: String(new FormData(form).get("player")) }, say("club.changed")));
  /** @param {string} player */
  const no_more = (player) => season.change({ type: "organiser", player, no_more: true }, say("club.changed"));
  /** @param {string} player */
  const named = (player) => (player === session.me?.player ? session.me.name : nameOf(say, shown, player));
  return h(
    "section",
    { key: "organisers" },
    h("h3", {}, say("club.organisers")),
    h("ul", {}, all.map((player) => h("li", { key: player, class: "row" }, h("span", {}, named(player)), all.length > 1 ? button(given, "club.organiser_out", () => no_more(player), "quiet") : null))),
    others.length
      ? h("form", { class: "row", onsubmit }, labelled("season-organiser", say("club.organiser_field"), select({ id: "season-organiser", name: "player" }, others, others[0][0])), h("button", {}, say("club.organiser_do")))
      : null,
  );
}

/** Where the news of the season are sent; the secret is shown this once. @param {Parts} given @param {Shown} shown */
function webhook(given, { season: id }) {
  const { say, season, session, form } = given;
  const onsubmit = submit(given, async () => {
    season.hook = await session.ask({ type: "set-webhook", season: id, url: (form.typed.season_hook ?? "").trim() });
  });
  const { url = "", secret = "" } = season.hook ?? {};
  const said = url ? [say("club.hook_set", { url }), " ", h("code", {}, secret)] : say("club.hook_none");
  return h(
    "form",
    { class: "join", onsubmit, key: "hook" },
    h("h3", {}, say("club.hook")),
    input("season-hook", say("club.hook_field"), { ...form.field("season_hook"), type: "url", maxlength: 512, placeholder: "https://" }, { hint: say("club.hook_hint") }),
    h("button", {}, say("club.hook_do")),
    season.hook ? h("p", { role: "status" }, said) : null,
  );
}

/** What can't be taken back: each with a question. @param {Parts} given @param {Shown} shown */
function last(given, shown) {
  const { say, season, session, form } = given;
  const { organises, phase, ended_at: ended, plan, rows = [] } = shown;
  /** @type {[kind: string, does: () => unknown][]} */
  const all = [];
  if (rows.some(({ player }) => player === session.me?.player)) all.push(["leave", () => season.change({ type: "leave" }, say("club.left_it"))]);
  if (organises && phase !== "over" && !ended) all.push(["end", () => season.change({ type: "end" }, say("club.changed"))]);
  if (organises) all.push(["delete", () => season.remove()]);
  const asked = all.find(([kind]) => form.sure === `season ${kind}`);
  if (!asked) return h("p", { class: "row", key: "last" }, all.map(([kind]) => button(given, `club.${kind}`, () => (form.sure = `season ${kind}`), kind === "leave" ? "" : "danger")));
  const [kind, does] = asked;
  return h(
    "div",
    { role: "alertdialog", "aria-label": say(`club.${kind}`), key: "sure" },
    h("p", {}, say(`club.${kind}_sure`, { name: plan.name })),
    h("div", { class: "row" }, button(given, `club.${kind}_yes`, does, "danger"), button(given, "button.cancel", () => (form.sure = ""), "safe")),
  );
}
