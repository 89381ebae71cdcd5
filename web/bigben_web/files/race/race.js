// One race on the screen, in every phase: the gate, the lobby, the countdown, the table, the end.

import { h } from "../draw.js";
import { button } from "../controls.js";
import { invitation } from "../start/invitation_view.js";
import { localeFor, span } from "../words.js";
import { title, wishOf } from "../titles.js";
import { bars } from "../result/bars.js";
import { promise } from "../fairness/fair.js";
import { lobby, roomCard } from "./lobby.js";
import { feed, news } from "./news.js";
import { obstacle } from "./obstacle.js";
import { result, summary } from "../result/result.js";
import { elapsed, table } from "../table/table.js";
import { watch } from "./watch.js";

/** @param {Page} page */
export function race(page) {
  const { race: followed, session, say } = page;
  if (!session.me && !page.identities.token) return invitation(page);
  if (page.joining.obstacle) return obstacle(page, page.joining.obstacle);
  if (!followed) return page.notice ? back(page) : h("p", { class: "opening" }, say("race.opening"));
  return [h("h1", { class: "title" }, title(page, followed.room)), exceptions(page, followed.room), ...shown(page, followed)];
}

/** That the race is void, and why, or that its cards were dealt again. @param {Page} page @param {Room} room */
function exceptions({ say }, { void: why, counter }) {
  if (!why && !counter) return null;
  const text = why ? say("race.void", { why: say.sentence(why) }) : say("race.dealt_again");
  return h("p", { class: "card-like exception", role: "status", key: "exception" }, text);
}

/** @param {Page} page @param {Followed} followed */
function shown(page, followed) {
  const { playing, say } = page;
  const { room, over, seat } = followed;
  if (room.phase === "cancelled") return [back(page, say(room.unmixed ? "choosing.unmixed" : "race.cancelled"))];
  if (room.phase === "open") return lobby(page, followed);
  if (room.phase === "countdown") return [countdown(page, followed)];
  if (playing.atTable) return [table(page, followed), story(page, followed), beside(page, followed)];
  if (over || room.phase === "closed") return result(page, followed);
  if (waits(room, followed)) return [room.kind === "deadline" ? roomCard(page, followed) : null, show(page, followed), bars(page, followed)];
  return [seat ? h("p", { class: "opening" }, say("race.opening")) : watch(page, followed)];
}

/** @param {Page} page @param {Followed} followed */
function countdown(page, followed) {
  const { session, say } = page;
  const { room } = followed;
  if (room.mixing || room.choosing) return choosing(page, followed);
  const left = Math.max(1, Math.ceil(((room.starts_at ?? 0) - session.clock.now()) / 1000));
  return h(
    "div",
    { class: "countdown card-like", role: "timer" },
    h("p", {}, say("race.countdown")),
    h("p", { class: "digit", key: `digit${left}` }, left),
    promise(page, followed),
  );
}

/**
 * The server waits for nonces, for 3 seconds, or looks for a deal as the room asks for it, mostly for a few.
 * @param {Page} page @param {Followed} followed
 */
function choosing(page, followed) {
  const { mixing, rules } = followed.room;
  const text = page.say(`choosing.${mixing ? "mixing" : wishOf(rules)}`);
  return h(
    "section",
    { class: "countdown card-like", role: "status", key: "choosing" },
    h("p", {}, text),
    promise(page, followed),
  );
}

/** There is nothing to show here. @param {Page} page */
function back(page, why = "") {
  const home = button(page, "button.home", () => page.go({ screen: "home" }), "primary");
  return h("section", { class: "card-like opening" }, why ? h("p", {}, why) : null, home);
}

/**
 * Whether the player has a seat in a running race and has not asked for the cards.
 * @param {Room} room @param {Followed} followed
 */
function waits({ kind, phase }, { seat, view }) {
  return kind !== "live" && phase === "running" && seat?.state === "joined" && !view;
}

/** @param {Page} page @param {Followed} followed */
function show(page, followed) {
  const { say } = page;
  const ready = () => page.session.ask({ type: "ready", race: followed.race });
  return h(
    "section",
    { class: "card-like" },
    h("p", {}, say("race.show_hint")),
    followed.room.kind === "deadline" ? h("p", { class: "waits" }, say("race.until", { when: moment(page, followed.room.closes_at) })) : null,
    button(page, "race.show", ready, "primary large"),
    promise(page, followed),
  );
}

/** A time as one reads it here: `Tue 24 Nov, 18:00`. @param {Page} page @param {number} [at] */
function moment({ language }, at = 0) {
  /** @type {Intl.DateTimeFormatOptions} */
  const wanted = { weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit" };
  return new Intl.DateTimeFormat(localeFor(language), wanted).format(new Date(at));
}

/** The rail: the clock, who is how far, the last news. @param {Page} page @param {Followed} followed */
function beside(page, followed) {
  const running = !followed.over && followed.room.phase === "running";
  return h(
    "aside",
    { key: "beside", class: "rail" },
    times(page, followed),
    bars(page, followed),
    running ? promise(page, followed) : null,
    news(page, followed),
    summary(page, followed),
  );
}

/** What has happened so far, where there is room for it. @param {Page} page @param {Followed} followed */
function story(page, followed) {
  return h("aside", { key: "story", class: "story" }, feed(page, followed));
}

/** The own clock, and how long the race can last yet. @param {Page} page @param {Followed} followed */
function times(page, followed) {
  const { say, session } = page;
  const { kind, phase, closes_at: at } = followed.room;
  const left = kind !== "practice" && phase === "running" && at ? at - session.clock.now() : 0;
  return h(
    "p",
    { class: "times", key: "times" },
    h("span", { class: "now", role: "timer" }, elapsed(page, followed)),
    left > 0 ? h("span", { class: "hint" }, say("race.ends", { span: span(left) })) : null,
  );
}
