// The form of a season's plan: a new one, or another one before the first week. Its dates are said in words
// before it is sent.

import { h } from "../draw.js";
import { labelled, select, submit } from "../page/controls.js";
import { input, played, playedOf } from "./fields.js";
import { full } from "./plan.js";
import { DAYS, dayWord, weekOf } from "./times.js";

/** @typedef {Given<"attempt" | "games" | "redraw" | "say"> & {season: import("./season.js").Season}} Parts */

/**
 * @param {Parts} given @param {Protocol.Plan} before what the fields say at first
 * @param {string} does the key of its button @param {(plan: Protocol.Plan) => unknown} send
 */
export function planForm(given, before, does, send) {
  const { say, season, redraw } = given;
  const usual = full(before);
  // A number that is as usual follows that of the weeks.
  const counted = usual.counted === full({ ...usual, counted: 0 }).counted ? "" : usual.counted;
  const plan = full(season.draft ?? before);
  const wrong = (/** @type {string} */ field) => season.against(`plan-${field}`);
  /** @param {Changed} event */
  const oninput = ({ currentTarget }) => {
    season.draft = planOf(new FormData(/** @type {HTMLFormElement} */ (currentTarget)), plan);
    redraw();
  };
  const onsubmit = submit(given, (form) => send(planOf(new FormData(form), plan)));
  return h(
    "form",
    { class: "plan", onsubmit, oninput, key: "plan" },
    input("plan-name", say("club.name"), { name: "name", value: usual.name, maxlength: 32, required: true }, { wrong: wrong("name") }),
    h(
      "div",
      { class: "fields" },
      input("plan-first_day", say("club.first_day"), { name: "first_day", type: "date", value: usual.first_day, required: true }, { wrong: wrong("first_day") }),
      input("plan-weeks", say("club.weeks_field"), { name: "weeks", type: "number", min: 1, max: 26, value: usual.weeks, required: true }),
      input("plan-counted", say("club.counted"), { name: "counted", type: "number", min: 0, max: 26, value: counted, placeholder: full({ ...plan, counted: 0 }).counted }, { wrong: wrong("counted") }),
    ),
    h(
      "details",
      { open: Boolean(wrong("zone") || wrong("closes")) },
      h("summary", {}, say("club.more")),
      h(
        "div",
        { class: "fields" },
        moment(say, "opens", usual.opens),
        moment(say, "closes", usual.closes, wrong("closes")),
        input("plan-zone", say("club.zone"), { name: "zone", value: usual.zone, maxlength: 64, required: true, spellcheck: "false" }, { hint: say("club.zone_hint"), wrong: wrong("zone") }),
        played(given, "plan", plan),
        labelled("plan-scale", say("boards.score"), select({ id: "plan-scale", name: "scale" }, ["", "place", "share"].map((one) => [one, say(`club.by_${one || "size"}`)]), usual.scale)),
      ),
      h("label", { class: "box" }, h("input", { type: "checkbox", name: "verified", checked: usual.verified }), " ", say("club.verified")),
    ),
    dates(say, plan),
    h("button", { class: "primary" }, say(does)),
  );
}

/** When the weeks will be, in words. @param {Say} say @param {Required<Protocol.Plan>} plan */
function dates(say, plan) {
  if (!Number.isFinite(Date.parse(plan.first_day)) || plan.weeks < 1) return null;
  /** @param {number} week */
  const line = (week) => {
    const [opens, closes] = weekOf(say, plan, week);
    return h("p", { key: week }, say("club.window", { week, opens, closes }));
  };
  const some = [...new Set([1, 2, plan.weeks])].filter((week) => week <= plan.weeks);
  return h("div", { class: "dates" }, h("p", { class: "hint" }, say("club.dates", { zone: plan.zone })), some.map(line));
}

/** A day and a time in the week. @param {Say} say @param {"opens" | "closes"} name @param {string} value @param {string} [wrong] */
function moment(say, name, value, wrong = "") {
  const [day, time] = value.split(" ");
  const days = DAYS.map((one) => /** @type {[string, string]} */ ([one, dayWord(say, one)]));
  const id = `plan-${name}`;
  return h(
    "fieldset",
    { class: "field", key: name },
    h("legend", {}, say(`club.${name}_field`)),
    h(
      "span",
      { class: "row" },
      select({ id, name: `${name}-day`, "aria-label": say("club.weekday"), "aria-describedby": wrong ? `${id}-wrong` : null, "aria-invalid": wrong ? "true" : null }, days, day),
      h("input", { type: "time", name: `${name}-time`, value: time, required: true, "aria-label": say("club.time") }),
    ),
    wrong ? h("span", { class: "wrong", id: `${id}-wrong`, role: "alert" }, wrong) : null,
  );
}

/** @param {FormData} fields @param {Required<Protocol.Plan>} before @returns {Protocol.Plan} */
function planOf(fields, before) {
  /** @param {string} name */
  const said = (name) => String(fields.get(name) ?? "").trim();
  const plan = {
    name: said("name"),
    first_day: said("first_day"),
    weeks: Number(said("weeks")),
    zone: said("zone"),
    opens: `${said("opens-day")} ${said("opens-time")}`,
    closes: `${said("closes-day")} ${said("closes-time")}`,
    counted: Number(said("counted")),
    ...playedOf(fields, before),
    scale: said("scale"),
    verified: fields.has("verified"),
  };
  return /** @type {Protocol.Plan} */ (plan);
}
