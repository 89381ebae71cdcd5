// Why a card does not go: the server's reason, until the next thing the player does.

import { cardName, shortCard, withCards } from "../board/words.js";

export class Why {
  /** What is shown. @type {{pile: string, title: string, text: string, cards: string[]} | null} */
  shown = null;
  #asked = 0;

  /** @param {Given<"announce" | "playing" | "redraw" | "say" | "session">} given */
  constructor(given) {
    this.given = given;
  }

  /** Ask why the top card of this pile can't move, or not to `target`, and show the answer. @param {string} pile */
  async ask(pile, target = "") {
    const { given } = this;
    this.clear();
    const asked = this.#asked;
    // Refused if the game has just ended, and the page says so.
    const reason = await given.session.tried({ type: "explain", race: given.playing.race.race, source: pile, target });
    if (asked !== this.#asked || !reason) return;
    const text = given.say.told(reason.said, reason.text);
    const [card] = given.playing.view.piles[pile].up.slice(-1);
    /** @param {(say: Say, card: string) => string} name */
    const title = (name) => (target || !card ? "" : given.say("why.title", { card: name(given.say, card) }));
    this.shown = { pile, title: title(shortCard), text, cards: reason.cards ?? [] };
    given.announce(`${title(cardName)} ${withCards(text, (one) => cardName(given.say, one))}`.trim());
    given.redraw();
  }

  /** Show nothing, also if an answer is on its way. */
  clear() {
    this.#asked += 1;
    this.shown = null;
  }
}
