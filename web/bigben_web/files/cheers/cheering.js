// What is called in a room: what was called just now, and what the player can call. Nothing of it
// is kept, except the wish to be without it. Draws nothing.

import { playerName } from "../words.js";

export const CHEERS = ["luck", "well", "wow", "close", "thanks"];
const SHOWN_MS = 4000;
const KINDS = ["live", "deadline"];

/** @typedef {{race: string, player: string, text: string, line: string, until: number}} Called */
export class Cheering {
  /** Whether the five are shown, to choose one. */
  open = false;
  /** @type {Called[]} */
  #called = [];
  /** What was called from here last, until it comes back; of a watcher it comes without a name. */
  #own = "";

  /** @param {Given<"focusOn" | "memory" | "redraw" | "session">} given */
  constructor({ focusOn, memory, redraw, session }) {
    this.focusOn = focusOn;
    this.memory = memory;
    this.redraw = redraw;
    this.session = session;
  }

  /** The focus goes to the first of the five, and back to the button that opened them. @param {boolean} open */
  show(open) {
    this.open = open;
    this.redraw();
    this.focusOn(open ? ".cheering button" : "button.cheers");
  }

  /** A wish of the player that is kept: whether they read cheers, and can send them. */
  get on() {
    return this.memory.get("cheers") !== "off";
  }

  set on(wished) {
    this.memory.set("cheers", wished ? "" : "off");
    if (!wished) [this.open, this.#called] = [false, []];
  }

  /** Whether one can be called in this race. @param {Room} room */
  offered({ kind, phase }) {
    return Boolean(this.on && this.session.me?.cheers && KINDS.includes(kind) && phase !== "cancelled");
  }

  /**
   * Take what was called, and return it for those who hear the page.
   * @param {Say} say @param {Protocol.Cheers} message @param {Followed} followed
   */
  received(say, { cheers = [] }, { race, room }) {
    if (!this.on || !room) return "";
    const now = performance.now();
    const calls = cheers.map((one) => this.#read(say, one, room)).flatMap((one) => one ?? []);
    /** @param {Called} one */
    const again = (one) => one.player && calls.some(({ player }) => player === one.player);
    const before = this.#called.filter((one) => one.race === race && one.until > now && !again(one));
    this.#called = [...before, ...calls.map((one) => ({ ...one, race, until: now + SHOWN_MS }))];
    return calls.map(({ line }) => line).join(" ");
  }

  /** What is called in this race just now. @param {string} race @returns {Called[]} */
  in(race) {
    const now = performance.now();
    return this.#called.filter((one) => one.race === race && one.until > now);
  }

  /** Call one to all who follow the race. Rejects with RefusedError. @param {string} race @param {Protocol.Cheer["cheer"]} cheer */
  call(race, cheer) {
    this.#own = cheer;
    return this.session.ask({ type: "cheer", race, cheer });
  }

  /**
   * Of one cheer its words and who called it; null if this page does not have it, or they have left.
   * @param {Say} say @param {Protocol.Cheered} of @param {Room} room
   */
  #read(say, { cheer, player = "" }, { seats }) {
    const seat = seats.find((one) => one.player === player);
    if (!CHEERS.includes(cheer) || (player && !seat)) return null;
    const own = player ? player === this.session.me?.player : this.#own === cheer;
    if (own) this.#own = "";
    const text = say(`cheer.${cheer}`);
    if (own && !seat) return { player, text, line: say("cheer.shown", { cheer: text }) };
    const name = own ? say("cheer.you") : seat ? playerName(say, seat) : say("cheer.watcher");
    return { player, text, line: say("cheer.told", { name, cheer: text }) };
  }
}
