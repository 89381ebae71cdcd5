// Leaderboards, asked for over HTTP: which page is shown, and its rows. Draws nothing.


const COUNT = 10;

/** @typedef {Partial<Standing> & Partial<Protocol.Ranked> & {player: string, name: string}} Row of a board */

export class BoardTable {
  /** The server's answer, null before. @type {Protocol.Leaderboard|null} */
  answer = null;
  start = 0;
  /** Whether guests have boards of their own here; null before it is known. @type {boolean|null} */
  apart = null;

  /** @param {Given<"complain" | "redraw" | "refuse" | "route" | "session">} given */
  constructor(given) {
    this.given = given;
  }

  /** The board that the address names, from the start or around one's own row. @param {{ start?: number, around?: boolean }} of */
  async show({ start = 0, around = false } = {}) {
    const { period, game, rules, date, group } = this.given.route.place;
    const wanted = new URLSearchParams({ period: period ?? "", rules: rules ?? "", start: `${start}`, count: `${COUNT}`, form: "true" });
    const me = this.given.session.me?.player;
    if (game) wanted.set("game", game);
    if (date) wanted.set("date", date);
    if (group) wanted.set("group", group);
    if (me) this.#loadGuests();
    if (me) wanted.set("player", me);
    if (around) wanted.set("around", "true");
    this.answer = null;
    try {
      const response = await fetch(`/api/leaderboard?${wanted}`, { cache: "no-cache" });
      const answer = await response.json();
      if (response.ok) this.answer = answer;
      else this.given.refuse(answer);
    } catch {
      this.given.complain("wrong.boards");
    }
    this.given.redraw();
  }

  /** Asks once. The server refuses the board of guests unless guests are ranked apart. */
  async #loadGuests() {
    if (this.apart !== null) return;
    this.apart = Boolean(await this.given.session.tried({ type: "get-leaderboard", group: "guests", count: 1 }));
    this.given.redraw();
  }

  /** The rows, alike for a day and for longer. @returns {Row[]} */
  get rows() {
    const { rows = [], ranked = [] } = this.answer ?? {};
    return [...rows, ...ranked];
  }

  /** One's own row, wherever it is. @returns {Row | undefined} */
  get own() {
    const me = this.given.session.me?.player;
    return this.answer?.mine ?? this.answer?.my_rank ?? this.rows.find(({ player }) => player === me);
  }

  /** How a player has done lately; a server that does not tell it sends none. @param {string} player */
  form(player) {
    return this.answer?.form?.find((one) => one.player === player);
  }

  /** One's own row, if it is not among those shown. */
  get mine() {
    const { own } = this;
    return own && !this.rows.some(({ player }) => player === own.player) ? own : null;
  }

  /** Whether it is of one day, so that its rows are results. */
  get daily() {
    return this.answer?.board.startsWith("daily.") ?? false;
  }

  get first() {
    return this.answer?.start ?? 0;
  }

  get total() {
    return this.answer?.total ?? 0;
  }

  earlier() {
    return this.show({ start: Math.max(0, this.first - COUNT) });
  }

  later() {
    return this.show({ start: this.first + COUNT });
  }
}
