// The page as a whole: where the player is on it, what it says, when it is drawn. The screens
// describe what is seen; races are played in playing.js and entered in joining.js.

import { codeIn, hashOf, placeOf } from "../address.js";
import { takeOff } from "../board/flight.js";
import { draw } from "../draw.js";
import { Checking } from "./checking.js";
import { Joining } from "./joining.js";
import { Evidence } from "../fairness/evidence.js";
import { Identities } from "../identities.js";
import { Linking } from "./linking.js";
import { announcement } from "./announcements.js";
import { Playing } from "./playing.js";
import { BoardTable } from "./leaderboards.js";
import { Replay } from "./replaying.js";
import { Today } from "./today.js";
import { frame } from "../screens/frame.js";
import { RefusedError, Session } from "../wire/session.js";
import { textsFor } from "../words.js";

const SECOND_MS = 1000;
/** While a countdown runs its digits must be true. */
const TICK_MS = 200;

export class Page {
  place = { screen: "home" };
  /** What went wrong, until the next thing the player does. @type {string} */
  notice = "";
  /** What is typed in the page's fields, by their names. */
  typed = {};
  /** A question that must be answered before something that can't be taken back: its name. */
  sure = "";
  /** A link to carry the player elsewhere, once asked for. */
  link = "";
  #asked = "";
  /** The race whose own game was still going on when the page was last drawn. */
  #playing = null;
  #day = "";
  #due = false;
  #steps = [];

  /** @param {import("../memory.js").Memory} memory @param {{root: Element, said: Element}} elements */
  constructor(memory, texts, elements) {
    Object.assign(this, { memory, elements });
    this.identities = new Identities(memory);
    this.#speak(texts);
    const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/`;
    this.session = new Session(url, this.identities, new Evidence(memory), {
      changed: () => this.redraw(),
      heard: (message) => this.#heard(message),
    });
    this.joining = new Joining(this);
    this.linking = new Linking(this);
    this.playing = new Playing(this);
    this.table = new BoardTable(this);
    this.replay = new Replay(this);
    this.today = new Today(this);
    this.checking = new Checking(this);
    setInterval(() => this.#tick(), TICK_MS);
  }

  // Where the player is

  /** Show what the address says. */
  arrive() {
    const place = placeOf(location.hash);
    // The token lets its holder play as this player, so it must not stay in the address or history.
    if (place.screen === "link") history.replaceState(null, "", "#");
    this.place = place.screen === "link" ? { screen: "home" } : place;
    this.sure = "";
    this.playing.begin();
    this.joining.leaveBehind(place.race);
    this.redraw();
    scrollTo(0, 0);
    this.try(async () => {
      if (this.place.screen === "home") await this.linking.settle(place.token);
      else await this.joining.known();
      if (this.place.screen === "home") await this.today.look();
      if (place.screen === "race") await this.joining.race(place);
      if (place.screen === "boards") await this.table.show();
      if (place.screen === "replay") await this.replay.show(place);
    });
  }

  /** Go to another screen. */
  go(place) {
    this.notice = "";
    const hash = hashOf(place);
    if (location.hash === hash || (hash === "#" && !location.hash)) this.arrive();
    else location.hash = hash;
  }

  /** The race is called otherwise than it was asked for; the way back knows only the true name. */
  rename(race, watch) {
    this.place = { screen: "race", race, watch };
    history.replaceState(null, "", hashOf(this.place));
  }

  /** The race that is shown, if it is followed. */
  get race() {
    return this.place.screen === "race" ? this.session.followed.get(this.place.race) : undefined;
  }

  // What it says

  /** Do what the player wants, and say why not if it is refused. */
  async try(what) {
    this.notice = "";
    try {
      await what();
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.refuse(error);
    }
    this.redraw();
  }

  /** Show why the server said no. */
  refuse({ code, message, text = message }) {
    this.notice = code === "ended" ? "" : this.say(`refused.${code}`, { text });
    this.redraw();
  }

  /** Show what is wrong, in one of our sentences. */
  complain(key) {
    this.notice = this.say(key);
    this.redraw();
  }

  /** Tell those who hear the page what happened. */
  announce(text) {
    if (text) this.elements.said.textContent = text;
  }

  async choose(language) {
    this.memory.set("language", language);
    this.#speak(await textsFor(language));
    this.redraw();
  }

  #speak({ code, languages, say }) {
    Object.assign(this, { language: code, languages, say });
    document.documentElement.lang = code;
  }

  // What is typed

  /** Props of a field that keeps what is typed in it. */
  field(name, usual = "") {
    const value = this.typed[name] ?? usual;
    return { name, value, oninput: ({ target }) => (this.typed[name] = target.value) };
  }

  /** The code that is typed, or pasted as a link. */
  get code() {
    return codeIn(this.typed.code ?? "");
  }

  /** Put the focus on this element after the next draw. @param {string} selector */
  focusOn(selector) {
    requestAnimationFrame(() => this.elements.root.querySelector(selector)?.focus());
  }

  // When it is drawn

  /** Draw soon, and once for all that changes until then. */
  redraw() {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => this.#draw());
  }

  /** Let these cards fly to where the next drawing shows them. */
  fly(steps) {
    this.#steps = [...this.#steps, ...steps];
  }

  #draw() {
    this.#due = false;
    const land = takeOff(this.elements.root.querySelector("svg.board"));
    draw(this.elements.root, frame(this));
    land(this.#steps);
    this.#steps = [];
    this.playing.drawn();
    this.#nameTab();
    this.#tellEnd();
    if (this.sure !== this.#asked) this.#ask();
  }

  #nameTab() {
    const title = this.elements.root.querySelector("h1")?.textContent ?? "";
    document.title = title.includes("Big Ben") ? title : `${title} · Big Ben`;
  }

  /** The end may be out of sight below the board, so it is also announced where it can be seen. */
  #tellEnd() {
    const over = this.race?.over ? this.race : null;
    const title = this.elements.root.querySelector(".result h2");
    if (over && title && this.#playing === over && title.getBoundingClientRect().top > innerHeight - 40) {
      this.notice = title.textContent;
      this.redraw();
    }
    this.#playing = over ? null : this.race;
  }

  /** Who is asked is where they answer, with the harmless answer at hand; then back at the board. */
  #ask() {
    this.#asked = this.sure;
    const there = this.sure ? "[role=alertdialog] .safe" : 'svg.board [tabindex="0"]';
    this.elements.root.querySelector(there)?.focus();
  }

  /** Clocks go on while nothing happens. */
  #tick() {
    const counting = this.race?.room?.phase === "countdown";
    const second = Math.floor(this.session.clock.now() / SECOND_MS);
    if (!counting && second === this.second) return;
    this.second = second;
    if (this.race || this.replay.plays) this.redraw();
    if (this.place.screen === "home") this.#midnight();
  }

  /** Another day has another race. */
  #midnight() {
    const { day } = this.today;
    if (this.#day && this.#day !== day) this.redraw();
    this.#day = day;
  }

  #heard(message) {
    if (message.type === "refused") this.refuse(message);
    const followed = this.session.followed.get(message.race);
    if (followed) this.checking.look(followed);
    if (!followed || followed !== this.race) return;
    this.announce(announcement(this, message));
    if (message.type === "diff") {
      this.fly(message.steps);
      this.playing.moved(message);
    }
  }
}
