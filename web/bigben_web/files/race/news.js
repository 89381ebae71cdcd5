// The last news of a race, in the rail: what is about to happen goes before what has happened.

import { ofWatchers } from "../cheers/buttons.js";
import { sentence } from "./course.js";
import { h } from "../draw.js";
import { playerName, span } from "../words.js";

const LAST_MS = 60_000;
const SHOWN_MS = 4000;
const MOST = 10;

/** @param {Given<"cheering" | "courses" | "say" | "session">} given @param {Followed} followed */
export function news(given, followed) {
  const { say, session, courses } = given;
  const now = session.clock.now();
  const warning = soon(say, followed.room, now, session.me?.player);
  const called = warning ? "" : ofWatchers(given, followed.race);
  const last = courses.of(followed.race).events.at(-1);
  const text = warning || called || (last ? sentence(say, last) : "");
  const fresh = warning || called || (last && now - last.at < SHOWN_MS);
  return h("p", { key: "news", class: `news ${fresh ? "fresh" : ""} ${warning ? "warning" : ""}` }, text);
}

/**
 * What ends soon: the seat of a player who is away, or the race.
 * @param {Say} say @param {Room} room @param {number} now @param {string | undefined} me
 */
function soon(say, { phase, closes_at: closes = 0, kind, seats }, now, me) {
  if (phase !== "running") return "";
  const ending = seats.filter(({ player, ends_at: at, state }) => at && state === "playing" && player !== me);
  const [next] = ending.sort((a, b) => (a.ends_at ?? 0) - (b.ends_at ?? 0));
  if (next) return say("news.grace", { name: playerName(say, next), span: span(Math.max(0, (next.ends_at ?? 0) - now)) });
  const left = closes - now;
  if (kind === "live" && closes && left > 0 && left <= LAST_MS) return say("news.last_minute", { span: span(left) });
  return "";
}

/** All that happened, the latest first. @param {Given<"courses" | "say">} given @param {Followed} followed */
export function feed({ say, courses }, followed) {
  const { starts_at: start = 0, opened_at: opened } = followed.room;
  const begun = courses.of(followed.race).events.filter(({ at }) => at >= (start || opened));
  const events = begun.slice(-MOST).reverse();
  if (!events.length) return null;
  return h(
    "section",
    { class: "feed", key: "feed" },
    h("h2", {}, say("race.happened")),
    h(
      "ol",
      {},
      events.map((one) =>
        h("li", { key: `${one.at} ${one.key} ${one.values.name?.player ?? ""}` }, h("span", { class: "at" }, span(one.at - (start || opened))), h("span", {}, sentence(say, one))),
      ),
    ),
  );
}
