// A player's own game: a snapshot with the diffs since folded in, as bigben_protocol/view.py does it.
// Knows no rules and no socket.

import { crc32 } from "./crc32.js";

/**
 * @typedef {{race: string, n: number, state: Standing["state"], home: number, ms: number, homeMs: number,
 *   piles: Piles, order: string[], legal: string[], begunAt: number,
 *   canUndo: boolean}} View
 */

/** A diff is missing before this one: ask for Resume. */
export class Gap extends Error {}

/** The two sides no longer hold the same position: ask for a new Snapshot. */
export class Diverged extends Error {}

/**
 * The view that a snapshot shows. Throws Diverged when its digest is another's.
 * @param {Protocol.Snapshot} snapshot
 * @param {Slot[]} slots of the game: JSON.parse loses the order of the piles
 */
export function viewOf(snapshot, slots) {
  const { race, n, state, home, ms, legal, begun_at: begunAt = 0, home_ms: homeMs = 0 } = snapshot;
  const piles = pilesOf(snapshot.piles);
  const order = slots.map(({ pile }) => pile);
  const canUndo = snapshot.can_undo ?? false;
  return checked({ race, n, state, home, ms, homeMs, piles, order, legal, begunAt, canUndo }, snapshot.digest);
}

/**
 * The view after one more move; an old diff changes nothing, and gives the very same view.
 * Throws Gap when one is missing, Diverged when the cards do not lie where it says.
 * @param {View} view @param {Protocol.Diff} diff
 */
export function after(view, diff) {
  if (diff.n <= view.n) return view;
  if (diff.n !== view.n + 1) throw new Gap(`the diff after move ${view.n} is number ${diff.n}`);
  const { n, state, home, ms, legal = [], home_ms: homeMs = 0 } = diff;
  const piles = carried(view.piles, diff.steps);
  const canUndo = diff.can_undo ?? false;
  return checked({ ...view, n, state, home, ms, homeMs, piles, legal, canUndo }, diff.digest);
}

/** The piles of a message, with what it left out. @param {{[name: string]: Protocol.Pile}} piles @returns {Piles} */
export function pilesOf(piles) {
  const filled = Object.entries(piles).map(([name, { up = [], down = 0 }]) => [name, { up, down }]);
  return Object.fromEntries(filled);
}

/** The piles after these steps. Throws Diverged. @param {Piles} piles @param {Step[]} steps */
export function carried(piles, steps) {
  const now = { ...piles };
  for (const [source, target, card, how = ""] of steps) {
    const [from, to] = [now[source], now[target]];
    if (!from || !to) throw new Diverged(`there is no pile ${from ? target : source}`);
    if (from.up.length && how !== "turned") {
      if (from.up.at(-1) !== card) throw new Diverged(`${card} is not on top of pile ${source}`);
      now[source] = { up: from.up.slice(0, -1), down: from.down };
    } else if (from.down) {
      now[source] = { up: from.up, down: from.down - 1 };
    } else {
      throw new Diverged(`pile ${source} is empty`);
    }
    now[target] = laid(now[target], card, how);
  }
  return now;
}

/** @param {Pile} pile @param {string} card @param {string | null} how */
function laid({ up, down }, card, how) {
  if (how === "down") return { up, down: down + 1 };
  return { up: how === "under" ? [card, ...up] : [...up, card], down };
}

/**
 * CRC-32 of `3:7H,KD` for each pile, `s:56?` for face-down cards, joined by spaces.
 * @param {Piles} piles @param {string[]} order
 */
export function digest(piles, order) {
  return crc32(order.map((name) => pileText(name, piles[name])).join(" "));
}

/** @param {string} name @param {Pile} pile */
function pileText(name, { up, down }) {
  return `${name}:${down ? `${down}?` : ""}${up.join(",")}`;
}

/** @param {View} view @param {number | undefined} wanted */
function checked(view, wanted) {
  if (digest(view.piles, view.order) !== wanted) throw new Diverged(`move ${view.n} has another digest`);
  return Object.freeze(view);
}
