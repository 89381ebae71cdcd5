// What stands behind the # of the page's address: which screen, which race. Changes no screen.

/**
 * @typedef {object} Place a screen, with the fields that it has
 * @property {"home" | "learn" | "race" | "boards" | "replay" | "player" | "archive" | "groups" | "season" | "link" | "device"} screen
 * @property {string} [race] of a race and a replay @property {boolean} [watch] whether it is only watched
 * @property {string} [period] of a board @property {string} [date] @property {string} [group]
 * @property {string} [game] of boards, players and days @property {string} [rules]
 * @property {string} [season]
 * @property {string} [player] of statistics and a replay @property {number} [move] with which it begins
 * @property {string} [month] of the days @property {string} [code] of a group, and of a device that logs in @property {string} [token] of a link
 */

/** @param {string} hash `#room=K7QPXM` @returns {Place} */
export function placeOf(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  /** @param {string} name */
  const value = (name) => given.get(name) ?? "";
  if (given.has("device")) return { screen: "device", code: value("device") };
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
  if (given.has("season")) return { screen: "season", season: value("season").toUpperCase() };
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
  /** @type {{[name: string]: any}} */
  const named = place;
  if (screen === "learn") return "#learn";
  if (screen === "race") return `#${place.watch ? "watch" : "room"}=${encodeURIComponent(place.race ?? "")}`;
  const more = ["game", "rules", "date", "group"].filter((name) => named[name]);
  const rest = more.map((name) => `&${name}=${encodeURIComponent(named[name])}`).join("");
  if (screen === "boards") return `#board=${place.period}${rest}`;
  if (screen === "archive") return `#archive=${place.month}${rest}`;
  if (screen === "player") return `#player=${encodeURIComponent(place.player ?? "")}${rest}`;
  if (screen === "groups") return place.code ? `#group=${encodeURIComponent(place.code)}` : "#groups";
  if (screen === "season") return `#season=${encodeURIComponent(place.season ?? "")}`;
  if (screen === "device") return place.code ? `#device=${encodeURIComponent(place.code)}` : "#device";
  if (screen === "replay") {
    const move = place.move ? `&move=${place.move}` : "";
    return `#replay=${encodeURIComponent(place.race ?? "")}&player=${encodeURIComponent(place.player ?? "")}${move}`;
  }
  return "#";
}

/** The code in what somebody pasted: a code, or a whole link to a room. @param {string} text */
export function codeIn(text) {
  const [, hash = ""] = text.split("#");
  const place = placeOf(hash);
  return place.screen === "race" && place.race ? place.race : text.trim();
}
