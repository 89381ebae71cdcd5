// Whether the rules lie over the screen, and of which game; and the lesson, offered before the first
// daily race.

const OFFERED = "lesson";

export class Help {
  open = false;
  /** The rules of the daily race that waits for the answer to the offer, or null. @type {Both|null} */
  offered = null;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    addEventListener("keydown", (event) => this.#pressed(/** @type {KeyboardEvent & Touched} */ (event)));
  }

  /** The game of what is shown. @returns {Game} */
  get game() {
    const { page } = this;
    const { screen } = page.place;
    const rules = screen === "race" ? page.race?.room.rules : screen === "replay" ? page.replay.rules : null;
    if (screen === "learn") return page.games.usual;
    return (rules && page.games.of(rules)) ?? page.choosing.game;
  }

  /** @param {boolean} open */
  show(open) {
    this.open = open;
    // A dialog that is closed gives the focus back to where it was.
    if (!open) document.querySelector("dialog")?.close();
    this.page.redraw();
  }

  /** What is described as a dialog becomes one when it is on the page. */
  drawn() {
    for (const dialog of document.querySelectorAll("dialog")) if (!dialog.open) dialog.showModal();
  }

  /** Whether the lesson is offered before this daily race: once in a browser. @param {Both} rules */
  offers(rules) {
    const { memory, games, today } = this.page;
    if (memory.get(OFFERED) || games.of(rules) !== games.usual || today.seat) return false;
    memory.set(OFFERED, "offered");
    this.offered = rules;
    this.page.redraw();
    return true;
  }

  /** The lesson needs no offer any more. */
  learned() {
    this.page.memory.set(OFFERED, "taken");
  }

  /** @param {boolean} learn */
  answer(learn) {
    const { offered, page } = this;
    this.offered = null;
    if (learn) page.go({ screen: "learn" });
    else if (offered) page.try(() => page.joining.daily(offered));
  }

  /** A question mark that is typed nowhere else. @param {KeyboardEvent & Touched} of */
  #pressed({ key, target, ctrlKey, altKey, metaKey }) {
    const types = target.closest?.("input, textarea, select");
    if (key === "?" && !this.offered && !types && !ctrlKey && !altKey && !metaKey) this.show(true);
  }
}
