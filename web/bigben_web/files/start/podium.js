// The best three of today's race, which everybody may see. Asks the server, draws nothing.

export class Podium {
  /** @type {Standing[]} */
  rows = [];
  /** How many have a place by now. */
  played = 0;

  /** @param {Given<"choosing" | "redraw">} given */
  constructor(given) {
    this.given = given;
  }

  /** Ask; if it fails, there is none. */
  async load() {
    const wanted = new URLSearchParams({ period: "daily", ...this.given.choosing.both, count: "3" });
    const answer = await asked(`/api/leaderboard?${wanted}`);
    [this.rows, this.played] = [answer.rows ?? [], answer.total ?? 0];
    this.given.redraw();
  }
}

/** @param {string} address @returns {Promise<Partial<Protocol.Leaderboard>>} */
async function asked(address) {
  try {
    const response = await fetch(address, { cache: "no-cache" });
    return response.ok ? await response.json() : {};
  } catch {
    return {}; // the line below the page says that the server is away
  }
}
