// Where an arrow key leads from a pile: round a dial, in and out; along a row; to the next area.
// Moves nothing.

/**
 * @param {Slot[]} slots @param {Berths} berths
 * @param {string} pile @param {string} key `ArrowLeft` …
 * @returns {string} a pile, the same if the key leads nowhere
 */
export function neighbour(slots, berths, pile, key) {
  const slot = slots.find((one) => one.pile === pile);
  if (!slot) return pile;
  const ways = { outer: onRing, inner: onRing, centre: fromCentre, column: aside, row: aside };
  const found = ways[slot.place](slots, slot, key, berths) ?? inDirection(slots, berths, slot, key);
  return found?.pile ?? pile;
}

/** @param {Slot[]} slots @param {Slot} slot @param {string} key @param {Berths} berths */
function onRing(slots, slot, key, berths) {
  const { at: hour, place } = slot;
  /** @type {(ring: Slot["place"], at: number) => Slot | undefined} */
  const there = (ring, at) => slots.find((one) => one.place === ring && one.at === at);
  const step = { ArrowRight: 1, ArrowLeft: 11 }[key];
  if (step) return there(place, ((hour + step - 1) % 12) + 1);
  // Above the middle down is inwards, below it up is.
  const upper = hour > 9 || hour < 4;
  const inwards = key === (upper ? "ArrowDown" : "ArrowUp");
  if (!inwards) return place === "inner" ? there("outer", hour) : offDial(slots, slot, berths);
  return (place === "outer" && there("inner", hour)) || centreNear(slots, hour);
}

/**
 * The first pile of the centre from the left half of the dial, the last one from the right.
 * @param {Slot[]} slots @param {number} hour
 */
function centreNear(slots, hour) {
  const centre = centreOf(slots);
  return hour > 6 ? centre[0] : centre.at(-1);
}

/** @param {Slot[]} slots */
function centreOf(slots) {
  return slots.filter(({ place }) => place === "centre").sort((a, b) => a.at - b.at);
}

/** @param {Slot[]} slots @param {Slot} slot @param {string} key */
function fromCentre(slots, slot, key) {
  const centre = centreOf(slots);
  const at = centre.indexOf(slot);
  const left = at < centre.length / 2;
  const beside = { ArrowLeft: centre[at - 1], ArrowRight: centre[at + 1] }[key];
  /** @type {{[key: string]: number}} */
  const hours = { ArrowLeft: 9, ArrowRight: 3, ArrowUp: left ? 11 : 1, ArrowDown: left ? 7 : 5 };
  const ring = ["inner", "outer"].find((place) => slots.some((one) => one.place === place));
  return beside ?? slots.find(({ place, at }) => place === ring && at === hours[key]);
}

/**
 * The next pile of a row or of the columns, wherever its line is on the screen.
 * @param {Slot[]} slots @param {Slot} slot @param {string} key
 */
function aside(slots, { place, at, row }, key) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key] ?? NaN;
  return slots.find((one) => one.place === place && one.row === row && one.at === at + step);
}

/** The nearest pile that is not on the dial. @param {Slot[]} slots @param {Slot} slot @param {Berths} berths */
function offDial(slots, slot, berths) {
  /** @param {Slot} slot */
  const far = ({ pile }) => {
    const [a, b] = [berths[pile], berths[slot.pile]];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  const others = slots.filter(({ place }) => place === "column" || place === "row");
  return others.sort((a, b) => far(a) - far(b))[0];
}

/**
 * The nearest pile on that side of the screen; what lies aside counts twice.
 * @param {Slot[]} slots @param {Berths} berths @param {Slot} slot @param {string} key
 */
function inDirection(slots, berths, slot, key) {
  /** @param {Slot} slot */
  const middle = ({ pile }) => {
    const { x, y, w, h } = berths[pile];
    return { x: x + w / 2, y: y + h / 2 };
  };
  const here = middle(slot);
  const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
  if (!way) return undefined;
  const found = slots.map((one) => {
    const [dx, dy] = [middle(one).x - here.x, middle(one).y - here.y];
    const [ahead, beside] = [dx * way[0] + dy * way[1], Math.abs(dx * way[1] - dy * way[0])];
    return { one, far: ahead > 1 && beside < ahead * 3 ? ahead + 2 * beside : Infinity };
  });
  const best = found.reduce((a, b) => (b.far < a.far ? b : a));
  return best.far < Infinity ? best.one : undefined;
}
