// The end of one's game, or of the race: what came of it, and what can be done next.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { fineSpan, span } from "../words.js";
import { button } from "./home.js";

/** @param {import("../page.js").Page} page @param {import("../wire/followed.js").Followed} followed */
export function result(page, followed) {
  const { say, session } = page;
  const { room, seat, standings, state, over, ms } = followed;
  const closed = room.phase === "closed";
  if (!closed && !over) return seat ? null : watching(page);
  const place = standings?.rows?.find(({ player }) => player === session.me?.player)?.place;
  return h(
    "section",
    { class: `result card-like ${state ?? ""}`, key: "result" },
    h("h2", {}, over ? say(`over.${state}`, { time: fineSpan(ms) }) : say("news.closed")),
    closed && place && room.kind !== "practice"
      ? h("p", { class: "own-place" }, say("over.place", { place }))
      : null,
    closed ? null : goesOn(page, followed),
    h("div", { class: "row" }, next(page, followed)),
    fair(page, followed),
  );
}

/** Why there is no place yet. */
function goesOn({ say, session }, { room, othersPlay }) {
  const left = span(room.closes_at - session.clock.now());
  const until = room.kind === "daily" ? say("race.final_in", { span: left }) : "";
  return h("p", {}, othersPlay ? say("race.others") : "", " ", until);
}

function watching(page) {
  const { say } = page;
  return h("p", { class: "hint", key: "watching" }, say("race.watching"));
}

function next(page, { room, seat }) {
  const { say } = page;
  const { race, kind, rematch, phase } = room;
  const link = (key, place, kind = "") =>
    h("a", { key, class: `button ${kind}`, href: hashOf(place) }, say(key));
  const again = () => page.entering.rematch(race);
  const more = kind === "live" && phase === "closed";
  return [
    more && rematch ? link("race.join_rematch", { screen: "race", race: rematch }, "primary") : null,
    more && !rematch && seat ? button(page, "race.rematch", again, "primary") : null,
    link("race.replay", { screen: "replay", race, player: "" }),
    kind === "daily" ? link("home.boards", { screen: "boards", period: "daily", rules: room.rules.rules ?? "standard" }) : null,
    kind === "daily" && phase === "closed" ? button(page, "home.daily", () => page.entering.daily(room.rules.rules), "primary") : null,
    kind === "practice" ? button(page, "home.practice", () => page.entering.create({ practice: true }), "primary") : null,
    link("button.home", { screen: "home" }),
  ];
}

/** The promise and what was revealed, side by side. */
function fair(page, { race, reveal, fits }) {
  const { say } = page;
  if (!reveal) return null;
  const verdict = fits === undefined ? "race.unchecked" : fits ? "race.fits" : "race.wrong";
  return h(
    "details",
    { class: "fair" },
    h("summary", {}, say("race.fair")),
    h("p", {}, say("race.commitment"), h("code", {}, reveal.commitment)),
    h("p", {}, say("race.seed"), h("code", {}, reveal.server_seed)),
    h("p", {}, say(verdict)),
    h("p", {}, say("race.verify"), h("code", {}, `bigben receipt ${race} --server ${location.origin} --output race.json`), h("code", {}, "bigben verify race.json")),
  );
}
