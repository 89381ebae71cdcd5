// The races that the player can return to, and how far they are in each. Asks the server, draws nothing.

import { OVER } from "../wire/over.js";
import { RefusedError } from "../wire/session.js";

const MOST = 3;

/** @typedef {{info: Protocol.RaceInfo, home: number}} Mine a race, and the own cards home in it */

export class Races {
  /** The latest first. @type {Mine[]} */
  all = [];
  /** The races in which the own game is over. @type {Set<string>} */
  over = new Set();
  /** The race whose clock the start page shows. */
  #shown = "";

  /** @param {Given<"games" | "later" | "redraw" | "route" | "session">} given */
  constructor(given) {
    this.given = given;
  }

  /** Ask which they are, and follow the one whose clock is shown. */
  async load() {
    const { session } = this.given;
    this.all = [];
    if (!session.me) return;
    try {
      const { races = [] } = await session.ask({ type: "get-races" });
      this.over = new Set(races.filter(({ state }) => OVER.includes(state ?? undefined)).map(({ race }) => race));
      const open = races.filter(goesOn).filter((race) => race.kind !== "practice" || race === practised(races));
      this.all = await Promise.all(open.slice(0, MOST).map((info) => this.#mine(info)));
      await this.#follow();
    } catch (error) {
      // A server that does not know this request has no list; the page goes without it.
      if (!(error instanceof RefusedError)) throw error;
    }
    this.given.redraw();
  }

  /** The own unfinished game whose clock is shown, if it is followed by now. */
  get shown() {
    const followed = this.given.session.followed.get(this.#shown);
    return followed?.view && !followed.over ? followed : null;
  }

  /** @param {Protocol.RaceInfo} info */
  async #mine(info) {
    const { session } = this.given;
    if (info.state !== "playing") return { info, home: 0 };
    const asked = { type: /** @type {const} */ ("get-standings"), race: info.race, only: [session.me?.player ?? ""] };
    const { rows = [] } = await session.ask(asked);
    return { info, home: rows[0]?.home ?? 0 };
  }

  async #follow() {
    const usual = this.given.games.usual;
    const found = this.all.find(({ info }) => info.state === "playing" && this.given.games.of(info.rules) === usual);
    this.#shown = found?.info.race ?? "";
    if (!found || this.given.route.place.screen !== "home" || this.given.session.followed.has(this.#shown)) return;
    await this.given.later.come(); // a race that is followed may be shown at any time
    await this.given.session.ask({ type: "join", race: this.#shown });
  }
}

/** Whether the player still has something to do in it. @param {Protocol.RaceInfo} of */
function goesOn({ phase, state }) {
  return ["joined", "ready", "playing"].includes(state ?? "") && ["open", "countdown", "running"].includes(phase);
}

/** The practice game that was begun last. @param {Protocol.RaceInfo[]} races */
function practised(races) {
  return races.find(({ kind, state }) => kind === "practice" && state === "playing");
}
