// Who the player is on the server, what they follow, have asked and must send again.
// Shows nothing; `changed` and `received` tell the page.

import { Announced } from "./announced.js";
import { Connection } from "./connection.js";
import { ServerClock } from "./clock.js";
import { mayChangeOver, raceOf } from "./home.js";
import { readToken } from "../identities/identities.js";

/** Above any number of moves, so that a ref is never taken for one. */
const FIRST_REF = 2 ** 32;
const LATER = ["rate", "busy", "limit"];

/** What comes does not fit, again and again: only another connection may help. */
export class Hopeless extends Error {}

/**
 * @typedef {{me: () => string, ref: () => number, send: (message: Protocol.ClientMessage) => void,
 *   evidence: import("../fairness/evidence.js").Evidence, games: Games}} Ours what a race that is followed has from its session
 */

/** The server said no; `text` is for the player, `code` for the page. */
export class RefusedError extends Error {
  /** @param {Refusal} of */
  constructor({ code, text, id, values }) {
    super(text);
    this.code = code;
    this.id = id;
    this.values = values;
  }

  /** What it says, for other languages than English. @returns {Sentence[]} */
  get said() {
    return this.id ? [{ id: this.id, values: this.values }] : [];
  }
}

export class Session {
  clock = new ServerClock();
  /** The player, once the server has said who it is. @type {{player: string, name: string, house: boolean, hashes: boolean, cheers: boolean}|null} */
  me = null;
  /** "new", "connecting", "online", "away" or "ended". */
  line = "new";
  /** Why the line ended for good. */
  /** Why it ended for good. @type {RefusedError | null} */
  reason = null;
  /** @type {Map<string, Followed>} */
  followed = new Map();
  /** Follows a room. It comes with the screens that show races, before any is asked for. @type {((room: Protocol.Room, of: Ours) => Followed) | null} */
  follow = null;
  /** The challenges that the player has received and sent. @type {Protocol.Challenges} */
  challenges = { type: "challenges" };
  /** How far the analyses are that somebody waits for, by race. @type {Map<string, Protocol.Analysis>} */
  analysing = new Map();
  /** How far the attempts of a season are compared, while that is waited for. @type {Protocol.Alike|null} */
  comparing = null;
  /** @type {Map<number | undefined, {asked: Protocol.ClientMessage, resolve: (answer: any) => void, reject: (error: Error) => void}>} */
  #asked = new Map();
  #ref = FIRST_REF;
  /** The race that is served better on a connection made for it. */
  #elsewhere = "";
  /** @type {{name?: string, token?: string}} */
  #hello = {};
  /** The player of this page, whatever other tabs have switched to. */
  #token = "";
  /** What Hello has said. @type {{name?: string, token?: string}} */
  #said = {};
  /** @type {{resolve: (nothing: void) => void, reject: (error: Error) => void}|null} */
  #welcomed = null;

