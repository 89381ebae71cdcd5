// What the server knows of players' results: streaks, records, weeks, head to head. Draws nothing.


/** How often the page asks again for a result that is on its way to the boards. */
const TRIES = 6;
const AGAIN_MS = 500;

export class Profiles {
  /** The player's own. @type {Protocol.Profile|null} */
  mine = null;
  /** The one that is on the screen. @type {Protocol.Profile|null} */
  shown = null;
  /** How the player compares with the one on the screen. @type {Protocol.HeadToHead|null} */
  against = null;
  /** The last change of each rating, and by how much the fastest win became faster, by game and rules. @type {Map<string, number>} */
  #changes = new Map();
  /** @type {Map<string, number>} */
  #gained = new Map();

  /** @param {Given<"complain" | "redraw" | "refuse" | "session">} given */
  constructor(given) {
    this.given = given;
  }

  /** The results in a game and rules, or null. @param {Protocol.Profile | null} profile @param {Both} both */
  tally(profile, { game, rules }) {
    return profile?.tallies?.find((one) => one.game === game && one.rules === rules) ?? null;
  }

  /** The streak of days played as far as is known. @param {Both} both */
  streak(both) {
    const own = this.mine?.player === this.given.session.me?.player;
    return (own && this.tally(this.mine, both)?.days_played?.now) || 0;
  }

  /** How much the last race changed the rating; 0 if the page has not seen it change. @param {Both} both */
  change({ game, rules }) {
    return this.#changes.get(`${game}.${rules}`) ?? 0;
  }

  /** By how many ms the last race made the fastest win faster; 0 if the page has not seen that. @param {Both} both */
  gained({ game, rules }) {
    return this.#gained.get(`${game}.${rules}`) ?? 0;
  }

  /** Ask for the player's own. */
  async load() {
    const { me } = this.given.session;
    const was = this.mine;
    if (me) this.mine = (await this.given.session.tried({ type: "get-profile" })) ?? this.mine;
    for (const now of (was?.player === this.mine?.player && this.mine?.tallies) || []) {
      const { rated = 0, rating = 0, best_ms: best = 0 } = this.tally(was, now) ?? {};
      if (best > (now.best_ms ?? 0)) this.#gained.set(`${now.game}.${now.rules}`, best - (now.best_ms ?? 0));
      if (rated && (now.rated ?? 0) > rated) this.#changes.set(`${now.game}.${now.rules}`, (now.rating ?? 0) - rating);
    }
    this.given.redraw();
  }

  /** Ask until a race that has just closed counts for the rating. @param {Both} both */
  async loadRated(both) {
    const rated = () => this.tally(this.mine, both)?.rated ?? 0;
    const before = rated();
    for (let tries = 0; tries < TRIES && rated() === before; tries++) {
      if (tries) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      await this.load();
    }
  }

  /** Ask for a player's profile, and how the own results compare with theirs. @param {{ player: string }} of */
  async show({ player }) {
    const { me } = this.given.session;
    [this.shown, this.against] = [null, null];
    const wanted = player || me?.player;
    if (!wanted) return;
    const other = me && wanted !== me.player;
    const [shown, compared] = await Promise.all([
      me ? this.given.session.ask({ type: "get-profile", player: wanted, form: true }) : this.#seen(wanted),
      other ? this.given.session.tried({ type: "get-profile", against: wanted }) : null,
    ]);
    [this.shown, this.against] = [shown, compared?.against ?? null];
    if (shown && shown.player === me?.player) this.mine = shown;
    this.given.redraw();
  }

  /**
   * Ask for it once a result of this day counts: results come to the boards after the end.
   * @param {Both} both @param {string} date
   */
  async loadAfter({ game, rules }, date) {
    for (let tries = 0; tries < TRIES; tries++) {
      const board = await this.given.session.tried({ type: "get-leaderboard", period: "daily", game, rules, date, count: 1 });
      if (board?.mine) break;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
    await this.load();
  }

  /** What anybody may see without a name. @param {string} player @returns {Promise<Protocol.Profile|null>} */
  async #seen(player) {
    try {
      const answer = await fetch(`/api/players/${encodeURIComponent(player)}?form=true`);
      if (answer.ok) return await answer.json();
      this.given.refuse(await answer.json());
    } catch {
      this.given.complain("wrong.boards");
    }
    return null;
  }
}
