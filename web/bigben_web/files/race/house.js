// House players in a lobby: the host adds and removes them, and everybody sees that they are programs.

import { h } from "../draw.js";
import { avatar } from "../figures/avatar.js";
import { icon } from "../figures/icons.js";

/** The ground of those who are not at the table. */
const HOUSE_GROUND = 5;

/** Their names by strength, weakest first; in every language the same. @type {{[strength: string]: string}} */
const NAMES = { beginner: "Pip", casual: "Tick", steady: "Tock", sharp: "Quartz", master: "Ben" };

/**
 * What the host chooses from; nothing for others, or where the server has no house players.
 * @param {Given<"attempt" | "say" | "session">} given @param {Followed} followed
 */
export function houseChoice(given, { room, seat }) {
  const { say, session } = given;
  if (!session.me?.house || room.host !== seat?.player || room.kind !== "live" || room.phase !== "open") return null;
  // Who waits alone is offered them first.
  const alone = room.seats.filter(({ bot }) => !bot).length === 1;
  return h(
    "details",
    { class: "house", key: "house", open: alone },
    h("summary", {}, say("house.title")),
    h("p", { class: "hint" }, say("house.about")),
    h("ul", {}, Object.keys(NAMES).map((strength) => line(given, room, strength))),
  );
}

/** @param {Given<"attempt" | "say" | "session">} given @param {Room} room @param {string} strength */
function line(given, { race, seats }, strength) {
  const { say, session } = given;
  const name = NAMES[strength];
  const player = `bot:${strength}`;
  const isHere = seats.some((seat) => seat.player === player);
  const type = isHere ? "remove-house" : "add-house";
  const onclick = () => given.attempt(() => session.ask({ race, strength, type }));
  return h(
    "li",
    { key: strength, class: isHere ? "here" : "" },
    avatar({ name, bot: true }, HOUSE_GROUND),
    h("span", { class: "name" }, name),
    strengthOf(player),
    h("span", { class: "notes" }, say(isHere ? "house.here" : `house.${strength}`)),
    h("button", { type: "button", class: "add", "aria-label": say(isHere ? "house.remove" : "house.add", { name }), onclick }, icon(isHere ? "minus" : "plus")),
  );
}

/** The strength of a house player as five dots. @param {string} player */
export function strengthOf(player) {
  const at = Object.keys(NAMES).indexOf(player.replace("bot:", ""));
  return h("span", { class: "dots", "aria-hidden": "true" }, Object.keys(NAMES).map((_, i) => h("i", { class: i <= at ? "on" : "" })));
}
