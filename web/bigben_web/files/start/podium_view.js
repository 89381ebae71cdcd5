// The podium of today's race: its best three, and how many have played.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { medal } from "../figures/medal.js";
import { wheel } from "../figures/wheel.js";
import { resultTime } from "../words.js";

const STEPS = [1, 2, 3];

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
      played ? h("a", { href: boards }, say("home.played", { count: played })) : h("span", { class: "faint" }, say("boards.empty")),
    ),
    rows.length
      ? h("ol", {}, rows.map((row) => step(given, row)))
      : h("ol", { class: "empty", "aria-hidden": "true" }, STEPS.map((place) => h("li", {}, h("span", { class: "stand" }, place)))),
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
