// The lesson: a recorded deal that the player plays step by step, alone and without a clock. The
// server has recorded every position; nothing is asked of it here, and no name is needed.

import { Choices } from "../board/choices.js";
import { hands } from "../board/hands.js";
import { neighbour } from "../board/keys.js";
import { cardName, pileName, shortCard } from "../board/words.js";
import { partOf } from "../draw.js";
import { pilesOf } from "../wire/view.js";
import { place } from "./placing.js";

/**
 * @typedef {{move: string, teaches: string, piles: string[], card: string, on: string}} Step
 * @typedef {{game: string, steps: Step[], seen: {piles: {[name: string]: Protocol.Pile}, home: number, legal: string[],
 *   steps: Protocol.Step[]}[]}} Lesson
 */

export class Learning {
  /** The number of the step, from 0; after the last one the lesson is over. */
  at = 0;
  picked = "";
  /** Whether the last tap meant another move than the step's. */
  wrong = false;
  /** Whether the step before was played just now, and what it did is to be told. */
  played = false;
  /** Where the piles lie that the step points at. @type {Box[]} */
  boxes = [];
  /** The race whose invitation led here. @type {Place | null} */
  from = null;
  /** @type {Lesson | null} */
  #lesson = null;
  #focus = "";

  /** @param {Given<"announce" | "fly" | "focusOn" | "games" | "layout" | "redraw" | "route" | "say" | "session">} given */
  constructor(given) {
    this.given = given;
    this.hands = hands({
      tap: (pile) => this.tap(pile),
      targets: (pile) => (pile === this.step?.piles[0] ? this.choices.targets(pile) : []),
      pick: () => {},
      drop: (pile, target) => this.#attempt(`${pile} ${target}`),
      miss: (pile, target) => this.#attempt(`${pile} ${target}`),
      open: () => {},
      walk: (pile, key) => this.#walk(pile, key),
      escape: () => this.#pick(""),
    });
  }

  /** The race that one was invited to before, if the lesson is shown now; then one can return. @param {Place} place */
  comeFrom(place) {
    this.from = place.screen === "race" && !this.given.session.me ? place : null;
  }

  /** Begin from the start. */
  async show() {
    this.#lesson ??= await (await fetch("/texts/lesson.json")).json();
    this.to(0);
  }

  get #recorded() {
    return /** @type {Lesson} */ (this.#lesson);
  }

  get ready() {
    return this.#lesson !== null;
  }

  /** @returns {Step[]} */
  get steps() {
    return this.#recorded.steps;
  }

