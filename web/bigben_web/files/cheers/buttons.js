// What players call to each other: a bubble at who calls, and the five to choose from.

import { h } from "../draw.js";
import { CHEERS } from "./cheering.js";
import { button } from "../page/controls.js";
import { icon } from "../figures/icons.js";

/** Opens the five; null where nothing can be called. @param {Given<"cheering" | "say">} given @param {Room} room */
export function cheerButton({ cheering, say }, room) {
  if (!cheering.offered(room)) return null;
  const onclick = () => cheering.show(true);
  const does = { type: "button", class: "quiet cheers", "aria-label": say("cheer.title"), "aria-haspopup": "dialog", onclick };
  return h("button", { key: "cheer", ...does }, icon("cheer"), h("span", { class: "word" }, say("cheer.title")));
}

/** The five, in the place of the button; Escape leaves them. @param {Given<"attempt" | "cheering" | "say">} given @param {string} race */
export function cheerChoice(given, race) {
  const { cheering, say } = given;
  const hide = () => {
    cheering.on = false;
    cheering.show(false);
  };
  /** @param {string} cheer */
  const call = (cheer) => {
    cheering.show(false);
    return cheering.call(race, cheer);
  };
  /** @param {KeyboardEvent} event */
  const onkeydown = (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    cheering.show(false);
  };
  return h(
    "div",
    { class: "controls offer cheering", key: "cheering", role: "dialog", "aria-label": say("cheer.title_for"), onkeydown },
    CHEERS.map((cheer) => button(given, `cheer.${cheer}`, () => call(cheer))),
    button(given, "offer.cancel", () => cheering.show(false), "quiet"),
    button(given, "cheer.hide", hide, "quiet"),
  );
}

/** Where there is no table: what is called just now, and the way to call something. @param {Given<"attempt" | "cheering" | "say">} given @param {Followed} followed */
export function cheers(given, { race, room }) {
  const { cheering } = given;
  if (!cheering.offered(room)) return null;
  // Those who have a line of their own have a bubble there; the places at the end have none.
  const calls = cheering.in(race).filter(({ player }) => !player || room.phase === "closed");
  return h(
    "section",
    { class: "called", key: "called" },
    cheering.open ? cheerChoice(given, race) : cheerButton(given, room),
    calls.map(({ player, line }, i) => h("p", { key: player || `watcher ${i}`, class: "cheer", "aria-hidden": "true" }, line)),
  );
}

/**
 * The bubble of a player who calls something, in the place of `state`, which the page tells again soon.
 * @param {Given<"cheering">} given @param {string} race @param {string} player @param {Child} state
 */
export function bubble({ cheering }, race, player, state) {
  const call = cheering.in(race).find((one) => one.player === player);
  if (!call) return state ? h("span", { class: "state" }, state) : null;
  return h("span", { class: "state cheer", key: `cheer ${call.text}` }, call.text);
}

/** The last that somebody who is watching called. @param {Given<"cheering">} given @param {string} race */
export function ofWatchers({ cheering }, race) {
  return cheering.in(race).findLast(({ player }) => !player)?.line ?? "";
}
