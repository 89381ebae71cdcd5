// The weeks of a season: when each is open, what it plays, its race with the receipt; and for organisers what
// they can change of it.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { button, labelled, select, submit } from "../page/controls.js";
import { gameName, rulesName } from "../page/titles.js";
import { playerName } from "../words.js";
import { input, played, playedOf } from "./fields.js";
import { full } from "./plan.js";
import { fieldValue, momentOf } from "./times.js";

/** @typedef {import("./season.js").Shown} Shown */
/** @typedef {import("./season_view.js").Parts} Parts */
/** @typedef {Protocol.SeasonWeek} Week */

/** @param {Parts} given @param {Shown} shown */
export function weeks(given, shown) {
  const { say } = given;
  const { zone } = full(shown.plan);
  return h(
    "details",
    { class: "card-like weeks-box", key: "weeks" },
    h("summary", {}, h("h2", {}, say("club.weeks"))),
    h("p", { class: "hint" }, say("club.weeks_hint", { zone })),
    h("ol", {}, shown.weeks.map((week) => line(given, shown, week))),
  );
}

/** @param {Parts} given @param {Shown} shown @param {Week} week */
function line(given, shown, week) {
  const { say, session } = given;
  const { number, opens_at: opens, closes_at: closes, phase, race, commitment = "", results = [] } = week;
  const now = session.clock.now();
  const plays = full({ ...shown.plan, ...week });
  const what = [gameName(given, plays.game), rulesName(given, plays), plays.grade && say(`grade.${plays.grade}`)].filter(Boolean).join(" · ");
  const seen = race && ["open", "closed", "void"].includes(phase);
  return h(
    "li",
    { key: number, class: phase.replace(" ", "-") },
    h("h3", {}, say("club.week", { week: number }), " ", h("small", {}, say(`club.is_${phase.replace(" ", "_")}`))),
    h("p", {}, say("club.from_to", { opens: momentOf(say, opens, now), closes: momentOf(say, closes, now) }), " · ", what, results.length ? [" · ", say("club.results", { count: results.length })] : null),
    week.void ? h("p", {}, say("club.quoted", { reason: week.void })) : null,
    commitment ? h("p", { class: "hint" }, say("club.commitment"), " ", h("code", {}, commitment)) : null,
    seen ? h("a", { class: "button", href: hashOf({ screen: "race", race, watch: true }), "aria-label": say(phase === "open" ? "club.watch" : "club.receipt_of", { week: number }) }, say(phase === "open" ? "club.watch" : "club.receipt", { week: number })) : null,
    shown.organises ? h("details", { class: "changing" }, h("summary", {}, say("club.change_week", { week: number })), changing(given, shown, week)) : null,
  );
}

/** What an organiser can do with it. @param {Parts} given @param {Shown} shown @param {Week} week */
function changing(given, shown, week) {
  return [
    week.phase === "to come" ? move(given, shown, week) : null,
    week.phase === "open" || week.phase === "closed" ? takeOut(given, shown, week) : null,
    putBack(given, shown, week),
    voiding(given, week),
  ];
}

/** Other times, another game, before it opens. @param {Parts} given @param {Shown} shown @param {Week} week */
function move(given, shown, week) {
  const { say, season } = given;
  const plays = full({ ...shown.plan, ...week });
  const onsubmit = submit(given, (form) => {
    const fields = new FormData(form);
    const now = playedOf(fields, plays);
    const differs = Object.entries(now).filter(([name, value]) => value !== /** @type {any} */ (plays)[name]);
    const change = { type: /** @type {const} */ ("week"), week: week.number, ...times(fields), ...Object.fromEntries(differs) };
    return season.change(change, say("club.changed"), `w${week.number}`);
  });
  return h(
    "form",
    { class: "fields", onsubmit, key: "move" },
    window(given, `w${week.number}`, week),
    played(given, `w${week.number}`, plays),
    h("button", {}, say("club.move_do")),
  );
}

/** When it opens and closes, by the reader's clock. @param {Parts} given @param {string} id @param {Pick<Week, "opens_at" | "closes_at">} at @param {boolean} [required] */
function window({ say, season }, id, { opens_at: opens, closes_at: closes }, required = true) {
  const field = { type: "datetime-local", required };
  return [
    input(`${id}-opens`, say("club.opens_field"), { ...field, name: "opens", value: required ? fieldValue(opens) : "" }, { wrong: season.against(`${id}-opens`) }),
    input(`${id}-closes`, say("club.closes_field"), { ...field, name: "closes", value: required ? fieldValue(closes) : "" }, { wrong: season.against(`${id}-closes`) }),
  ];
}

/** @param {FormData} fields */
function times(fields) {
  const [opens_at, closes_at] = ["opens", "closes"].map((name) => new Date(String(fields.get(name))).getTime() || 0);
  return { opens_at, closes_at };
}

/** Let it count for nothing, and perhaps play another deal. @param {Parts} given @param {Week} week */
function voiding(given, week) {
  const { say, season } = given;
  const { number } = week;
  const onsubmit = submit(given, async (form) => {
    const fields = new FormData(form);
    await season.change({ type: "void", week: number, reason: String(fields.get("reason")), ...times(fields) }, say("club.changed"), `v${number}`);
    form.reset();
  });
  return h(
    "form",
    { class: "fields", onsubmit, key: "void" },
    input(`v${number}-reason`, say("club.void_reason"), { name: "reason", maxlength: 200, required: true }, { hint: say("club.void_hint"), wrong: season.against(`v${number}-reason`) }),
    window(given, `v${number}`, week, false),
    h("button", { class: "danger" }, say("club.void_do", { week: number })),
  );
}

/** Take a result out, with a reason. @param {Parts} given @param {Shown} shown @param {Week} week */
function takeOut(given, shown, week) {
  const { say, season } = given;
  const { number, results = [] } = week;
  const some = results.filter(({ out }) => !out);
  if (!some.length) return null;
  const onsubmit = submit(given, async (form) => {
    const fields = new FormData(form);
    await season.change({ type: "take-out", week: number, player: String(fields.get("player")), reason: String(fields.get("reason")) }, say("club.changed"), `o${number}`);
    form.reset();
  });
  const options = some.map(({ player }) => /** @type {[string, string]} */ ([player, nameOf(say, shown, player)]));
  return h(
    "form",
    { class: "fields", onsubmit, key: "out" },
    labelled(`o${number}-player`, say("club.out_player"), select({ id: `o${number}-player`, name: "player" }, options, some[0].player)),
    input(`o${number}-reason`, say("club.reason"), { name: "reason", maxlength: 200, required: true }, { wrong: season.against(`o${number}-reason`) }),
    h("button", { class: "danger" }, say("club.out_do")),
  );
}

/** Results that were taken out. @param {Parts} given @param {Shown} shown @param {Week} week */
function putBack(given, shown, { number, results = [] }) {
  const { say, season } = given;
  return results
    .filter(({ out }) => out)
    .map(({ player, out = "" }) =>
      h(
        "p",
        { class: "row", key: player },
        h("span", {}, nameOf(say, shown, player), ": ", say("club.quoted", { reason: out })),
        button(given, "club.back_do", () => season.change({ type: "put-back", week: number, player }, say("club.changed"))),
      ),
    );
}

/** A player of the season by name; the end of the id of one who has left. @param {Say} say @param {Shown} shown @param {string} player */
export function nameOf(say, { rows = [] }, player) {
  const row = rows.find((one) => one.player === player);
  return row ? playerName(say, row) : `…${player.slice(-4)}`;
}
