// The people of the clock: the king carries its hour hand, the queen its pendulum, the jack its
// minute hand. Upper halves only, with their waist at 70, between 25 and 75.

import { h } from "../../draw.js";

const KING = [
  ["robe", "M25 70V61Q27 52 37.5 49H62.5Q73 52 75 61V70Z"],
  ["tint", "M40.5 49 50 70 59.5 49Z"],
  ["seam", "M32 70V58M68 70V58"],
  ["gold", "M37.5 48.5H62.5L64.5 54H35.5Z"],
  ["robe", "M38.3 28V43.5C38.3 57.5 61.7 57.5 61.7 43.5V28Z"],
  ["skin", "M42 30H58V40.5C58 44 54.3 45.7 50 45.7S42 44 42 40.5Z"],
  ["line", "M45.2 35.5H46.8M53.2 35.5H54.8M50 36.2V39.3M47 42.3Q50 43.6 53 42.3"],
  ["gold", "M37.3 29.5 35.2 14.8 43 21.6 50 11 57 21.6 64.8 14.8 62.7 29.5Z"],
  ["line", "M37.2 25.6H62.8"],
  ["pole", "M70.5 70V31"],
  ["gold", "M70.5 16.5C75.2 22.8 74.8 27.2 70.5 32.3 66.2 27.2 65.8 22.8 70.5 16.5Z"],
];

const QUEEN = [
  ["robe", "M25 70C26 57.5 36 51 50 51S74 57.5 75 70Z"],
  ["tint", "M39 52.3C40 62 60 62 61 52.3L56.3 70H43.7Z"],
  ["seam", "M30 70C31 62 34 58 38 55M70 70C69 62 66 58 62 55"],
  ["robe", "M36 52C29.8 22.5 70.2 22.5 64 52 60 56 40 56 36 52Z"],
  ["skin", "M42 36C42 27.3 58 27.3 58 36 58 43 54 47.6 50 47.6S42 43 42 36Z"],
  ["line", "M45.2 37H46.8M53.2 37H54.8M47.5 42.8Q50 44.6 52.5 42.8"],
  ["gold", "M38 29.5C42 23.5 58 23.5 62 29.5L64.2 19.6 57 22.6 50 13.2 43 22.6 35.8 19.6Z"],
  ["gold", disc(50, 12.8, 2.6) + disc(35.8, 19.4, 2) + disc(64.2, 19.4, 2)],
  ["gold", disc(50, 54, 2.6)],
  ["pole", "M29.5 70V36"],
  ["gold", disc(29.5, 31.8, 5)],
  ["line", "M29.5 28.8V31.8L31.6 33.3"],
];

const JACK = [
  ["robe", "M25 70V61L39 51H61L75 61V70Z"],
  ["tint", "M33 70 41 51H50L42 70ZM51 70 56 51H61L64.2 53.3 59 70Z"],
  ["gold", "M42 49.3H58L55 55H45Z"],
  ["robe", "M38.5 29H61.5V45.5C58.2 49 57 46 57 46H43C43 46 41.8 49 38.5 45.5Z"],
  ["skin", "M42 30H58V40C58 45 54 48 50 48S42 45 42 40Z"],
  ["line", "M45.2 36.5H46.8M53.2 36.5H54.8M47.5 42.8Q50 44.2 52.5 42.8"],
  ["tint", "M36 30.5C34 17 62 13 66 28L62 31C55 28 45 28 36 30.5Z"],
  ["gold", "M60 20.5C66 17 69 12.5 67.5 11 62 12.5 58 15 57 19Z"],
  ["gold", "M36 30.5C45 27 55 27 62.5 31L63 27.5C55 24 45 24 35.5 27.5Z"],
  ["pole", "M29.5 70V24"],
  ["gold", "M29.5 11.5 33.2 26 29.5 30.3 25.8 26Z"],
];

/** @type {{[rank: string]: string[][]}} */
const COURTS = { K: KING, Q: QUEEN, J: JACK };

/** Whether a rank has a figure. @param {string} rank */
export function isCourt(rank) {
  return rank in COURTS;
}

/** The upper half of a figure. @param {string} rank @param {string | null} transform */
export function figure(rank, transform = null) {
  const parts = COURTS[rank].map(([kind, d]) => h("path", { class: kind, d: d }));
  return h("g", { transform }, ...parts);
}

/** @param {number} x @param {number} y @param {number} r */
function disc(x, y, r) {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}
