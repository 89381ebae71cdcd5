// The page inside Discord's frame: who is here, the way into their race, and why one plays as a guest.

import { h } from "../draw.js";
import { avatar, numberOf } from "../figures/avatar.js";
import { icon } from "../figures/icons.js";
import { button } from "../page/controls.js";
import { title } from "../page/titles.js";

/** So many of those who are here are seen. */
const MOST = 6;

/** @typedef {import("./activity.js").Activity} Activity */

/** @param {Given<"attempt" | "say">} given @param {Activity} activity */
export function waiting(given, activity) {
  const { say } = given;
  return h(
    "section",
    { class: "opening", key: "waiting" },
    h("p", { role: "status" }, say("activity.asks")),
    button(given, "activity.be_guest", () => activity.beGuest()),
  );
}

/** Null while there is a race to look at. @param {Given<"attempt" | "games" | "go" | "route" | "say" | "session">} given @param {Activity} activity */
export function above(given, activity) {
  const { say, route } = given;
  const { trouble, people, offered } = activity;
  const { screen } = route.place;
  const others = people.filter(({ id }) => given.session.me?.player !== `discord:${id}`);
  if (screen !== "home" && (screen !== "race" || !(route.race?.over ?? true))) return null;
  const opens = screen === "home" && !offered && !trouble && others.length > 0;
  if (!trouble && !offered && !opens) return null;
  return h(
    "section",
    { class: "card-like instance", key: "instance" },
    trouble ? h("p", { key: "trouble", role: "alert" }, trouble) : null,
    offered ? joins(given, offered, activity.told) : null,
    opens ? h("p", { key: "here" }, say("activity.here", { names: listed(say, others) })) : null,
    opens ? h("button", { type: "button", key: "open", class: "primary", onclick: () => given.attempt(() => activity.open()) }, icon("people"), say("activity.open")) : null,
    trouble ? button(given, "activity.again", () => activity.begin()) : null,
  );
}

/** @param {Given<"attempt" | "games" | "go" | "say">} given @param {Protocol.RaceInfo} info @param {string} race its name, with which one may join */
function joins(given, info, race) {
  const { say } = given;
  const go = () => given.attempt(() => given.go({ screen: "race", race, watch: false }));
  const text = info.host ? say("activity.join", { host: info.host }) : say("activity.join_race", { race: title(given, info) });
  return h("button", { type: "button", key: "join", class: "primary", onclick: go }, icon("people"), text);
}

/** @param {Given<"route" | "say">} given @param {Activity} activity */
export function header({ say, route }, { people }) {
  const seats = route.race?.room.seats ?? [];
  /** @param {import("./activity.js").Person} one */
  const line = ({ id, name }) => {
    const at = seats.findIndex(({ player }) => player === `discord:${id}`);
    return h("li", { key: id, title: name }, avatar({ name }, at < 0 ? numberOf(id) : at), h("span", { class: "unseen" }, name));
  };
  const more = people.length - MOST;
  return h(
    "ul",
    { class: "people", key: "people", "aria-label": say("activity.people") },
    people.slice(0, MOST).map(line),
    more > 0 ? h("li", { key: "more" }, `+${more}`) : null,
  );
}

/** Those who are here and have no seat in this room, in its lobby. @param {Given<"say">} given @param {Activity} activity @param {Room} room */
export function outside({ say }, activity, room) {
  const people = activity.people.filter(({ id }) => !room.seats.some(({ player }) => player === `discord:${id}`));
  return people.length ? h("p", { class: "hint", key: "outside" }, say("activity.outside", { names: listed(say, people) })) : null;
}

/** @param {Say} say @param {import("./activity.js").Person[]} people */
function listed(say, people) {
  return new Intl.ListFormat(say.language).format(people.map(({ name }) => name));
}
