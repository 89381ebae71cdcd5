// How far everybody is: a bar for each seat, the best first. Names no card.

import { h } from "../../draw.js";
import { OVER } from "../../wire/followed.js";
import { fineSpan, span } from "../../words.js";

const MOST = 12;

/** @param {import("../../page/page.js").Page} page @param {import("../../wire/followed.js").Followed} followed */
export function bars(page, { room, standings, seat }) {
  const { say } = page;
  const final = room.phase === "closed";
  const all = final && standings ? standings.rows : room.seats.filter(begun).sort(byProgress);
  const shown = all.slice(0, MOST);
  if (seat && !shown.some(({ player }) => player === seat.player)) {
    const mine = all.find(({ player }) => player === seat.player);
    if (mine) shown.push(mine);
  }
  if (!all.length || (all.length === 1 && room.kind === "practice")) return null;
  const total = Math.max(room.players ?? 0, all.length);
  return h(
    "section",
    { class: "bars", "aria-label": final ? say("race.result") : say("race.so_far") },
    h("h2", {}, final ? say("race.result") : say("race.so_far")),
    h("ol", {}, shown.map((row) => bar(page, row, placeIn(all, row)))),
    ends(page, room),
    total > shown.length ? h("p", { class: "hint" }, say("race.more", { count: total - shown.length })) : null,
  );
}

/** How long a live race can last yet. */
function ends({ say, session }, { kind, phase, closes_at: at }) {
  if (kind !== "live" || phase !== "running" || !at) return null;
  return h("p", { class: "hint" }, say("race.ends", { span: span(at - session.clock.now()) }));
}

/** A standing as a line with a bar. */
function bar({ say, session }, row, place) {
  const { player, name, state, home = 0, ms = 0 } = row;
  const mine = player === session.me?.player;
  const ended = OVER.includes(state);
  const after = state === "won" ? fineSpan(ms) : ended ? say(`state.${state}`) : "";
  return h(
    "li",
    { key: player, class: `${state.replace(" ", "-")} ${mine ? "mine" : ""}` },
    h("span", { class: "place" }, `${place}.`),
    h("span", { class: "name" }, name, mine ? h("small", {}, ` (${say("you")})`) : null),
    h("span", { class: "state" }, after),
    h("span", { class: "home", "aria-label": say("cards.home", { home }) }, home),
    h("progress", { max: 104, value: home, "aria-hidden": "true" }),
  );
}

function begun({ state }) {
  return state !== "joined" && state !== "ready";
}

/** While a race runs, as at its end: by cards home, then by who had them home first. */
function byProgress({ home: a = 0, home_ms: at = 0 }, { home: b = 0, home_ms: then = 0 }) {
  return b - a || at - then;
}

/** Equals share a place. */
function placeIn(sorted, row) {
  return row.place || 1 + sorted.findIndex((one) => !byProgress(one, row));
}
