// Figures that fit into a line of text or of a table: how much of all, and a line of days.

import { h } from "../draw.js";

/** Cards home as a bar; all bars of a table begin at one x. @param {number} home @param {number} total */
export function bar(home, total) {
  return h(
    "svg",
    { class: `of-all ${home >= total ? "full" : ""}`, viewBox: `0 0 ${total} 1`, preserveAspectRatio: "none", "aria-hidden": "true" },
    h("rect", { width: home, height: 1 }),
  );
}

const [WIDTH, HEIGHT] = [100, 26];
/** What is below this part of all cards lies on the floor. */
const FLOOR = 24 / 104;

/** What stands for a day without a result. */
const NONE = -1;

/**
 * Cards home by day, the last one marked; a day without a result is a gap.
 * @param {Given<"say">} given @param {number[]} days @param {number} total
 */
export function spark({ say }, days, total) {
  /** @param {number} at */
  const x = (at) => 3 + ((WIDTH - 6) * at) / Math.max(1, days.length - 1);
  /** @param {number} home */
  const y = (home) => HEIGHT - 4 - ((HEIGHT - 8) * Math.max(0, home / total - FLOOR)) / (1 - FLOOR);
  /** @param {number} at */
  const before = (at) => at > 0 && days[at - 1] !== NONE;
  const points = days.map((home, at) => (home === NONE ? "" : `${before(at) ? "L" : "M"}${x(at).toFixed(1)} ${y(home).toFixed(1)}h0`));
  const last = days.findLastIndex((home) => home !== NONE);
  const label = say("boards.lately_are", { homes: days.filter((home) => home !== NONE).join(", ") });
  return h(
    "svg",
    { class: "spark", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    h("path", { class: "top", d: `M3 ${y(total)}H${WIDTH - 3}` }),
    h("path", { class: "days-line", d: points.join("") }),
    last >= 0 ? h("path", { class: "last", d: `M${x(last).toFixed(1)} ${y(days[last]).toFixed(1)}h0` }) : null,
  );
}
