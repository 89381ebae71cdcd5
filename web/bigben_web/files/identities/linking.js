// A one-time link that was opened: the player it is for, and whether to switch to them. The link is
// sent to the server only after that, because it works once. Shows nothing.

import { readToken } from "./identities.js";
import { Memory } from "../memory.js";
import { RefusedError } from "../wire/session.js";

export class Linking {
  /** Whether the server is being asked. */
  accepting = false;
  /** Survives a reload of this tab, but not its end. */
  #kept = new Memory(() => window.sessionStorage);

  /** @param {Given<"identities" | "joining" | "say" | "session">} given */
  constructor(given) {
    this.given = given;
  }

  /** The player that the link names, until it is accepted or declined. @returns {Identity|null} */
  get guest() {
    return readToken(this.#kept.get("link"));
  }

  /** The current player, who would be replaced. */
  get here() {
    const { session, identities } = this.given;
    return session.me ?? identities.current;
  }

  /** On the start page: take a link that was opened, and use it if no question is needed. @param {string | undefined} token */
  async settle(token) {
    try {
      if (token !== undefined) this.#take(token);
    } finally {
      if (this.guest && !this.asks) await this.accept();
      else await this.given.joining.known();
    }
  }

  /** @param {string} token */
  #take(token) {
    const { identities } = this.given;
    const guest = readToken(token);
    if (!guest) throw this.#wrong("wrong.link_cut");
    const known = identities.all.some(({ player }) => player === guest.player);
    if (!known && identities.full) throw this.#wrong("wrong.full");
    this.#kept.set("link", token);
  }

  /** Whether there is a current player who would be replaced. */
  get asks() {
    const { guest, here } = this;
    return Boolean(guest && here && here.player !== guest.player);
  }

  /** Switch to the player that the link is for. If that fails, the current player stays. */
  async accept() {
    const { guest, here } = this;
    if (!guest) return;
    this.accepting = true;
    try {
      await this.given.joining.be(guest);
    } catch (error) {
      if (!(error instanceof RefusedError) || error.code !== "token") throw error;
      // The player's own link, opened twice: nothing to switch.
      if (here?.player !== guest.player) throw this.#wrong("wrong.link");
    } finally {
      this.forget();
    }
  }

  /** Keep the current player. The link stays unused unless it was sent already. */
  async decline() {
    const { accepting } = this;
    this.forget();
    if (accepting) await this.given.joining.comeBack();
  }

  /** The link is used, or not wanted. */
  forget() {
    this.#kept.set("link", "");
    this.accepting = false;
  }

  /** @param {string} key */
  #wrong(key) {
    return new RefusedError({ code: "token", text: this.given.say(key) });
  }
}
