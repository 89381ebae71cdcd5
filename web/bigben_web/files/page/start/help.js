// Whether the rules lie over the screen, and of which game; and the lesson, offered before the first
// daily race.

const OFFERED = "lesson";

export class Help {
  open = false;
  /** The rules of the daily race that waits for the answer to the offer, or null. */
  offered = null;

  /** @param {import("../page.js").Page} page */
  constructor(page) {
    this.page = page;
    addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** The game of what is shown. @returns {import("../../wire/games.js").Game} */
  get game() {
    const { page } = this;
    const { screen } = page.place;
    const rules = screen === "race" ? page.race?.room.rules : screen === "replay" ? page.replay.record?.rules : null;
    if (screen === "learn") return page.games.of();
    return (rules && page.games.of(rules)) ?? page.choosing.game;
  }

  show(open) {
    this.open = open;
    // A dialog that is closed gives the focus back to where it was.
    if (!open) document.querySelector("dialog")?.close();
    this.page.redraw();
  }

  /** What is described as a dialog becomes one when it is on the page. */
  drawn() {
    for (const dialog of this.page.elements.root.querySelectorAll("dialog:not([open])")) dialog.showModal();
  }

  /** Whether the lesson is offered before this daily race: once in a browser. */
  offers(rules) {
    const { memory, games, today } = this.page;
    if (memory.get(OFFERED) || games.of(rules) !== games.of() || today.seat) return false;
    memory.set(OFFERED, "offered");
    this.offered = rules;
    this.page.redraw();
    return true;
  }

  /** The lesson needs no offer any more. */
  learned() {
    this.page.memory.set(OFFERED, "taken");
  }

  answer(learn) {
    const { offered, page } = this;
    this.offered = null;
    if (learn) page.go({ screen: "learn" });
    else page.try(() => page.joining.daily(offered));
  }

  /** A question mark that is typed nowhere else. */
  #pressed({ key, target, ctrlKey, altKey, metaKey }) {
    const types = target.closest?.("input, textarea, select");
    if (key === "?" && !this.offered && !types && !ctrlKey && !altKey && !metaKey) this.show(true);
  }
}
