// When the page is drawn: soon, and once for all that changes until then.

import { takeOff } from "../board/flight.js";
import { draw, partOf } from "../draw.js";

export class Drawing {
  #due = false;
  /** @type {Step[]} */
  #steps = [];

  /**
   * @param {Element} root where the page is
   * @param {{felt: import("../board/felt.js").Felt, frame: () => Described, drawn: () => void}} of what is drawn, and
   *   what is done when it is on the page
   */
  constructor(root, { felt, frame, drawn }) {
    this.root = root;
    this.felt = felt;
    this.frame = frame;
    this.drawn = drawn;
  }

  /** Draw soon. */
  redraw() {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => this.#draw());
  }

  /** Let these cards fly to where the next drawing shows them. @param {Step[]} steps */
  fly(steps) {
    this.#steps = [...this.#steps, ...steps];
  }

  /** Put the focus on this element after the next draw. @param {string} selector */
  focusOn(selector) {
    requestAnimationFrame(() => partOf(this.root, selector)?.focus());
  }

  #draw() {
    this.#due = false;
    const land = takeOff(this.root.querySelector("svg.board"));
    draw(this.root, this.frame());
    // The first board of a screen shows how large it is; it is laid out for that before it is seen.
    // A layout may leave more room for it, once.
    for (let i = 0; i < 2 && this.felt.measure(); i++) draw(this.root, this.frame());
    land(this.#steps);
    this.#steps = [];
    this.drawn();
  }
}
