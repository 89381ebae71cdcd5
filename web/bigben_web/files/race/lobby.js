// A live room before the race: its table, its code and link, who is ready, who is missing, the countdown.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { avatar, numberOf } from "../figures/avatar.js";
import { icon } from "../figures/icons.js";
import { localeFor, playerName, shortName, span } from "../words.js";
import { weekOf } from "../wire/races.js";
import { cheers } from "../cheers/buttons.js";
import { promise } from "../fairness/fair.js";
import { houseChoice } from "./house.js";
import { roundTable } from "./round_table.js";
import { button, linkField, nameForm } from "../page/controls.js";
import { publicAddress } from "../page/public.js";
import { dealText, gameName, rulesName, wishOf } from "../page/titles.js";

const MINUTE_MS = 60_000;
const USUAL_GRACE_MS = 120_000;
/** So many of those who won this evening are named. */
const MOST_WINNERS = 3;

/** @typedef {Given<"activity" | "attempt" | "cheering" | "evening" | "focusOn" | "form" | "games" | "joining" | "say" | "session" | "sharing">} Parts */

/** @param {Parts} given @param {Followed} followed */
export function lobby(given, followed) {
  const { say, form, joining } = given;
  const { room, seat } = followed;
  if (room.phase === "countdown") return countdown(given, followed);
  const asks = form.sure === "start" && room.host === seat?.player;
  const count = room.seats.length;
  const middle = [h("b", {}, say("lobby.count", { ready: count - missingIn(room.seats).length, count })), h("span", {}, say("lobby.are_ready"))];
  return h(
    "div",
    { class: "lobby", key: "lobby" },
    roundTable(given, followed, { middle, invite: seat && (() => given.sharing.link(linkTo(room), null)) }),
    h(
      "aside",
      { key: "rail" },
      h(
        "div",
        { class: "told", key: "told" },
        roomCard(given, followed),
        given.activity?.outside(room) ?? null,
        seat && joining.unnamed ? h("section", { class: "card-like", key: "sign" }, nameForm(given)) : null,
        series(given, followed),
        houseChoice(given, followed),
      ),
      h(
        "section",
        { class: "begin", key: "begin" },
        h("div", { class: "aloud" }, cheers(given, followed), button(given, "button.leave", () => joining.leave(room.race), "quiet")),
        h("p", { class: "waits", role: "status" }, seat ? waits(given, room, seat) : say("race.watching")),
        asks || count > 1 ? null : h("p", { class: "hint" }, say("race.wait_open")),
        followed.promisedElsewhere ? h("p", { class: "hint elsewhere" }, say("fair.elsewhere")) : null,
        asks ? starting(given, room) : buttons(given, followed),
      ),
    ),
  );
}

/** The same table while a countdown runs, and before it, while the server mixes or looks for the deal. @param {Parts} given @param {Followed} followed */
function countdown(given, followed) {
  const { say, session } = given;
  const { room } = followed;
  const finds = room.mixing || room.choosing;
  const left = Math.max(1, (room.starts_at ?? 0) - session.clock.now());
  const seconds = Math.ceil(left / 1000);
  const middle = finds
    ? h("p", { key: "finds", role: "status" }, say(`choosing.${room.mixing ? "mixing" : wishOf(room.rules)}`))
    : h("div", { key: "counts", role: "timer" }, h("p", {}, say("race.countdown")), h("b", { class: "digit", key: `digit${seconds}` }, seconds));
  return h(
    "div",
    { class: "lobby counts", key: "lobby" },
    roundTable(given, followed, { middle, left: finds ? Infinity : left }),
    h("aside", { key: "rail" }, roomCard(given, followed)),
  );
}

/** The code and the link of a room, and how it is played. @param {Given<"attempt" | "games" | "say" | "sharing">} given @param {Followed} followed */
export function roomCard(given, followed) {
  const { say } = given;
  const { room, seat, game } = followed;
  const opens = room.phase === "open" || room.phase === "running";
  return h(
    "section",
    { class: "card-like share", key: "share" },
    // The members of a club come to a week's race from its season.
    weekOf(room.race).season ? null : [
      h("p", { class: "hint" }, say("lobby.code")),
      h("div", { class: "code", translate: "no", role: "img", "aria-label": [...room.race].join(" ") }, [...room.race].map((one) => h("span", {}, one))),
      seat && opens ? invitation(given, room) : null,
    ],
    h(
      "div",
      { class: "terms" },
      h("p", {}, ...terms(given, room)),
      game && !game.decides ? h("p", { class: "hint" }, say(`game.${game.name}.luck`)) : null,
      room.phase === "running" ? null : promise(given, followed),
    ),
  );
}

/** Who won the races before this rematch. @param {Given<"evening" | "say">} given @param {Followed} followed */
function series({ evening, say }, { room }) {
  const told = evening.before(room);
  if (!told) return null;
  const { races: count, wins } = told;
  return h(
    "section",
    { class: "card-like evening", key: "evening", "aria-labelledby": "evening" },
    h("div", { class: "head" }, h("h2", { id: "evening" }, say("lobby.evening")), h("span", { class: "faint" }, say("races", { count }))),
    h("ul", {}, wins.slice(0, MOST_WINNERS).map((one) => h("li", { key: one.player }, sitting(room, one), h("b", {}, shortName(one)), h("small", {}, say("lobby.won", { count: one.won }))))),
  );
}

