// Whether the rules lie over the screen, and of which game; and the lesson, offered before the first
// daily race.

const OFFERED = "lesson";

export class Help {
  open = false;
  /** What begins the daily race that waits for the answer to the offer, or null. @type {(() => unknown)|null} */
  offered = null;

  /** @param {Given<"attempt" | "choosing" | "games" | "go" | "memory" | "redraw" | "replay" | "route" | "today">} given */
  constructor(given) {
    this.given = given;
    addEventListener("keydown", (event) => this.#pressed(/** @type {KeyboardEvent & Touched} */ (event)));
  }

  /** The game of what is shown. @returns {Game} */
  get game() {
    const { given } = this;
    const { screen } = given.route.place;
    const rules = screen === "race" ? given.route.race?.room.rules : screen === "replay" ? given.replay.rules : null;
    if (screen === "learn") return given.games.usual;
    return (rules && given.games.of(rules)) ?? given.choosing.game;
  }

  /** @param {boolean} open */
  show(open) {
    this.open = open;
    // A dialog that is closed gives the focus back to where it was.
    if (!open) document.querySelector("dialog")?.close();
    this.given.redraw();
  }

  /** What is described as a dialog becomes one when it is on the page. */
  drawn() {
    for (const dialog of document.querySelectorAll("dialog")) if (!dialog.open) dialog.showModal();
  }

  /** Whether the lesson is offered before this daily race: once in a browser. @param {Both} rules @param {() => unknown} begin */
  offers(rules, begin) {
    const { memory, games, today } = this.given;
    if (memory.get(OFFERED) || games.of(rules) !== games.usual || today.seat) return false;
    memory.set(OFFERED, "offered");
    this.offered = begin;
    this.given.redraw();
    return true;
  }

  /** The lesson needs no offer any more. */
  learned() {
    this.given.memory.set(OFFERED, "taken");
  }

  /** @param {boolean} learn */
  answer(learn) {
    const { offered, given } = this;
    this.offered = null;
    if (learn) given.go({ screen: "learn" });
    else if (offered) given.attempt(offered);
  }

  /** A question mark that is typed nowhere else. @param {KeyboardEvent & Touched} of */
  #pressed({ key, target, ctrlKey, altKey, metaKey }) {
    const types = target.closest?.("input, textarea, select");
    if (key === "?" && !this.offered && !types && !ctrlKey && !altKey && !metaKey) this.show(true);
  }
}
