// Small drawings on buttons, beside their words or instead of them.

import { h } from "../draw.js";

const LINES = {
  best: "M12 3l2.7 5.6 6.1.9-4.4 4.3 1 6.1L12 17l-5.4 2.9 1-6.1-4.4-4.3 6.1-.9z",
  hints: "M9 18h6M10 21h4M8.5 15C6.5 13.5 5.5 11.7 5.5 9.5a6.5 6.5 0 0 1 13 0c0 2.2-1 4-3 5.5z",
  deal: "M5 4h6a1.5 1.5 0 0 1 1.5 1.5v11A1.5 1.5 0 0 1 11 18H5a1.5 1.5 0 0 1-1.5-1.5v-11A1.5 1.5 0 0 1 5 4zM15 7l5 1.5-3 11-4-1",
  undo: "M9 7 4 12l5 5M4 12h11a5 5 0 0 1 0 10h-3",
  resign: "M6 21V4M6 4.5h11l-2.5 4 2.5 4H6",
  home: "M3.5 12 12 4.5l8.5 7.5M6 10.5V20h12v-9.5",
  help: "M7.6 8.4a4.4 4.4 0 1 1 6.7 3.7c-1.5 1-2.3 1.7-2.3 3.4M12 20h.01",
  cheer: "M5 5h14a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 19 16h-7l-4.5 4v-4H5a1.5 1.5 0 0 1-1.5-1.5v-8A1.5 1.5 0 0 1 5 5zM8.5 10.5h.01M12 10.5h.01M15.5 10.5h.01",
  boards: "M3 20.5v-7h6v7M9 20.5v-16h6v16M15 20.5v-10h6v10M2 20.5h20",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c0-4.5 3.5-6 7.5-6s7.5 1.5 7.5 6",
  earlier: "M15 5l-7 7 7 7",
  later: "M9 5l7 7-7 7",
  share: "M12 15V4M8 7.5 12 3.5l4 4M5 12v8h14v-8",
  check: "M5 12.5l4.5 4.5L19 7",
  plus: "M12 5v14M5 12h14",
  people: "M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 3-5.5 6.5-5.5s6.5 1.5 6.5 5.5M15.5 4.9a3.5 3.5 0 0 1 0 6.3M18 14.8c2.2.7 3.5 2.3 3.5 5.2",
  learn: "M2.5 9.5 12 5l9.5 4.5L12 14zM6.5 11.5V16c0 1.5 2.5 2.5 5.5 2.5s5.5-1 5.5-2.5v-4.5M21.5 9.5V15",
  minus: "M5 12h14",
  swap: "M4 9h15l-4-4M20 15H5l4 4",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  stop: "M7 7h10v10H7z",
  play: "M8 5l11 7-11 7z",
  pause: "M9 5v14M15 5v14",
};

/** @param {keyof typeof LINES} name */
export function icon(name) {
  return h("svg", { class: "icon", "data-icon": name, viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: LINES[name] }));
}
