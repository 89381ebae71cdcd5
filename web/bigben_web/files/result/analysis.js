// The analysis of a closed race: a button, how much is computed, and then each seat's chances.

import { h } from "../draw.js";
import { hashOf } from "../address.js";
import { playerName } from "../words.js";
import { chances } from "../figures/chances.js";

/**
 * @typedef {import("./analyses.js").Analysis} Analysis
 * @typedef {import("./analyses.js").Seat} AnalysedSeat
 */

/** A curve that grows while the real one is computed. */
const CURVE = "M0 52C40 50 50 40 80 38S120 44 150 26S190 10 220 22S260 50 300 56";
const GROWING = ["all", "there"];

/** @param {Given<"analyses" | "focusOn" | "say" | "session">} given @param {Followed} followed */
export function analysis(given, followed) {
  const { say, analyses } = given;
  const { race, game } = followed;
  if (!analyses.may(followed.room)) return null;
  const found = analyses.of(race);
  return h(
    "section",
    { class: `card-like course analysis ${found ? "found" : "way"}`, key: "analysis" },
    h("h3", { tabindex: "-1" }, say("analysis.title")),
    found ? deal(say, found) : asking(given, race),
    (found?.seats ?? []).map((seat) => one(given, race, game, seat)),
    found ? h("p", { class: "hint" }, say("analysis.lines")) : null,
  );
}

/** @param {Given<"analyses" | "focusOn" | "say">} given @param {string} race */
function asking(given, race) {
  const { say, analyses } = given;
  const part = analyses.progress(race);
  const onclick = () => {
    analyses.ask(race);
    given.focusOn(".analysis h3"); // the button goes
  };
  if (part === null) {
    return [
      h("p", { class: "hint" }, say("analysis.what")),
      h("button", { type: "button", key: "analyse", onclick }, say("analysis.ask")),
    ];
  }
  return growing(given, part);
}

/** How much of it is computed. @param {Given<"say">} given @param {number} part */
export function growing({ say }, part) {
  const percent = Math.floor(100 * part);
  const bar = { class: "growing", role: "progressbar", "aria-label": say("analysis.working"), "aria-valuenow": percent };
  return [
    h("svg", { ...bar, viewBox: "0 0 300 60" }, GROWING.map((kind) => h("path", { class: kind, d: CURVE, pathLength: 100, "stroke-dasharray": `${kind === "there" ? percent : 100} 100` }))),
    h("p", {}, say("analysis.progress", { percent })),
  ];
}

/** What is known of the deal. @param {Say} say @param {Analysis} of */
function deal(say, { par, grade }) {
  const shortest = par ? say("over.par", { count: par }) : say("analysis.no_par");
  return h("p", {}, shortest, grade ? ` ${say("analysis.grade", { grade: say(`grade.${grade}`) })}` : "");
}

/** @param {Given<"say" | "session">} given @param {string} race @param {Game} game @param {AnalysedSeat} seat */
function one({ say, session }, race, game, seat) {
  const { player, points, costly, skill, luck, skillCards, luckCards } = seat;
  const name = playerName(say, seat);
  const [first, last] = [points[0], points[points.length - 1]];
  const { percent, cards } = figuresOf(say);
  const label = say("analysis.curve", { name, first: percent(first.chance), last: percent(last.chance), home: last.home });
  const sums = { skill: signed(skill, percent), luck: signed(luck, percent), skill_cards: signed(skillCards, cards), luck_cards: signed(luckCards, cards) };
  return h(
    "section",
    { key: player, class: player === session.me?.player ? "mine" : "", "aria-label": name },
    h("h4", {}, name),
    chances(seat, game.total, label),
    h("p", {}, say("analysis.skill", sums)),
    costly.length ? h("ol", {}, costly.map((move) => cost(say, race, player, move))) : h("p", { class: "hint" }, say("analysis.nothing")),
  );
}

/** @param {Say} say @param {string} race @param {string} player @param {AnalysedSeat["costly"][number]} of */
function cost(say, race, player, { n, move, better, cost, cards: lost }) {
  /** @type {Place} */
  const place = { screen: "replay", race, player, move: n };
  const { percent, cards } = figuresOf(say);
  return h(
    "li",
    { key: n },
    h("a", { href: hashOf(place) }, say("analysis.move", { n, move })),
    " ",
    say("analysis.better", { better, chance: percent(cost), cards: cards(lost) }),
  );
}

/** How figures are written in the player's language. @param {Say} say */
export function figuresOf(say) {
  /** @param {number} value @param {number} digits */
  const decimal = (value, digits) => value.toFixed(digits).replace(".", say("number.point"));
  return {
    /** `3.4 %`, `57 %` for ten-thousandths. */
    percent: (/** @type {number} */ chance) => `${decimal(chance / 100, Math.abs(chance) < 1000 ? 1 : 0)} %`,
    /** `38.5` for hundredths of cards. */
    cards: (/** @type {number} */ count) => decimal(count / 100, 1),
  };
}

/** @param {number} value @param {(value: number) => string} shown */
function signed(value, shown) {
  return `${value > 0 ? "+" : ""}${shown(value)}`;
}
