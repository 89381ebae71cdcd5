// The players that this browser keeps, each with their token. Asks no server: the player named in a
// token may be shown, but that proves nothing.

/** The most players that are kept; another one is refused until one is forgotten. */
const MOST = 20;
const LONGEST_TOKEN = 2048;
const LONGEST_NAME = 32;

/** @typedef {{player: string, name: string, token: string}} Identity */

/**
 * The player that a token names, safe to show. Nothing is verified: only the server can do that.
 * @param {string} token @returns {Identity|null} null where it is no token at all
 */
export function readToken(token) {
  if (token.length > LONGEST_TOKEN) return null;
  try {
    const payload = token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(payload), (letter) => letter.charCodeAt(0));
    const { sub: player, name } = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof name !== "string" || !/^[a-z0-9-]{1,32}:[\x21-\x7e]{1,100}$/.test(player)) return null;
    return { player, name: shown(name), token };
  } catch {
    // It is malformed, and the server would not take it either.
    return null;
  }
}

/** A name as the server would allow it: one line, nothing invisible, no piled-up accents. @param {string} name */
function shown(name) {
  const plain = name.normalize("NFKC").replace(/[\p{C}\p{Z}\u115f\u1160\u2800\u3164\uffa0]+/gu, " ");
  const short = [...plain.replace(/(\p{M}{4})\p{M}+/gu, "$1").trim()].slice(0, LONGEST_NAME);
  return short.join("") || "?";
}

export class Identities {
  /** @param {Memory} memory */
  constructor(memory) {
    this.memory = memory;
    const here = readToken(this.token);
    if (here && !this.#has(here.player)) this.keep(here);
  }

  /** The token of the current player; empty if there is none. */
  get token() {
    return this.memory.get("token");
  }

  /** @returns {Identity|null} the current player, as the token says */
  get current() {
    return readToken(this.token);
  }

  /** @returns {Identity[]} all players that are kept, in the order they were added */
  get all() {
    return /** @type {Identity[]} */ (this.memory.list("players").map((kept) => readToken(String(kept))).filter(Boolean));
  }

  get full() {
    return this.all.length >= MOST;
  }

  /**
   * The server has said who the player is. `chosen` is false after a mere reconnect.
   * @param {{player: string, token: string}} of @param {boolean} chosen
   * @param {string} [was] whom the token of before named, who may have been tied to this player since
   */
  welcomed({ player, token }, chosen, was = player) {
    // Another tab may have forgotten this player meanwhile, or have switched to another.
    if (!chosen && !this.#has(was)) return;
    const here = chosen || this.current?.player === was;
    this.keep({ player, token });
    if (was !== player) this.forget(was);
    if (here) this.memory.set("token", token);
  }

  /** @param {{player: string, token: string}} of in place of an older token of theirs */
  keep({ player, token }) {
    const tokens = this.all.map((one) => (one.player === player ? token : one.token));
    this.#write(this.#has(player) ? tokens : [...tokens, token]);
  }

  /** Have no current player for now; the previous one stays kept. */
  leave() {
    this.memory.set("token", "");
  }

  /** This browser can no longer play as this player. @param {string} player */
  forget(player) {
    if (this.current?.player === player) this.leave();
    this.#write(this.all.filter((one) => one.player !== player).map(({ token }) => token));
  }

  /** @param {string} player */
  #has(player) {
    return this.all.some((one) => one.player === player);
  }

  /** @param {string[]} tokens */
  #write(tokens) {
    this.memory.set("players", tokens.length ? JSON.stringify(tokens) : "");
  }
}
