// Where an arrow key leads from a pile: round the clock, in and out. Moves nothing.

/** @param {string} pile @param {string} key `ArrowLeft` … @returns {string} a pile, the same if the key means nothing */
export function neighbour(pile, key) {
  const hour = Number(pile.replace("f", ""));
  if (Number.isNaN(hour)) return fromCentre(pile, key);
  const ring = pile.startsWith("f") ? "f" : "";
  if (key === "ArrowRight") return `${ring}${(hour % 12) + 1}`;
  if (key === "ArrowLeft") return `${ring}${((hour + 10) % 12) + 1}`;
  // Above the middle down is inwards, below it up is.
  const upper = hour > 9 || hour < 4;
  const inwards = key === (upper ? "ArrowDown" : "ArrowUp");
  const outwards = key === (upper ? "ArrowUp" : "ArrowDown");
  if (inwards) return ring ? (hour > 6 ? "s" : "w") : `f${hour}`;
  if (outwards) return ring ? String(hour) : pile;
  return pile;
}

function fromCentre(pile, key) {
  const ways = {
    s: { ArrowLeft: "f9", ArrowRight: "w", ArrowUp: "f11", ArrowDown: "f7" },
    w: { ArrowLeft: "s", ArrowRight: "f3", ArrowUp: "f1", ArrowDown: "f5" },
  };
  return ways[pile]?.[key] ?? pile;
}
