// Whether the end of a race agrees with what this browser kept of it; the twin of
// bigben_client/fairness.py. Pure. It does not judge whether moves were legal; `bigben verify` does.

import { bytesOf, commitmentOf, counted, nonceHash, packOf, shuffled } from "./dealing.js";
import { hexOf } from "./hex.js";
import { promises } from "./keeping.js";
import { sha256 } from "./sha256.js";
import { Table, same } from "./table.js";

/** How the ids of house players begin, and those of players who were deleted. */
const [HOUSE, DELETED] = ["bot:", "deleted:"];

/**
 * @typedef {{holds: boolean|null, key: string, values?: Values}} Found
 * @typedef {{what: string, holds: boolean|null, key: string, values: Values}} Finding the result of
 *   one comparison; null: it could not be checked; `key` and `values` make its sentence
 */

/**
 * @param {Kept} kept
 * @param {Room} room closed @param {Protocol.Reveal} reveal @param {Protocol.Record} record the player's own, sent after the close
 * @returns {Finding[]}
 */
export function check(kept, room, reveal, record) {
  const looks = {
    commitment: () => commitment(kept, room, reveal),
    server_seed: () => serverSeed(kept, reveal),
    nonce: () => nonce(kept, room, reveal),
    seed: () => seed(kept, reveal),
    choice: () => choice(kept, room, reveal),
    deal: () => deal(kept, reveal, record),
    cards: () => cards(kept, record),
    moves: () => moves(kept, record),
    times: () => times(kept, record),
    start: () => start(kept, room, record),
    rules: () => rules(kept, room),
  };
  return Object.entries(looks).map(([what, look]) => ({ what, values: {}, ...answered(look) }));
}

/** Data too ill-formed to compare do not hold. @param {() => Found} look */
function answered(look) {
  try {
    return look();
  } catch {
    return no("fair.senseless");
  }
}

/** @param {string} key @param {Values} values */
const yes = (key, values = {}) => ({ holds: true, key, values });
/** @param {string} key @param {Values} values */
const no = (key, values = {}) => ({ holds: false, key, values });
/** @param {string} key @param {Values} values */
const open = (key, values = {}) => ({ holds: null, key, values });

// The deal

/** @param {Kept} kept @param {Room} room @param {Protocol.Reveal} reveal */
function commitment(kept, room, reveal) {
  const other = [reveal.commitment, room.commitment].find((now) => now !== kept.commitment);
  if (other !== undefined) {
    return no("fair.other_commitment", { before: short(kept.commitment), now: short(other) });
  }
  return kept.inTime ? yes("fair.commitment") : open("fair.late_commitment");
}

/** @param {Kept} kept @param {Protocol.Reveal} reveal */
function serverSeed(kept, reveal) {
  const bytes = bytesOf(reveal.server_seed);
  const fits = bytes && commitmentOf(bytes) === kept.commitment;
  return fits ? yes("fair.server_seed") : no("fair.other_server_seed");
}

/** @param {Kept} kept @param {Room} room @param {Protocol.Reveal} reveal */
function nonce(kept, room, reveal) {
  const { nonces = [], nonce_states: states = [], mixed_at: mixed = 0 } = reveal;
  if (kept.kind !== "live") return yes("fair.no_nonces");
  const { nonceHash: promised, seats: fixed = [] } = kept;
  const broken = fixed.length || mixed ? brokenPromise(kept, room, reveal) : "";
  if (broken) return no(broken);
  if (kept.nonce === null) return open("fair.nonce_elsewhere");
  const own = room.seats.findIndex(({ player }) => player === kept.player);
  if (own < 0) return no("fair.no_seat");
  if (promised && fixed.length && !fixed.some(([player, hash]) => player === kept.player && hash === promised)) return no("fair.other_hash");
  if (promised && fixed.length && nonces[own] === "" && !kept.acknowledged) return open("fair.nonce_dropped");
  const there = nonces.length === room.seats.length && nonces[own] === kept.nonce;
  if (!there) return no("fair.other_nonce", { nonce: short(kept.nonce) });
  if (kept.nonce && !promised) return open("fair.nonce_early");
  if (promised && !fixed.length) return open("fair.nonce_unseen");
  const count = states.filter((state) => state === "withheld").length;
  return count ? yes("fair.withheld", { nonces: count, deals: 2 ** count }) : yes("fair.nonce");
}

