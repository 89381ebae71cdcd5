// A live room before the race: its code and link, who is there, who is ready, who is missing.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { localeFor, playerName, shortName, span } from "../words.js";
import { bubble, cheers } from "../cheers/buttons.js";
import { promise } from "../fairness/fair.js";
import { houseChoice } from "./house.js";
import { button, linkField } from "../page/controls.js";
import { dealText, gameName, rulesName } from "../page/titles.js";

const MINUTE_MS = 60_000;
const USUAL_GRACE_MS = 120_000;

/** @param {Given<"attempt" | "cheering" | "form" | "games" | "joining" | "say" | "session" | "sharing">} given @param {Followed} followed */
export function lobby(given, followed) {
  const { say } = given;
  const { room, seat } = followed;
  const asks = given.form.sure === "start" && room.host === seat?.player;
  return [
    roomCard(given, followed),
    h(
      "section",
      { class: "card-like seats" },
      h("h2", {}, say("race.players")),
      h("ul", {}, room.seats.map((one) => line(given, room, one))),
      cheers(given, followed),
      h("p", { class: "waits", role: "status" }, seat ? waits(given, room, seat) : say("race.watching")),
      asks ? null : h("p", { class: "hint" }, say("race.wait_open")),
      followed.promisedElsewhere ? h("p", { class: "hint elsewhere" }, say("fair.elsewhere")) : null,
      asks ? starting(given, room) : buttons(given, followed),
      houseChoice(given, followed),
    ),
  ];
}

/** The code and the link of a room, and how it is played. @param {Given<"attempt" | "games" | "say" | "sharing">} given @param {Followed} followed */
export function roomCard(given, followed) {
  const { say } = given;
  const { room, seat, game } = followed;
  return h(
    "section",
    { class: "card-like share" },
    h("div", { class: "code", translate: "no", role: "img", "aria-label": [...room.race].join(" ") }, [...room.race].map((one) => h("span", {}, one))),
    h("p", { class: "hint" }, terms(given, room)),
    game && !game.decides ? h("p", { class: "hint" }, say(`game.${game.name}.luck`)) : null,
    seat ? invitation(given, room) : null,
    room.phase === "open" ? promise(given, followed) : null,
  );
}

/** @param {Given<"games" | "say">} given @param {Room} room */
function terms(given, room) {
  const { say, games } = given;
  const { rules, kind } = room;
  const limit = Math.round((rules.limit_ms ?? 0) / MINUTE_MS);
  const grace = rules.grace_ms ?? USUAL_GRACE_MS;
  return [
    games.of(rules) !== games.usual && gameName(given, rules.game),
    rulesName(given, rules),
    limit && say("room.minutes", { count: limit }),
    dealText(given, room),
    rules.undo && say("room.undo"),
    rules.invite_only && say("room.invite_only"),
    rules.spectate === false && say("room.unseen"),
    kind === "live" && grace !== USUAL_GRACE_MS && say("room.grace_is", { span: span(grace) }),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** @param {Given<"attempt" | "say" | "sharing">} given @param {Room} room */
function invitation(given, { race, invite }) {
  const { say, sharing } = given;
  const link = `${location.origin}/${hashOf({ screen: "race", race: invite || race })}`;
  return h(
    "div",
    { class: "field" },
    h("label", { for: "share" }, say("race.share")),
    h(
      "div",
      { class: "row" },
      linkField("share", link),
      button(given, "race.share_do", () => sharing.link(link, /** @type {HTMLInputElement} */ (document.getElementById("share"))), "primary"),
    ),
  );
}

/** @param {Given<"cheering" | "say" | "session">} given @param {Room} room @param {Standing} seat */
function line(given, room, seat) {
  const { say, session } = given;
  const { player, state, away, bot } = seat;
  const notes = [player === room.host && say("race.host"), player === session.me?.player && say("you"), bot && say("house.bot")];
  return h(
    "li",
    { key: player, class: `${state} ${away ? "away" : ""}` },
    h("span", { class: "name" }, shortName(seat)),
    h("span", { class: "notes" }, notes.filter(Boolean).join(", ")),
    bubble(given, room.race, player, away ? say("state.away_open") : say(`state.${state}`)),
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
    { class: "row sure", key: "sure", role: "alertdialog", "aria-label": say("race.start") },
    left.length ? h("p", {}, say("sure.left_out", { names })) : null,
    alone ? h("p", {}, say(left.length ? "sure.then_alone" : "sure.alone")) : null,
    button(given, "sure.start", start, "danger"),
    button(given, "sure.wait", () => (given.form.sure = ""), "primary safe"),
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
  const leave = button(given, "race.leave", () => given.joining.leave(race));
  if (!seat) return h("div", { class: "row" }, leave);
  const unready = () => given.session.ask({ race, type: "unready" });
  const ready =
    seat.state === "joined"
      ? button(given, "race.ready", () => given.joining.ready(race), "primary large")
      : button(given, "race.unready", unready, "large");
  return h("div", { class: "row" }, ready, room.host === seat.player ? hostStarts(given, room) : null, leave);
}

/** @param {Given<"attempt" | "form" | "joining" | "say">} given @param {Room} room */
function hostStarts(given, room) {
  const { others, left } = withoutHost(room);
  const asks = !others.length || left.length;
  return button(given, "race.start", () => (asks ? (given.form.sure = "start") : given.joining.start(room.race)));
}
