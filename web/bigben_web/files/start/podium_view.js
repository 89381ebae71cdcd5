// The podium of today's race: the best three of the player's friends, else of all, and how many have played.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { medal } from "../figures/medal.js";
import { wheel } from "../figures/wheel.js";
import { groupName } from "../page/titles.js";
import { resultTime } from "../words.js";

const STEPS = [1, 2, 3];

/** The steps on which nobody stands yet. @param {number} taken */
export const freeSteps = (taken) =>
  STEPS.slice(taken).map((place) => h("li", { class: "free", "aria-hidden": "true" }, h("span", { class: "stand" }, place)));

/** @param {Given<"choosing" | "podium" | "say" | "session">} given */
export function podium(given) {
  const { say, podium, choosing } = given;
  const { friends, played } = podium;
  const rows = friends?.rows ?? podium.rows;
  const boards = hashOf({ screen: "boards", period: "daily", ...choosing.both, ...(friends && { group: friends.group.group }) });
  const link = friends ? groupName(given, friends.group) : say("home.played", { count: played });
  return h(
    "section",
    { class: "card-like podium", "aria-labelledby": "podium" },
    h(
      "div",
      { class: "head" },
      h("h2", { id: "podium" }, say(friends ? "home.friends_today" : "home.podium")),
      friends || played ? h("a", { href: boards }, link) : h("span", { class: "faint" }, say("boards.empty")),
    ),
    h("ol", {}, rows.map((row) => step(given, row)), ...freeSteps(rows.length)),
  );
}

/** @param {Given<"choosing" | "say" | "session">} given @param {Standing} seat */
function step({ say, session, choosing }, { player, place, name, state, home = 0, home_ms: homeMs = 0 }) {
  const time = state === "won" && resultTime(homeMs);
  const mine = player === session.me?.player ? "mine" : "";
  return h(
    "li",
    { key: player, class: `place-${place} ${mine}` },
    wheel({ size: 62, home, total: choosing.game.total }),
    medal(place ?? 0),
    h("span", { class: "name" }, name),
    h("span", { class: "score" }, time ? `${home} · ${time}` : say("cards.home", { home })),
    h("span", { class: "stand" }, place),
  );
}