  /** The step in which one is; none after the last. */
  get step() {
    return /** @type {Step} */ (this.#lesson?.steps[this.at]);
  }

  get over() {
    return this.at === this.steps.length;
  }

  get game() {
    return this.given.games.of(this.#recorded) ?? this.given.games.usual;
  }

  get piles() {
    return pilesOf(this.#seen.piles);
  }

  get home() {
    return this.#seen.home;
  }

  /** The piles that the move before put cards on. */
  get fresh() {
    return this.played ? this.#seen.steps.map(([, target]) => target) : [];
  }

  /** Nothing can be done, and no card is marked, before the step that says what gold means. */
  get choices() {
    return new Choices(this.over || this.at < this.gold ? [] : this.#seen.legal, this.game);
  }

  /** The number of the step that says what gold means. */
  get gold() {
    return this.steps.findIndex(({ teaches }) => teaches === "home");
  }

  get targets() {
    return this.picked ? [this.step?.piles[1] ?? ""] : [];
  }

  get focus() {
    return this.#focus || this.step?.piles[0] || "12";
  }

  /** The parts of the lesson that have a title, each with its first step. @returns {{title: string, at: number}[]} */
  get parts() {
    const { say } = this.given;
    const found = new Map();
    this.steps.forEach(({ teaches }, at) => {
      const key = `learn.${teaches}`;
      if (say.knows(key) && !found.has(key)) found.set(key, { title: say(key), at });
    });
    return [...found.values()];
  }

  /** The part in which one is now, from 0. */
  get part() {
    return this.parts.findLastIndex(({ at }) => at <= this.at);
  }

  /**
   * A text of step `at`: `why`, `do` or `done`; "" if it has none.
   * @param {string} part
   */
  text(part, at = this.at, named = shortCard) {
    const { say } = this.given;
    const key = `learn.${at + 1}.${part}`;
    const { card, on } = this.steps[at] ?? {};
    return say.knows(key) ? say(key, { card: card && named(say, card), on: on && named(say, on) }) : "";
  }

  /** What the last move did, if it was played just now. */
  done(named = shortCard) {
    return this.played ? this.text("done", this.at - 1, named) : "";
  }

  /** Go to a step without playing what is between. @param {number} at */
  to(at) {
    this.#go(Math.max(0, Math.min(this.steps.length, at)), false);
  }

  /** Play the step's move, or go on if there is only something to see. */
  play() {
    const move = this.step?.move;
    this.#go(this.at + 1, Boolean(move));
    if (move) this.given.fly(this.#seen.steps);
  }

  /** @param {string} pile */
  tap(pile) {
    if (!this.step?.move) return;
    this.#focus = pile;
    const { picked, move } = this.choices.tapped(this.picked, pile);
    if (move) this.#attempt(move);
    else if (picked === this.step.piles[0]) this.#pick(picked);
    else this.#refuse();
  }

  /** Measure where the piles of the step lie now; draw again if they lie elsewhere than before. */
  drawn() {
    if (this.given.route.place.screen !== "learn" || !this.ready) return;
    const felt = document.querySelector(".lesson svg.board");
    const bubble = /** @type {HTMLElement | null} */ (document.querySelector(".coach"));
    if (!felt || !bubble) return;
    const { step } = this;
    const boxes = step ? this.#pointed(step).map((pile) => boxOf(felt, pile, step)) : [];
    place(bubble, boxes, felt.getBoundingClientRect());
    if (JSON.stringify(boxes) === JSON.stringify(this.boxes)) return;
    this.boxes = boxes;
    this.given.redraw();
  }

  get #seen() {
    return this.#recorded.seen[this.at];
  }

  /** The piles that a step points at: the whole clock at first. @param {Step} step */
  #pointed({ teaches, piles }) {
    return teaches === "clock" ? this.game.slots.flatMap(({ kind, pile }) => (kind === "foundation" ? [pile] : [])) : piles;
  }

  /** @param {string} move */
  #attempt(move) {
    if (!this.step) return;
    const { move: wanted, piles } = this.step;
    const home = move === `${piles[0]} fdn` && piles[1]?.startsWith("f");
    if (move === wanted || home) this.play();
    else this.#refuse();
  }

  #refuse() {
    [this.picked, this.wrong] = ["", true];
    this.given.announce(`${this.given.say("lesson.not_yet")} ${this.text("do", this.at, cardName)}`);
    this.given.redraw();
  }

  /** @param {string} pile */
  #pick(pile) {
    [this.picked, this.wrong] = [pile, false];
    this.given.redraw();
  }

  /** @param {number} at @param {boolean} played */
  #go(at, played) {
    Object.assign(this, { at, played, picked: "", wrong: false });
    this.#focus = "";
    this.#tell();
    this.#keepFocus();
    this.given.redraw();
  }

  /** All that the bubble says, for those who hear the page, and where the card lies. */
  #tell() {
    const { say } = this.given;
    if (this.over) return this.given.announce(`${this.done(cardName)} ${say("lesson.over")}`);
    const { piles = [], card = "", move = "" } = this.step ?? {};
    const [from, to] = piles.map((pile) => this.#named(pile));
    const way = card && move && from && to ? say("lesson.way", { from, to }) : "";
    const said = [this.done(cardName), this.text("why", this.at, cardName), this.text("do", this.at, cardName), way];
    this.given.announce(said.filter(Boolean).join(" "));
  }

  /** @param {string} name */
  #named(name) {
    return pileName(this.given.say, /** @type {Slot} */ (this.game.slots.find(({ pile }) => pile === name)));
  }

  /** Who plays by keys is led to the card, or to the button that goes on. */
  #keepFocus() {
    if (!document.querySelector(":focus-visible")) return;
    const pile = this.step?.move && this.step.move !== "undo" ? this.step.piles[0] : "";
    this.given.focusOn(pile ? `svg.board [data-pile="${pile}"]` : ".coach .go");
  }

  /** @param {string} pile @param {string} key */
  #walk(pile, key) {
    this.#focus = neighbour(this.game.slots, this.given.layout(this.game, this.piles).berths, pile, key);
    this.given.redraw();
    this.given.focusOn(`svg.board [data-pile="${this.#focus}"]`);
  }
}

/**
 * The top card of a pile, or all of it where its gaps matter.
 * @param {Element} felt @param {string} pile @param {Step} of @returns {Box}
 */
function boxOf(felt, pile, { teaches }) {
  const there = partOf(felt, `[data-pile="${pile}"]`);
  const whole = pile !== "s" && (teaches === "gap" || teaches === "refill");
  const part = (whole ? null : there.querySelector(".top")) ?? there.querySelector(".reach") ?? there;
  const [corner, box] = [felt.getBoundingClientRect(), part.getBoundingClientRect()];
  /** @param {number} number */
  const round = (number) => Math.round(number);
  return { x: round(box.x - corner.x), y: round(box.y - corner.y), w: round(box.width), h: round(box.height) };
}
