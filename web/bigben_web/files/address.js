// What stands behind the # of the page's address: which screen, which race. Changes no screen.

/**
 * @typedef {{screen: "home"} | {screen: "learn"} | {screen: "race", race: string, watch: boolean}
 *   | {screen: "boards", period: string, date?: string, game?: string, rules: string, group?: string} | {screen: "replay", race: string, player: string, move?: number}
 *   | {screen: "player", player: string, game?: string, rules: string} | {screen: "archive", month: string, game?: string, rules: string}
 *   | {screen: "groups", code?: string} | {screen: "link", token: string}} Place
 */

/** @param {string} hash `#room=K7QPXM` @returns {Place} */
export function placeOf(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const value = (name) => given.get(name) ?? "";
  if (given.has("link")) return { screen: "link", token: value("link") };
  if (given.has("room")) return { screen: "race", race: value("room"), watch: false };
  if (given.has("watch")) return { screen: "race", race: value("watch"), watch: true };
  const game = value("game") && { game: value("game") };
  const both = { ...game, rules: value("rules") || "standard" };
  if (given.has("board")) {
    const [date, group] = ["date", "group"].map((name) => value(name) && { [name]: value(name) });
    return { screen: "boards", period: value("board"), ...both, ...date, ...group };
  }
  if (given.has("archive")) return { screen: "archive", month: value("archive"), ...both };
  if (given.has("groups")) return { screen: "groups" };
  if (given.has("group")) return { screen: "groups", code: value("group") };
  if (given.has("replay")) {
    const move = Number(value("move"));
    return { screen: "replay", race: value("replay"), player: value("player"), ...(move > 0 && { move }) };
  }
  if (given.has("player")) return { screen: "player", player: value("player"), ...both };
  return { screen: given.has("learn") ? "learn" : "home" };
}

/** @param {Place} place @returns {string} the other way round, `#` and all */
export function hashOf(place) {
  const { screen } = place;
  if (screen === "learn") return "#learn";
  if (screen === "race") return `#${place.watch ? "watch" : "room"}=${encodeURIComponent(place.race)}`;
  const more = ["game", "rules", "date", "group"].filter((name) => place[name]);
  const rest = more.map((name) => `&${name}=${encodeURIComponent(place[name])}`).join("");
  if (screen === "boards") return `#board=${place.period}${rest}`;
  if (screen === "archive") return `#archive=${place.month}${rest}`;
  if (screen === "player") return `#player=${encodeURIComponent(place.player)}${rest}`;
  if (screen === "groups") return place.code ? `#group=${encodeURIComponent(place.code)}` : "#groups";
  if (screen === "replay") {
    const move = place.move ? `&move=${place.move}` : "";
    return `#replay=${encodeURIComponent(place.race)}&player=${encodeURIComponent(place.player)}${move}`;
  }
  return "#";
}

/** The code in what somebody pasted: a code, or a whole link to a room. */
export function codeIn(text) {
  const [, hash = ""] = text.split("#");
  const place = placeOf(hash);
  return place.screen === "race" ? place.race : text.trim();
}
