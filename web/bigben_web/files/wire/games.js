// The games of the server, as it describes them: their rules by name, their layout, their moves.

const USUAL = "bigben";
const AGAIN_MS = 1000;

export class Games {
  /** @param {Protocol.GameInfo[]} told the games in a message or in /api/games, without what is usual */
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

  /** The game of a room's rules; undefined if it came after the page. @param {{game?: string}} rules */
  of({ game = USUAL }) {
    return this.all.find(({ name }) => name === game);
  }

  /** The game that is meant where none is named. */
  get usual() {
    return /** @type {Game} */ (this.of({}));
  }
}

/** @returns {Promise<Protocol.GameInfo[]>} */
async function asked() {
  for (;;) {
    const answer = await fetch("/api/games");
    if (answer.ok) return (await answer.json()).games;
    // Too many ask from this address; without the games nothing can be shown.
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** @param {Protocol.GameInfo} game @returns {Game} */
function whole(game) {
  const slots = game.slots.map((slot) => ({ row: 1, fans: /** @type {const} */ (""), label: "", goal: "", size: 0, ...slot }));
  const moves = game.moves.map((move) => ({ tap: "", ...move }));
  return { ...game, slots, moves };
}
