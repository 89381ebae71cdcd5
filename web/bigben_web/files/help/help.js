// Whether the rules lie over the screen, and of which game.

export class Help {
  open = false;

  /** @param {Given<"choosing" | "games" | "redraw" | "replay" | "route">} given */
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

  /** A question mark that is typed nowhere else. @param {KeyboardEvent & Touched} of */
  #pressed({ key, target, ctrlKey, altKey, metaKey }) {
    const types = target.closest?.("input, textarea, select");
    if (key === "?" && !types && !ctrlKey && !altKey && !metaKey) this.show(true);
  }
}
