// The end of one's game, or of the race: what came of it, and what can be done next.

import { hashOf } from "../../address.js";
import { h } from "../../draw.js";
import { fineSpan, span } from "../../words.js";
import { verdict } from "./fair.js";
import { button } from "../controls.js";

/** @param {import("../../page/page.js").Page} page @param {import("../../wire/followed.js").Followed} followed */
export function result(page, followed) {
  const { say, session } = page;
  const { room, seat, standings, state, over, ms } = followed;
  const closed = room.phase === "closed";
  if (!closed && !over) return seat ? null : watching(page);
  const place = standings?.rows?.find(({ player }) => player === session.me?.player)?.place;
  const [fair, lies] = [verdict(page, followed), page.checking.lies(followed)];
  return h(
    "section",
    { class: `result card-like ${state ?? ""}`, key: "result" },
    h("h2", {}, over ? say(`over.${state}`, { time: fineSpan(ms) }) : say("news.closed")),
    closed && place && room.kind !== "practice"
      ? h("p", { class: "own-place" }, say("over.place", { place }))
      : null,
    closed ? null : goesOn(page, followed),
    // A contradiction is shown above everything else that the player could do.
    lies.length ? fair : null,
    h("div", { class: "row" }, next(page, followed)),
    lies.length ? null : fair,
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
  const again = () => page.joining.rematch(race);
  const closed = phase === "closed";
  const more = kind === "live" && closed;
  return [
    more && rematch ? link("race.join_rematch", { screen: "race", race: rematch }, "primary") : null,
    more && !rematch && seat ? button(page, "race.rematch", again, "primary") : null,
    closed || seat ? link(closed ? "race.replay" : "race.replay_own", { screen: "replay", race, player: "" }) : null,
    kind === "daily" ? link("home.boards", { screen: "boards", period: "daily", rules: room.rules.rules ?? "standard" }) : null,
    kind === "daily" && closed ? button(page, "home.daily", () => page.joining.daily(room.rules.rules), "primary") : null,
    kind === "practice" ? button(page, "home.practice", () => page.joining.create({ practice: true }), "primary") : null,
    link("button.home", { screen: "home" }),
  ];
}
