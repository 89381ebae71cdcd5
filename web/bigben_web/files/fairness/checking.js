// Checks a closed race in which the player had a seat: requests what it needs once, and keeps the
// findings with the race. Draws nothing.

import { check } from "./check.js";
import { RefusedError } from "../wire/session.js";

export class Checking {
  /** @type {WeakMap<Followed, Finding[]>} */
  #found = new WeakMap();
  #asked = new WeakSet();

  /** @param {Given<"redraw" | "session">} given */
  constructor(given) {
    this.given = given;
  }

  /** The findings; undefined before the check. @param {Followed} followed */
  found(followed) {
    return this.#found.get(followed);
  }

  /** The findings that contradict what was kept. @param {Followed} followed */
  lies(followed) {
    return (this.found(followed) ?? []).filter(({ holds }) => holds === false);
  }

  /** Check the race if that can be done now and has not been. @param {Followed} followed */
  update(followed) {
    const { kept, reveal, room } = followed;
    if (!kept || !reveal || room.phase !== "closed" || this.#asked.has(followed)) return;
    this.#asked.add(followed);
    this.#check(followed, kept, reveal);
  }

  /** @param {Followed} followed @param {Kept} kept @param {Protocol.Reveal} reveal */
  async #check(followed, kept, reveal) {
    const { race, room } = followed;
    try {
      const record = await this.given.session.ask({ type: "get-record", race, player: kept.player });
      this.#found.set(followed, check(kept, room, reveal, record));
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      const values = { text: error.message };
      this.#found.set(followed, [{ what: "moves", holds: null, key: "fair.no_record", values }]);
    }
    this.given.redraw();
  }
}
