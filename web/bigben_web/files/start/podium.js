// The best three of today's race, which everybody may see, and of the player's first group. Asks the server, draws nothing.

export class Podium {
  /** @type {Standing[]} */
  rows = [];
  /** How many have a place by now. */
  played = 0;
  /** The own place among them, 0 without one. A race's standings count those who still play, too. */
  place = 0;
  /** The best three of the player's friends, and the own place among them. @type {{group: Protocol.Group, rows: Standing[], place: number} | null} */
  friends = null;

  /** The group whose friends they are, if the player is in it. */
  wanted = "";

  /** @param {Given<"choosing" | "groups" | "memory" | "redraw" | "session" | "today">} given */
  constructor(given) {
    this.given = given;
    const [race, rows, played, place = 0] = given.memory.list("podium");
    if (race === this.#race) [this.rows, this.played, this.place] = [rows, played, place];
  }

  get #race() {
    const { game, rules } = this.given.choosing.both;
    return `daily.${this.given.today.day}.${game}.${rules}`;
  }

  /** Ask; if it fails, there is none. Until then it is what this browser saw last. */
  async load() {
    const wanted = new URLSearchParams({ period: "daily", ...this.given.choosing.both, count: "3" });
    const [answer, own] = await Promise.all([asked(`/api/leaderboard?${wanted}`), this.#board()]);
    [this.rows, this.played, this.place] = [answer.rows ?? [], answer.total ?? 0, own?.place ?? 0];
    this.given.memory.set("podium", JSON.stringify([this.#race, this.rows, this.played, this.place]));
    this.given.redraw();
    this.friends = await this.#friends();
    this.given.redraw();
  }

  /** Today's best and one's own place, in a group or of all. @param {string} [group] */
  async #board(group) {
    const { choosing, session } = this.given;
    if (!session.me) return null;
    const board = await session.tried({ type: "get-leaderboard", period: "daily", ...choosing.both, count: 3, group });
    const { rows = [], mine } = board ?? {};
    const own = mine ?? rows.find(({ player }) => player === session.me?.player);
    return { rows, place: own?.place ?? 0 };
  }

  /** Null without a group, or if none of its members has played yet. */
  async #friends() {
    const { groups, session } = this.given;
    if (!session.me) return null;
    await groups.load();
    const group = groups.all?.find(({ group }) => group === this.wanted) ?? groups.all?.[0];
    if (!group) return null;
    const board = await this.#board(group.group);
    return board?.rows.length ? { group, ...board } : null;
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
