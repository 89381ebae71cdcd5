// The commitment to a deal before and during a race, and at the end whether it was kept.

import { short } from "./check.js";
import { h } from "../draw.js";
import { publicAddress } from "../page/public.js";

/**
 * What binds the server to the cards, and why: shortened, and in full on request; in practice nothing does.
 * @param {Given<"say">} given @param {Followed} followed
 */
export function promise({ say }, { room, kept }) {
  if (room.kind === "practice") return null;
  const { commitment } = kept ?? room;
  const nonce = kept?.nonce;
  return h(
    "details",
    { class: "fair promise", key: "promise" },
    h("summary", {}, say("fair.promise"), " ", h("span", { class: "short" }, short(commitment)), h("small", {}, say("fair.sealed"))),
    h("p", {}, say("fair.promised"), h("code", {}, commitment)),
    nonce ? h("p", {}, say("fair.own_nonce"), h("code", {}, nonce)) : null,
    kept ? h("p", {}, say("fair.kept")) : null,
  );
}

/**
 * One sentence on whether the promise was kept, with the reasons on request.
 * @param {Given<"checking" | "say" | "session">} given @param {Followed} followed
 */
export function verdict(given, followed) {
  const { say, checking } = given;
  const { room, kept, reveal } = followed;
  if (room.phase !== "closed") return kept ? h("p", { class: "hint" }, say("fair.later")) : null;
  if (!reveal) return h("p", { class: "hint" }, say("fair.unrevealed"));
  if (!kept) return unkept(given, followed);
  const found = checking.found(followed);
  if (!found) return h("p", { class: "hint" }, say("fair.checking"));
  const lies = checking.lies(followed);
  return lies.length ? caught(given, followed, found, lies) : held(given, followed, found);
}

/** @param {Given<"say" | "session">} given @param {Followed} followed @param {Finding[]} found */
function held(given, followed, found) {
  const { say } = given;
  const open = found.filter(({ holds }) => holds === null);
  const key = open.length ? "fair.partly" : "fair.holds";
  return h(
    "div",
    { class: `fair verdict ${open.length ? "partly" : "holds"}` },
    h("p", { role: "status" }, say(key, { count: open.length, total: found.length })),
    reasons(given, followed, found),
  );
}

/**
 * The loud message, with what to do.
 * @param {Given<"say" | "session">} given @param {Followed} followed @param {Finding[]} found @param {Finding[]} lies
 */
function caught(given, followed, found, lies) {
  const { say } = given;
  const { kept, room, reveal } = followed;
  const evidence = JSON.stringify({ kept, told: { room, reveal } }, null, 1);
  return h(
    "div",
    { class: "fair verdict broken" },
    h(
      "div",
      { role: "alert" },
      h("h3", {}, say("fair.broken")),
      h("ul", {}, lies.map((finding) => point(say, finding))),
      h("p", {}, say("fair.what_to_do")),
    ),
    h("label", { for: "evidence" }, say("fair.evidence")),
    h("textarea", { id: "evidence", readonly: true, rows: 4, value: evidence }),
    reasons(given, followed, found),
  );
}

/** @param {Given<"say" | "session">} given @param {Followed} followed */
function unkept(given, followed) {
  return h(
    "div",
    { class: "fair verdict partly" },
    h("p", {}, given.say("fair.unkept")),
    reasons(given, followed, []),
  );
}

/**
 * Every comparison, the numbers, and how to check the other seats.
 * @param {Given<"say" | "session">} given @param {Followed} followed @param {Finding[]} found
 */
function reasons(given, { room, kept, reveal }, found) {
  if (!reveal) return null;
  const { say, session } = given;
  const count = kept ? session.evidence.undealt(kept.player, room.race) : 0;
  const { commitment } = kept ?? reveal;
  const receipt = `bigben receipt ${room.race} --server ${publicAddress()} --output race.json`;
  return h(
    "details",
    {},
    h("summary", {}, say("fair.why")),
    h("ul", {}, found.map((finding) => point(say, finding))),
    count ? h("p", { class: "undealt" }, say("fair.undealt", { count })) : null,
    h("p", {}, say("fair.promised"), h("code", {}, commitment)),
    h("p", {}, say("fair.revealed_seed"), h("code", {}, reveal.server_seed)),
    room.kind === "practice"
      ? null
      : h("p", {}, say("fair.verify"), h("code", {}, receipt), h("code", {}, "bigben verify race.json")),
  );
}

/** @param {Say} say @param {Finding} of */
function point(say, { what, holds, key, values }) {
  const kind = holds ? "yes" : holds === null ? "open" : "no";
  return h("li", { key: what, class: kind, "data-what": what }, say(key, values));
}
