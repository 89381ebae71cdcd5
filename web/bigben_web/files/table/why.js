// Why a card does not go: the server's reason, until the next thing the player does.

import { cardName, shortCard, withCards } from "../board/words.js";
import { RefusedError } from "../wire/session.js";

export class Why {
  /** What is shown. @type {{pile: string, title: string, text: string, cards: string[]} | null} */
  shown = null;
  #asked = 0;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Ask why the top card of this pile can't move, or not to `target`, and show the answer. @param {string} pile */
  async ask(pile, target = "") {
    const { page } = this;
    this.clear();
    const asked = this.#asked;
    const reason = await this.#told(page.playing.race.race, pile, target);
    if (asked !== this.#asked || !reason) return;
    const text = page.say.sentence(reason.text);
    const [card] = page.playing.view.piles[pile].up.slice(-1);
    /** @param {string} name */
    /** @param {(say: Say, card: string) => string} name */
    const title = (name) => (target || !card ? "" : page.say("why.title", { card: name(page.say, card) }));
    this.shown = { pile, title: title(shortCard), text, cards: reason.cards ?? [] };
    page.announce(`${title(cardName)} ${withCards(text, (one) => cardName(page.say, one))}`.trim());
    page.redraw();
  }

  /** Show nothing, also if an answer is on its way. */
  clear() {
    this.#asked += 1;
    this.shown = null;
  }

  /** @param {string} race @param {string} source @param {string} target */
  async #told(race, source, target) {
    try {
      return await this.page.session.ask({ type: "explain", race, source, target });
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return null; // the game has just ended, and the page says so
    }
  }
}
