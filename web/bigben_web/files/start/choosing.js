// The game and the rules that the player has chosen on the start page; kept for the next time.

export class Choosing {
  /** @param {Given<"attempt" | "games" | "memory" | "redraw">} given @param {() => unknown} chosen asks for what the choice is about */
  constructor(given, chosen) {
    this.given = given;
    this.chosen = chosen;
  }

  /** @returns {Game} */
  get game() {
    const { games, memory } = this.given;
    return games.all.find(({ name }) => name === memory.get("game")) ?? games.all[0];
  }

  get rules() {
    const kept = this.given.memory.get("rules");
    return this.game.presets.includes(kept) ? kept : this.game.presets[0];
  }

  /** As fields of Create and of a leaderboard. */
  get both() {
    return { game: this.game.name, rules: this.rules };
  }

  /** @param {{ game?: string, rules?: string }} of */
  choose({ game = this.game.name, rules = "" }) {
    this.given.memory.set("game", game);
    this.given.memory.set("rules", rules);
    this.given.redraw();
    this.given.attempt(this.chosen);
  }
}

/** The daily of a game and rules, for Join. @param {Games} games @param {{game: string, rules?: string}} of */
export function dailyOf(games, { game, rules = "standard" }) {
  if (games.of({ game }) !== games.usual) return `daily.${game}.${rules}`;
  return rules === "standard" ? "daily" : `daily.${rules}`;
}

/** The game and the rules that a place names, both in full. @param {Games} games @param {{ game?: string, rules?: string }} of */
export function choiceOf(games, { game, rules = "standard" }) {
  return { game: (games.of({ game }) ?? games.usual).name, rules };
}
