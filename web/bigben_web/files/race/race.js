// One race on the screen, in every phase: the gate, the lobby, the countdown, the table, the end.

import { h } from "../draw.js";
import { button } from "../page/controls.js";
import { localeFor, span } from "../words.js";
import { title, toSeason } from "../page/titles.js";
import { bars } from "../result/bars.js";
import { promise } from "../fairness/fair.js";
import { roomCard } from "./lobby.js";
import { feed, news } from "./news.js";
import { obstacle } from "./obstacle.js";
import { summary } from "../result/result.js";
import { elapsed } from "../table/table.js";

/**
 * @typedef {{invitation: () => Child, lobby: (followed: Followed) => Child, table: (followed: Followed) => Child,
 *   result: (followed: Followed) => Child, watch: (followed: Followed) => Child}} Phases what fills the screen in each
 */

/** @param {Given<"attempt" | "checking" | "cheering" | "choosing" | "courses" | "evening" | "form" | "games" | "ghosts" | "go" | "identities" | "joining" | "notices" | "playing" | "route" | "say" | "session" | "sharing">} given @param {Phases} phases */
export function race(given, phases) {
  const { route: { race: followed }, session, say } = given;
  if (!session.me && !given.identities.token) return phases.invitation();
  if (given.joining.obstacle) return obstacle(given, given.joining.obstacle);
  if (!followed) return given.notices.text ? back(given) : h("p", { class: "opening" }, say("race.opening"));
  const alone = !given.playing.atTable && (followed.over || followed.room.phase === "closed"); // the result has its own title
  return [alone ? null : h("h1", { class: "title" }, title(given, followed.room)), exceptions(given, followed.room), shown(given, followed, phases)];
}

/** That the race is void, and why, or that its cards were dealt again. @param {Given<"say">} given @param {Room} room */
function exceptions({ say }, { void: why, counter }) {
  if (!why && !counter) return null;
  const text = why ? say("race.void", { why: say.plain(why) }) : say("race.dealt_again");
  return h("p", { class: "card-like exception", role: "status", key: "exception" }, text);
}

/** @param {Given<"attempt" | "checking" | "cheering" | "courses" | "evening" | "form" | "games" | "ghosts" | "go" | "joining" | "playing" | "say" | "session" | "sharing">} given @param {Followed} followed @param {Phases} phases */
function shown(given, followed, phases) {
  const { playing, say } = given;
  const { room, over, seat } = followed;
  if (room.phase === "cancelled") return [back(given, say(room.unmixed ? "choosing.unmixed" : "race.cancelled"))];
  if (room.phase === "open" || room.phase === "countdown") return phases.lobby(followed);
  if (playing.atTable) return [phases.table(followed), story(given, followed), beside(given, followed)];
  if (over || room.phase === "closed") return phases.result(followed);
  if (waits(room, followed)) return [room.kind === "deadline" ? roomCard(given, followed) : null, show(given, followed), bars(given, followed)];
  return [seat ? h("p", { class: "opening" }, say("race.opening")) : phases.watch(followed)];
}

/** There is nothing to show here. @param {Given<"attempt" | "go" | "say">} given */
function back(given, why = "") {
  const home = button(given, "button.home", () => given.go({ screen: "home" }), "primary");
  return h("section", { class: "card-like opening" }, why ? h("p", {}, why) : null, home);
}

/**
 * Whether the player has a seat in a running race and has not asked for the cards.
 * @param {Room} room @param {Followed} followed
 */
function waits({ kind, phase }, { seat, view }) {
  return kind !== "live" && phase === "running" && seat?.state === "joined" && !view;
}

/** @param {Given<"attempt" | "say" | "session">} given @param {Followed} followed */
function show(given, followed) {
  const { say } = given;
  const ready = () => given.session.ask({ type: "ready", race: followed.race });
  return h(
    "section",
    { class: "card-like" },
    h("p", {}, say("race.show_hint")),
    followed.room.kind === "deadline" ? h("p", { class: "waits" }, say("race.until", { when: moment(given, followed.room.closes_at) })) : null,
    button(given, "button.begin", ready, "primary large"),
    promise(given, followed),
    toSeason(given, followed.room),
  );
}

/** A time as one reads it here: `Tue 24 Nov, 18:00`. @param {Given<"say">} given @param {number} [at] */
function moment({ say }, at = 0) {
  /** @type {Intl.DateTimeFormatOptions} */
  const wanted = { weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit" };
  return new Intl.DateTimeFormat(localeFor(say.language), wanted).format(new Date(at));
}

/** The rail: the clock, who is how far, the last news. @param {Given<"attempt" | "checking" | "cheering" | "courses" | "evening" | "ghosts" | "joining" | "playing" | "say" | "session">} given @param {Followed} followed */
function beside(given, followed) {
  const running = !followed.over && followed.room.phase === "running";
  return h(
    "aside",
    { key: "beside", class: "rail" },
    times(given, followed),
    bars(given, followed),
    running ? promise(given, followed) : null,
    news(given, followed),
    summary(given, followed),
  );
}

/** What has happened so far, where there is room for it. @param {Given<"courses" | "say">} given @param {Followed} followed */
function story(given, followed) {
  return h("aside", { key: "story", class: "story" }, feed(given, followed));
}

/** The own clock, and how long the race can last yet. @param {Given<"say" | "session">} given @param {Followed} followed */
function times(given, followed) {
  const { say, session } = given;
  const { kind, phase, closes_at: at } = followed.room;
  const left = kind !== "practice" && phase === "running" && at ? at - session.clock.now() : 0;
  return h(
    "p",
    { class: "times", key: "times" },
    h("span", { class: "now", role: "timer" }, elapsed(given, followed)),
    left > 0 ? h("span", { class: "hint" }, say("race.ends", { span: span(left) })) : null,
  );
}
