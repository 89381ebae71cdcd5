// The game and the rules that the player has chosen on the start page; kept for the next time.

export class Choosing {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** @returns {Game} */
  get game() {
    const { games, memory } = this.page;
    return games.all.find(({ name }) => name === memory.get("game")) ?? games.all[0];
  }

  get rules() {
    const kept = this.page.memory.get("rules");
    return this.game.presets.includes(kept) ? kept : this.game.presets[0];
  }

  /** As fields of Create and of a leaderboard. */
  get both() {
    return { game: this.game.name, rules: this.rules };
  }

  /** @param {{ game?: string, rules?: string }} of */
  choose({ game = this.game.name, rules = "" }) {
    this.page.memory.set("game", game);
    this.page.memory.set("rules", rules);
    this.page.redraw();
    this.page.try(() => this.page.lookRound());
  }
}

/** The daily of a game and rules, for Join. @param {{games: Games}} page @param {{game: string, rules?: string}} of */
export function dailyOf({ games }, { game, rules = "standard" }) {
  if (games.of({ game }) !== games.usual) return `daily.${game}.${rules}`;
  return rules === "standard" ? "daily" : `daily.${rules}`;
}

/** The game and the rules that a place names, both in full. @param {Games} games @param {{ game?: string, rules?: string }} of */
export function choiceOf(games, { game, rules = "standard" }) {
  return { game: (games.of({ game }) ?? games.usual).name, rules };
}
