// The player's own hand in the race that is shown: what is picked, tapped, typed, and last moved.
// What may be played the server has said; nothing here knows the rules.

import { choicesOf, sensible, tapped, targetsOf } from "../board/choices.js";
import { hands } from "../board/hands.js";
import { contents, pileName } from "../board/words.js";

export class Playing {
  picked = "";
  focus = "12";
  /** The piles that the last move put cards on. @type {string[]} */
  fresh = [];
  #dragged = "";
  #mustFocus = false;

  /** @param {import("./page.js").Page} page */
  constructor(page) {
    this.page = page;
    this.hands = hands({
      tap: (pile) => this.tap(pile),
      targets: (pile) => targetsOf(this.choices, pile),
      pick: (pile) => this.#drag(pile),
      drop: (pile, target) => this.play(`${pile} ${target}`),
      focus: (pile) => this.#focusOn(pile),
      escape: () => this.#pick(""),
    });
  }

  /** Another race is shown. */
  begin() {
    [this.picked, this.fresh, this.#dragged] = ["", [], ""];
  }

  get view() {
    return this.page.race?.view;
  }

  /** Whether the cards may be moved now. */
  get plays() {
    const { race } = this.page;
    return Boolean(race?.view) && race.state === "playing" && race.room.phase === "running";
  }

  get choices() {
    return choicesOf(this.plays ? this.view.legal : []);
  }

  /** What lights up: where the picked card can go, or the one in hand. */
  get targets() {
    return targetsOf(this.choices, this.#dragged || this.picked);
  }

  tap(pile) {
    const { say } = this.page;
    const was = this.picked;
    const { picked, move, none } = tapped(this.choices, was, pile);
    this.focus = pile;
    this.page.notice = "";
    this.#pick(picked);
    if (move) this.play(move);
    else if (picked) this.page.announce(this.#pickedWords(picked));
    else if (none === "s") this.#note(say("say.stock"));
    else if (none && Number(none)) this.#note(say("say.nowhere", { pile: pileName(say, none) }));
    else if (was === pile) this.#note(say("say.unclear"));
  }

  /** Play a move of the notation, once the moves before it are answered. */
  play(move) {
    // A stock that is tapped twice in a hurry turns one card.
    const { race } = this.page;
    if (!race || ((move === "turn" || move === "refill") && race.moves.count)) return;
    this.page.notice = "";
    this.#pick("");
    this.page.session.move(race.race, move);
  }

  /** Play what is typed; giving up is asked again. */
  type(text) {
    const move = text.trim().toLowerCase();
    this.page.notice = "";
    if (move === "resign") this.page.sure = "resign";
    else if (move) this.play(move);
    this.page.redraw();
  }

  /** A move has come about, here or on another device. */
  moved({ steps = [] }) {
    this.fresh = steps.map(([, target]) => target);
    if (this.picked && !sensible(this.choices, this.picked)) {
      if (!targetsOf(this.choices, this.picked).length) this.picked = "";
    }
  }

  /** The board is on the page: what must have the focus takes it. */
  drawn() {
    if (!this.#mustFocus) return;
    this.#mustFocus = false;
    document.querySelector(`svg.board [data-pile="${this.focus}"]`)?.focus();
  }

  #pickedWords(pile) {
    const { say } = this.page;
    return say("say.picked", { pile: contents(say, pile, this.view.piles[pile]) });
  }

  #note(text) {
    this.page.notice = text;
    this.page.redraw();
  }

  #pick(pile) {
    this.picked = pile;
    this.page.redraw();
  }

  #drag(pile) {
    this.#dragged = pile;
    this.#pick("");
  }

  #focusOn(pile) {
    this.focus = pile;
    this.#mustFocus = true;
    this.page.redraw();
  }
}
