// Follows a race and its rematches as somebody who watches, on as many connections as that takes, and shows
// all of it as late as the stream is. It says Hello and Watch, and keeps nothing that names a card.

import { Course } from "../race/course.js";
import { ServerClock } from "../wire/clock.js";
import { Connection } from "../wire/connection.js";

/** A guest of the overlay's own: the player of this browser may sit in the race. */
const TOKEN = "overlay";
/** What it is called; watchers are named nowhere. */
const NAME = "Overlay";
const LATER = ["rate", "busy", "limit"];
const NOT_BEGUN = ["open", "cancelled"];

/** A race, as far as it is shown. */
class Watched {
  /** @type {(Protocol.Room & {seats: Standing[]}) | null} */
  room = null;
  course = new Course();

  /** @param {string} race as it was typed, or as a room names it @param {number} ref */
  constructor(race, ref) {
    this.race = race;
    this.ref = ref;
  }

  get begun() {
    return this.room !== null && !NOT_BEGUN.includes(this.room.phase);
  }

  /** @param {Protocol.Room | Protocol.Progress} told @param {number} now */
  take(told, now) {
    if (told.type === "room") {
      if (told.ref !== this.ref && (told.since ?? 0) < (this.room?.since ?? 0)) return;
      this.room = { ...told, seats: told.seats ?? [] };
    } else if (this.room) {
      const seats = new Map([...this.room.seats, ...told.seats].map((seat) => [seat.player, seat]));
      this.room = { ...this.room, seats: [...seats.values()] };
    }
    this.course.take(told, now, "");
  }
}

export class Following {
  clock = new ServerClock();
  /** Why there is nothing to show. @type {Refusal | null} */
  refusal = null;
  #token;
  /** The race that is shown, and those that follow it. @type {Watched[]} */
  #races;

  /** @param {string} url @param {Memory} memory @param {import("./options.js").Options} options @param {() => void} changed */
  constructor(url, memory, { race, delayMs }, changed) {
    this.memory = memory;
    this.delayMs = delayMs;
    this.changed = changed;
    this.#races = [new Watched(race, 1)];
    this.#token = memory.get(TOKEN);
    this.connection = new Connection(url, this.clock, {
      hello: () => ({ ...(this.#token ? { token: this.#token } : { name: NAME }), announcements: false, cheers: false, elsewhere: false }),
      race: () => this.#latest.race,
      welcomed: (welcome) => this.#welcome(welcome),
      received: (message) => this.#receive(message),
      besides: () => {},
      lost: () => {},
      refused: (refused) => this.#refuse(refused),
      ended: (text, refused) => this.#complain({ text, ...refused, code: "ended" }),
    });
  }

  begin() {
    this.connection.dial();
  }

  /** The race that is shown: a rematch takes its place when it begins. */
  get shown() {
    return this.#races[0];
  }

  /** The server's time that is shown. */
  now() {
    return this.clock.now() - this.delayMs;
  }

  get #latest() {
    return this.#races[this.#races.length - 1];
  }

  /** @param {Protocol.Welcome} of */
  #welcome({ token }) {
    this.#token = token;
    this.memory.set(TOKEN, token);
    for (const one of this.#races) this.#watch(one);
  }

  /** @param {Watched} of */
  #watch({ race, ref }) {
    this.connection.send({ type: "watch", race, ref });
  }

  /** @param {Protocol.ServerMessage} message */
  #receive(message) {
    if (message.type === "refused") {
      if (LATER.includes(message.code)) this.connection.reset();
      else this.#complain(message);
    }
    if (message.type !== "room" && message.type !== "progress") return;
    // At once, so that nothing of a rematch is missed; what is heard of it is late, too.
    if (message.type === "room" && message.rematch) this.#follow(message.rematch);
    if (!this.delayMs) this.#show(message);
    else setTimeout(() => this.#show(message), this.delayMs);
  }

  /** @param {string} rematch */
  #follow(rematch) {
    if (this.#races.some(({ race }) => race === rematch)) return;
    this.#races.push(new Watched(rematch, this.#latest.ref + 1));
    this.#watch(this.#latest);
  }

  /** @param {Protocol.Room | Protocol.Progress} message */
  #show(message) {
    const answered = message.type === "room" ? message.ref : 0;
    const of = this.#races.find(({ ref, room, race }) => (answered ? ref === answered : (room?.race ?? race) === message.race));
    of?.take(message, this.now());
    if (of?.begun) this.#races.splice(0, this.#races.indexOf(of));
    this.refusal = null;
    this.changed();
  }

  /** The kept guest is none any more, or there may be no guest. @param {Protocol.Refused} refused */
  #refuse(refused) {
    const kept = this.#token;
    this.#token = "";
    this.memory.set(TOKEN, "");
    if (kept) this.begin();
    else this.#complain(refused);
  }

  /** @param {Refusal} refused */
  #complain(refused) {
    if (this.shown.room) return; // it is about a rematch, which others may not watch
    this.refusal = refused;
    this.changed();
  }
}
