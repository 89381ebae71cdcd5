// A game of the past on the board: whose, and which move. Nothing can be played here.

import { board } from "../board/board.js";
import { choicesOf } from "../board/choices.js";
import { h } from "../draw.js";
import { hashOf } from "../address.js";
import { span } from "../words.js";
import { title } from "./titles.js";
import { fourColours, layout } from "./race/table.js";

const NOTHING = choicesOf([]);

/** @param {import("../page/page.js").Page} page */
export function replay(page) {
  const { say, replay } = page;
  const { record } = replay;
  if (!record) return h("p", { class: "opening" }, say("race.opening"));
  return [
    h("h1", { class: "title" }, `${raceName(page, record.race)} · ${say("replay.title")}`),
    replay.piles.s ? table(page) : h("p", {}, say("boards.empty")),
    h("aside", {}, players(page)),
  ];
}

/** The name of the race, made from its id alone if the race is not followed. */
function raceName(page, race) {
  const [daily, , , rules] = race.split(".");
  const kind = rules ? daily : "live";
  return title(page, page.session.followed.get(race)?.room ?? { race, kind, rules: { rules } });
}

function table(page) {
  const { say, replay } = page;
  const { piles, fresh, total, n, plays } = replay;
  const [ms, move] = replay.move;
  const home = Object.entries(piles).reduce((sum, [name, { up }]) => sum + (name[0] === "f" ? up.length : 0), 0);
  const shown = {
    ...{ n, piles, fresh, home, choices: NOTHING, picked: "", targets: [], focus: "", still: true },
    ...{ clock: span(ms), four: fourColours(page) },
  };
  const words = n ? say("replay.move", { n, total, move }) : say("replay.deal");
  const button = (key, text, does, off) =>
    h("button", { key, type: "button", "aria-label": text, disabled: off, onclick: does }, key);
  return h(
    "section",
    { class: "table", key: "table" },
    board(shown, layout(), say, {}),
    h(
      "div",
      { class: "controls replaying" },
      button("◀", say("button.earlier"), () => replay.to(n - 1), !n),
      button(plays ? "❚❚" : "▶︎", say(plays ? "button.pause" : "button.play"), () => (plays ? replay.pause() : replay.play())),
      button("▶▏", say("button.later"), () => replay.to(n + 1), n === total),
      h("input", { type: "range", min: 0, max: total, value: n, "aria-label": say("replay.slider"), "aria-valuetext": words, oninput: ({ target }) => replay.to(Number(target.value)) }),
      h("p", { class: "hint", role: "status" }, words),
    ),
  );
}

function players(page) {
  const { say, replay } = page;
  const { race, standing } = replay.record;
  const all = replay.seats.map(({ player, name, home = 0 }) => {
    const place = { screen: "replay", race, player };
    const here = player === standing.player ? "page" : null;
    const text = say("cards.home", { home });
    return h("li", { key: player }, h("a", { href: hashOf(place), "aria-current": here }, name), " ", h("small", {}, text));
  });
  return h("nav", { class: "card-like players", "aria-label": say("replay.whose") }, h("h2", {}, say("replay.whose")), h("ul", {}, all));
}
