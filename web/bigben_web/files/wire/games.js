// The games of the server, as it describes them: their rules by name, their layout, their moves.

/**
 * @typedef {object} Slot where a pile lies
 * @property {string} pile its name in moves and snapshots
 * @property {"foundation"|"tableau"|"reserve"|"stock"|"waste"|"hand"} kind
 * @property {"outer"|"inner"|"centre"|"column"|"row"} place a ring of the dial, its centre, …
 * @property {number} at the hour on a ring, else the number from the left, from 1
 * @property {number} row of a row: its number from the top, from 1
 * @property {""|"out"|"down"|"right"} fans where the next card lies
 * @property {string} label what is written beside it
 * @property {string} goal the card or the rank that completes a foundation
 * @property {number} size to how many cards it is refilled, 0 if it is not
 *
 * @typedef {object} Deal where the cards lie before the first move
 * @property {number} packs
 * @property {[pile: string, card: string][]} laid cards that lie there from the start
 * @property {string[]} dealt the pile of each shuffled card
 * @property {string[]} down the piles whose cards are dealt face down
 *
 * @typedef {object} Game
 * @property {string} name
 * @property {number} total cards home when the game is won
 * @property {boolean} decides whether players decide anything
 * @property {{field: string, values: string[], default: string}[]} choices
 * @property {string[]} presets
 * @property {Slot[]} slots in the order of snapshots
 * @property {{example: string, says: string, tap: string}[]} moves
 * @property {Deal} [deal]
 */

const USUAL = "bigben";
const AGAIN_MS = 1000;

export class Games {
  /** @param {object[]} told the games in a message or in /api/games, without what is usual */
  constructor(told) {
    /** @type {Game[]} */
    this.all = told.map(whole);
  }

  /** As the server plays them now. */
  static async fetched() {
    return new Games(await asked());
  }

  /** Ask again: a newer server may have more games than when the page was loaded. */
  async refresh() {
    this.all = (await asked()).map(whole);
  }

  /** The game of a room's rules. @returns {Game|undefined} undefined if it came after the page */
  of({ game = USUAL } = {}) {
    return this.all.find(({ name }) => name === game);
  }
}

async function asked() {
  for (;;) {
    const answer = await fetch("/api/games");
    if (answer.ok) return (await answer.json()).games;
    // Too many ask from this address; without the games nothing can be shown.
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

function whole(game) {
  const slots = game.slots.map((slot) => ({ row: 1, fans: "", label: "", goal: "", size: 0, ...slot }));
  const moves = game.moves.map((move) => ({ tap: "", ...move }));
  return { ...game, slots, moves };
}
