// What this browser keeps of its players' races; the twin of bigben_client/kept.py. The end of a race
// is checked against this evidence. What was seen first stays.

import { bytesOf, nonceHash } from "./dealing.js";

/** The most races kept; beyond this the oldest is dropped. */
const MOST_RACES = 32;
/** The most that is kept of a race; no honest race comes near. */
const MOST_MOVES = 2_000;
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

/**
 * @param {Kept|null} kept @param {Room} room @param {string} player
 * @returns {Kept|null} null while the player has no seat in it
 */
export function withRoom(kept, room, player) {
  const own = room.seats.find((seat) => seat.player === player);
  if (kept?.kind === "daily" && (room.counter ?? 0) > (kept.counter ?? 0)) kept = null; // other cards, and the page says so
  const begun = kept ?? (own && first(room, own));
  if (!begun) return null;
  let now = begun;
  if (now.seats?.length && room.phase === "open") {
    // The countdown never dealt. The server may know this nonce, so it is used no more.
    now = { ...now, nonce: null, nonceHash: "", seats: [], acknowledged: false, countdowns: (now.countdowns ?? 0) + 1 };
  }
  const fixed = promises(room);
  if (!now.seats?.length && fixed.length && !["open", "cancelled"].includes(room.phase)) now = { ...now, seats: fixed };
  // No longer ready: another nonce may be sent next, from here or from another device.
  if (own?.state === "joined" && now.nonce !== null && !now.nonceHash) now = { ...now, nonce: null };
  if (room.starts_at && !now.startsAt) now = { ...now, startsAt: room.starts_at };
  return now;
}

/** The players of a live race and the hashes of their nonces, in seat order; empty if there are none. @param {Pick<Room, "seats" | "nonce_hashes">} room @returns {[player: string, hash: string][]} */
export function promises({ seats, nonce_hashes: hashes = [] }) {
  return seats.slice(0, hashes.length).map(({ player }, i) => [player, hashes[i]]);
}

/** @param {Room} room @param {Standing} seat @returns {Kept} */
function first({ race, kind, rules, commitment, phase, counter = 0, grade = "" }, { player, state }) {
  const waiting = phase === (kind === "live" ? "open" : "running");
  return {
    ...{ race, player, kind, rules, commitment, inTime: waiting && state === "joined" },
    ...(kind === "daily" ? { counter, grade } : {}),
    ...{ nonce: null, startsAt: 0, begunAt: 0, shownN: 0, shown: null, moves: [] },
  };
}

/** The server has said where the cards of this game are dealt. @param {Kept | null} kept @param {Deal | null | undefined} deal */
export function withDeal(kept, deal) {
  return kept && deal && !kept.deal ? { ...kept, deal } : kept;
}

/** The server has taken this nonce with Ready. @param {Kept | null} kept @param {string} nonce */
export function withNonce(kept, nonce) {
  return kept && { ...kept, nonce, nonceHash: "" };
}

/**
 * The hash of this nonce is about to be sent with Ready; one that was promised before stays.
 * @param {Kept | null} kept @param {string} nonce
 */
export function withPromise(kept, nonce) {
  if (!kept || kept.nonceHash) return kept;
  return { ...kept, nonce, nonceHash: nonceHash(kept.race, kept.player, bytesOf(nonce) ?? new Uint8Array()), acknowledged: false };
}

/** The server has stored the nonce. @param {Kept | null} kept */
export function withAcknowledgement(kept) {
  return kept && { ...kept, acknowledged: true };
}

/** The first Snapshot is kept, and no later one. @param {Kept | null} kept @param {Protocol.Snapshot} of @param {Piles} piles */
export function withSnapshot(kept, { n, begun_at: begunAt = 0 }, piles) {
  if (!kept || kept.shown) return kept;
  return { ...kept, begunAt, shownN: n, shown: piles };
}

/** @param {Kept | null} kept @param {Protocol.Diff} of @returns {Kept | null} */
export function withDiff(kept, { n, move, ms, steps }) {
  if (!kept || n <= (kept.moves.at(-1)?.[0] ?? 0) || kept.moves.length >= MOST_MOVES) return kept;
  return { ...kept, moves: [...kept.moves, [n, move, ms, steps]] };
}
