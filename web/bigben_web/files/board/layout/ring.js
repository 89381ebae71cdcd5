// A dial with one ring of piles and a few in its centre: the largest cards that fit, and of the
// shapes that let them fit the roundest. Knows no game.

import { footprint, pileAt } from "./piles.js";

/** Where one and two o'clock are, as parts of the half axes: on a circle, and on two grids. */
const ROUND = [[0.5, Math.sqrt(3) / 2], [Math.sqrt(3) / 2, 0.5]];
const GRIDS = [
  [[0.5, 1], [1, 1]],
  [[1, 1], [1, 0.5]],
];
/** How much larger cards must be before a round dial becomes a rectangle. */
const ROUNDNESS = 0.35;
/** Cards that are wider than this are larger than they need to be. */
const ENOUGH = 90;
const GAP = 0.1;
/** How much longer than high a dial may be, or higher than long, where its cards do not need it. */
const LONG = 1.2;

/**
 * @typedef {number[][]} Corners where one and two o'clock are
 * @typedef {{along: Along, shape: Corners, block: number}} Shape
 * @typedef {Shape & {w: number, score: number, round: number}} Found
 * @typedef {Size & {slot: Slot | null, bare?: number}} Item
 * @typedef {Size & {placed: (Item & {at: Point})[]}} Placed
 */

export const ring = {
  /** @param {Slot[]} slots @param {Size} felt */
  largest(slots, { width, height }) {
    /** @type {(found: Found, one: Found) => Found} */
    const best = (found, one) => (one.score > found.score ? one : found);
    return shapes(slots, width, height).reduce(best).w;
  },

  /** @param {Slot[]} slots @param {Area} of @param {number} w */
  place(slots, { x, y, width, height }, w) {
    // Of the shapes that have room for these cards the roundest.
    const all = shapes(slots, width, height).filter((one) => one.w > w - 0.01);
    const { along, shape, block } = all.reduce((found, one) => (one.round > found.round ? one : found));
    const axes = tight(slots, { width, height, w, along, shape, block });
    const middle = { x: x + width / 2, y: y + height / 2 };
    /** @type {Berths} */
    const berths = {};
    for (const slot of slots.filter(isOnRing)) {
      const at = onRing(middle, axes, shape, slot.at);
      const { width: wide, height: high } = footprint(slot, w, along);
      berths[slot.pile] = pileAt(slot, { x: at.x - wide / 2, y: at.y - high / 2 }, w, along);
    }
    const centre = centred(slots, w, along)[block];
    for (const { slot, at } of centre.piles) {
      if (slot) berths[slot.pile] = pileAt(slot, { x: middle.x + at.x, y: middle.y + at.y }, w, along);
    }
    const { text } = centre;
    return {
      berths,
      rim: path(middle, axes, shape),
      text: { x: middle.x + text.x, y: middle.y + text.y, size: text.size },
    };
  },
};

/** @param {Slot} slot */
function isOnRing({ place }) {
  return place === "outer" || place === "inner";
}

/**
 * Every shape with its widest cards; the wider and the rounder, the better.
 * @param {Slot[]} slots @param {number} width @param {number} height
 */
function shapes(slots, width, height) {
  /** @type {Found[]} */
  const found = [];
  /** @type {Along[]} */
  const ways = slots.some(({ kind }) => kind === "reserve") ? ["x", "y"] : ["x"];
  for (const along of ways) {
    for (const grid of GRIDS) {
      for (let round = 0; round <= 1; round += 0.125) {
        const shape = mixed(grid, round);
        for (let block = 0; block < 3; block++) {
          const w = largest(slots, { width, height, along, shape, block });
          const score = (Math.min(w, ENOUGH) + w) * (1 + ROUNDNESS * round);
          found.push({ w, score, along, shape, block, round });
        }
      }
    }
  }
  return found;
}

