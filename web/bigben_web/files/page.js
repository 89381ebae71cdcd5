// The page as a whole: where the player is on it, what it says, when it is drawn. The screens
// describe what is seen; races are played in playing.js and entered in joining.js.

import { codeIn, hashOf, placeOf } from "./address.js";
import { takeOff } from "./board/flight.js";
import { draw, partOf } from "./draw.js";
import { Checking } from "./fairness/checking.js";
import { Cheering } from "./cheers/cheering.js";
import { Choosing, choiceOf } from "./start/choosing.js";
import { Joining } from "./race/joining.js";
import { Evidence } from "./fairness/evidence.js";
import { Identities } from "./identities/identities.js";
import { Linking } from "./identities/linking.js";
import { Felt } from "./board/felt.js";
import { Courses } from "./race/courses.js";
import { Playing } from "./table/playing.js";
import { BoardTable } from "./leaderboards/board_table.js";
import { Days, daysOf, monthOf } from "./records/days.js";
import { Groups } from "./groups/groups.js";
import { Profiles } from "./records/profiles.js";
import { Analyses } from "./result/analyses.js";
import { Ghosts } from "./race/ghosts.js";
import { Records } from "./replay/records.js";
import { Replay } from "./replay/replaying.js";
import { Hinting } from "./table/hinting.js";
import { Shortcuts } from "./table/shortcuts.js";
import { Help } from "./help/help.js";
import { Invitation } from "./start/invitation.js";
import { Learning } from "./learn/learning.js";
import { Podium } from "./start/podium.js";
import { Races } from "./start/races.js";
import { Sharing } from "./share/sharing.js";
import { Today } from "./start/today.js";
import { frame } from "./frame.js";
import { RefusedError, Session } from "./wire/session.js";
import { textsFor } from "./words.js";

const SECOND_MS = 1000;
/** How long a notice stays. */
const NOTICE_MS = 7000;
/** While a countdown runs its digits must be true. */
const TICK_MS = 200;

export class Page {
  /** @type {Place} */
  place = { screen: "home" };
  /** What went wrong, until the next thing the player does. @type {string} */
  notice = "";
  /** What is typed in the page's fields, by their names. @type {{[field: string]: string}} */
  typed = {};
  /** A question that must be answered before something that can't be taken back: its name. */
  sure = "";
  /** A link to carry the player elsewhere, once asked for. */
  link = "";
  #asked = "";
  #day = "";
  #due = false;
  /** The second that was drawn last. */
  #second = 0;
  /** Whether the name was refused. */
  misnamed = false;
  #shown = { notice: "", since: 0 };
  /** @type {Step[]} */
  #steps = [];

