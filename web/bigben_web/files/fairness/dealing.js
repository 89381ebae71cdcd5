// From a seed to the order of the cards, as docs/deals.md says. Asks the server nothing.

import { RANKS } from "../cards.js";
import { hexOf } from "./hex.js";
import { sha256 } from "./sha256.js";

const SORTED = [..."CDHS"].flatMap((suit) => RANKS.map((rank) => rank + suit));
const text = new TextEncoder();

/** The cards that a game shuffles. @param {Deal} deal */
export function packOf({ packs, laid }) {
  const out = laid.map(([, card]) => card);
  const first = SORTED.filter((card) => !out.includes(card));
  return [...first, ...Array(packs - 1).fill(SORTED).flat()];
}

/** What a server that uses this seed has to publish before the race. @param {Uint8Array} serverSeed */
export function commitmentOf(serverSeed) {
  return hexOf(sha256(Uint8Array.from([...text.encode("bigben-commit-v1"), ...serverSeed])));
}

/**
 * What binds this player of this race to a nonce, before it is sent.
 * @param {string} race @param {string} player @param {Uint8Array} nonce
 */
export function nonceHash(race, player, nonce) {
  const parts = [text.encode("bigben-nonce-v1"), text.encode(race), text.encode(player), nonce];
  const lengths = parts.map(({ length }) => eight(length));
  return hexOf(sha256(Uint8Array.from(parts.flatMap((part, i) => [...lengths[i], ...part]))));
}

/** The seed of the deal with this number; of deal 0 it is the seed itself. @param {Uint8Array} seed @param {number} deal */
export function counted(seed, deal) {
  if (!deal) return seed;
  return sha256(Uint8Array.from([...text.encode("bigben-deal-v1"), ...seed, ...eight(deal)]));
}

/** A number as 8 bytes, big-endian. @param {number} number */
function eight(number) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
}

/** The cards in the order that the seed gives them; the first is dealt first. @param {string[]} cards @param {Uint8Array} seed */
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

/** The 32 bytes of 64 hex digits; null for anything else. @param {unknown} hex */
export function bytesOf(hex) {
  if (typeof hex !== "string" || !/^[0-9a-f]{64}$/.test(hex)) return null;
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** The endless stream of unsigned 32-bit numbers of a seed. @param {Uint8Array} seed @returns {Generator<number, never>} */
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
