// The language that the page speaks, which the player may change at any time.

import { completed, languageOf, textsFor } from "../words.js";

export class Language {
  /** @type {Texts} */
  #texts;
  #whole = false;

  /** @param {Given<"memory" | "redraw">} given @param {Texts} texts */
  constructor({ memory, redraw }, texts) {
    this.memory = memory;
    this.redraw = redraw;
    this.#texts = texts;
    /** One function for as long as the page is open, whatever the language. @type {Say} */
    this.say = Object.assign((/** @type {string} */ key, /** @type {Values} */ values = {}) => this.#texts.say(key, values), {
      language: texts.say.language,
      knows: (/** @type {string} */ key) => this.#texts.say.knows(key),
      under: (/** @type {string} */ start) => this.#texts.say.under(start),
      told: (/** @type {Parameters<Say["told"]>} */ ...said) => this.#texts.say.told(...said),
      plain: (/** @type {string} */ english) => this.#texts.say.plain(english),
    });
    this.#speak(texts);
  }

  /** Every language that there is. */
  get all() {
    return this.#texts.languages;
  }

  /** @param {string} language */
  async choose(language) {
    this.memory.set("language", language);
    this.#speak(await textsFor(language, this.#whole));
    this.redraw();
  }

  /** Speak as the page's surroundings do, unless the player has chosen a language. @param {string} tag `de-AT` */
  async follow(tag) {
    if (this.memory.get("language")) return;
    this.#speak(await textsFor(languageOf(tag), this.#whole));
    this.redraw();
  }

  /** Ask for the texts of the other screens, too. */
  async complete() {
    const before = this.#texts;
    const texts = await completed(before);
    this.#whole = true;
    this.#speak(this.#texts === before ? texts : await completed(this.#texts));
  }

  /** @param {Texts} texts */
  #speak(texts) {
    this.#texts = texts;
    document.documentElement.lang = this.say.language = texts.say.language;
  }
}
