// The player's own hand in the race that is shown: what is picked, tapped, typed, and last moved.
// What may be played the server has said; nothing here knows the rules.

import { Choices } from "../board/choices.js";
import { hands } from "../board/hands.js";
import { neighbour } from "../board/keys.js";
import { contents } from "../board/words.js";
import { celebrate, endMotion } from "../board/win.js";
import { partOf } from "../draw.js";
import { Finishing } from "./finishing.js";
import { Why } from "./why.js";

export class Playing {
  picked = "";
  /** The pile with several moves of which one is to be chosen, or "". */
  offered = "";
  /** The number of the card of it that is chosen. */
  #chosen = 0;
  /** The piles that the last move put cards on. @type {string[]} */
  fresh = [];
  /** The pile that is spread over its neighbours, or "". */
  open = "";
  /** The race at whose table the player is or was, until they leave it. */
  #table = "";
  #dragged = "";
  #focus = "";
  #mustFocus = false;
  #mustCelebrate = false;

  /** @param {Given<"announce" | "focusOn" | "form" | "hinting" | "layout" | "memory" | "notices" | "redraw" | "route" | "say" | "session" | "sounds">} given */
  constructor(given) {
    this.given = given;
    this.why = new Why({ ...given, playing: this });
    this.finishing = new Finishing({ playing: this, redraw: given.redraw });
    this.hands = hands({
      tap: (pile) => this.tap(pile),
      targets: (pile) => this.choices.targets(pile),
      pick: (pile) => this.#drag(pile),
      drop: (pile, target) => this.play(`${pile} ${target}`),
      miss: (pile, target) => this.why.ask(pile, target),
      walk: (pile, key) => this.#walk(pile, key),
      open: (pile) => this.#open(pile),
      choose: (number) => this.choose(number),
      escape: () => this.escape(),
    });
  }

