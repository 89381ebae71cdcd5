// House players in a lobby: the host adds and removes them, and everybody sees that they are programs.

import { h } from "../draw.js";

/** Their names by strength, weakest first; in every language the same. @type {{[strength: string]: string}} */
const NAMES = { beginner: "Pip", casual: "Tick", steady: "Tock", sharp: "Quartz", master: "Ben" };

/**
 * What the host chooses from; nothing for others, or where the server has no house players.
 * @param {Given<"attempt" | "say" | "session">} given @param {Followed} followed
 */
export function houseChoice(given, { room, seat }) {
  const { say, session } = given;
  if (!session.me?.house || room.host !== seat?.player || room.kind !== "live" || room.phase !== "open") return null;
  return h(
    "details",
    { class: "house", key: "house" },
    h("summary", {}, say("house.title")),
    h("p", { class: "hint" }, say("house.about")),
    h("ul", {}, Object.keys(NAMES).map((strength) => line(given, room, strength))),
  );
}

/** @param {Given<"attempt" | "say" | "session">} given @param {Room} room @param {string} strength */
function line(given, { race, seats }, strength) {
  const { say, session } = given;
  const name = NAMES[strength];
  const isHere = seats.some(({ player }) => player === `bot:${strength}`);
  const type = isHere ? "remove-house" : "add-house";
  const onclick = () => given.attempt(() => session.ask({ race, strength, type }));
  return h(
    "li",
    { key: strength },
    h("span", { class: "name" }, name),
    h("span", { class: "notes" }, say(`house.${strength}`)),
    h("button", { type: "button", class: "add", onclick }, say(isHere ? "house.remove" : "house.add", { name })),
  );
}
