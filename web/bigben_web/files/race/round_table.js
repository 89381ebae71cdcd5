// The table of a room before its race: a dial whose rim is lit as players become ready, and the seats
// round it, one's own at six o'clock, the others clockwise in the order in which they came.

import { backSymbol } from "../board/faces/sheet.js";
import { isCalm } from "../board/flight.js";
import { bubble } from "../cheers/buttons.js";
import { h } from "../draw.js";
import { avatar } from "../figures/avatar.js";
import { icon } from "../figures/icons.js";
import { onCircle } from "../figures/ring.js";
import { shortName } from "../words.js";
import { strengthOf } from "./house.js";

const TICKS = 60;
/** So many seats there are at least, and so many have room. */
const [LEAST, MOST] = [4, 12];
/** How long a countdown takes as a rule. */
const COUNTDOWN_MS = 3000;

/**
 * @param {Given<"attempt" | "cheering" | "say" | "session">} given @param {Followed} followed
 * @param {{middle: Child, left?: number, invite?: (() => unknown) | null}} of what is said in the middle,
 *   the ms of a countdown, and what a free seat does
 */
export function roundTable(given, { room }, { middle, left = 0, invite = null }) {
  const { say, session, attempt } = given;
  const { seats } = room;
  const own = Math.max(0, seats.findIndex(({ player }) => player === session.me?.player));
  const shown = seats.length > MOST ? [...seats.slice(own), ...seats.slice(0, own)].slice(0, MOST) : seats;
  const mine = shown.indexOf(seats[own]);
  const around = Math.min(MOST, Math.max(LEAST, 2 * Math.ceil((shown.length + 2) / 2)));
  const ready = left ? seats.length : seats.filter(({ state }) => state === "ready").length;
  const free = room.phase === "open" ? Array.from({ length: around - shown.length }, (_, i) => shown.length + i) : [];
  const words = say(seats.length === 1 ? "lobby.send" : "lobby.free");
  return h(
    "section",
    { class: `felt seats of-${around}`, key: "seats", "aria-label": say("race.players") },
    dial(ready / Math.max(1, seats.length), left),
    h("div", { class: "middle", key: "middle" }, middle),
    h("ul", { key: "players" }, shown.map((seat, at) => place(given, room, seat, (at - mine + shown.length) % shown.length))),
    free.map((at) =>
      // All of them do what the button beside the link does.
      h("button", { type: "button", key: `free ${at}`, class: `seat free at-${at}`, tabindex: -1, "aria-hidden": "true", disabled: !invite, onclick: invite && (() => attempt(invite)) }, h("span", { class: "disc" }, icon("plus")), h("small", {}, words)),
    ),
    seats.length > MOST ? h("p", { class: "more", key: "more" }, say("race.more", { count: seats.length - MOST })) : null,
  );
}

/** @param {Given<"cheering" | "say" | "session">} given @param {Room} room @param {Standing} seat @param {number} at */
function place(given, room, seat, at) {
  const { say, session } = given;
  const { player, away, bot } = seat;
  // All who are in a countdown were ready for it.
  const state = room.phase === "open" ? seat.state : "ready";
  const mine = player === session.me?.player;
  const notes = [player === room.host && say("race.host"), mine && say("you"), bot && say("house.bot")];
  return h(
    "li",
    { key: player, class: `seat ${state} at-${at} ${away ? "away" : ""} ${mine ? "mine" : ""}` },
    h(
      "span",
      { class: "disc" },
      avatar({ name: shortName(seat), bot }, room.seats.indexOf(seat)),
      state === "ready" && !away ? h("span", { class: "ok" }, icon("check")) : null,
    ),
    h("span", { class: "name" }, shortName(seat)),
    h(
      "span",
      { class: "how" },
      h("span", { class: "notes" }, notes.filter(Boolean).join(", ")),
      bot ? strengthOf(player) : null,
      bubble(given, room.race, player, away ? say("away") : say(`state.${state}`)),
    ),
  );
}

/** @param {number} ready the part of the players that is ready @param {number} left ms of a countdown */
function dial(ready, left) {
  const lit = Math.round(TICKS * ready);
  // Where nothing is to move, the arc jumps with the digit.
  const shown = isCalm() ? 1000 * Math.ceil(left / 1000) : left;
  return h(
    "svg",
    { class: "table-dial", key: "dial", viewBox: "-120 -120 240 240", "aria-hidden": "true" },
    h("circle", { class: "rim", r: 99 }),
    h("circle", { class: "inside", r: 87 }),
    h("path", { class: "ticks", d: ticks(lit, TICKS) }),
    h("path", { class: "ticks lit", d: ticks(0, lit) }),
    left
      ? [
          h("circle", { class: "inside", r: 68 }),
          h("circle", { class: "runs-down", r: 78, pathLength: 1, "stroke-dasharray": 1, "stroke-dashoffset": Math.max(0, 1 - shown / COUNTDOWN_MS).toFixed(2), transform: "rotate(-90)" }),
        ]
      : [
          Array.from({ length: 12 }, (_, at) => {
            const [x, y] = onCircle(0, 77, at / 12);
            return h("text", { class: "numeral", x, y: y + 3.5 }, at || 12);
          }),
          [-34, -17, 0, 17, 34].map((turn) => h("use", { href: backSymbol(), x: -18, y: -46, width: 36, height: 50.4, transform: `rotate(${turn} 0 28)` })),
        ],
  );
}

/** @param {number} from @param {number} to */
function ticks(from, to) {
  const all = Array.from({ length: to - from }, (_, i) => {
    const [a, b] = [97.5, (from + i) % 5 ? 93 : 90.5].map((r) => onCircle(0, r, (from + i) / TICKS).join(" "));
    return `M${a}L${b}`;
  });
  return all.join("");
}
