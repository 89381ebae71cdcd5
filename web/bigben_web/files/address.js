// What stands behind the # of the page's address: which screen, which race. Changes no screen.

/**
 * @typedef {{screen: "home"} | {screen: "race", race: string, watch: boolean}
 *   | {screen: "boards", period: string, rules: string, group?: string} | {screen: "replay", race: string, player: string}
 *   | {screen: "link", token: string}} Place
 */

/** @param {string} hash `#room=K7QPXM` @returns {Place} */
export function placeOf(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const value = (name) => given.get(name) ?? "";
  if (given.has("link")) return { screen: "link", token: value("link") };
  if (given.has("room")) return { screen: "race", race: value("room"), watch: false };
  if (given.has("watch")) return { screen: "race", race: value("watch"), watch: true };
  if (given.has("board")) {
    const group = value("group") && { group: value("group") };
    return { screen: "boards", period: value("board"), rules: value("rules") || "standard", ...group };
  }
  if (given.has("replay")) {
    return { screen: "replay", race: value("replay"), player: value("player") };
  }
  return { screen: "home" };
}

/** @param {Place} place @returns {string} the other way round, `#` and all */
export function hashOf(place) {
  const { screen } = place;
  if (screen === "race") return `#${place.watch ? "watch" : "room"}=${encodeURIComponent(place.race)}`;
  if (screen === "boards") {
    const group = place.group ? `&group=${encodeURIComponent(place.group)}` : "";
    return `#board=${place.period}&rules=${encodeURIComponent(place.rules)}${group}`;
  }
  if (screen === "replay") {
    return `#replay=${encodeURIComponent(place.race)}&player=${encodeURIComponent(place.player)}`;
  }
  return "#";
}

/** The code in what somebody pasted: a code, or a whole link to a room. */
export function codeIn(text) {
  const [, hash = ""] = text.split("#");
  const place = placeOf(hash);
  return place.screen === "race" ? place.race : text.trim();
}