/**
 * What does not agree with the hashes that were fixed before any nonce came; empty if all does. The id of a
 * player who was deleted since is another one now.
 * @param {Kept} kept @param {Room} room @param {Protocol.Reveal} of
 */
function brokenPromise(kept, room, { nonces = [], nonce_states: told = [], mixed_at: mixed = 0 }) {
  const shown = promises(room);
  const fixed = kept.seats?.length ? kept.seats : shown;
  // Without a time of mixing, nonces came with Ready, or not at all.
  const states = mixed ? told : nonces.map((one) => (one ? "early" : "none"));
  const lengths = [fixed, shown, nonces, states].map(({ length }) => length);
  if (lengths.some((length) => length !== room.seats.length)) return "fair.other_seats";
  for (const [i, [player, promised]] of fixed.entries()) {
    const [[now, hash], one, state] = [shown[i], nonces[i], states[i]];
    const deleted = now !== player && now.startsWith(DELETED);
    if (now !== player && !deleted) return "fair.other_seats";
    if (hash !== promised && !(deleted && state === "early")) return "fair.replaced_hash";
    if (player.startsWith(HOUSE) && mixed && (one || promised)) return "fair.house_nonce";
    if (["late", "early"].includes(state) !== Boolean(one) || (state === "none") === Boolean(promised)) return "fair.nonce_untold";
    const unknown = player.startsWith(DELETED) && !kept.seats?.length;
    const bytes = bytesOf(one);
    if (one && !unknown && !(bytes && nonceHash(kept.race, player, bytes) === promised)) return "fair.replaced_nonce";
  }
  return "";
}

/**
 * Live: SHA-256(server seed + nonces in seat order). Otherwise the server seed itself. If another deal of
 * that seed was chosen, it is the seed of that one.
 * @param {Kept} kept @param {Protocol.Reveal} of
 */
function seed({ kind }, { server_seed: serverSeed, seed: told, nonces = [], chosen: { deal = 0 } = {} }) {
  const live = kind === "live";
  const parts = [serverSeed, ...(live ? nonces.filter((one) => one !== "") : [])].map(bytesOf);
  if (parts.includes(null)) return no(live ? "fair.other_mixed_seed" : "fair.other_seed");
  const mixed = Uint8Array.from(parts.flatMap((part) => [...(part ?? [])]));
  return hexOf(counted(live ? sha256(mixed) : mixed, deal)) === told ? yes("fair.seed") : no(live ? "fair.other_mixed_seed" : "fair.other_seed");
}

/**
 * A deal was chosen, graded or dealt again only as the rules that were kept allow it. Otherwise the server
 * could look at many deals of its seed and play the one that it likes best.
 * @param {Kept} kept @param {Room} room @param {Protocol.Reveal} of
 */
function choice(kept, { counter = 0 }, { chosen: { deal = 0, grade = "", certificate = [] } = {} }) {
  const again = kept.counter ?? 0;
  if (counter !== again) return no("fair.dealt_again", { now: printable(counter), before: again });
  const { winnable = false, grade: asked = "" } = kept.rules;
  const daily = kept.kind === "daily";
  const wanted = daily ? kept.grade : asked;
  const asks = daily || winnable || asked !== "";
  if (!asks && (deal || grade || certificate.length)) return no("fair.chosen_unasked", { deal: printable(deal) });
  if (!certificate.length && (deal || grade)) return no("fair.chosen_unproved", { deal: printable(deal) });
  if (certificate.length && wanted !== undefined && grade !== wanted) {
    return no("fair.other_grade", { grade: printable(grade) || "?", wanted: wanted || "?" });
  }
  return yes(asks && certificate.length ? "fair.choice" : "fair.first_deal");
}

