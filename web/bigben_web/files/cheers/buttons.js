// What players call to each other: a bubble at who calls, and the five to choose from.

import { h } from "../draw.js";
import { CHEERS } from "./cheering.js";
import { button } from "../controls.js";
import { icon } from "../figures/icons.js";

/** Opens the five; null where nothing can be called. @param {Page} page */
export function cheerButton(page) {
  const { cheering, say } = page;
  if (!page.race || !cheering.offered(page.race.room)) return null;
  const onclick = () => show(page, true);
  const does = { type: "button", class: "quiet cheers", "aria-label": say("cheer.title"), "aria-haspopup": "dialog", onclick };
  return h("button", { key: "cheer", ...does }, icon("cheer"), h("span", { class: "word" }, say("cheer.title")));
}

/** The five, in the place of the button; Escape leaves them. @param {Page} page */
export function cheerChoice(page) {
  const { cheering, say, playing } = page;
  const { race } = playing.race;
  const hide = () => {
    cheering.on = false;
    show(page, false);
  };
  /** @param {string} cheer */
  const call = (cheer) => {
    show(page, false);
    return cheering.call(race, cheer);
  };
  /** @param {KeyboardEvent} event */
  const onkeydown = (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    show(page, false);
  };
  return h(
    "div",
    { class: "controls offer cheering", key: "cheering", role: "dialog", "aria-label": say("cheer.title_for"), onkeydown },
    CHEERS.map((cheer) => button(page, `cheer.${cheer}`, () => call(cheer))),
    button(page, "offer.cancel", () => show(page, false), "quiet"),
    button(page, "cheer.hide", hide, "quiet"),
  );
}

/** Where there is no table: what is called just now, and the way to call something. @param {Page} page @param {Followed} followed */
export function cheers(page, { race, room }) {
  const { cheering } = page;
  if (!cheering.offered(room)) return null;
  // Those who have a line of their own have a bubble there; the places at the end have none.
  const calls = cheering.in(race).filter(({ player }) => !player || room.phase === "closed");
  return h(
    "section",
    { class: "called", key: "called" },
    cheering.open ? cheerChoice(page) : cheerButton(page),
    calls.map(({ player, line }, i) => h("p", { key: player || `watcher ${i}`, class: "cheer", "aria-hidden": "true" }, line)),
  );
}

/**
 * The bubble of a player who calls something, in the place of `state`, which the page tells again soon.
 * @param {Page} page @param {string} race @param {string} player @param {Child} state
 */
export function bubble({ cheering }, race, player, state) {
  const call = cheering.in(race).find((one) => one.player === player);
  if (!call) return h("span", { class: "state" }, state);
  return h("span", { class: "state cheer", key: `cheer ${call.text}` }, call.text);
}

/** The last that somebody who is watching called. @param {Page} page @param {string} race */
export function ofWatchers({ cheering }, race) {
  return cheering.in(race).findLast(({ player }) => !player)?.line ?? "";
}

/**
 * The focus goes to the first of the five, and back to the button that opened them.
 * @param {Page} page @param {boolean} open
 */
function show(page, open) {
  page.cheering.open = open;
  page.redraw();
  page.focusOn(open ? ".cheering button" : "button.cheers");
}