  /** Another race is shown. */
  begin() {
    [this.picked, this.offered, this.fresh, this.#dragged, this.#table] = ["", "", [], "", ""];
    this.finishing.runs = false;
    this.why.clear();
  }

  // The race that is shown, its view and its game: asked for only while the player is at the table.

  get race() {
    return /** @type {Followed} */ (this.given.route.race);
  }

  get view() {
    return /** @type {View} */ (this.given.route.race?.view);
  }

  /** Whether the cards may be moved now. */
  get plays() {
    const { race } = this;
    return Boolean(race?.view) && race.state === "playing" && race.room.phase === "running";
  }

  /** Whether the board is shown: a game that ends stays on the table until its player leaves it. */
  get atTable() {
    const { race } = this;
    if (this.plays) this.#table = race.race;
    return Boolean(this.view) && this.#table === race.race;
  }

  /** Look at the result instead of the board. */
  leaveTable() {
    this.#table = "";
    this.given.redraw();
    scrollTo(0, 0);
  }

  get game() {
    return /** @type {Game} */ (this.given.route.race?.game);
  }

  get choices() {
    return new Choices(this.plays ? this.view.legal : [], this.game);
  }

  /** Whether all cards are marked that can go anywhere; never in a game without choices. */
  get hints() {
    return this.plays && this.game.decides && this.given.memory.get("hints") === "on";
  }

  /** Whether the best move may be asked for: in no race that runs, and in no game without choices. */
  get offersBest() {
    return this.plays && this.race.room.kind === "practice" && this.game.decides;
  }

  /** Ask for the best move now. */
  async askBest() {
    this.escape();
    await this.given.hinting.ask({ race: this.race.race, n: this.view.n, player: "" }, this.game);
  }

  toggleHints() {
    this.given.memory.set("hints", this.hints ? "" : "on");
    this.given.redraw();
  }

  /** The cards to choose from, each with its move, and which one is chosen; or null. */
  get offer() {
    const moves = this.choices.tapsOn(this.offered);
    return this.offered && moves.length ? { pile: this.offered, moves, chosen: Math.min(this.#chosen, moves.length) } : null;
  }

  /** Choose a card that is offered, or take it if it is chosen already. @param {number} number */
  choose(number) {
    const { offer } = this;
    if (!offer?.moves[number - 1]) return;
    if (number === offer.chosen) return this.play(offer.moves[number - 1]);
    this.#chosen = number;
    this.given.redraw();
  }

  /** What lights up: where the picked card can go, or the one in hand. */
  get targets() {
    return this.choices.targets(this.#dragged || this.picked);
  }

  /** The pile that Tab leads to: the last one that was used, else the first at twelve or at all. */
  get focus() {
    const { slots } = this.game;
    if (slots.some(({ pile }) => pile === this.#focus)) return this.#focus;
    const first = slots.find(({ place, at }) => place === "outer" && at === 12) ?? slots[0];
    return first.pile;
  }

  /** @param {string} pile */
  tap(pile) {
    const { say } = this.given;
    const was = this.picked;
    const { picked, move, offer, none, wrong } = this.choices.tapped(was, pile);
    this.#focus = pile;
    this.given.notices.text = "";
    this.why.clear();
    if (this.finishing.runs) return this.finishing.stop();
    this.#pick(picked);
    [this.offered, this.#chosen] = [offer, Infinity];
    if (move) this.play(move);
    else if (picked) this.#tellPicked(picked);
    else if (offer) this.given.focusOn(".offer .safe");
    else if (none) this.#refuse(this.slot(none), wrong);
    else if (was === pile) this.#note(say("say.unclear"));
  }

  /** Take back what was picked or offered, and stop what goes on by itself. */
  escape() {
    this.why.clear();
    this.given.hinting.clear();
    this.finishing.runs = false;
    this.offered = "";
    this.#pick("");
  }

  /** Play a move of the notation, once the moves before it are answered. @param {string} move */
  play(move) {
    // A stock that is tapped twice in a hurry turns one card, and a pile is exchanged once.
    const { route: { race } } = this.given;
    if (!race || (race.moves.count && this.choices.isOneTap(move))) return;
    [this.given.notices.text, this.offered] = ["", ""];
    this.why.clear();
    this.#pick("");
    this.given.session.move(race.race, move);
  }

  /** Play what is typed; giving up is asked again. @param {string} text */
  type(text) {
    const move = text.trim().toLowerCase();
    this.given.notices.text = "";
    if (["help", "?"].includes(move)) this.#help();
    else if (move === "resign") this.given.form.sure = "resign";
    else if (move) this.play(move);
    this.given.redraw();
  }

  /** A move has come about, here or on another device. @param {Protocol.Diff} of */
  moved({ steps = [], state }) {
    this.fresh = steps.map(([, target]) => target);
    this.#mustCelebrate = state === "won";
    const home = steps.some(([, target]) => this.slot(target)?.kind === "foundation");
    if (steps.length) this.given.sounds.play(this.#mustCelebrate ? "bell" : home ? "home" : "place");
    this.offered = "";
    this.why.clear();
    if (!this.choices.targets(this.picked).length) this.picked = "";
    this.finishing.moved();
  }

  /** The board is on the page: what must have the focus takes it. */
  drawn() {
    if (this.#mustCelebrate) this.#celebrate();
    if (!this.#mustFocus) return;
    this.#mustFocus = false;
    partOf(document, `svg.board [data-pile="${this.focus}"]`)?.focus();
  }

  /** All cards are home: once, and any tap ends it. */
  #celebrate() {
    this.#mustCelebrate = false;
    const homes = this.game.slots.filter(({ kind }) => kind === "foundation");
    const round = [...homes].sort((a, b) => (a.at % 12) - (b.at % 12)).map(({ pile }) => pile);
    const svg = partOf(document, "svg.board");
    celebrate(svg, round);
    addEventListener("pointerdown", () => endMotion(svg), { once: true });
  }

  /** @param {string} pile */
  #pickedWords(pile) {
    const { say } = this.given;
    return say("say.picked", { pile: contents(say, this.slot(pile), this.view.piles[pile]) });
  }

  /** @param {string} pile */
  #tellPicked(pile) {
    this.given.sounds.play("pick");
    this.given.announce(this.#pickedWords(pile));
  }

  /** @param {string} name */
  slot(name) {
    return /** @type {Slot} */ (this.game.slots.find(({ pile }) => pile === name));
  }

  /** Say why a tap did nothing; a foundation and an empty place need no explanation. @param {Slot} slot @param {string} wrong */
  #refuse({ pile, kind }, wrong) {
    const { up, down } = this.view.piles[pile];
    if (this.plays && kind !== "foundation" && up.length + down) this.why.ask(pile, wrong);
  }

  /** Say how moves are typed. */
  #help() {
    const { say } = this.given;
    this.#note(say("typed.help", { moves: this.game.moves.map(({ example }) => example).join(", ") }));
  }

  /** @param {string} text */
  #note(text) {
    this.given.notices.show(text);
  }

  /** @param {string} pile */
  #pick(pile) {
    this.picked = pile;
    this.given.redraw();
  }

  /** @param {string} pile */
  #open(pile) {
    this.open = pile;
    this.given.redraw();
  }

  /** @param {string} pile */
  #drag(pile) {
    this.#dragged = pile;
    this.#pick("");
  }

  /** @param {string} pile @param {string} key */
  #walk(pile, key) {
    const { game } = this;
    this.#focus = neighbour(game.slots, this.given.layout(game, this.view.piles).berths, pile, key);
    this.#mustFocus = true;
    this.given.redraw();
  }
}
