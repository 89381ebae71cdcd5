// How the player comes to the server and into races: by a name, a kept token, a link, a code.
// Shows nothing and plays nothing.

import { hexOf } from "../fairness/dealing.js";
import { RefusedError } from "../wire/session.js";

/** Refusals of a seat after which the race can still be watched. */
const WATCH_INSTEAD = ["phase", "seat", "limit"];

export class Joining {
  /** @param {import("./page.js").Page} page */
  constructor(page) {
    this.page = page;
    this.arriving = null;
    this.creating = null;
  }

  get session() {
    return this.page.session;
  }

  /** Whether the server knows who this is, as soon as it can: false if a name must be asked for. */
  async known() {
    if (this.session.me) return true;
    if (!this.page.identities.token) return false;
    // A second arrival while the first one dials waits for the same hello.
    this.arriving ??= this.session.hello().finally(() => (this.arriving = null));
    try {
      await this.arriving;
    } catch (error) {
      if (error instanceof RefusedError && error.code === "token") this.session.leave();
      throw error;
    }
    return true;
  }

  /** Be welcome, as a new guest if need be. Rejects with RefusedError. */
  async welcome() {
    if (await this.known()) return;
    const name = (this.page.typed.name ?? "").trim();
    if (!name) throw new RefusedError({ code: "name", text: this.page.say("wrong.name") });
    await this.session.hello({ name });
  }

  /** Be called otherwise from now on. */
  async rename() {
    const name = (this.page.typed.name ?? "").trim();
    if (!name) throw new RefusedError({ code: "name", text: this.page.say("wrong.name") });
    try {
      await this.session.hello({ name });
    } catch (error) {
      await this.comeBack();
      throw error;
    }
  }

  /** Switch to one of the players that this browser keeps. */
  async be({ token }) {
    try {
      await this.session.hello({ token });
      [this.page.typed, this.page.link] = [{}, ""];
      // The switch is done; a used link must not be kept until this is answered too.
      this.page.today.look();
    } catch (error) {
      await this.comeBack();
      throw error;
    }
  }

  /** Go back to the previous player after a refused Hello. */
  async comeBack() {
    if (this.page.identities.token) await this.session.hello();
  }

  /** Sit in the race, or watch it where there is no seat. */
  async race({ race, watch }) {
    if (!this.session.me || this.session.followed.has(race)) return;
    let room;
    let watching = watch;
    try {
      room = await this.session.ask({ type: watch ? "watch" : "join", race });
    } catch (error) {
      if (watch || !WATCH_INSTEAD.includes(error.code)) throw error;
      const code = race.split("-")[0].length > 6 ? race : race.split("-")[0];
      room = await this.session.ask({ type: "watch", race: code });
      watching = true;
      this.page.refuse(error);
    }
    if (this.page.place.race === race) this.page.rename(room.race, watching);
  }

  /** Today's race, cards and all: one tap. */
  async daily(rules = "standard") {
    await this.welcome();
    const name = rules === "standard" ? "daily" : `daily.${rules}`;
    const room = await this.session.ask({ type: "join", race: name });
    const seat = room.seats?.find(({ player }) => player === this.session.me.player);
    if (room.phase === "running" && (seat?.state ?? "joined") === "joined") {
      await this.session.ask({ type: "ready", race: room.race });
    }
    this.page.go({ screen: "race", race: room.race, watch: false });
  }

  /** A new live room, or a practice game that begins at once. @param {object} wanted fields of Create */
  async create(wanted) {
    // A second tap while the first one is answered opens no second room.
    this.creating ??= this.#create(wanted).finally(() => (this.creating = null));
    await this.creating;
  }

  async #create(wanted) {
    await this.welcome();
    const room = await this.session.ask({ type: "create", ...wanted });
    if (wanted.practice) await this.session.ask({ type: "ready", race: room.race });
    this.page.go({ screen: "race", race: room.race, watch: false });
  }

  /** The room whose code is typed. */
  async join() {
    const { code } = this.page;
    if (!code) throw new RefusedError({ code: "unknown", text: this.page.say("wrong.code") });
    await this.welcome();
    this.page.go({ screen: "race", race: code, watch: false });
  }

  /**
   * Follow no race any more but the one that is shown. In a room that has not begun that would
   * give the seat up, so one stays there until one leaves.
   */
  leaveBehind(shown) {
    for (const [race, { room }] of this.session.followed) {
      if (race === shown || ["open", "countdown"].includes(room.phase)) continue;
      this.session.drop(race);
      this.session.ask({ type: "leave", race }).catch(() => {}); // it is forgotten here anyway
    }
  }

  /** Ready for the countdown, with 32 random bytes of this browser that are mixed into the seed. */
  async ready(race) {
    const mine = nonce();
    await this.session.ask({ type: "ready", race, nonce: mine });
    this.session.followed.get(race)?.readied(mine);
  }

  /** Give the seat up, or stop watching. */
  async leave(race) {
    await this.session.ask({ type: "leave", race });
    this.page.go({ screen: "home" });
  }

  async rematch(race) {
    const room = await this.session.ask({ type: "rematch", race });
    this.page.go({ screen: "race", race: room.race, watch: false });
  }

  /** A link that carries the player to another device, once. */
  async elsewhere() {
    const { token } = await this.session.ask({ type: "get-link" });
    this.page.link = `${location.origin}/#link=${token}`;
  }
}

function nonce() {
  return hexOf(crypto.getRandomValues(new Uint8Array(32)));
}
