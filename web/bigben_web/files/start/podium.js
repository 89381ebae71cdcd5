// The best three of today's race, which everybody may see. Asks the server, draws nothing.

export class Podium {
  /** @type {Standing[]} */
  rows = [];
  /** How many have a place by now. */
  played = 0;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Ask; if it fails, there is none. */
  async look() {
    const wanted = new URLSearchParams({ period: "daily", ...this.page.choosing.both, count: "3" });
    const answer = await asked(`/api/leaderboard?${wanted}`);
    [this.rows, this.played] = [answer.rows ?? [], answer.total ?? 0];
    this.page.redraw();
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
