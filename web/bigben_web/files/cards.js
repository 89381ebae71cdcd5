// The names of cards: `10H` is the ten of hearts.

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

/** @param {string} card `10H` @returns {[rank: string, suit: string]} */
export function rankAndSuit(card) {
  return [card.slice(0, -1), card.slice(-1)];
}