  /**
   * @param {Memory} memory @param {Texts} texts @param {Games} games
   * @param {{root: Element, said: Element}} elements
   */
  constructor(memory, texts, games, elements) {
    this.memory = memory;
    this.games = games;
    this.elements = elements;
    this.say = texts.say;
    this.languages = texts.languages;
    this.language = texts.code;
    this.identities = new Identities(memory);
    this.#speak(texts);
    const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/`;
    this.session = new Session(url, this.identities, new Evidence(memory), games, {
      changed: () => this.redraw(),
      heard: (message) => this.#heard(message),
    });
    this.felt = new Felt(() => this.redraw());
    this.choosing = new Choosing(this);
    this.joining = new Joining(this);
    this.linking = new Linking(this);
    this.hinting = new Hinting(this);
    this.playing = new Playing(this);
    this.courses = new Courses(this);
    this.table = new BoardTable(this);
    this.ghosts = new Ghosts(this);
    this.records = new Records(this);
    this.analyses = new Analyses(this);
    this.replay = new Replay(this);
    this.today = new Today(this);
    this.podium = new Podium(this);
    this.learning = new Learning(this);
    this.shortcuts = new Shortcuts(this);
    this.help = new Help(this);
    this.invitation = new Invitation(this);
    this.races = new Races(this);
    this.checking = new Checking(this);
    this.cheering = new Cheering(memory, this.session);
    this.profiles = new Profiles(this);
    this.days = new Days(this);
    this.groups = new Groups(this);
    this.sharing = new Sharing(this);
    setInterval(() => this.#tick(), TICK_MS);
  }

  // Where the player is

  /** Show what the address says. */
  arrive() {
    const place = placeOf(location.hash);
    // The token lets its holder play as this player, so it must not stay in the address or history.
    if (place.screen === "link") history.replaceState(null, "", "#");
    this.learning.comeFrom(this.place);
    this.place = place.screen === "link" ? { screen: "home" } : place;
    this.sure = "";
    this.playing.begin();
    this.cheering.open = false;
    this.joining.leaveBehind(place.race);
    this.redraw();
    scrollTo(0, 0);
    const { race = "", watch = false, player = "", move } = place;
    this.try(async () => {
      if (place.screen === "learn") await this.learning.show();
      this.invitation.look(place);
      if (this.place.screen === "home") await this.linking.settle(place.token);
      else await this.joining.known();
      if (this.place.screen === "home") await this.lookRound();
      if (place.screen === "race") await this.joining.race({ race, watch });
      if (place.screen === "boards") await Promise.all([this.table.show(), this.groups.look()]);
      if (place.screen === "player") await this.profiles.show({ player });
      if (place.screen === "archive") await this.days.look(choiceOf(this.games, place), daysOf(monthOf(place.month, this.today.day)));
      if (place.screen === "groups") await this.groups.look();
      if (place.screen === "replay") await this.replay.show({ race, player, move });
    });
  }

  /** Ask for all that the start page tells. */
  async lookRound() {
    await Promise.all([this.podium.look(), this.today.look(), this.races.look(), this.profiles.look(), this.days.lookAtWeek(this.choosing.both)]);
  }

  /** Go to another screen. A tap that follows meets it: a hashchange would come after the tap. @param {Place} place */
  go(place) {
    this.notice = "";
    const hash = hashOf(place);
    if (location.hash !== hash && (hash !== "#" || location.hash)) history.pushState(null, "", hash);
    this.arrive();
  }

  /**
   * The race is called otherwise than it was asked for; the way back knows only the true name.
   * @param {string} race @param {boolean} watch
   */
  rename(race, watch) {
    this.place = { screen: "race", race, watch };
    history.replaceState(null, "", hashOf(this.place));
  }

  /** The race that is shown, if it is followed. */
  get race() {
    return this.place.screen === "race" ? this.session.followed.get(this.place.race ?? "") : undefined;
  }

  // What it says

  /** Do what the player wants, and say why not if it is refused. @param {() => unknown} what */
  async try(what) {
    [this.notice, this.misnamed] = ["", false];
    try {
      await what();
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.refuse(error);
    }
    this.redraw();
  }

  /** Show why the server said no. @param {{ code: string, message?: string, text?: string }} of */
  refuse({ code, message, text = message }) {
    this.notice = code === "ended" ? "" : this.say(`refused.${code}`, { text: this.say.sentence(text ?? "") });
    this.misnamed = code === "name";
    if (this.misnamed) this.focusOn("#name");
    this.redraw();
  }

  /** Show what is wrong, in one of our sentences. @param {string} key */
  complain(key) {
    this.notice = this.say(key);
    this.redraw();
  }

  /** Tell those who hear the page what happened. @param {string} text */
  announce(text) {
    if (text) this.elements.said.textContent = text;
  }

  /** @param {string} language */
  async choose(language) {
    this.memory.set("language", language);
    this.#speak(await textsFor(language));
    this.redraw();
  }

  /** @param {Texts} of */
  #speak({ code, languages, say }) {
    this.language = code;
    this.languages = languages;
    this.say = say;
    document.documentElement.lang = code;
  }

  // What is typed

  /** Props of a field that keeps what is typed in it. @param {string} name */
  field(name, usual = "") {
    const value = this.typed[name] ?? usual;
    return { name, value, oninput: (/** @type {Changed} */ { target }) => (this.typed[name] = target.value) };
  }

  /** The code that is typed, or pasted as a link. */
  get code() {
    return codeIn(this.typed.code ?? "");
  }

  /** Put the focus on this element after the next draw. @param {string} selector */
  focusOn(selector) {
    requestAnimationFrame(() => partOf(this.elements.root, selector)?.focus());
  }

  /** Where the piles of a game lie on this screen. @param {Game} game @param {Piles} piles */
  layout(game, piles) {
    return this.felt.layout(game, piles);
  }

  // When it is drawn

  /** Draw soon, and once for all that changes until then. */
  redraw() {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => this.#draw());
  }

  /** Let these cards fly to where the next drawing shows them. @param {Step[]} steps */
  fly(steps) {
    this.#steps = [...this.#steps, ...steps];
  }

  #draw() {
    this.#due = false;
    const land = takeOff(this.elements.root.querySelector("svg.board"));
    draw(this.elements.root, frame(this));
    // The first board of a screen shows how large it is; it is laid out for that before it is seen.
    // A layout may leave more room for it, once.
    for (let i = 0; i < 2 && this.felt.measure(); i++) draw(this.elements.root, frame(this));
    land(this.#steps);
    this.#steps = [];
    this.playing.drawn();
    this.learning.drawn();
    this.help.drawn();
    this.#nameTab();
    if (this.sure !== this.#asked) this.#ask();
  }

  #nameTab() {
    const title = this.elements.root.querySelector("h1")?.textContent ?? "";
    const plain = !title || this.place.screen === "home";
    document.title = plain ? "Big Ben" : `${title} · Big Ben`;
  }

  /** Who is asked is where they answer, with the harmless answer at hand; then back at the board. */
  #ask() {
    this.#asked = this.sure;
    const there = this.sure ? "[role=alertdialog] .safe" : 'svg.board [tabindex="0"]';
    partOf(this.elements.root, there)?.focus();
  }

  /** Clocks go on while nothing happens. */
  #tick() {
    const counting = this.race?.room?.phase === "countdown";
    const second = Math.floor(this.session.clock.now() / SECOND_MS);
    if (!counting && second === this.#second) return;
    this.#second = second;
    this.#fade();
    if (this.race || this.replay.plays || this.place.screen === "home") this.redraw();
    if (this.place.screen === "home") this.#midnight();
  }

  /** A notice goes by itself. */
  #fade() {
    const now = performance.now();
    if (this.notice !== this.#shown.notice) this.#shown = { notice: this.notice, since: now };
    if (!this.notice || now - this.#shown.since < NOTICE_MS) return;
    this.notice = "";
    this.redraw();
  }

  /** Another day has another race. */
  #midnight() {
    const { day } = this.today;
    if (this.#day && this.#day !== day) this.redraw();
    this.#day = day;
  }

  /** @param {Protocol.ServerMessage} message */
  #heard(message) {
    if (message.type === "refused") this.refuse(message);
    const followed = this.session.followed.get("race" in message ? (message.race ?? "") : "");
    if (!followed) return;
    this.checking.look(followed);
    this.sharing.look(followed);
    this.joining.finished(followed);
    this.ghosts.look(followed);
    const said = this.courses.heard(message);
    if (followed !== this.race) return;
    this.announce(said);
    if (message.type === "cheers") this.announce(this.cheering.heard(this.say, message, followed));
    if (message.type === "diff") {
      this.fly(message.steps);
      this.playing.moved(message);
    }
  }
}
