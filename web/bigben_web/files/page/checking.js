// Checks a closed race in which the player had a seat: requests what it needs once, and keeps the
// findings with the race. Draws nothing.

import { check } from "../fairness/check.js";
import { RefusedError } from "../wire/session.js";

export class Checking {
  /** @type {WeakMap<import("../wire/followed.js").Followed, import("../fairness/check.js").Finding[]>} */
  #found = new WeakMap();
  #asked = new WeakSet();

  /** @param {import("./page.js").Page} page */
  constructor(page) {
    this.page = page;
  }

  /** The findings; undefined before the check. */
  found(followed) {
    return this.#found.get(followed);
  }

  /** The findings that contradict what was kept. */
  lies(followed) {
    return (this.found(followed) ?? []).filter(({ holds }) => holds === false);
  }

  /** Check the race if that can be done now and has not been. */
  look(followed) {
    const { kept, reveal, room } = followed;
    if (!kept || !reveal || room.phase !== "closed" || this.#asked.has(followed)) return;
    this.#asked.add(followed);
    this.#check(followed);
  }

  async #check(followed) {
    const { race, kept, reveal, room } = followed;
    try {
      const record = await this.page.session.ask({ type: "get-record", race, player: kept.player });
      this.#found.set(followed, check(kept, room, reveal, record));
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      const values = { text: error.message };
      this.#found.set(followed, [{ what: "moves", holds: null, key: "fair.no_record", values }]);
    }
    this.page.redraw();
  }
}
