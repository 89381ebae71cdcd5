// The server's clock, as far as pings can tell. Sends nothing itself.

/** Keeps the offset of the sample that was fastest: it can be the least wrong. */
export class ServerClock {
  #offset = 0;
  #fastest = Infinity;

  constructor(now = Date.now) {
    this.local = now;
  }

  /** A new connection: what was measured over another way is worth less. */
  restart() {
    this.#fastest = Infinity;
  }

  /** @param {number} sent local ms @param {number} serverNow ms since 1970, told in the answer */
  sample(sent, serverNow) {
    const received = this.local();
    if (received - sent > this.#fastest) return;
    this.#fastest = received - sent;
    this.#offset = serverNow - (sent + received) / 2;
  }

  /** Ms since 1970 on the server's clock. */
  now() {
    return this.local() + this.#offset;
  }
}
