// The podium of today's race: its best three, and how many have played.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { resultTime } from "../words.js";

/** @param {Given<"choosing" | "podium" | "say" | "session">} given */
export function podium(given) {
  const { say, podium, choosing } = given;
  const { rows, played } = podium;
  const boards = hashOf({ screen: "boards", period: "daily", ...choosing.both });
  return h(
    "section",
    { class: "card-like podium", "aria-labelledby": "podium" },
    h(
      "div",
      { class: "head" },
      h("h2", { id: "podium" }, say("home.podium")),
      h("span", { class: "faint" }, played ? say("home.played", { count: played }) : say("home.nobody")),
    ),
    rows.length ? h("ol", {}, rows.map((row) => step(given, row))) : null,
    h("a", { class: "all", href: boards }, say("home.boards")),
  );
}

/** @param {Given<"say" | "session">} given @param {Standing} seat */
function step({ say, session }, { player, place, name, state, home = 0, home_ms: homeMs = 0 }) {
  const time = state === "won" && resultTime(homeMs);
  const mine = player === session.me?.player ? "mine" : "";
  return h(
    "li",
    { key: player, class: `place-${place} ${mine}` },
    h("span", { class: "name" }, name),
    h("span", { class: "score" }, time ? `${home} · ${time}` : say("cards.home", { home })),
    h("span", { class: "stand" }, place),
  );
}
