// The players that this browser has been, each by the token that speaks for them. Asks no server:
// who a token says it is for is good to be shown, and proves nothing.

/** More than anybody has been; a further one is not let in before one is forgotten. */
const MOST = 20;
const LONGEST_TOKEN = 2048;
const LONGEST_NAME = 32;

/** @typedef {{player: string, name: string, token: string}} Identity */

/**
 * Who a token says it is for, fit to be shown. Nothing is verified: only the server can.
 * @returns {Identity|null} null where it is no token at all
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
    // Whatever is wrong with it, the server would not take it either.
    return null;
  }
}

/** A name as the server would allow it: one line, nothing invisible, no piled-up accents. */
function shown(name) {
  const plain = name.normalize("NFKC").replace(/[\p{C}\p{Z}\u115f\u1160\u2800\u3164\uffa0]+/gu, " ");
  const short = [...plain.replace(/(\p{M}{4})\p{M}+/gu, "$1").trim()].slice(0, LONGEST_NAME);
  return short.join("") || "?";
}

export class Identities {
  /** @param {import("./memory.js").Memory} memory */
  constructor(memory) {
    this.memory = memory;
    const here = readToken(this.token);
    if (here && !this.#has(here.player)) this.keep(here);
  }

  /** The token of who one is now; empty for nobody. */
  get token() {
    return this.memory.get("token");
  }

  /** @returns {Identity|null} who one is now, as the token says */
  get current() {
    return readToken(this.token);
  }

  /** @returns {Identity[]} all that are kept, in the order they came */
  get all() {
    try {
      return JSON.parse(this.memory.get("players", "[]")).map(readToken).filter(Boolean);
    } catch {
      return []; // not written by this page
    }
  }

  get full() {
    return this.all.length >= MOST;
  }

  /** The server has said who one is. `chosen` is false on a line that only came back. */
  welcomed({ player, token }, chosen) {
    // Another tab may have forgotten them meanwhile, or may be somebody else.
    if (!chosen && !this.#has(player)) return;
    this.keep({ player, token });
    if (chosen || this.current?.player === player) this.memory.set("token", token);
  }

  /** @param {{player: string, token: string}} of in place of an older token of theirs */
  keep({ player, token }) {
    const tokens = this.all.map((one) => (one.player === player ? token : one.token));
    this.#write(this.#has(player) ? tokens : [...tokens, token]);
  }

  /** Be nobody for now; who one was stays kept. */
  leave() {
    this.memory.set("token", "");
  }

  /** Nobody can be this player in this browser any more. */
  forget(player) {
    if (this.current?.player === player) this.leave();
    this.#write(this.all.filter((one) => one.player !== player).map(({ token }) => token));
  }

  #has(player) {
    return this.all.some((one) => one.player === player);
  }

  #write(tokens) {
    this.memory.set("players", tokens.length ? JSON.stringify(tokens) : "");
  }
}
