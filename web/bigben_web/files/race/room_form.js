// The form that opens a room of the chosen game: when it is played, its time limit, undo, who may
// join and watch.

import { h } from "../draw.js";
import { labelled, select, submit } from "../page/controls.js";
import { DAY_MS } from "../records/days.js";

const MINUTES = [5, 10, 20, 30, 60, 120];
const MINUTE_MS = 60_000;
/** How long players who are away are waited for, in seconds. */
const GRACES = [30, 60, 120, 300, 600];
/** What can be asked of the deal; all but the first can be won. */
const DEALS = ["any", "winnable", "easy", "medium", "hard", "fiendish"];
const WHEN = ["together", "tonight", "tomorrow", "three", "seven", "date"];

/** The form's id: its button may stand elsewhere. */
export const ROOM_FORM = "open-room";

/** @param {Given<"attempt" | "choosing" | "form" | "joining" | "redraw" | "say" | "session">} given @param {Child} opens the button */
export function roomForm(given, opens) {
  const { say } = given;
  const onsubmit = submit(given, (form) => given.joining.create({ ...given.choosing.both, ...wanted(given, new FormData(form)) }));
  const when = given.form.typed.when ?? WHEN[0];
  /** @param {string} value */
  const choose = (value) => {
    given.form.typed.when = value;
    given.redraw();
  };
  return h(
    "form",
    { class: "open-room", id: ROOM_FORM, onsubmit },
    opens,
    h(
      "details",
      {},
      h("summary", {}, say("room.options")),
      choice("when", say("room.when"), WHEN.map((one) => [one, say(`room.when_${one}`)]), when, choose),
      when === "date" ? until(given) : null,
      choice("minutes", say("room.limit"), [...MINUTES, 0].map((count) => [count, say(count ? "span.minutes" : "room.no_limit", { count })]), 60),
      when === "together" ? choice("grace", say("room.grace"), GRACES.map((count) => [count, seconds(say, count)]), 120) : null,
      choice("deal", say("room.deal"), DEALS.map((one) => [one, say(one === "any" ? "room.any_deal" : `grade.${one}`)])),
      box("undo", say("room.undo")),
      box("invite_only", say("room.invite_only")),
      box("spectate", say("room.spectate"), true),
    ),
  );
}

/** The fields of Create. @param {Given<"session">} given @param {FormData} fields */
function wanted({ session }, fields) {
  const settings = {
    limit_ms: Number(fields.get("minutes")) * MINUTE_MS,
    undo: fields.has("undo"),
    invite_only: fields.has("invite_only"),
    spectate: fields.has("spectate"),
    ...deal(String(fields.get("deal"))),
  };
  const when = String(fields.get("when"));
  if (when === "together") return { ...settings, grace_ms: Number(fields.get("grace")) * 1000 };
  return { ...settings, deadline_at: deadline(when, session.clock.now(), String(fields.get("until"))) };
}

/** @param {string} asked @returns {Pick<Protocol.Create, "winnable" | "grade">} */
function deal(asked) {
  if (asked === "any") return {};
  return asked === "winnable" ? { winnable: true } : { grade: asked };
}

/**
 * The end of a race on own clocks, in ms since 1970; days end at midnight here.
 * @param {string} when @param {number} now @param {string} chosen
 */
function deadline(when, now, chosen) {
  // A minute less than the longest that the server allows: the message takes its time.
  if (when === "seven") return Math.round(now + 7 * DAY_MS - MINUTE_MS);
  if (when === "three") return Math.round(now + 3 * DAY_MS);
  if (when === "date") return new Date(chosen).getTime();
  return midnight(now, when === "tonight" ? 1 : 2);
}

/** @param {number} now @param {number} days */
function midnight(now, days) {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() + days);
  return day.getTime();
}

/** @param {Given<"say" | "session">} given */
function until({ say, session }) {
  /** @param {number} at */
  const local = (at) => new Date(at - new Date(at).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
  const now = session.clock.now();
  const limits = { min: local(now + MINUTE_MS), max: local(now + 7 * DAY_MS - MINUTE_MS) };
  const field = { id: "until", name: "until", type: "datetime-local", required: true, ...limits };
  return labelled("until", say("room.until"), h("input", field));
}

/** @param {Say} say @param {number} count */
function seconds(say, count) {
  return count < 60 ? say("span.seconds", { count }) : say("span.minutes", { count: count / 60 });
}

/**
 * @param {string} name @param {string} text @param {[value: string | number, text: string][]} options
 * @param {string | number} usual @param {((value: string) => unknown) | null} choose
 */
function choice(name, text, options, usual = options[0][0], choose = null) {
  return labelled(name, text, select({ id: name, name }, options, usual, choose));
}

/** @param {string} name @param {string} text */
function box(name, text, checked = false) {
  return h("label", { class: "box", key: name }, h("input", { type: "checkbox", name, checked }), " ", text);
}
