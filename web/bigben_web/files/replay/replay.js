// The games of a race on the board again, side by side where there is room, on one clock. Nothing
// can be played here.

import { board } from "../board/board.js";
import { Choices } from "../board/choices.js";
import { h } from "../draw.js";
import { hashOf } from "../address.js";
import { playerName, span } from "../words.js";
import { icon } from "../figures/icons.js";
import { ring } from "../figures/ring.js";
import { title } from "../page/titles.js";
import { adviceLine, bestButton } from "../table/hints.js";
import { fourColours } from "../page/wishes.js";

/** How wide the ruler under the slider is, in its own units. */
const RULER = 1000;

/** @param {Given<"games" | "hinting" | "layout" | "memory" | "replay" | "say" | "session">} given */
export function replay(given) {
  const { say, replay } = given;
  const { loaded } = replay;
  if (!loaded) return h("p", { class: "opening" }, say("race.opening"));
  const heading = h("h1", { class: "title" }, `${raceName(given, loaded.race)} · ${say("replay.title")}`);
  if (!replay.shown.length) return [heading, h("p", {}, say("boards.empty"))];
  return [
    h("div", { class: "replay-head", key: "head" }, back(given, loaded.race), heading, loaded.rows.length > 1 ? players(given, loaded) : null),
    h("div", { class: `sides ${replay.shown.length > 1 ? "two" : ""}`, key: "sides" }, replay.shown.map((player, i) => side(given, player, i))),
    controls(given),
  ];
}

/** To the race, where no browser has a way back. @param {Given<"say">} given @param {string} race */
function back({ say }, race) {
  return h("a", { class: "button quiet", href: hashOf({ screen: "race", race, watch: true }), "aria-label": say("over.see") }, "‹");
}

/** The name of the race, made from its id alone if the race is not followed. @param {Given<"games" | "say" | "session">} given @param {string} race */
function raceName(given, race) {
  const [daily, , game, rules] = race.split(".");
  const kind = /** @type {Room["kind"]} */ (rules ? daily : "live");
  return title(given, given.session.followed.get(race)?.room ?? { race, kind, rules: { game, rules } });
}

/** One player's board, and how far it is. @param {Given<"hinting" | "layout" | "memory" | "replay" | "say" | "session">} given @param {string} player @param {number} at */
function side(given, player, at) {
  const { say, replay, session } = given;
  const { game, n, total, piles, home, fresh, ms, move, record } = replay.board(player);
  const shown = {
    ...{ game, n, piles, fresh, home, choices: new Choices([], game), picked: "", targets: [], focus: "", still: true },
    ...{ clock: span(ms), four: fourColours(given), hint: given.hinting.at(replay.loaded?.race ?? "", n, player) },
  };
  const words = n ? say("replay.move", { n, total, move }) : say("replay.deal");
  return h(
    "section",
    { class: `side ${player === session.me?.player ? "mine" : ""}`, key: player, "aria-label": playerName(say, record.standing) },
    h(
      "p",
      { class: "head" },
      ring(home, game.total),
      h("span", { class: "name" }, playerName(say, record.standing)),
      h("span", { class: "hint", role: at || replay.plays ? null : "status" }, words, n ? ` · ${span(ms)}` : ""),
      replay.offersHints(player) ? bestButton(given, () => replay.hint(player)) : null,
      h("span", { class: "home" }, home),
    ),
    adviceLine(shown.hint),
    board(shown, given.layout(game, piles), say, {}),
  );
}

/** @param {Given<"replay" | "say">} given */
function controls({ say, replay }) {
  const { at, end, played, plays, speed } = replay;
  /** @param {string} key @param {string} text @param {() => void} does @param {Props} more */
  const button = (key, text, does, more = {}) => h("button", { key, type: "button", "aria-label": text, onclick: does, ...more }, key === "play" ? icon(plays ? "pause" : "play") : key);
  /** @param {Changed} of */
  const slide = ({ target }) => replay.to(Number(target.value));
  const lead = replay.lead;
  const last = lead.findLast(({ ms }) => ms <= at);
  const passed = last ? say("replay.passes", { at: span(last.ms), name: playerName(say, last) }) : "";
  return h(
    "div",
    { class: "replaying", key: "controls" },
    button("◀", say("button.earlier"), () => replay.step(-1), { disabled: !played }),
    button("play", say(plays ? "button.pause" : "button.play"), () => (plays ? replay.pause() : replay.play()), { class: "primary" }),
    button("▶▏", say("button.next"), () => replay.step(1), { disabled: at >= end }),
    h("button", { key: "speed", type: "button", "aria-label": say("replay.speed", { speed }), onclick: () => replay.faster() }, `${speed}×`),
    h(
      "div",
      { class: "slide" },
      h("input", { type: "range", min: 0, max: end, step: 1, value: at, "aria-label": say("replay.slider"), "aria-valuetext": `${span(at)} ${passed}`, oninput: slide }),
      h(
        "svg",
        { class: "ruler", viewBox: `0 0 ${RULER} 10`, preserveAspectRatio: "none", "aria-hidden": "true" },
        h("path", { d: lead.map(({ ms }) => `M${((ms / Math.max(1, end)) * RULER).toFixed(1)} 0v10`).join("") }),
      ),
      h("p", { class: "hint" }, h("span", {}, span(0)), h("span", {}, passed), h("span", {}, span(end))),
    ),
    h("p", { class: "now", "aria-hidden": "true" }, span(at)),
  );
}

/** Whose games are shown: a choice for each board, else their names to switch. @param {Given<"replay" | "say">} given @param {import("./recorded_games.js").Loaded} of */
function players({ say, replay }, { rows, race }) {
  if (replay.shown.length > 1) {
    /** @param {string} player @param {number} i */
    const choice = (player, i) =>
      h(
        "select",
        { key: i, "aria-label": say("replay.board", { number: i + 1 }), value: player, onchange: ({ target }) => replay.choose(i, target.value) },
        rows.map((row) => h("option", { key: row.player, value: row.player, selected: row.player === player }, playerName(say, row))),
      );
    return h("div", { class: "whose" }, replay.shown.map(choice));
  }
  const [shown] = replay.shown;
  const all = rows.map((row) => {
    const { player } = row;
    /** @type {Place} */
    const place = { screen: "replay", race, player };
    return h("a", { key: player, href: hashOf(place), "aria-current": player === shown ? "page" : null }, playerName(say, row));
  });
  return h("nav", { class: "tabs small whose", "aria-label": say("replay.whose") }, all);
}
