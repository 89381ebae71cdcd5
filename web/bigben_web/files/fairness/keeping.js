// What of a race is evidence: what each message adds to what is kept. Keeps nothing itself.

import { bytesOf, nonceHash } from "./dealing.js";

/** No honest race has so many. */
const MOST_MOVES = 2_000;

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
