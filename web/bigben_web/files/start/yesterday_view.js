// Yesterday's race, looked at again: how far the own game came, and once it is analysed where it turned.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { chances } from "../figures/chances.js";
import { icon } from "../figures/icons.js";
import { wheel } from "../figures/wheel.js";
import { dayAfter } from "../records/days.js";
import { figuresOf, growing } from "../result/analysis.js";
import { ordinal } from "../share/share.js";

const WHEEL = 124;

/** Null if there is no own game of yesterday, or it is not known. @param {Given<"analyses" | "choosing" | "days" | "say" | "session" | "today">} given */
export function yesterday(given) {
  const { say, analyses, choosing, days, session, today } = given;
  const date = dayAfter(today.day, -1);
  const day = days.of(choosing.both, date);
  if (!day?.mine) return null;
  const { game, rules } = choosing.both;
  const race = `daily.${date}.${game}.${rules}`;
  const seat = analyses.of(race)?.seats.find(({ player }) => player === session.me?.player);
  return h(
    "section",
    { class: "card-like yesterday", key: "yesterday", "aria-labelledby": "yesterday" },
    h("div", { class: "head" }, h("h2", { id: "yesterday" }, say("home.yesterday"))),
    seat ? turned(given, race, seat) : played(given, day, date, race),
  );
}

/** @param {Given<"analyses" | "choosing" | "days" | "say">} given @param {import("../records/days.js").Day} day @param {string} date @param {string} race */
function played(given, { mine, total: players }, date, race) {
  const { say, analyses, choosing, days } = given;
  const { home = 0, place = 0 } = mine ?? {};
  const { total } = choosing.game;
  const part = analyses.progress(race);
  const may = analyses.may({ kind: "daily", phase: "closed", rules: choosing.both });
  return [
    h("p", {}, say("home.yesterday_was", { home, place: ordinal(place, say("share.ordinals")), players })),
    part === null ? h("div", { class: "shown" }, wheel({ size: WHEEL, home, total, hours: days.hours(choosing.both, date, mine?.player ?? ""), middle: home })) : growing(given, part),
    h(
      "div",
      { class: "row" },
      may && part === null ? h("button", { type: "button", key: "turn", onclick: () => analyses.ask(race) }, say("home.turn_ask")) : null,
      h("a", { class: "button", key: "see", href: hashOf({ screen: "race", race }) }, say("over.see")),
    ),
  ];
}

/** @param {Given<"choosing" | "say">} given @param {string} race @param {import("../result/analyses.js").Seat} seat */
function turned({ say, choosing }, race, seat) {
  const { player, points, costly } = seat;
  const { percent } = figuresOf(say);
  const home = points.at(-1)?.home ?? 0;
  const worst = costly.reduce((most, one) => (one.cost > most.cost ? one : most), costly[0]);
  const from = points.findLast(({ n }) => n < (worst?.n ?? 0))?.chance ?? 0;
  const said = worst
    ? say("home.turned", { home, from: percent(from), to: percent(Math.max(0, from - worst.cost)), n: worst.n, move: worst.move, better: worst.better })
    : say("analysis.nothing");
  return [
    h("p", {}, said),
    chances(seat, choosing.game.total, said),
    h(
      "div",
      { class: "row" },
      worst ? h("a", { class: "button", key: "move", href: hashOf({ screen: "replay", race, player, move: worst.n }) }, icon("play"), say("home.turn_see", { n: worst.n })) : null,
      h("a", { class: "button", key: "see", href: hashOf({ screen: "race", race }) }, say("analysis.title")),
    ),
  ];
}
