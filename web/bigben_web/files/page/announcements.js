// What a message means to one who hears the page: own moves, and what rivals do. Shows nothing.

import { deed } from "../board/words.js";
import { OVER } from "../wire/followed.js";

/** The state of each seat when it was last told of, by race. */
const known = new Map();

/** A sentence for a message of the race that is shown, or "". @param {import("./page.js").Page} page */
export function announcement(page, message) {
  const { say, session } = page;
  switch (message.type) {
    case "diff":
      return deed(say, message);
    case "progress":
    case "room":
      return [phaseNews(say, message), ...seatNews(say, message, session.me?.player)]
        .filter(Boolean)
        .join(" ");
    default:
      return "";
  }
}

function phaseNews(say, { type, race, phase }) {
  if (type !== "room") return "";
  const key = `${race} phase`;
  const was = known.get(key);
  known.set(key, phase);
  if (!was || was === phase) return "";
  if (phase === "running") return say("news.begun");
  return phase === "closed" ? say("news.closed") : "";
}

function seatNews(say, { race, seats = [] }, me) {
  const first = !known.has(race);
  known.set(race, true);
  return seats.map((seat) => {
    const { player, name, state, home = 0 } = seat;
    const key = `${race} ${player}`;
    const was = known.get(key);
    known.set(key, state);
    if (first || was === state || player === me) return "";
    if (!was && state === "joined") return say("news.joined", { name });
    if (state === "ready") return say("news.ready", { name });
    if (state === "won") return say("news.won", { name });
    if (OVER.includes(state)) return say("news.out", { name, home, state: say(`state.${state}`) });
    return "";
  });
}
