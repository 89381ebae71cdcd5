// What the operator of the server tells everybody, until it is over or the player has closed it.

const CLOSED = "announcement";
/** The server repeats an announcement after each welcome, at once. */
const REPEATED_MS = 2_000;

export class Announced {
  /** @type {Required<Omit<Protocol.Announcement, "type">>|null} */
  #told = null;
  #end = 0;
  #repeated = false;

  /** @param {import("./clock.js").ServerClock} clock @param {Memory} memory @param {() => void} changed */
  constructor(clock, memory, changed) {
    this.clock = clock;
    this.memory = memory;
    this.changed = changed;
  }

  /** What is to be shown now: text, never markup; empty for nothing. */
  get text() {
    if (!this.#told || this.clock.now() >= this.#told.until) return "";
    return this.memory.get(CLOSED) === String(this.#told.at) ? "" : this.#told.text;
  }

  /** @param {Protocol.Announcement} of */
  take({ text = "", at = 0, until = 0 }) {
    this.#repeated = true;
    this.#told = text ? { text: String(text), at, until } : null;
    clearTimeout(this.#end);
    if (this.#told) this.#end = setTimeout(this.changed, Math.max(0, until - this.clock.now()) + 1);
  }

  /** The player has read it; in this browser it does not come again. */
  close() {
    if (this.#told) this.memory.set(CLOSED, String(this.#told.at));
    this.changed();
  }

  /** A new connection: what was withdrawn meanwhile is not repeated. */
  welcomed() {
    this.#repeated = false;
    setTimeout(() => {
      if (this.#repeated) return;
      this.#told = null;
      this.changed();
    }, REPEATED_MS);
  }
}
