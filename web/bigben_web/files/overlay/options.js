// What stands behind the # of an overlay's address: `#K7QPXM&players=Ada,Bob&side=left&scale=120`.

/** What a number may be, and what it is where none is given. */
const NUMBERS = /** @type {const} */ ({ scale: [75, 150, 100], safe: [0, 400, 60], delay: [0, 900, 0] });
const SIDES = /** @type {const} */ (["bottom", "left"]);
/** So many plates have room. */
const MOST = 4;

/** @typedef {ReturnType<typeof optionsOf>} Options */

/** @param {string} hash */
export function optionsOf(hash) {
  const [race, ...rest] = hash.replace(/^#/, "").split("&");
  const given = new Map(rest.map((one) => /** @type {[string, string]} */ (one.split(/=(.*)/s).map(plain))));
  /** @param {keyof typeof NUMBERS} name within its bounds */
  const number = (name) => {
    const [least, most, usual] = NUMBERS[name];
    const wanted = parseFloat(given.get(name) ?? "");
    return Number.isNaN(wanted) ? usual : Math.min(most, Math.max(least, wanted));
  };
  const players = /&players=([^&]*)/.exec(hash)?.[1].split(",") ?? [];
  return {
    race: plain(race),
    /** Names or ids, in small letters; empty for the best. */
    players: players.map((one) => plain(one).toLowerCase()).filter(Boolean).slice(0, MOST),
    side: SIDES.find((side) => side === given.get("side")) ?? SIDES[0],
    scale: number("scale"),
    safe: number("safe"),
    delayMs: 1000 * number("delay"),
    language: given.get("lang") ?? "",
    most: MOST,
  };
}

/** @param {string} text as it is in an address */
function plain(text) {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return text; // a % alone
  }
}
