// Keys that play from anywhere on the screen: a move in two of them. Whether the position lies over
// the screen in words.

/** By the key's place on the keyboard, whatever the layout writes there. */
const DIGIT = /^(?:Digit|Numpad)(\d)$/;

export class Shortcuts {
  inWords = false;

  /** @param {Given<"attempt" | "hinting" | "playing" | "redraw" | "replay" | "route">} given */
  constructor(given) {
    this.given = given;
    addEventListener("keydown", (event) => this.#pressed(/** @type {KeyboardEvent & Touched} */ (event)));
  }

  /** @param {boolean} shown */
  showWords(shown) {
    this.inWords = shown;
    // A dialog that is closed gives the focus back to where it was.
    if (!shown) document.querySelector("dialog")?.close();
    this.given.redraw();
  }

  /** @param {KeyboardEvent & Touched} event */
  #pressed(event) {
    const { code, key, target, repeat, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (repeat || ctrlKey || metaKey || altKey) return;
    if (event.defaultPrevented || target.closest?.("input, select, textarea, dialog")) return;
    if (key.toLowerCase() === "h" && !shiftKey && this.#hint()) return event.preventDefault();
    if (key === "Escape") this.given.hinting.hide();
    if (!this.given.playing.plays) return;
    // On a button that was reached by keys, the space bar presses it.
    if (key === " " && target.matches?.("button, a, summary, :focus-visible")) return;
    const digit = DIGIT.exec(code);
    const done = digit ? this.#number(Number(digit[1]), shiftKey) : this.#do(key.toLowerCase());
    if (done) event.preventDefault();
  }

  /** Ask for the best move, where that is possible. */
  #hint() {
    const { playing, route: { place }, replay } = this.given;
    if (place.screen === "replay") return replay.hint(replay.shown[0]);
    if (!playing.offersBest) return false;
    this.given.attempt(() => playing.askBest());
    return true;
  }

  /** @param {string} key */
  #do(key) {
    const { playing } = this.given;
    const [deal] = playing.choices.commands;
    if (key === "h") playing.toggleHints();
    else if (key === "p") this.showWords(true);
    else if (key === "w") return this.#tap(playing.game.slots.find(({ kind }) => kind === "waste")?.pile);
    else if (key === "u" && playing.race.room.rules.undo && playing.view.canUndo) playing.play("undo");
    else if (key === " " && deal) playing.play(deal);
    else return false;
    return true;
  }

  /** A card of those that are offered, else a pile. @param {number} digit @param {boolean} shift */
  #number(digit, shift) {
    const { playing } = this.given;
    if (!playing.offer) return this.#tap(numbered(digit, shift));
    playing.choose(digit);
    return true;
  }

  /** @param {string | undefined} pile */
  #tap(pile = "") {
    const { playing } = this.given;
    if (!playing.game.slots.some((slot) => slot.pile === pile)) return false;
    playing.tap(pile);
    return true;
  }
}

/** The pile of a digit: 1 … 9 and 0 for 10; with Shift ten more, so 1 for 11. @param {number} digit @param {boolean} shift */
function numbered(digit, shift) {
  return String(digit === 0 ? 10 : digit + (shift ? 10 : 0));
}
