// The cards of one game on the table, face-down cards included, from the deal on; the twin of
// bigben_client/evidence/table.py.

const STOCK = "s";

export class Table {
  /** Face-up cards of each pile, and face-down ones; the top, or what is turned next, last. */
  /** @type {Map<string, string[]>} */
  #up = new Map();
  /** @type {Map<string, string[]>} */
  #down = new Map();

  /** @param {Deal} deal @param {string[]} order as many as it deals */
  constructor({ laid, dealt, down }, order) {
    for (const [pile, card] of laid) cardsOf(this.#up, pile).push(card);
    dealt.forEach((pile, at) => {
      cardsOf(down.includes(pile) ? this.#down : this.#up, pile).push(order[at]);
    });
    cardsOf(this.#down, STOCK).reverse();
  }

  /** Carry the steps of one move out; the first that is impossible, if any. @param {Step[]} steps */
  carryOut(steps) {
    /** The pile on which the step before laid a card face down. @type {string | null} */
    let laid = null;
    return steps.find((step) => {
      const [source, target, card, how = ""] = step;
      if (!this.#take(step, laid === source)) return true;
      laid = how === "down" ? target : null;
      if (how === "under") cardsOf(this.#up, target).unshift(card);
      else cardsOf(how === "down" ? this.#down : this.#up, target).push(card);
      return false;
    });
  }

  /** Whether these piles are what the player sees of this table. @param {Piles} piles */
  shows(piles) {
    const own = [this.#up, this.#down].flatMap((side) => [...side].filter(([, cards]) => cards.length));
    return (
      own.every(([name]) => name in piles) &&
      Object.entries(piles).every(([name, { up, down }]) => {
        return same(up, cardsOf(this.#up, name)) && down === cardsOf(this.#down, name).length;
      })
    );
  }

  /**
   * Take the step's card off its pile; false if it is not the one that can be taken.
   * @param {Step} of @param {boolean} exchanged
   */
  #take([source, , card, how = ""], exchanged) {
    const [up, down] = [cardsOf(this.#up, source), cardsOf(this.#down, source)];
    if (up.length && how !== "turned") return up.pop() === card;
    const at = down.indexOf(card);
    if (exchanged && at >= 0 && at < down.length - 1) {
      // The card that was just laid on the pile takes the place of this one.
      down[at] = /** @type {string} */ (down.pop());
      return true;
    }
    return down.pop() === card;
  }
}

/** Whether two lists of cards are the same. @param {string[]} some @param {string[]} others */
export function same(some, others) {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}

/** @param {Map<string, string[]>} piles @param {string} name */
function cardsOf(piles, name) {
  const cards = piles.get(name) ?? [];
  piles.set(name, cards);
  return cards;
}
