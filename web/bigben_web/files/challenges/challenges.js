// Challenges to other players, and theirs: sends and answers them, and knows which notices are closed.

/** The notices that were closed, as ids. */
const CLOSED = "challenges";
const MOST_CLOSED = 40;
/** The longest that a timer of a browser can be set to. */
const LONGEST_MS = 2 ** 31 - 1;

/** @typedef {Protocol.ChallengeInfo} Challenge */

export class Challenges {
  /** How the player compares with others who were asked about. @type {Map<string, Protocol.HeadToHead | null>} */
  #records = new Map();
  /** @type {Protocol.Challenges | null} */
  #seen = null;
  #expiry = 0;

  /** @param {Given<"go" | "memory" | "redraw" | "session">} given */
  constructor(given) {
    this.given = given;
  }

  /** What is to be said now, at most two: challenges that wait, and what became of one's own. @returns {Challenge[]} */
  get news() {
    const { received = [], sent = [] } = this.given.session.challenges;
    const closed = this.#closed;
    const all = [...received.filter(({ state }) => !state || state === "waiting"), ...sent.filter(({ state }) => state && state !== "waiting")];
    return all.filter(({ id, race = "" }) => !closed.includes(id) && !this.given.session.followed.has(race)).slice(0, 2);
  }

  /** Whether the player is the one who must answer. @param {Challenge} one */
  isReceived(one) {
    return this.given.session.challenges.received?.includes(one) ?? false;
  }

  /** The challenge between the player and another that waits for an answer. @param {string} player */
  between(player) {
    const { received = [], sent = [] } = this.given.session.challenges;
    return [...received, ...sent].find((one) => one.player === player && (one.state ?? "waiting") === "waiting");
  }

  /** How the player compares with somebody; null while that is not known. @param {string} player */
  record(player) {
    if (!this.#records.has(player)) {
      this.#records.set(player, null);
      this.given.session.tried({ type: "get-profile", against: player }).then((profile) => {
        this.#records.set(player, profile?.against ?? null);
        this.given.redraw();
      });
    }
    return this.#records.get(player);
  }

  /** @param {string} player @param {Both} both */
  async send(player, both) {
    await this.given.session.ask({ type: "challenge", player, ...both });
  }

  /** Accept and go to the room, or decline. @param {Challenge} one @param {boolean} accept */
  async answer({ id }, accept) {
    const { received = [] } = await this.given.session.ask({ type: "answer-challenge", challenge: id, accept });
    const race = received.find((one) => one.id === id)?.race;
    if (accept && race) this.enter({ id, race });
  }

  /** Go to the room of an accepted one. @param {{id: string, race?: string}} of */
  enter({ id, race = "" }) {
    this.close(id);
    this.given.go({ screen: "race", race, watch: false });
  }

  /** Say it no more in this browser. @param {string} id */
  close(id) {
    this.given.memory.set(CLOSED, [...this.#closed, id].slice(-MOST_CLOSED).join(" "));
    this.given.redraw();
  }

  /** Ask again when the next one expires; the records may be others then. */
  drawn() {
    const { challenges, clock } = this.given.session;
    if (challenges === this.#seen) return;
    this.#seen = challenges;
    this.#records.clear();
    clearTimeout(this.#expiry);
    const waiting = [...(challenges.received ?? []), ...(challenges.sent ?? [])].filter(({ state = "waiting" }) => state === "waiting");
    if (!waiting.length) return;
    const first = Math.min(...waiting.map(({ until }) => until));
    this.#expiry = setTimeout(() => this.given.session.tried({ type: "get-challenges" }), Math.min(Math.max(first - clock.now(), 0) + 1000, LONGEST_MS));
  }

  get #closed() {
    return (this.given.memory.get(CLOSED) ?? "").split(" ");
  }
}
