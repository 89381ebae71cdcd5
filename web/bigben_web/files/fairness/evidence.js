// What this browser keeps of its players' races; the twin of bigben_client/kept.py. The end of a race
// is checked against this evidence. What was seen first stays.

/** The most races kept; beyond this the oldest is dropped. */
const MOST_RACES = 32;
/** The most that is kept of a race, in letters; no honest race comes near. */
const LONGEST = 200_000;

/**
 * @typedef {object} Kept
 * @property {string} race @property {string} player @property {Room["kind"]} kind @property {Protocol.Rules} rules
 * @property {string} commitment as it was first seen
 * @property {boolean} inTime it was seen before the player was ready and before their clock started
 * @property {string|null} nonce as this browser sent it with Ready; null if it sent none
 * @property {string} [nonceHash] what this browser sends with Ready in the place of the nonce, which it sends later
 * @property {[player: string, hash: string][]} [seats] in seat order, as the countdown first showed them
 * @property {boolean} [acknowledged] the server has said that it stores the nonce, after the hashes were fixed
 * @property {number} [countdowns] earlier countdowns of this race that never dealt
 * @property {number} startsAt of a live race, as first announced
 * @property {number} begunAt when the player's clock started, as their first Snapshot said
 * @property {number} shownN the number of the move after which that Snapshot was
 * @property {Piles|null} shown its piles
 * @property {[n: number, move: string, ms: number, steps: Step[]][]} moves
 *   in order; moves are missing if the player was away or played on another device
 * @property {Deal} [deal] where the cards of the game are dealt, as the
 *   server first said it
 * @property {number} [counter] of this daily, higher each time it is dealt again
 * @property {string} [grade] of this daily, as it was announced; missing if it was not kept
 */

export class Evidence {
  /** @param {Memory} memory */
  constructor(memory) {
    this.memory = memory;
  }

  /** @param {string} player @param {string} race @returns {Kept|null} what is kept of the player's race */
  of(player, race) {
    const kept = this.#read(nameOf(player, race), null);
    // Anything that is not evidence of this version counts as none.
    return kept?.player === player && kept.race === race && Array.isArray(kept.moves) ? kept : null;
  }

  /**
   * How many countdowns of other races never dealt after all hashes were fixed: a server that learns the deal
   * may give a countdown up that it does not like.
   * @param {string} player @param {string} but
   */
  undealt(player, but) {
    /** @type {string[]} */
    const all = this.#read("races", []);
    const names = all.filter((name) => name.startsWith(nameOf(player, "")) && name !== nameOf(player, but));
    /** @type {Partial<Kept>[]} */
    const races = names.map((name) => this.#read(name, {}));
    return races.reduce((sum, { countdowns = 0, seats, startsAt }) => sum + countdowns + (seats?.length && !startsAt ? 1 : 0), 0);
  }

  /** Keep nothing more of this player. @param {string} player */
  forget(player) {
    /** @type {string[]} */
    const names = this.#read("races", []);
    const [theirs, others] = [true, false].map((own) => names.filter((name) => name.startsWith(nameOf(player, "")) === own));
    for (const name of theirs) this.memory.set(name, "");
    this.memory.set("races", JSON.stringify(others));
  }

  /**
   * Keep what one more message adds, after reading again what other tabs have kept.
   * @param {string} player @param {string} race @param {(kept: Kept|null) => Kept|null} add
   * @returns {Kept|null} all that is kept now
   */
  add(player, race, add) {
    const was = this.of(player, race);
    const kept = add(was);
    if (kept && kept !== was) this.#write(nameOf(player, race), kept);
    return kept;
  }

  /** @param {string} name @param {any} usual */
  #read(name, usual) {
    try {
      return JSON.parse(this.memory.get(name)) ?? usual;
    } catch {
      return usual; // nothing there, or not written by this page
    }
  }

  /** @param {string} name @param {unknown} kept */
  #write(name, kept) {
    const text = JSON.stringify(kept);
    if (text.length > LONGEST) return;
    /** @type {string[]} */
    const all = this.#read("races", []);
    const names = all.filter((one) => one !== name);
    names.push(name);
    while (names.length > MOST_RACES) this.memory.set(names.shift() ?? "", "");
    this.memory.set("races", JSON.stringify(names));
    this.memory.set(name, text);
  }
}

/** @param {string} player @param {string} race */
function nameOf(player, race) {
  return `race ${player} ${race}`;
}
