// A one-time link that was followed: who would come by it, and whether they may. The server is
// asked only then, as it takes a link once. Shows nothing.

import { readToken } from "./identities.js";
import { Memory } from "./memory.js";
import { RefusedError } from "./wire/session.js";

export class Linking {
  /** Whether the server is being asked. */
  accepting = false;
  /** Survives a reload of this tab, and nothing else. */
  #kept = new Memory(() => window.sessionStorage);

  /** @param {import("./page.js").Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Who the link says it is for, until that is settled. @returns {import("./identities.js").Identity|null} */
  get guest() {
    return readToken(this.#kept.get("link"));
  }

  /** Who would have to make room. */
  get here() {
    const { session, identities } = this.page;
    return session.me ?? identities.current;
  }

  /** On the start page: take a link that was followed, and use it if nobody must be asked. */
  async settle(token) {
    try {
      if (token !== undefined) this.#take(token);
    } finally {
      if (this.guest && !this.asks) await this.accept();
      else await this.page.entering.known();
    }
  }

  #take(token) {
    const { identities } = this.page;
    const guest = readToken(token);
    if (!guest) throw this.#wrong("wrong.link_cut");
    const known = identities.all.some(({ player }) => player === guest.player);
    if (!known && identities.full) throw this.#wrong("wrong.full");
    this.#kept.set("link", token);
  }

  /** Whether somebody is here who would be replaced. */
  get asks() {
    const { guest, here } = this;
    return Boolean(guest && here && here.player !== guest.player);
  }

  /** Be who the link is for. If that can't be, one stays who one was. */
  async accept() {
    const { guest, here } = this;
    this.accepting = true;
    try {
      await this.page.entering.be(guest);
    } catch (error) {
      if (error.code !== "token") throw error;
      // Their own link, followed twice: they are there already.
      if (here?.player !== guest.player) throw this.#wrong("wrong.link");
    } finally {
      this.#forget();
    }
  }

  /** Stay who one is. The link is not used, if it has not gone out yet. */
  async decline() {
    const { accepting } = this;
    this.#forget();
    if (accepting) await this.page.entering.comeBack();
  }

  #forget() {
    this.#kept.set("link", "");
    this.accepting = false;
  }

  #wrong(key) {
    return new RefusedError({ code: "token", text: this.page.say(key) });
  }
}
