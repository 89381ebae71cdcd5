// The second half of the page, which comes once the start page is there or as soon as it is needed:
// the other screens, their styles. It may fail to come, and is asked for again then.

import { RefusedError } from "../wire/session.js";

/** @template Half */
export class Later {
  /** What has come. @type {Half | null} */
  here = null;
  /** Whether it failed to come. */
  missing = false;
  /** @type {Promise<Half> | null} */
  #coming = null;
  /** Whether the server has another version by now: only halves of one version fit. */
  #outdated = false;

  /** @param {Given<"redraw" | "say">} given @param {() => Promise<() => Half>} fetched */
  constructor({ redraw, say }, fetched) {
    this.redraw = redraw;
    this.say = say;
    this.fetched = fetched;
  }

  /** It, as soon as it is here. Rejects with RefusedError. */
  async come() {
    if (this.here) return this.here;
    if (this.#outdated) location.reload();
    this.#coming ??= this.#come().finally(() => (this.#coming = null));
    return this.#coming;
  }

  /** The same; null if it does not come. */
  async tried() {
    try {
      return await this.come();
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return null;
    }
  }

  async #come() {
    this.missing = false;
    const begin = await this.fetched().catch((error) => this.#missed(error));
    this.here = begin();
    this.redraw();
    return this.here;
  }

  /** @param {unknown} error @returns {never} */
  #missed(error) {
    this.missing = true;
    this.#outdated = error instanceof SyntaxError;
    this.redraw();
    throw new RefusedError({ code: "busy", text: this.say("later.missing") });
  }
}
