// A live room before the race: its code and link, who is there, who is ready, who is missing.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { localeFor, playerName, shortName, span } from "../words.js";
import { bubble, cheers } from "../cheers/buttons.js";
import { promise } from "../fairness/fair.js";
import { houseChoice } from "./house.js";
import { button, linkField } from "../controls.js";
import { dealText, gameName, rulesName } from "../titles.js";

const MINUTE_MS = 60_000;
const USUAL_GRACE_MS = 120_000;

/** @param {Page} page @param {Followed} followed */
export function lobby(page, followed) {
  const { say } = page;
  const { room, seat } = followed;
  const asks = page.sure === "start" && room.host === seat?.player;
  return [
    roomCard(page, followed),
    h(
      "section",
      { class: "card-like seats" },
      h("h2", {}, say("race.players")),
      h("ul", {}, room.seats.map((one) => line(page, room, one))),
      cheers(page, followed),
      h("p", { class: "waits", role: "status" }, seat ? waits(page, room, seat) : say("race.watching")),
      asks ? null : h("p", { class: "hint" }, say("race.wait_open")),
      followed.promisedElsewhere ? h("p", { class: "hint elsewhere" }, say("fair.elsewhere")) : null,
      asks ? starting(page, room) : buttons(page, followed),
      houseChoice(page, followed),
    ),
  ];
}

/** The code and the link of a room, and how it is played. @param {Page} page @param {Followed} followed */
export function roomCard(page, followed) {
  const { say } = page;
  const { room, seat, game } = followed;
  return h(
    "section",
    { class: "card-like share" },
    h("div", { class: "code", translate: "no", role: "img", "aria-label": [...room.race].join(" ") }, [...room.race].map((one) => h("span", {}, one))),
    h("p", { class: "hint" }, terms(page, room)),
    game && !game.decides ? h("p", { class: "hint" }, say(`game.${game.name}.luck`)) : null,
    seat ? sharing(page, room) : null,
    room.phase === "open" ? promise(page, followed) : null,
  );
}

/** @param {Page} page @param {Room} room */
function terms(page, room) {
  const { say, games } = page;
  const { rules, kind } = room;
  const limit = Math.round((rules.limit_ms ?? 0) / MINUTE_MS);
  const grace = rules.grace_ms ?? USUAL_GRACE_MS;
  return [
    games.of(rules) !== games.usual && gameName(page, rules.game),
    rulesName(page, rules),
    limit && say("room.minutes", { count: limit }),
    dealText(page, room),
    rules.undo && say("room.undo"),
    rules.invite_only && say("room.invite_only"),
    rules.spectate === false && say("room.unseen"),
    kind === "live" && grace !== USUAL_GRACE_MS && say("room.grace_is", { span: span(grace) }),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** @param {Page} page @param {Room} room */
function sharing(page, { race, invite }) {
  const { say } = page;
  const link = `${location.origin}/${hashOf({ screen: "race", race: invite || race })}`;
  return h(
    "div",
    { class: "field" },
    h("label", { for: "share" }, say("race.share")),
    h(
      "div",
      { class: "row" },
      linkField("share", link),
      button(page, "race.share_do", () => share(page, link), "primary"),
    ),
  );
}

/** By the phone's own means, or to the clipboard, or marked to be copied. @param {Page} page @param {string} url */
async function share(page, url) {
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    // Who changes their mind has not failed.
    await navigator.share({ title: "Big Ben", url }).catch(() => {});
    return;
  }
  const field = /** @type {HTMLInputElement} */ (document.getElementById("share"));
  field.select();
  try {
    await navigator.clipboard.writeText(url);
  } catch {
    // Only https and localhost may write there; the marked field can be copied by hand.
    return;
  }
  page.announce(page.say("race.copied"));
  page.complain("race.copied");
}

/** @param {Page} page @param {Room} room @param {Standing} seat */
function line(page, room, seat) {
  const { say, session } = page;
  const { player, state, away, bot } = seat;
  const notes = [player === room.host && say("race.host"), player === session.me?.player && say("you"), bot && say("house.bot")];
  return h(
    "li",
    { key: player, class: `${state} ${away ? "away" : ""}` },
    h("span", { class: "name" }, shortName(seat)),
    h("span", { class: "notes" }, notes.filter(Boolean).join(", ")),
    bubble(page, room.race, player, away ? say("state.away_open") : say(`state.${state}`)),
  );
}

/** For whom the race waits. @param {Page} page @param {Room} room @param {Standing} seat */
function waits({ say, language, session }, { seats }, seat) {
  if (seats.length === 1) return say(seat.state === "ready" ? "lobby.lone_ready" : "lobby.alone");
  const missing = missingIn(seats);
  const others = missing.filter(({ player }) => player !== session.me?.player);
  const names = listed(language, others.map((one) => playerName(say, one)));
  if (seat.state === "ready") return say("lobby.waits_for", { names });
  return others.length ? say("lobby.missing", { names }) : say("lobby.waits_you");
}

/** @param {Standing[]} seats */
function missingIn(seats) {
  return seats.filter(({ state }) => state === "joined");
}

/** `Bob, Cy and Dora`. @param {string} language @param {string[]} names */
function listed(language, names) {
  return new Intl.ListFormat(localeFor(language)).format(names);
}

/** The host is asked before a start that leaves others out, or that is alone. @param {Page} page @param {Room} room */
function starting(page, room) {
  const { say, language } = page;
  const { left, others } = withoutHost(room);
  const names = listed(language, left.map((one) => playerName(say, one)));
  const alone = left.length === others.length;
  const start = () => {
    page.sure = "";
    return page.joining.start(room.race);
  };
  return h(
    "div",
    { class: "row sure", key: "sure", role: "alertdialog", "aria-label": say("race.start") },
    left.length ? h("p", {}, say("sure.left_out", { names })) : null,
    alone ? h("p", {}, say(left.length ? "sure.then_alone" : "sure.alone")) : null,
    button(page, "sure.start", start, "danger"),
    button(page, "sure.wait", () => (page.sure = ""), "primary safe"),
  );
}

/** All but the host, and who of them is not ready. @param {Room} room */
function withoutHost({ seats, host }) {
  const others = seats.filter(({ player }) => player !== host);
  return { others, left: missingIn(others) };
}

/** @param {Page} page @param {Followed} followed */
function buttons(page, { room, seat }) {
  const { race } = room;
  const leave = button(page, "race.leave", () => page.joining.leave(race));
  if (!seat) return h("div", { class: "row" }, leave);
  const unready = () => page.session.ask({ race, type: "unready" });
  const ready =
    seat.state === "joined"
      ? button(page, "race.ready", () => page.joining.ready(race), "primary large")
      : button(page, "race.unready", unready, "large");
  return h("div", { class: "row" }, ready, room.host === seat.player ? hostStarts(page, room) : null, leave);
}

/** @param {Page} page @param {Room} room */
function hostStarts(page, room) {
  const { others, left } = withoutHost(room);
  const asks = !others.length || left.length;
  return button(page, "race.start", () => (asks ? (page.sure = "start") : page.joining.start(room.race)));
}
