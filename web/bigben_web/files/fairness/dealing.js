// From a seed to the first piles, as docs/deals.md says. Asks the server nothing.

import { sha256 } from "./sha256.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SORTED = [..."CDHS"].flatMap((suit) => RANKS.map((rank) => rank + suit));
/** The first cards of Big Ben's foundations, from one o'clock. */
const STARTS = ["6C", "7H", "8S", "9D", "10C", "JH", "QS", "KD", "2C", "3H", "4S", "5D"];
const CLOCKWISE = ["12", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"];
const LAPS = 3;
const text = new TextEncoder();

/** The 92 cards that are shuffled: two packs, the first one without the foundations' cards. */
export const PACK = [...SORTED.filter((card) => !STARTS.includes(card)), ...SORTED];

/** What a server that uses this seed has to publish before the race. @param {Uint8Array} serverSeed */
export function commitmentOf(serverSeed) {
  return hexOf(sha256(Uint8Array.from([...text.encode("bigben-commit-v1"), ...serverSeed])));
}

/** The cards in the order that the seed gives them; the first is dealt first. */
export function shuffled(cards, seed) {
  const order = [...cards];
  const stream = numbers(seed);
  for (let i = order.length - 1; i > 0; i--) {
    const wholeRuns = 2 ** 32 - (2 ** 32 % (i + 1));
    let number;
    do number = stream.next().value;
    while (number >= wholeRuns);
    const j = number % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** The first piles of Big Ben, from the bottom; the next card of the stock `s` is the last one. */
export function firstPiles(order) {
  const piles = { w: [], s: order.slice(CLOCKWISE.length * LAPS).reverse() };
  STARTS.forEach((card, at) => (piles[`f${at + 1}`] = [card]));
  CLOCKWISE.forEach((fan, at) => (piles[fan] = [0, 1, 2].map((lap) => order[12 * lap + at])));
  return piles;
}

/** The 32 bytes of 64 hex digits; null for anything else. */
export function bytesOf(hex) {
  if (typeof hex !== "string" || !/^[0-9a-f]{64}$/.test(hex)) return null;
  return Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
}

export function hexOf(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The endless stream of unsigned 32-bit numbers of a seed. */
function* numbers(seed) {
  for (let i = 0; ; i++) {
    const block = new Uint8Array(17 + seed.length + 8);
    block.set(text.encode("bigben-shuffle-v1"));
    block.set(seed, 17);
    new DataView(block.buffer).setBigUint64(17 + seed.length, BigInt(i));
    const digest = new DataView(sha256(block).buffer);
    for (let at = 0; at < 32; at += 4) yield digest.getUint32(at);
  }
}
