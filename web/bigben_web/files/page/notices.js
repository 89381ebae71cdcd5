// What the page tells its player besides what it shows: why something failed, and what happened.

import { RefusedError } from "../wire/session.js";

/** How long a notice stays. */
const NOTICE_MS = 7000;

export class Notices {
  /** What went wrong, until the next thing the player does. */
  text = "";
  #shown = { text: "", since: 0 };

  /** @param {Given<"focusOn" | "form" | "redraw" | "say">} given @param {Element} said what those hear who hear the page */
  constructor({ focusOn, form, redraw, say }, said) {
    this.say = say;
    this.redraw = redraw;
    this.focusOn = focusOn;
    this.form = form;
    this.said = said;
  }

  /** Do what the player wants, and say why not if it is refused. @param {() => unknown} what */
  async attempt(what) {
    this.text = "";
    this.form.misnamed = false;
    try {
      await what();
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.refuse(error);
    }
    this.redraw();
  }

  /**
   * Show why the server said no.
   * @param {RefusedError | Refusal} of
   */
  refuse(of) {
    const { code, said, message } = of instanceof RefusedError ? of : new RefusedError(of);
    this.text = code === "ended" ? "" : this.say(`refused.${code}`, { text: this.say.told(said, message) });
    this.form.misnamed = code === "name";
    if (this.form.misnamed) this.focusOn("#name");
    this.redraw();
  }

  /** @param {string} text */
  show(text) {
    this.text = text;
    this.redraw();
  }

  /** Show what is wrong, in one of our sentences. @param {string} key */
  complain(key) {
    this.show(this.say(key));
  }

  /** Tell those who hear the page what happened. @param {string} text */
  announce(text) {
    if (text) this.said.textContent = text;
  }

  /** A notice goes by itself. */
  fade() {
    const now = performance.now();
    if (this.text !== this.#shown.text) this.#shown = { text: this.text, since: now };
    if (this.text && now - this.#shown.since >= NOTICE_MS) this.show("");
  }
}
