// A race that can't be shown: a whole screen that says why, and what can be done instead.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { onCircle } from "../figures/ring.js";
import { codeOf } from "../wire/races.js";
import { playerName, resultTime } from "../words.js";
import { button, submit } from "../page/controls.js";

/** @param {Given<"attempt" | "choosing" | "form" | "joining" | "say">} given @param {import("./joining.js").Obstacle} of */
export function obstacle(given, { kind, refused, race, info, rows }) {
  const { say } = given;
  const code = codeOf(race);
  const host = info?.host || say("obstacle.host");
  const key = `obstacle.${kind}`;
  const why = kind === "other" ? say.told(refused.said, refused.message) : say(`${key}_why`, { code, host });
  return h(
    "section",
    { class: "obstacle", key: "obstacle" },
    h(
      "div",
      { class: "card-like" },
      stopped(kind === "unknown" ? "?" : ""),
      h(
        "div",
        {},
        h("h1", {}, say(key, { code })),
        h("p", { class: "why", role: "alert" }, why),
        kind === "closed" ? places(given, rows) : null,
        kind === "unknown" ? retry(given, code) : h("div", { class: "row" }, ways(given, kind, code, info)),
      ),
    ),
  );
}

/** The code that was typed, to be corrected, and the other ways on. @param {Given<"attempt" | "choosing" | "form" | "joining" | "say">} given @param {string} code */
function retry(given, code) {
  const { say } = given;
  const onsubmit = submit(given, () => given.joining.join());
  const field = { ...given.form.field("code", code), autocomplete: "off", autocapitalize: "characters", spellcheck: "false" };
  return h(
    "form",
    { class: "retry", onsubmit },
    h("input", { ...field, class: "letters", "aria-label": say("home.code") }),
    h("div", { class: "row" }, h("button", { class: "primary" }, say("obstacle.try")), ...elsewhere(given)),
  );
}

/** @param {Given<"attempt" | "choosing" | "joining" | "say">} given @param {string} kind @param {string} code @param {Protocol.RaceInfo | null} info */
function ways(given, kind, code, info) {
  /** @param {string} key @param {Place} place */
  const link = (key, place, style = "") => h("a", { key, class: `button ${style}`, href: hashOf(place) }, given.say(key));
  const { rematch } = info ?? {};
  const watch = link("button.watch", { screen: "race", race: code, watch: true }, "primary");
  const games = link("race.replay", { screen: "replay", race: code, player: "" }, "primary");
  const next = rematch ? link("race.join_rematch", { screen: "race", race: rematch }) : null;
  if (kind === "started" || kind === "full") return [watch, ...elsewhere(given)];
  if (kind === "closed") return [games, next, link("button.home", { screen: "home" })];
  return [...elsewhere(given), link("button.home", { screen: "home" })];
}

/** A room of one's own, and today's race. @param {Given<"attempt" | "choosing" | "joining" | "say">} given */
function elsewhere(given) {
  const { joining, choosing } = given;
  return [
    button(given, "obstacle.create", () => joining.create(choosing.both)),
    button(given, "home.daily", () => joining.daily(choosing.both)),
  ];
}

/** @param {Given<"say">} given @param {Standing[]} rows */
function places({ say }, rows) {
  /** @param {Standing} of */
  const line = ({ player, place, name, state, home_ms: homeMs = 0, home = 0 }) =>
    h("li", { key: player }, h("b", {}, `${place} ${playerName(say, { player, name })}`), " ", (state === "won" && resultTime(homeMs)) || say("cards.home", { home }));
  return rows.length ? h("ol", { class: "places" }, rows.slice(0, 6).map(line)) : null;
}

/** A clock that stands still. @param {string} sign */
function stopped(sign) {
  const ticks = Array.from({ length: 12 }, (_, i) => `M${onCircle(100, 80, i / 12)}L${onCircle(100, i % 3 ? 72 : 66, i / 12)}`).join("");
  return h(
    "svg",
    { class: "stopped", viewBox: "0 0 200 200", "aria-hidden": "true" },
    h("circle", { class: "dial", cx: 100, cy: 100, r: 92 }),
    h("path", { class: "marks", d: ticks }),
    h("path", { class: "hour", d: "M100 100L108 152" }),
    h("path", { class: "minute", d: "M100 100L94 168" }),
    h("circle", { class: "hub", cx: 100, cy: 100, r: 8 }),
    sign ? h("text", { x: 100, y: 74 }, sign) : null,
  );
}
