// A race for those who watch it: everybody's progress round one dial, what they do, and no card.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { OVER } from "../wire/over.js";
import { playerName, span } from "../words.js";
import { button } from "../page/controls.js";
import { avatar } from "../figures/avatar.js";
import { colourOf, lanes } from "../figures/lanes.js";
import { begun, byProgress, called, how } from "../result/bars.js";
import { bubble, cheers } from "../cheers/buttons.js";
import { feed } from "./news.js";

const MOST = 6;

/** @typedef {Standing & {home: number, at: number, away: boolean}} Runner */

/** @param {Given<"attempt" | "cheering" | "courses" | "joining" | "say" | "session">} given @param {Followed} followed */
export function watch(given, followed) {
  const { say } = given;
  const { room, game } = followed;
  const seats = room.seats.filter(begun).sort(byProgress);
  const shown = seats.length > MOST ? seats.slice(0, MOST - 1) : seats;
  const players = shown.map((seat) => ({
    ...seat,
    home: seat.home ?? 0,
    at: room.seats.findIndex(({ player }) => player === seat.player),
    away: Boolean(seat.away) && seat.state === "playing",
  }));
  const more = Math.max(room.players ?? 0, seats.length) - shown.length;
  return h(
    "div",
    { class: "watch", key: "watch" },
    h("div", { class: "ground" }, lanes(players, game?.total ?? 1, { clock: elapsed(given, room), below: leading(say, players) })),
    h(
      "aside",
      {},
      h("p", { class: "hint" }, say("race.watching")),
      h("section", { class: "bars", "aria-label": say("race.so_far") }, h("ol", {}, players.map((seat) => line(given, followed, seat)))),
      more > 0 ? h("p", { class: "hint" }, say("race.more", { count: more })) : null,
      feed(given, followed),
      ends(given, room),
      cheers(given, followed),
      h("div", { class: "row" }, next(given, room), button(given, "button.leave", () => given.joining.leave(room.race))),
    ),
  );
}

/** @param {Given<"cheering" | "courses" | "say" | "session">} given @param {Followed} followed @param {Runner} seat */
function line(given, followed, seat) {
  const { say, courses, session } = given;
  const { player, home, at, away, state } = seat;
  const count = courses.of(followed.race).lastMinute(player, session.clock.now());
  const plays = !away && !OVER.includes(state) && !seat.ends_at;
  return h(
    "li",
    { key: player, class: `${state.replace(" ", "-")} ${away ? "away" : ""}` },
    h("span", { class: "place" }, avatar(seat, at, colourOf(at, away))),
    h("span", { class: "name" }, ...called(say, seat)),
    bubble(given, followed.race, player, plays ? say("watch.last_minute", { count }) : how(given, followed, seat, seat)),
    h("span", { class: "home", "aria-label": say("cards.home", { home }) }, home),
  );
}

/** By how much somebody leads. @param {Say} say @param {Runner[]} of */
function leading(say, [first, second]) {
  if (!first) return "";
  if (!second) return playerName(say, first);
  const count = first.home - second.home;
  return count ? say("watch.leads", { name: playerName(say, first), count }) : say("watch.level");
}

/** @param {Given<"session">} given @param {Room} room */
function elapsed({ session }, { kind, starts_at: start }) {
  return kind === "live" && start ? span(session.clock.now() - start) : "";
}

/** @param {Given<"say" | "session">} given @param {Room} room */
function ends({ say, session }, { closes_at: at }) {
  return at ? h("p", { class: "hint" }, say("race.ends", { span: span(at - session.clock.now()) })) : null;
}

/** @param {Given<"say">} given @param {Room} room */
function next({ say }, { rematch }) {
  if (!rematch) return null;
  return h("a", { key: "rematch", class: "button primary", href: hashOf({ screen: "race", race: rematch }) }, say("race.join_rematch"));
}