  /**
   * @param {string} url
   * @param {Identities} identities
   * @param {import("../fairness/evidence.js").Evidence} evidence
   * @param {Games} games
   * @param {{changed: () => void, received: (message: Protocol.ServerMessage) => void, race: () => string}} tell
   *   `race`: the one that the page is about to enter, "" for none
   */
  constructor(url, identities, evidence, games, tell) {
    this.identities = identities;
    this.evidence = evidence;
    this.games = games;
    this.tell = tell;
    this.announced = new Announced(this.clock, identities.memory, () => tell.changed());
    this.connection = new Connection(url, this.clock, {
      hello: () => (this.#said = { token: this.#token || this.identities.token, ...this.#hello }),
      race: () => raceOf(this.followed.values()) || tell.race(),
      welcomed: (welcome) => this.#welcome(welcome),
      received: (message) => this.#receive(message),
      besides: () => this.#lookElsewhere(),
      lost: () => this.#lost(),
      // If nobody waits for the answer, the player has been logged out while they were here.
      refused: (refused) => this.#finish(this.#welcomed ? "new" : "ended", new RefusedError(refused)),
      ended: (text, refused) => this.#finish("ended", new RefusedError({ text, ...refused, code: "ended" })),
    });
  }

  /** Who the player is, or before the server has said so, who the kept token says it is. */
  get who() {
    return this.me ?? this.identities.current;
  }

  /**
   * Say hello by the kept token, under a new name or by a link. Rejects with RefusedError.
   * @param {{name?: string, token?: string}} fields @returns {Promise<void>}
   */
  hello(fields = {}) {
    this.#hello = fields;
    this.#to("connecting");
    return new Promise((resolve, reject) => {
      this.#welcomed = { resolve, reject };
      this.connection.dial();
    });
  }

  /** Drop the current player: the next Hello makes a new guest. The previous player stays kept. */
  leave() {
    this.connection.hangUp();
    this.identities.leave();
    this.#clear();
    this.#token = "";
    this.me = null;
    this.#to("new");
  }

  /**
   * Ask until it is answered, on as many connections as that takes. Rejects with RefusedError.
   * @template {Protocol.ClientMessage} Request
   * @param {Request} message @returns {Promise<Protocol.Answers[Request["type"]]>}
   */
  ask(message) {
    const ref = this.#ref++;
    const asked = { ...message, ref };
    return new Promise((resolve, reject) => {
      this.#asked.set(ref, { asked, resolve, reject });
      this.connection.send(asked);
    });
  }

  /**
   * The same, for what the page can go without: null if it is refused.
   * @template {Protocol.ClientMessage} Request
   * @param {Request} message @returns {Promise<Protocol.Answers[Request["type"]]|null>}
   */
  async tried(message) {
    try {
      return await this.ask(message);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return null;
    }
  }

  /** Play in the own game of a race. What becomes of it is news. @param {string} race @param {string} text */
  move(race, text) {
    this.#fold(race, (followed) => followed.move(text));
    this.tell.changed();
  }

  /** Follow a race no longer. @param {string} race */
  drop(race) {
    this.followed.delete(race);
  }

  // What the server says

  /** @param {Protocol.Welcome} of */
  #welcome({ player, name, token, house = false, nonce_hashes: hashes = false, cheers = false }) {
    this.identities.welcomed({ player, token }, Boolean(this.#welcomed), readToken(this.#said.token ?? "")?.player);
    if (this.me && this.me.player !== player) this.#clear();
    this.#token = token;
    this.#hello = {};
    this.#elsewhere = "";
    this.me = { player, name, house, hashes, cheers };
    this.announced.welcomed();
    for (const followed of this.followed.values()) followed.resume();
    for (const { asked } of this.#asked.values()) this.connection.send(asked);
    this.connection.send({ type: "get-challenges" }); // some may have come meanwhile
    for (const followed of this.followed.values()) followed.sendAgain();
    this.#welcomed?.resolve();
    this.#welcomed = null;
    this.#to("online");
  }

  /** @param {Protocol.ServerMessage} said */
  #receive(said) {
    const message = this.#named(said);
    const race = "race" in message ? message.race : undefined;
    switch (message.type) {
      case "room":
        if (!this.games.of(message.rules)) {
          this.#meet(message);
          return;
        }
        this.#enter(message);
        break;
      case "snapshot":
        this.#fold(race, (followed) => followed.see(message));
        break;
      case "diff":
        if (!this.#fold(race, (followed) => followed.follow(message))) return;
        break;
      case "progress":
        this.#fold(race, (followed) => followed.progress(message));
        break;
      case "standings":
        this.#fold(race, (followed) => followed.ranked(message));
        break;
      case "reveal":
        this.#fold(race, (followed) => (followed.reveal = message));
        break;
      case "refused":
        if (this.#refused(message)) return;
        break;
      case "analysis":
        if (message.done < message.of) {
          this.analysing.set(message.race, message);
          this.tell.changed();
          return;
        }
        this.analysing.delete(message.race);
        break;
      case "alike":
        this.comparing = message.done < message.of ? message : null;
        if (this.comparing) {
          this.tell.changed();
          return;
        }
        break;
      case "challenges":
        this.challenges = message;
        break;
      case "elsewhere":
        this.#elsewhere = message.race;
        break;
      case "announcement":
        this.announced.take(message);
        break;
      case "left":
        this.drop(message.race);
    }
    this.#answered("ref" in message ? message.ref : undefined, message);
    this.#lookElsewhere(message);
    this.tell.received(message);
    this.tell.changed();
  }

  /**
   * A race that is closed keeps the names of its players; on their own page they are called as they are now.
   * @param {Protocol.ServerMessage} message @returns {Protocol.ServerMessage}
   */
  #named(message) {
    const { player, name = "" } = this.me ?? {};
    /** @param {Standing} one */
    const now = (one) => (one.player === player ? { ...one, name } : one);
    if (message.type === "room" && message.phase === "closed") return { ...message, seats: message.seats?.map(now) };
    if (message.type === "standings" && message.final) return { ...message, rows: message.rows?.map(now) };
    return message;
  }

  /** The server has learnt a game since the page was loaded. @param {Protocol.Room} room */
  async #meet(room) {
    await this.games.refresh();
    if (!this.games.of(room.rules)) return;
    this.#receive(room);
    this.followed.get(room.race)?.resume(true); // a snapshot may have come before
  }

  /** @param {Protocol.Room} room */
  #enter(room) {
    let followed = this.followed.get(room.race);
    if (!followed) {
      if (!this.follow) throw new Error(`nobody asked for ${room.race}`);
      /** @param {Protocol.ClientMessage} message */
      const send = (message) => this.connection.send(message);
      const me = () => this.me?.player ?? "";
      const ref = () => this.#ref++;
      const { evidence, games } = this;
      followed = this.follow(room, { me, ref, send, evidence, games });
      this.followed.set(room.race, followed);
    }
    const resumed = followed.resumes(room.ref);
    this.#fold(room.race, (followed) => followed.enter(room));
    if (resumed) this.#comeTrue(room);
  }

  /** What was asked just before a loss may be refused the second time, as it is done already. @param {Protocol.Room} room */
  #comeTrue(room) {
    const own = room.seats?.find((seat) => seat.player === this.me?.player)?.state ?? "joined";
    for (const [ref, { asked }] of [...this.#asked]) {
      const ready = asked.type === "ready" && own !== "joined";
      const started = asked.type === "start" && room.phase !== "open";
      if ("race" in asked && asked.race === room.race && (ready || started)) this.#answered(ref, room);
    }
  }

  /** Whether nobody needs to hear of it any more. @param {Protocol.Refused} refused */
  #refused(refused) {
    const waiting = this.#asked.get(refused.ref);
    if (waiting) {
      this.#asked.delete(refused.ref);
      waiting.reject(new RefusedError(refused));
      return true;
    }
    const { race = "", ref = 0 } = refused;
    if (this.followed.get(race)?.resumes(ref)) {
      if (LATER.includes(refused.code)) this.connection.reset();
      else this.drop(race);
      return false;
    }
    return !this.#fold(race, (followed) => followed.refused(refused)) && ref >= FIRST_REF;
  }

