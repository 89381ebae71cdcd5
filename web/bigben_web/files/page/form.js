// What the player has typed on the page, and the question that waits for an answer.

import { codeIn } from "../address.js";
import { partOf } from "../draw.js";

export class Form {
  /** What is typed in the page's fields, by their names. @type {{[field: string]: string}} */
  typed = {};
  /** A link to carry the player elsewhere, once asked for. */
  link = "";
  /** Whether the name was refused. */
  misnamed = false;
  #sure = "";
  #asked = "";
  /** What the control says that led to the question. */
  #opener = "";

  /** Escape answers a question with no. @param {Given<"redraw">} given */
  constructor({ redraw }) {
    addEventListener("keydown", ({ key }) => {
      if (key !== "Escape" || !this.sure) return;
      this.sure = "";
      redraw();
    });
  }

  /** A question that must be answered before something that can't be taken back: its name. */
  get sure() {
    return this.#sure;
  }

  set sure(question) {
    if (question) this.#opener = document.activeElement?.textContent ?? "";
    this.#sure = question;
  }

  /** Props of a field that keeps what is typed in it. @param {string} name */
  field(name, usual = "") {
    const value = this.typed[name] ?? usual;
    return { name, value, oninput: (/** @type {Changed} */ { target }) => (this.typed[name] = target.value) };
  }

  /** The code that is typed, or pasted as a link. */
  get code() {
    return codeIn(this.typed.code ?? "");
  }

  /** The harmless answer to a new question has the focus; once it is answered, the board has it again, or what led to it. */
  drawn() {
    if (this.sure === this.#asked) return;
    this.#asked = this.sure;
    const next = partOf(document, this.sure ? "[role=alertdialog] .safe" : 'svg.board [tabindex="0"]');
    (next ?? [...document.querySelectorAll("button")].find(({ textContent }) => textContent === this.#opener))?.focus();
  }
}
