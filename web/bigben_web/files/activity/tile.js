// The small tile that Discord shows of the page beside other things: the clock, how far everybody is, and the
// card that came last. Nothing in it can be tapped.

import { face } from "../board/cards.js";
import { h } from "../draw.js";
import { groundOf } from "../figures/avatar.js";
import { arc } from "../figures/ring.js";
import { title } from "../page/titles.js";
import { fourColours } from "../page/wishes.js";
import { begun, byProgress } from "../result/bars.js";
import { ordinal } from "../share/share.js";
import { elapsed } from "../table/table.js";
import { span } from "../words.js";

const MIDDLE = 70;
/** The outermost lane, and the way to the next one inside. */
const [OUTER, APART] = [62, 9];
const MOST = 5;
const CARD = { x: 1, y: 1, w: 100 };

/** @param {Given<"games" | "memory" | "route" | "say" | "session">} given @param {import("./activity.js").Activity} activity */
export function tile(given, { lastCard, people }) {
  const { say, route: { race: followed } } = given;
  if (!followed) return h("main", { class: "tile" }, h("h1", {}, "Big Ben"), h("p", {}, people.map(({ name }) => name).join(", ")));
  const { seat, game, view } = followed;
  const lobby = followed.room.phase === "open";
  const seats = followed.room.seats.filter(begun).sort(byProgress);
  const home = view?.home ?? seat?.home ?? seats[0]?.home ?? 0;
  const at = seats.findIndex(({ player }) => player === seat?.player);
  const place = at < 0 || seats.length < 2 ? "" : ` · ${ordinal(at + 1, say("share.ordinals"))}`;
  return h(
    "main",
    { class: "tile" },
    h("h1", { class: "unseen" }, title(given, followed.room)),
    rings(followed, seats.slice(0, MOST), game?.total ?? 1, lobby ? ready(given, followed.room) : clock(given, followed)),
    h(
      "div",
      { class: "own" },
      lastCard && view ? h("svg", { class: `last ${fourColours(given) ? "four" : "two"}`, viewBox: "0 0 102 142" }, face(lastCard, "large", CARD)) : null,
      lobby ? h("p", {}, say("lobby.are_ready")) : h("p", {}, h("b", {}, home), place),
    ),
  );
}

/** How many are ready, before the cards are dealt. @param {Given<"say">} given @param {Room} room */
function ready({ say }, { seats }) {
  return say("lobby.count", { ready: seats.filter(({ state }) => state === "ready").length, count: seats.length });
}

/** The own clock; for those who watch, that of the race. @param {Given<"session">} given @param {Followed} followed */
function clock(given, followed) {
  const { view, room } = followed;
  if (view || followed.over) return elapsed(given, followed);
  return room.starts_at ? span(Math.max(0, given.session.clock.now() - room.starts_at)) : "";
}

/** A lane for each, the best outside. @param {Followed} followed @param {Standing[]} seats @param {number} total @param {string} time */
function rings({ room, seat }, seats, total, time) {
  /** @param {Standing} one @param {number} i */
  const lane = ({ player, home = 0, away, state }, i) => {
    const r = OUTER - i * APART;
    const ground = groundOf(room.seats.findIndex((other) => other.player === player));
    const kind = `way ${away && state === "playing" ? "away" : ""} ${player === seat?.player ? "mine" : ""}`;
    return h("g", { key: player }, h("circle", { class: "track", cx: MIDDLE, cy: MIDDLE, r }), home ? h("path", { class: kind, d: arc(MIDDLE, r, home / total), stroke: ground }) : null);
  };
  return h(
    "svg",
    { class: "rings", viewBox: "0 0 140 140", "aria-hidden": "true" },
    h("circle", { class: "plate", cx: MIDDLE, cy: MIDDLE, r: 68.5 }),
    seats.map(lane),
    h("text", { x: MIDDLE, y: MIDDLE + 6 }, time),
  );
}