/**
 * The order is the shuffle by the seed of the cards that this game uses.
 * @param {Kept} kept @param {Protocol.Reveal} reveal @param {Protocol.Record} of
 */
function deal(kept, reveal, { order = [] }) {
  if (!kept.deal) return open("fair.no_dealing");
  if (!order.length) return open("fair.no_order");
  const bytes = bytesOf(reveal.seed);
  return bytes && same(shuffled(packOf(kept.deal), bytes), order) ? yes("fair.order") : no("fair.other_order");
}

// The own game

/** All cards that the player saw lie in the deal where they were seen. @param {Kept} kept @param {Protocol.Record} of */
function cards(kept, { order = [], steps = [] }) {
  if (!kept.deal) return open("fair.no_dealing");
  if (!order.length || !kept.shown) return open("fair.no_first_cards");
  if (order.length !== kept.deal.dealt.length) return no("fair.other_order");
  const table = new Table(kept.deal, order);
  const own = new Map(kept.moves.map(([n, , , went]) => [n, went]));
  for (let n = 0; n <= Math.max(kept.shownN, ...own.keys()); n++) {
    const went = own.get(n) ?? (n ? steps[n - 1] : []);
    if (!went) return open("fair.no_cards", { n });
    const wrong = table.carryOut(went);
    if (wrong) return no("fair.other_card", { n, card: short(wrong[2]) });
    if (n === kept.shownN && !table.shows(kept.shown)) return no("fair.other_cards", { n });
  }
  return yes("fair.cards");
}

/** @param {Kept} kept @param {Protocol.Record} record */
function moves(kept, record) {
  for (const [n, move] of kept.moves) {
    const told = record.moves[n - 1];
    if (told?.[1] !== move) {
      const key = told ? "fair.other_move" : "fair.no_move";
      return no(key, { n, move, other: printable(told?.[1]) });
    }
  }
  const [count, missing] = [record.moves.length, unkept(kept, record)];
  return missing ? open("fair.some_moves", { moves: count, missing }) : yes("fair.moves", { count });
}

/** @param {Kept} kept @param {Protocol.Record} record */
function times(kept, record) {
  for (const [n, , ms] of kept.moves) {
    const told = record.moves[n - 1];
    if (told && told[0] !== ms) return no("fair.other_time", { n, ms, other: printable(told[0]) });
  }
  return unkept(kept, record) ? open("fair.some_times") : yes("fair.times");
}

/**
 * How many moves of the record were not seen here. A timeout is never sent as a move.
 * @param {Kept} kept @param {Protocol.Record} of
 */
function unkept(kept, { moves }) {
  const timeout = moves.at(-1)?.[1] === "timeout" ? 1 : 0;
  return Math.max(0, moves.length - timeout - kept.moves.length);
}

/** @param {Kept} kept @param {Room} room @param {Protocol.Record} record */
function start(kept, room, record) {
  const pairs = [
    [kept.startsAt, room.starts_at ?? 0],
    [kept.begunAt, record.begun_at ?? 0],
    [kept.kind === "live" ? kept.startsAt : 0, record.begun_at ?? 0],
  ];
  const wrong = pairs.find(([before, now]) => before && before !== now);
  if (wrong) return no("fair.other_start", { before: wrong[0], now: printable(wrong[1]) });
  return kept.begunAt ? yes("fair.start") : open("fair.no_start");
}

/** @param {Kept} kept @param {Room} room */
function rules(kept, room) {
  const fits = room.kind === kept.kind && plain(room.rules) === plain(kept.rules);
  return fits ? yes("fair.rules") : no("fair.other_rules");
}

// Helpers

/** @param {Protocol.Rules} rules */
function plain(rules) {
  return JSON.stringify(Object.entries(rules).sort());
}

/** The beginning of a long hex number, safe to show. @param {string} text */
export function short(text) {
  const shown = String(text).replace(/[^0-9A-Za-z]/g, "");
  return shown.length > 12 ? `${shown.slice(0, 12)}…` : shown || "?";
}

/** @param {unknown} value */
function printable(value) {
  return String(value).slice(0, 32);
}
