// Where everything lies on the board, in units of its viewBox. Draws nothing.

/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {{at: Point, w: number, h: number, step: Point, most: number, room: number,
 *   label: Point, grows: number}} Berth its first card's corner, the way to the next card, how
 *   many cards may lie so before they move together down to `tight`; grows -1: to the left
 * @typedef {{width: number, height: number, middle: Point, dial: Point, ring: Point, numerals: Point,
 *   count: Point, clock: Point, berths: Record<string, Berth>, row: boolean}} Layout
 */

const TURN = Math.PI / 6;
/** How near the cards of a long fan come, as a part of their usual way. */
const TIGHTEST = 0.6;

/** @returns {Point} the place of an hour on an ellipse */
export function onDial(middle, radii, hour) {
  const angle = hour * TURN;
  return { x: middle.x + radii.x * Math.sin(angle), y: middle.y - radii.y * Math.cos(angle) };
}

/** For phones: an upright dial, fans in a row above and below and in a column at each side. */
export const TALL = layout({
  width: 360,
  height: 548,
  foundation: { w: 41, h: 55 },
  ring: { x: 101, y: 161 },
  dial: { x: 125, y: 195 },
  numerals: { x: 66, y: 122 },
  centre: { w: 52, h: 72, gap: 12, down: 0 },
  count: 58,
  fans: { w: 44, h: 58 },
  fan(hour, { w, h }) {
    const column = { 10: [0, 0], 9: [0, 1], 8: [0, 2], 2: [1, 0], 3: [1, 1], 4: [1, 2] }[hour];
    if (column) {
      const [right, row] = column;
      const at = { x: right ? 360 - w - 2 : 2, y: 88 + row * 132 };
      return {
        at,
        ...{ w, h, step: { x: 0, y: 17 }, most: 3, room: 114, grows: 1 },
        label: { x: at.x + w / 2, y: at.y - 5 },
      };
    }
    const slot = { 11: 0, 12: 1, 1: 2, 7: 0, 6: 1, 5: 2 }[hour];
    const at = { x: [2, 180 - 42, 360 - 86][slot], y: hour > 1 && hour < 11 ? 486 : 5 };
    const below = at.y < 100;
    const grows = [1, 0, -1][slot];
    return {
      at,
      ...{ w, h, step: { x: 20, y: 0 }, most: 3, room: 116, grows },
      label: { x: at.x + 42, y: below ? at.y + h + 13 : at.y - 5 },
    };
  },
});

/** For all else: a round dial, fans above, below and at its sides that grow outwards. */
export const WIDE = layout({
  width: 1120,
  height: 900,
  foundation: { w: 68, h: 92 },
  ring: { x: 206, y: 206 },
  dial: { x: 262, y: 262 },
  numerals: { x: 146, y: 143 },
  centre: { w: 80, h: 110, gap: 18, down: 18 },
  count: 72,
  fans: { w: 86, h: 118 },
  fan(hour, { w, h }) {
    const step = { x: 44, y: 0 };
    const wide = w + 2 * step.x;
    const [x, y] = {
      ...{ 12: [560 - wide / 2, 14], 1: [736, 50], 2: [850, 205], 3: [866, 391], 4: [850, 577] },
      ...{ 5: [736, 732], 6: [560 - wide / 2, 768], 7: [384 - wide, 732], 8: [270 - wide, 577] },
      ...{ 9: [254 - wide, 391], 10: [270 - wide, 205], 11: [384 - wide, 50] },
    }[hour];
    const side = Math.sign(Math.round(Math.sin(hour * TURN) * 10));
    const label = {
      x: side ? x + (side > 0 ? -16 : wide + 16) : x + wide / 2,
      y: side ? y + h / 2 : hour === 12 ? y + h + 18 : y - 10,
    };
    const room = { 12: 330, 6: 330, 3: 248, 9: 248 }[hour] ?? 264;
    return { at: { x, y }, w, h, step, most: 3, room, grows: side, label };
  },
});

function layout({ width, height, foundation, ring, dial, numerals, centre, count, fans, fan }) {
  const middle = { x: width / 2, y: height / 2 };
  const berths = {};
  const still = { step: { x: 0, y: 0 }, most: 1, room: 0, grows: 1 };
  for (let hour = 1; hour <= 12; hour++) {
    const place = onDial(middle, ring, hour);
    const at = { x: place.x - foundation.w / 2, y: place.y - foundation.h / 2 };
    berths[`f${hour}`] = { at, ...foundation, ...still, label: place };
    berths[hour] = fan(hour, fans);
  }
  const { w, h, gap, down } = centre;
  const y = middle.y - h / 2 + down;
  const below = y + h + 16;
  const [left, right] = [middle.x - gap / 2 - w, middle.x + gap / 2];
  berths.s = { at: { x: left, y }, w, h, ...still, label: { x: left + w / 2, y: below } };
  berths.w = { at: { x: right, y }, w, h, ...still, label: { x: right + w / 2, y: below } };
  const home = { x: middle.x, y: middle.y - count };
  return { width, height, middle, dial, ring, numerals, count: home, berths, row: width < 500 };
}

/**
 * Where the cards of a pile lie, and its empty places. Of a fan that is too long for its room the lowest are left out.
 * @param {Berth} berth @param {number} count
 * @returns {{hidden: number, spots: Point[], gaps: Point[]}} corners, the lowest card first
 */
export function spotsOf(berth, count) {
  const { at, step, most, room } = berth;
  const along = step.x || step.y;
  if (!along) {
    const hidden = Math.max(0, count - 1);
    return { hidden, spots: count ? [at] : [], gaps: count ? [] : [at] };
  }
  const size = step.x ? berth.w : berth.h;
  const least = along * TIGHTEST;
  const fits = Math.floor((room - size) / least) + 1;
  const shown = Math.min(count, fits);
  const places = Math.max(shown, most);
  const pace = Math.min(along, (room - size) / (places - 1));
  // What is more than the usual cards grows away from the dial.
  const usual = (most - 1) * along;
  const shift = (berth.grows - 1) / 2 * ((places - 1) * pace - usual) * (step.x ? 1 : 0);
  const all = Array.from({ length: places }, (_, i) => ({
    x: at.x + (step.x ? shift + i * pace : 0),
    y: at.y + (step.y ? i * pace : 0),
  }));
  return { hidden: count - shown, spots: all.slice(0, shown), gaps: all.slice(shown) };
}
