// Which attempts of a season's closed weeks are suspiciously alike: for organisers, who judge for themselves.

import { h } from "../draw.js";
import { button } from "../page/controls.js";

/** @typedef {import("./season_view.js").Parts} Parts */

/** @param {Parts} given @param {import("./season.js").Shown} shown */
export function alike(given, { season: id }) {
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
    season.alike ? report(given, season.alike) : null,
  );
}

/** @param {Parts} given @param {Protocol.Alike} found */
function report({ say }, { pairs = [], compared = 0, one_in = 0 }) {
  const said = pairs.length ? "some" : compared ? "none" : "nobody";
  return h("div", { role: "status" }, h("p", {}, say(`alike.${said}`, { compared, one_in })), h("ul", {}, pairs.map((pair) => told(say, pair))));
}

/** @param {Given<"say">["say"]} say @param {Protocol.AlikePair} pair */
function told(say, { players, names, weeks, kind = "copied", score = 0, choices = [], explained_by: count = 1 }) {
  const [one, two] = names;
  const values = { one, two, weeks: weeks.join(", "), score, count };
  return h(
    "li",
    { key: players.join(" ") },
    say(`alike.${two ? kind : "foreseen_any"}`, values),
    h("ul", {}, choices.map(({ week, player, n, move }) => h("li", {}, say("alike.choice", { week, n, name: names[players.indexOf(player)] ?? "", move })))),
  );
}
