// What the player has typed on the page, and the question that waits for an answer.

import { codeIn } from "../address.js";
import { partOf } from "../draw.js";

export class Form {
  /** What is typed in the page's fields, by their names. @type {{[field: string]: string}} */
  typed = {};
  /** A question that must be answered before something that can't be taken back: its name. */
  sure = "";
  /** A link to carry the player elsewhere, once asked for. */
  link = "";
  /** Whether the name was refused. */
  misnamed = false;
  #asked = "";

  /** Props of a field that keeps what is typed in it. @param {string} name */
  field(name, usual = "") {
    const value = this.typed[name] ?? usual;
    return { name, value, oninput: (/** @type {Changed} */ { target }) => (this.typed[name] = target.value) };
  }

  /** The code that is typed, or pasted as a link. */
  get code() {
    return codeIn(this.typed.code ?? "");
  }

  /** The harmless answer to a new question has the focus; once it is answered, the board has it again. */
  drawn() {
    if (this.sure === this.#asked) return;
    this.#asked = this.sure;
    partOf(document, this.sure ? "[role=alertdialog] .safe" : 'svg.board [tabindex="0"]')?.focus();
  }
}
