// The winning chance and the cards home of one seat, by move, with marks at the moves that cost most.

import { h } from "../draw.js";

const PHONE = "(max-width: 699px)";
const [LEFT, RIGHT, TOP, BOTTOM] = [40, 34, 10, 20];
const STEPS = 4;
/** What a chance that is certain and one expected card are on the wire. */
const [CERTAIN, CARD] = [10_000, 100];

/**
 * @param {import("../result/analyses.js").Seat} seat @param {number} total cards home that win
 * @param {string} label what one who can't see it is told
 */
export function chances({ points, costly }, total, label) {
  const [WIDTH, HEIGHT] = matchMedia(PHONE).matches ? [342, 150] : [516, 170];
  const end = Math.max(1, points.at(-1)?.n ?? 1);
  /** @param {number} n */
  const x = (n) => Number((LEFT + ((WIDTH - LEFT - RIGHT) * n) / end).toFixed(1));
  /** @param {number} part */
  const y = (part) => Number((HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part).toFixed(1));
  /** @param {(point: import("../result/analyses.js").Point) => number} value */
  const line = (value) => points.map((point, i) => `${i ? "L" : "M"}${x(point.n)} ${y(value(point))}`).join("");
  /** @param {number} n */
  const before = (n) => points.findLast((point) => point.n < n)?.chance ?? 0;
  const chance = line((point) => point.chance / CERTAIN);
  const most = Math.max(...costly.map(({ cost }) => cost));
  return h(
    "svg",
    { class: "chart chances", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    [0, 0.5, 1].map((part) => [
      h("path", { class: "grid", d: `M${LEFT} ${y(part)}H${WIDTH - RIGHT}` }),
      h("text", { class: "of", x: LEFT - 6, y: y(part) + 4 }, `${100 * part} %`),
      h("text", { class: "cards", x: WIDTH - RIGHT + 6, y: y(part) + 4 }, Math.round(total * part)),
    ]),
    Array.from({ length: STEPS + 1 }, (_, i) => Math.round((end * i) / STEPS)).map((n) =>
      h("text", { class: "when", x: x(n), y: HEIGHT - 4 }, n),
    ),
    h("path", { class: "line line2", d: line(({ home }) => home / total) }),
    h("path", { class: "line line1", d: line(({ expected }) => expected / CARD / total) }),
    h("path", { class: "area", d: `${chance}V${y(0)}H${x(points[0]?.n ?? 0)}Z` }),
    h("path", { class: "line mine", d: chance }),
    costly.map(({ n, cost }) => {
      const [from, worst] = [before(n), cost === most];
      return [
        worst ? h("path", { class: "fall", d: `M${x(n)} ${y(from / CERTAIN)}V${y(Math.max(0, from - cost) / CERTAIN)}` }) : null,
        h("circle", { class: worst ? "cost worst" : "cost", cx: x(n), cy: y(from / CERTAIN), r: worst ? 6 : 3.5 }),
      ];
    }),
  );
}
