// What was changed in a season, by whom and why: anybody can read it.

import { h } from "../draw.js";
import { momentOf } from "./times.js";

/** @typedef {import("./season.js").Shown} Shown */

/** @param {Given<"say" | "session">} given @param {Shown} shown */
export function changes({ say, session }, { changes: all = [] }) {
  if (!all.length) return null;
  const now = session.clock.now();
  const lines = all.map((one) => h("li", {}, h("time", { datetime: new Date(one.at).toISOString() }, momentOf(say, one.at, now)), h("span", {}, sentence(say, one, now)))).reverse();
  return h(
    "details",
    { class: "card-like changes", key: "changes" },
    h("summary", {}, h("h2", {}, say("club.changes", { count: all.length }))),
    h("ol", { reversed: true }, lines),
  );
}

/** @param {Say} say @param {Protocol.Changed} of @param {number} now */
function sentence(say, { by, change, about = "" }, now) {
  const reason = "reason" in change && change.reason ? say("club.quoted", { reason: change.reason }) : "";
  const values = { by, about, week: "week" in change ? change.week : "", reason };
  switch (change.type) {
    case "week":
      return say(change.opens_at ? "club.did.move" : "club.did.week", { ...values, opens: momentOf(say, change.opens_at ?? 0, now), closes: momentOf(say, change.closes_at ?? 0, now) });
    case "void":
      return say(change.opens_at ? "club.did.again" : "club.did.void", { ...values, opens: momentOf(say, change.opens_at ?? 0, now) });
    case "organiser":
      return say(change.no_more ? "club.did.organiser_no_more" : "club.did.organiser", values);
    default:
      return [say(`club.did.${change.type}`, values), ["put-back", "end"].includes(change.type) ? reason : ""].filter(Boolean).join(" ");
  }
}
