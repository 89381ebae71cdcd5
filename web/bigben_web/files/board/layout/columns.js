// Columns of cards side by side: how large the cards can be, and where they lie.

import { LABEL, labelSize } from "./piles.js";
import { TALLER, berth } from "./spread.js";

/** The room between two columns, as a part of a card's width. */
const APART = 0.1;
/** How much longer than a card a column may be at least, in card widths. */
const LONGER = 2.3;
/** The usual way to the next card of a column, as a part of its height. */
const STEP = 0.33;

export const columns = {
  /** @param {Slot[]} slots @param {Size} felt */
  largest(slots, { width, height }) {
    const across = slots.length + (slots.length - 1) * APART;
    return Math.min(width / across, height / (TALLER + LONGER + LABEL));
  },

  /** @param {Slot[]} slots @param {Area} of @param {number} w */
  place(slots, { x, y, width, height }, w) {
    const sorted = [...slots].sort((a, b) => a.at - b.at);
    const between = Math.min(w * 0.35, (width - sorted.length * w) / Math.max(1, sorted.length - 1));
    const left = x + (width - sorted.length * w - (sorted.length - 1) * between) / 2;
    const size = labelSize(w);
    const berths = sorted.map(({ pile }, i) => {
      const at = left + i * (w + between);
      const label = { x: at + w / 2, y: y + size * 0.55, size };
      const room = { height: height - w * LABEL, along: /** @type {const} */ ("y"), step: STEP * w * TALLER, label };
      return [pile, berth(at, y + w * LABEL, w, room)];
    });
    return { berths: Object.fromEntries(berths) };
  },
};

