// Rows of piles. A row that is too long for the screen goes on in the next line.

import { footprint, pileAt } from "./piles.js";

export const rows = {
  /** @param {Slot[]} slots @param {Area} room */
  largest(slots, room) {
    let [low, high] = [0, room.width];
    for (let i = 0; i < 24; i++) {
      const w = (low + high) / 2;
      if (lines(slots, room.width, w).length * pitch(slots, w).y <= room.height) low = w;
      else high = w;
    }
    return low;
  },

  /** @param {Slot[]} slots @param {Area} of @param {number} w */
  place(slots, { x, y, width, height }, w) {
    const all = lines(slots, width, w);
    const { x: across } = pitch(slots, w);
    const down = Math.min(height / all.length, pitch(slots, w).y * 1.25);
    const top = y + (height - down * all.length) / 2;
    // The cards of a line stand on one line, whatever lies under them.
    const feet = slots.map((slot) => footprint(slot, w, along(slot)));
    const foot = Math.max(...feet.map(({ bare }) => bare)) - Math.max(...feet.map(({ height }) => height)) / 2;
    /** @type {Berths} */
    const berths = {};
    all.forEach((line, row) => {
      const between = Math.min(across * 1.2, width / line.length);
      const left = x + (width - between * line.length) / 2;
      line.forEach((slot, i) => {
        const { width: wide, bare } = footprint(slot, w, along(slot));
        const at = { x: left + (i + 0.5) * between - wide / 2, y: top + (row + 0.5) * down + foot - bare };
        berths[slot.pile] = pileAt(slot, at, w, along(slot));
      });
    });
    return { berths };
  },
};

/** Where the next card of a pile lies. @param {Slot} slot */
function along({ fans }) {
  return fans === "right" ? "x" : "y";
}

/** @param {Slot[]} slots @param {number} w */
function pitch(slots, w) {
  const all = slots.map((slot) => footprint(slot, w, along(slot)));
  return {
    x: Math.max(...all.map((one) => one.width)) + w * 0.12,
    y: Math.max(...all.map((one) => one.height)) + w * 0.12,
  };
}

/**
 * The rows as lines that fit into the width, each row in lines of equal length.
 * @param {Slot[]} slots @param {number} width @param {number} w
 */
function lines(slots, width, w) {
  const fit = Math.max(1, Math.floor(width / pitch(slots, w).x));
  const numbers = [...new Set(slots.map(({ row }) => row))].sort((a, b) => a - b);
  return numbers.flatMap((number) => {
    const row = slots.filter((slot) => slot.row === number).sort((a, b) => a.at - b.at);
    const long = Math.ceil(row.length / Math.ceil(row.length / fit));
    return Array.from({ length: Math.ceil(row.length / long) }, (_, i) => row.slice(i * long, (i + 1) * long));
  });
}