  /** @param {number | undefined} ref @param {Protocol.ServerMessage} message */
  #answered(ref, message) {
    const waiting = this.#asked.get(ref);
    this.#asked.delete(ref);
    waiting?.resolve(message);
  }

  /** @param {string | undefined} race @param {(followed: Followed) => unknown} how */
  #fold(race, how) {
    const followed = this.followed.get(race ?? "");
    if (!followed) return false;
    try {
      return how(followed);
    } catch (error) {
      if (!(error instanceof Hopeless)) throw error;
      this.connection.reset();
      return false;
    }
  }

  /** The next player does not inherit followed races and requests. */
  #clear() {
    this.followed.clear();
    this.challenges = { type: "challenges" };
    for (const { reject } of this.#asked.values()) reject(new RefusedError({ code: "ended", text: "" }));
    this.#asked.clear();
  }

  // The connection

  /**
   * Change over to a connection for another race, once it is there, all is answered and it costs nobody anything.
   * @param {Protocol.ServerMessage | null} [heard]
   */
  #lookElsewhere(heard = null) {
    const begins = (heard?.type === "room" && heard.phase === "countdown") || heard?.type === "diff";
    if (begins && heard.race === this.#elsewhere) this.#elsewhere = ""; // from now on it would cost time
    if (!this.#elsewhere || !mayChangeOver(this.followed, this.#elsewhere)) {
      this.connection.stay();
      return;
    }
    this.connection.dialBeside(this.#elsewhere);
    const all = [...this.followed.values()];
    if (!this.connection.isWelcomeBeside || this.#asked.size || !all.every(({ idle }) => idle)) return;
    for (const followed of all) followed.lost();
    this.connection.changeOver();
  }

  #lost() {
    for (const followed of this.followed.values()) followed.lost();
    this.#to("away");
  }

  /** @param {string} line @param {RefusedError} error */
  #finish(line, error) {
    this.#welcomed?.reject(error);
    this.#welcomed = null;
    this.#hello = {};
    this.reason = error;
    this.#to(line);
  }

  /** @param {string} line */
  #to(line) {
    this.line = line;
    this.tell.changed();
  }
}
