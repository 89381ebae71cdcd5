// Which attempts of a season's closed weeks are suspiciously alike: for organisers, who judge for themselves.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { button } from "../page/controls.js";

/** @typedef {import("./season_view.js").Parts} Parts */

/** @param {Parts} given @param {import("./season.js").Shown} shown */
export function alike(given, { season: id, weeks }) {
  const { say, season, session } = given;
  const { comparing } = session;
  const ask = async () => {
    try {
      const found = await session.ask({ type: "get-alike", season: id });
      if (season.shown?.season === id) season.alike = found;
    } finally {
      session.comparing = null;
    }
  };
  return h(
    "section",
    { key: "alike" },
    h("h3", {}, say("alike.title")),
    h("p", { class: "hint" }, say("alike.hint")),
    comparing?.season === id
      ? h("p", { role: "status" }, say("alike.progress", { percent: Math.floor((100 * comparing.done) / comparing.of) }))
      : button(given, "alike.do", ask, "quiet"),
    season.alike ? report(given, season.alike, weeks) : null,
  );
}

/** @param {Parts} given @param {Protocol.Alike} found @param {Protocol.SeasonWeek[]} weeks */
function report({ say }, { pairs = [], compared = 0, one_in = 0 }, weeks) {
  const said = pairs.length ? "some" : compared ? "none" : "nobody";
  return h("div", { role: "status" }, h("p", {}, say(`alike.${said}`, { compared, one_in })), h("ul", {}, pairs.map((pair) => told(say, pair, weeks))));
}

/** @param {Say} say @param {Protocol.AlikePair} pair @param {Protocol.SeasonWeek[]} all the weeks, whose races can be replayed */
function told(say, { players, names, weeks, kind = "copied", score = 0, choices = [], explained_by: count = 1 }, all) {
  const [one, two] = names;
  const values = { one, two, weeks: weeks.join(", "), score, count };
  return h(
    "li",
    { key: players.join(" ") },
    say(`alike.${two ? kind : "foreseen_any"}`, values),
    h("ul", {}, choices.map((choice) => h("li", {}, h("a", { href: replayOf(choice, all) }, said(say, choice, names[players.indexOf(choice.player)] ?? ""))))),
  );
}

/** @param {Say} say @param {Protocol.AlikeChoice} choice @param {string} name */
function said(say, { week, n, move }, name) {
  return say("alike.choice", { week, n, name, move });
}

/** The game before that move. @param {Protocol.AlikeChoice} choice @param {Protocol.SeasonWeek[]} weeks */
function replayOf({ week, player, n }, weeks) {
  return hashOf({ screen: "replay", race: weeks[week - 1]?.race ?? "", player, move: n });
}