/** A player as they are at the table, if they are there. @param {Room} room @param {{player: string, name: string}} one */
function sitting({ seats }, one) {
  const at = seats.findIndex(({ player }) => player === one.player);
  return avatar({ name: shortName(one), bot: seats[at]?.bot }, at < 0 ? numberOf(one.player) : at);
}

/** The game, and how it is played in this room. @param {Given<"games" | "say">} given @param {Room} room @returns {Child[]} */
function terms(given, room) {
  const { say } = given;
  const { rules, kind } = room;
  const limit = Math.round((rules.limit_ms ?? 0) / MINUTE_MS);
  const grace = rules.grace_ms ?? USUAL_GRACE_MS;
  const more = [
    limit && say("span.minutes", { count: limit }),
    dealText(given, room),
    rules.undo && say("race.undo"),
    rules.invite_only && say("race.invite"),
    rules.spectate === false && say("race.unseen"),
    kind === "live" && grace !== USUAL_GRACE_MS && say("room.grace_is", { span: span(grace) }),
  ];
  return [h("b", {}, `${gameName(given, rules.game)} · ${rulesName(given, rules)}`), more.flatMap((one) => (one ? [` · ${one}`] : [])).join("")];
}

/** @param {Room} room */
function linkTo({ race, invite }) {
  return `${publicAddress()}/${hashOf({ screen: "race", race: invite || race })}`;
}

/** @param {Given<"attempt" | "say" | "sharing">} given @param {Room} room */
function invitation(given, room) {
  const { say, sharing, attempt } = given;
  const link = linkTo(room);
  const share = () => attempt(() => sharing.link(link, /** @type {HTMLInputElement} */ (document.getElementById("share"))));
  const stream = () => attempt(() => sharing.link(`${publicAddress()}/overlay#${room.race}`, null));
  return h(
    "div",
    { class: "field" },
    h("label", { for: "share" }, say("race.share")),
    linkField("share", link),
    h("button", { type: "button", class: "primary", onclick: share }, icon("share"), h("span", { class: "word" }, say("race.share_do"))),
    h("button", { type: "button", class: "quiet stream", onclick: stream }, say("overlay.link")),
  );
}

/** For whom the race waits. @param {Given<"say" | "session">} given @param {Room} room @param {Standing} seat */
function waits({ say, session }, { seats }, seat) {
  if (seats.length === 1) return say(seat.state === "ready" ? "lobby.lone_ready" : "lobby.alone");
  const missing = missingIn(seats);
  const others = missing.filter(({ player }) => player !== session.me?.player);
  const names = listed(say, others.map((one) => playerName(say, one)));
  if (seat.state === "ready") return say("lobby.waits_for", { names });
  return others.length ? say("lobby.missing", { names }) : say("lobby.waits_you");
}

/** @param {Standing[]} seats */
function missingIn(seats) {
  return seats.filter(({ state }) => state === "joined");
}

/** `Bob, Cy and Dora`. @param {Say} say @param {string[]} names */
function listed(say, names) {
  return new Intl.ListFormat(localeFor(say.language)).format(names);
}

/** The host is asked before a start that leaves others out, or that is alone. @param {Given<"attempt" | "form" | "joining" | "say">} given @param {Room} room */
function starting(given, room) {
  const { say } = given;
  const { left, others } = withoutHost(room);
  const names = listed(say, left.map((one) => playerName(say, one)));
  const alone = left.length === others.length;
  const start = () => {
    given.form.sure = "";
    return given.joining.start(room.race);
  };
  return h(
    "div",
    { class: "row sure", key: "sure", role: "alertdialog", "aria-label": say("button.start") },
    left.length ? h("p", {}, say("sure.left_out", { names })) : null,
    alone ? h("p", {}, say(left.length ? "sure.then_alone" : "sure.alone")) : null,
    button(given, "sure.start", start, "danger"),
    button(given, "button.stay", () => (given.form.sure = ""), "primary safe"),
  );
}

/** All but the host, and who of them is not ready. @param {Room} room */
function withoutHost({ seats, host }) {
  const others = seats.filter(({ player }) => player !== host);
  return { others, left: missingIn(others) };
}

/** @param {Given<"attempt" | "form" | "joining" | "say" | "session">} given @param {Followed} followed */
function buttons(given, { room, seat }) {
  const { race } = room;
  if (!seat) return null;
  const unready = () => given.session.ask({ race, type: "unready" });
  const ready =
    seat.state === "joined"
      ? button(given, "button.ready", () => given.joining.ready(race), "large ready-do")
      : button(given, "race.unready", unready, "large ready-do");
  return h("div", { class: "row" }, ready, room.host === seat.player ? hostStarts(given, room) : null);
}

/** @param {Given<"attempt" | "form" | "joining" | "say">} given @param {Room} room */
function hostStarts(given, room) {
  const { others, left } = withoutHost(room);
  const asks = !others.length || left.length;
  return button(given, "button.start", () => (asks ? (given.form.sure = "start") : given.joining.start(room.race)), "primary large");
}