/** The widest cards of which none lie on each other, in this shape. @param {Slot[]} slots @param {Size & Shape} of */
function largest(slots, { width, height, along, shape, block }) {
  const one = largestOf(slots, along);
  const centre = centred(slots, 1, along)[block];
  const points = slots.filter(isOnRing).map(({ at }) => onRing({ x: 0, y: 0 }, { x: 1, y: 1 }, shape, at));
  // Two piles are apart if they are so on one axis; on each, that bounds the cards' width.
  /** @param {Point} a @param {Point} b @param {Size} size */
  const most = (a, b, size) =>
    Math.max(
      bound(Math.abs(a.x - b.x), size.width + GAP, width, one.width),
      bound(Math.abs(a.y - b.y), size.height + GAP, height, one.height),
    );
  const middle = { width: (one.width + centre.width) / 2, height: (one.height + centre.height) / 2 };
  const bounds = points.flatMap((a, i) => [
    most(a, { x: 0, y: 0 }, middle),
    ...points.slice(i + 1).map((b) => most(a, b, one)),
  ]);
  return Math.min(width / one.width, height / one.height, ...bounds);
}

/**
 * Two places are `far` half axes apart, and a half axis is half of what the room leaves of a pile:
 * the width of cards at which they are as far apart as their `size`, in card widths.
 * @param {number} far @param {number} size @param {number} room @param {number} pile
 */
function bound(far, size, room, pile) {
  return (far * room) / (2 * size + far * pile);
}

/** The largest footprint on the ring, for cards of width 1. @param {Slot[]} slots @param {Along} along */
function largestOf(slots, along) {
  const all = slots.filter(isOnRing).map((slot) => footprint(slot, 1, along));
  return {
    width: Math.max(...all.map((one) => one.width)),
    height: Math.max(...all.map((one) => one.height)),
  };
}

/**
 * The half axes on which the piles just stay within the room.
 * @param {Slot[]} slots @param {Size & { along: Along }} of @param {number} w
 */
function widest(slots, { width, height, along }, w) {
  const one = largestOf(slots, along);
  return { x: (width - one.width * w) / 2, y: (height - one.height * w) / 2 };
}

/**
 * The longer half axis, no longer than these cards need: nobody reads a dial that is all width.
 * @param {Slot[]} slots @param {Size & Shape & { w: number }} of
 */
function tight(slots, of) {
  const axes = widest(slots, of, of.w);
  const long = axes.x > axes.y ? "x" : "y";
  let [low, high] = [axes[long === "x" ? "y" : "x"] * LONG, axes[long]];
  if (low >= high) return axes;
  for (let i = 0; i < 12; i++) {
    const between = (low + high) / 2;
    if (fits(slots, of, { ...axes, [long]: between })) high = between;
    else low = between;
  }
  return { ...axes, [long]: high };
}

/** @param {Corners} grid @param {number} round */
function mixed(grid, round) {
  return ROUND.map((point, i) => point.map((part, j) => part * round + grid[i][j] * (1 - round)));
}

/** @param {Point} middle @param {Point} axes @param {Corners} of @param {number} hour */
function onRing(middle, axes, [one, two], hour) {
  const quarter = [[0, 1], one, two, [1, 0]];
  const back = hour % 12 > 6 ? 12 - (hour % 12) : hour % 12;
  const [x, y] = quarter[back > 3 ? 6 - back : back];
  const [right, up] = [hour % 12 > 6 ? -1 : 1, back > 3 ? -1 : 1];
  return { x: middle.x + right * x * axes.x, y: middle.y - up * y * axes.y };
}

/** Whether no pile lies on another one. @param {Slot[]} slots @param {Shape & { w: number }} of @param {Point} axes */
function fits(slots, { w, along, shape, block }, axes) {
  const gap = w * GAP;
  const boxes = slots.filter(isOnRing).map((slot) => {
    const { width, height } = footprint(slot, w, along);
    return { ...onRing({ x: 0, y: 0 }, axes, shape, slot.at), width: width + gap, height: height + gap };
  });
  const centre = centred(slots, w, along)[block];
  boxes.push({ x: 0, y: 0, width: centre.width + gap, height: centre.height + gap });
  return boxes.every((a, i) => boxes.slice(i + 1).every((b) => !overlap(a, b)));
}

