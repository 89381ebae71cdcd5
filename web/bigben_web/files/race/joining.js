// How the player comes to the server and into races: by a name, a kept token, a link, a code.
// Shows nothing and plays nothing.

import { dailyOf } from "../start/choosing.js";
import { hexOf } from "../fairness/hex.js";
import { publicAddress } from "../page/public.js";
import { codeOf, raceInfo } from "../wire/races.js";
import { OVER } from "../wire/over.js";
import { RefusedError } from "../wire/session.js";

/** Refusals of tokens that will never hold again. */
const GONE = ["token.logged_out", "token.tied"];
/** Refusals after which the page says what stands in the way, and offers what to do. */
const IN_THE_WAY = ["unknown", "phase", "seat", "limit"];

/**
 * @typedef {object} Obstacle why a race is not shown
 * @property {"unknown"|"cancelled"|"closed"|"started"|"unseen"|"full"|"invitation"|"other"} kind
 * @property {string} race
 * @property {import("../wire/session.js").RefusedError} refused what the server said
 * @property {Protocol.RaceInfo|null} info if the server has told it
 * @property {Standing[]} rows the places of a closed race
 */

export class Joining {
  /** @param {Given<"form" | "games" | "go" | "identities" | "later" | "memory" | "redraw" | "route" | "say" | "session" | "today">} given */
  constructor(given) {
    this.given = given;
    /** @type {Promise<void>|null} */
    this.arriving = null;
    /** @type {Promise<void>|null} */
    this.creating = null;
    /** Why the race that is asked for is not shown. @type {Obstacle|null} */
    this.obstacle = null;
    /** How many had finished when the own place was asked for, by race. */
    /** @type {Map<string, number>} */
    this.asked = new Map();
    /** Who has opened the rematches that were asked for, by room. */
    /** @type {Map<string, string>} */
    this.hosts = new Map();
  }

  get session() {
    return this.given.session;
  }

  /** Whether the player has chosen no name yet: they are nobody, or play as `Guest 4711`. */
  get unnamed() {
    const { who } = this.session;
    return !who || this.given.memory.get("unnamed") === who.player;
  }

