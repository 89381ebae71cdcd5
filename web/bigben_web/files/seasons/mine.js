// The seasons of the player's groups, those that they organise, and those in which they race. Asks the
// server, draws nothing.

export class Seasons {
  /** null before the server has told. @type {Protocol.SeasonInfo[]|null} */
  all = null;

  /** @param {Given<"redraw" | "session">} given */
  constructor({ redraw, session }) {
    this.redraw = redraw;
    this.session = session;
  }

  async load() {
    const { session } = this;
    this.all = session.me ? ((await session.tried({ type: "get-seasons" }))?.seasons ?? []) : null;
    this.redraw();
  }

  /** Those with a week that is open now. */
  get open() {
    const now = this.session.clock.now();
    return (this.all ?? []).filter(({ race = "", closes_at: closes = 0 }) => race && now < closes);
  }
}