/** @param {Point & Size} a @param {Point & Size} b */
function overlap(a, b) {
  return Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height;
}

/**
 * The centre's piles and the text in three ways, as corners from the middle: in a row with the text
 * above, in a row with the text between them, in a column.
 * @param {Slot[]} slots @param {number} w @param {Along} along
 */
function centred(slots, w, along) {
  const piles = slots.filter((slot) => !isOnRing(slot)).sort((a, b) => a.at - b.at);
  const size = w * 0.3;
  const text = { width: size * 3.6, height: size * 2.6 };
  const items = piles.map((slot) => ({ slot, ...footprint(slot, w, along) }));
  const words = { slot: null, ...text };
  const half = Math.ceil(items.length / 2);
  const between = [...items.slice(0, half), words, ...items.slice(half)];
  return [
    below(words, besides(items, w * 0.2), size, w),
    settled(besides(between, w * 0.14), size),
    settled(stacked([words, ...items], w * 0.14), size),
  ];
}

/** @param {Item[]} items @param {number} gap */
function besides(items, gap) {
  const width = items.reduce((sum, one) => sum + one.width, 0) + gap * Math.max(0, items.length - 1);
  const height = Math.max(0, ...items.map((one) => one.height));
  let x = -width / 2;
  // The cards stand on one line, whatever lies under them.
  const foot = Math.max(...items.map(({ bare = 0 }) => bare)) - height / 2;
  const placed = items.map((one) => {
    const at = { x, y: one.bare ? foot - one.bare : -one.height / 2 };
    x += one.width + gap;
    return { ...one, at };
  });
  return { width, height, placed };
}

/** @param {Item[]} items @param {number} gap */
function stacked(items, gap) {
  const turned = besides(items.map((one) => ({ ...one, bare: 0, width: one.height, height: one.width })), gap);
  const placed = turned.placed.map(({ slot, width, height, at }) => {
    return { slot, width: height, height: width, at: { x: at.y, y: at.x } };
  });
  return { width: turned.height, height: turned.width, placed };
}

/** @param {Item} words @param {Placed} row @param {number} size @param {number} w */
function below(words, row, size, w) {
  const gap = row.placed.length ? w * 0.1 : 0;
  const height = words.height + gap + row.height;
  const lower = (height - row.height) / 2;
  const placed = row.placed.map((one) => ({ ...one, at: { x: one.at.x, y: one.at.y + lower } }));
  const head = { ...words, at: { x: -words.width / 2, y: -height / 2 } };
  return settled({ width: Math.max(words.width, row.width), height, placed: [head, ...placed] }, size);
}

/** @param {Placed} of @param {number} size */
function settled({ width, height, placed }, size) {
  const [words] = placed.filter(({ slot }) => !slot);
  const text = { x: words.at.x + words.width / 2, y: words.at.y + words.height / 2, size };
  return { width, height, piles: placed.filter(({ slot }) => slot), text };
}

/** The line through the hours. @param {Point} middle @param {Point} axes @param {Corners} shape */
function path(middle, axes, shape) {
  const points = Array.from({ length: 12 }, (_, hour) => onRing(middle, axes, shape, hour));
  /** @param {number} i */
  const at = (i) => points[(i + 12) % 12];
  const curves = points.map((_, i) => {
    const [p0, p1, p2, p3] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    const c1 = [p1.x + (p2.x - p0.x) / 8, p1.y + (p2.y - p0.y) / 8];
    const c2 = [p2.x - (p3.x - p1.x) / 8, p2.y - (p3.y - p1.y) / 8];
    return `C${[...c1, ...c2, p2.x, p2.y].map((one) => one.toFixed(1)).join(" ")}`;
  });
  return `M${points[0].x.toFixed(1)} ${points[0].y.toFixed(1)}${curves.join("")}Z`;
}