  /** The name that is typed, "" if there is none. */
  get #typed() {
    return (this.given.form.typed.name ?? "").trim();
  }

  /** Whether the server knows who this is, as soon as it can: false if they are new. */
  async known() {
    if (this.session.me) return true;
    if (!this.given.identities.token) return false;
    // A second arrival while the first one dials waits for the same hello.
    this.arriving ??= this.session.hello().finally(() => (this.arriving = null));
    try {
      await this.arriving;
    } catch (error) {
      this.#forget(this.given.identities.current, error);
      if (error instanceof RefusedError && error.code === "token") this.session.leave();
      throw error;
    }
    return true;
  }

  /** Be welcome, as a new guest if need be; without a name, as one of many guests. Rejects with RefusedError. */
  async welcome() {
    if (await this.known()) return;
    const { memory, say } = this.given;
    const name = this.#typed;
    await this.session.hello({ name: name || say("guest.numbered", { number: someNumber() }) });
    memory.set("unnamed", name ? "" : (this.session.me?.player ?? ""));
  }

  /** Be called otherwise from now on, also in the races that go on. */
  async rename() {
    const name = this.#typed;
    if (!name) throw new RefusedError({ code: "name", text: this.given.say("wrong.name") });
    try {
      await this.session.hello({ name });
      this.given.memory.set("unnamed", "");
      for (const [race, { room, seat }] of this.session.followed) if (seat && room.phase !== "closed") this.session.tried({ type: "join", race });
    } catch (error) {
      await this.comeBack();
      throw error;
    }
  }

  /** Switch to one of the players that this browser keeps. @param {Identity} of */
  async be(of) {
    try {
      await this.session.hello({ token: of.token });
      [this.given.form.typed, this.given.form.link] = [{}, ""];
      // The switch is done; a used link must not be kept until this is answered too.
      this.given.today.load();
    } catch (error) {
      this.#forget(of, error);
      await this.comeBack();
      throw error;
    }
  }

  /** Keep a player no longer whose token was refused for good. @param {Identity | null} of @param {unknown} error */
  #forget(of, error) {
    if (of && error instanceof RefusedError && GONE.includes(error.id ?? "")) this.given.identities.forget(of.player);
  }

  /** Go back to the previous player after a refused Hello. */
  async comeBack() {
    if (this.given.identities.token) await this.session.hello();
  }

  /** Sit in the race, or watch it; what stands in the way is shown instead. @param {{ race: string, watch: boolean }} of */
  async race({ race, watch }) {
    this.obstacle = null;
    if (!this.session.me || this.session.followed.has(race)) return;
    try {
      const room = await this.session.ask(watch ? { type: "watch", race: codeOf(race) } : { type: "join", race });
      if (this.given.route.place.race === race) this.given.route.rename(room.race, watch);
    } catch (error) {
      if (!(error instanceof RefusedError) || !IN_THE_WAY.includes(error.code)) throw error;
      const obstacle = await this.#obstacle(race, watch, error);
      if (this.given.route.place.race === race) this.obstacle = obstacle;
    }
  }

  /**
   * What is known of a race that can't be joined or watched.
   * @param {string} race @param {boolean} watch @param {import("../wire/session.js").RefusedError} refused
   * @returns {Promise<Obstacle>}
   */
  async #obstacle(race, watch, refused) {
    const { code } = refused;
    const of = { race, refused, info: null, rows: [] };
    if (code === "unknown") return { ...of, kind: "unknown" };
    const [info, standings] = await Promise.all([raceInfo(race), this.session.tried({ type: "get-standings", race: codeOf(race) })]);
    const known = { ...of, info };
    if (standings?.final || info?.phase === "closed") return { ...known, kind: "closed", rows: standings?.rows ?? [] };
    if (info?.phase === "cancelled") return { ...known, kind: "cancelled" };
    if (code === "limit") return { ...known, kind: "full" };
    if (info?.phase === "open" && info.rules.invite_only) return { ...known, kind: "invitation" };
    if (info?.rules.spectate === false) return { ...known, kind: "unseen" };
    return { ...known, kind: code === "phase" && !watch ? "started" : "other" };
  }

  /** Be welcome, with a table to play at: no clock runs before. Rejects with RefusedError. */
  async #comeIn() {
    await Promise.all([this.given.later.come(), this.welcome()]);
  }

  /** Today's race of a game and rules, cards and all: one tap. @param {{game: string, rules: string}} rules */
  async daily(rules) {
    await this.#comeIn();
    const room = await this.session.ask({ type: "join", race: dailyOf(this.given.games, rules) });
    const seat = room.seats?.find(({ player }) => player === this.session.me?.player);
    if (room.phase === "running" && (seat?.state ?? "joined") === "joined") {
      await this.session.ask({ type: "ready", race: room.race });
    }
    this.given.go({ screen: "race", race: room.race, watch: false });
  }

  /** A new live room, or a practice game that begins at once. @param {Omit<Protocol.Create, "type">} wanted */
  async create(wanted) {
    // A second tap while the first one is answered opens no second room.
    this.creating ??= this.#create(wanted).finally(() => (this.creating = null));
    await this.creating;
  }

  /** @param {Omit<Protocol.Create, "type">} wanted */
  async #create(wanted) {
    await this.#comeIn();
    const room = await this.session.ask({ type: "create", ...wanted });
    if (wanted.practice) await this.session.ask({ type: "ready", race: room.race });
    this.given.go({ screen: "race", race: room.race, watch: false });
  }

  /** The room whose code is typed. */
  async join() {
    const { code } = this.given.form;
    if (!code) throw new RefusedError({ code: "unknown", text: this.given.say("wrong.code") });
    await this.welcome();
    this.given.go({ screen: "race", race: code, watch: false });
  }

  /**
   * Follow no race any more but the one that is shown. In a room that has not begun that would
   * give the seat up, so one stays there until one leaves.
   * @param {string | undefined} shown
   */
  leaveBehind(shown) {
    for (const [race, { room }] of this.session.followed) {
      if (race === shown || ["open", "countdown"].includes(room.phase)) continue;
      this.session.drop(race);
      this.session.ask({ type: "leave", race }).catch(() => {}); // it is forgotten here anyway
    }
  }

  /**
   * Ready for the countdown, with the hash of 32 random bytes of this browser that are mixed into the seed; an
   * older server has the bytes at once.
   * @param {string} race
   */
  async ready(race) {
    const mine = nonce();
    const hash = this.session.me?.hashes && this.session.followed.get(race)?.promise(mine);
    if (hash) {
      await this.session.ask({ type: "ready", race, nonce_hash: hash });
      return;
    }
    await this.session.ask({ type: "ready", race, nonce: mine });
    this.session.followed.get(race)?.readied(mine);
  }

  /** Start the countdown as the host, who becomes ready by it. @param {string} race */
  async start(race) {
    const { followed } = this.session;
    if (followed.get(race)?.seat?.state === "joined") await this.ready(race);
    if (followed.get(race)?.room.phase === "open") await this.session.ask({ type: "start", race });
  }

  /** Give the seat up, or stop watching. @param {string} race */
  async leave(race) {
    await this.session.ask({ type: "leave", race });
    this.given.go({ screen: "home" });
  }

  /** The own game is over: ask for the place so far, whenever somebody has finished. @param {Followed} followed */
  update({ race, room, over, seat }) {
    if (!over || !seat || room.phase !== "running") return;
    const count = room.seats.filter(({ state }) => OVER.includes(state)).length;
    if (this.asked.get(race) === count) return;
    this.asked.set(race, count);
    this.session.ask({ type: "get-standings", race, only: [seat.player] }).catch(() => {}); // it is told at the close
  }

  /** Who has opened this room; "" until it is known. @param {string} race */
  hostOf(race) {
    if (!this.hosts.has(race)) {
      this.hosts.set(race, "");
      raceInfo(race).then((info) => {
        this.hosts.set(race, info?.host ?? "");
        this.given.redraw();
      });
    }
    return this.hosts.get(race);
  }

  /** @param {string} race @returns {Promise<string>} the room of the rematch */
  async rematch(race) {
    const room = await this.session.ask({ type: "rematch", race });
    this.given.go({ screen: "race", race: room.race, watch: false });
    return room.race;
  }

  /** A link that carries the player to another device, once. */
  async elsewhere() {
    const { token } = await this.session.ask({ type: "get-link" });
    this.given.form.link = `${publicAddress()}/#link=${token}`;
  }
}

/** Few guests of an evening share a number of four digits; the server tells them apart in any case. */
function someNumber() {
  return 1000 + (crypto.getRandomValues(new Uint16Array(1))[0] % 9000);
}

function nonce() {
  return hexOf(crypto.getRandomValues(new Uint8Array(32)));
}
