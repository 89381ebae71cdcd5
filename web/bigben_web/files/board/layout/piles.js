// Single piles, in rows and on rings: the room that one needs with its label.

import { TALLER, berth } from "./spread.js";

/** What is written above or below a pile, in card widths. */
export const LABEL = 0.27;
/** The strips of face-up cards that lie under a reserve: how many have room, and how wide one is. */
const STRIPS = 3;
const STRIP = 0.32;

/**
 * The room of one pile with its label; `bare` is its height without.
 * @param {Slot} slot @param {number} w @param {"x" | "y"} along where a reserve's cards stick out
 */
export function footprint(slot, w, along) {
  const strips = slot.kind === "reserve" ? STRIPS * STRIP * w : 0;
  const bare = w * TALLER + (along === "y" ? strips : 0);
  return { width: w + (along === "x" ? strips : 0), height: bare + (slot.label ? LABEL * w : 0), bare };
}

/**
 * The berth of one pile whose footprint has this corner.
 * @param {Slot} slot @param {Point} of @param {number} w @param {Along} along
 */
export function pileAt(slot, { x, y }, w, along) {
  const { width, bare } = footprint(slot, w, along);
  const size = labelSize(w);
  const label = slot.label ? { x: x + width - w / 2, y: y + bare + w * LABEL * 0.5, size } : null;
  if (slot.kind !== "reserve") return berth(x, y, w, { label });
  // What is tucked under a reserve sticks out to the left or above, where a card's index is.
  return berth(x, y, w, { width, height: bare, along, step: STRIP * w, anchor: 1, label });
}

/** @param {number} w */
export function labelSize(w) {
  return Math.max(11, Math.min(22, w * 0.19));
}
