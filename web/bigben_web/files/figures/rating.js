// A player's rating by week, and between what the strength behind it almost surely lies now. Before there are
// enough races for a line, that is all.

import { h } from "../draw.js";
import { dayName } from "../words.js";
import { DAY_MS, firstDayOf } from "../records/days.js";
import { MARGINS, chartSize } from "./weeks.js";
import { short } from "./wheel.js";

const WEEK_MS = 7 * DAY_MS;
const [LEFT, TOP, FOOT] = MARGINS;
/** The room for the value at the end of the line, also in a narrow chart. */
const [RIGHT, NARROW_RIGHT, NARROW] = [64, 56, 400];
const STEPS = [10, 20, 50, 100, 200, 500, 1000];
const MOST_MARKS = 5;
/** How wide the band is where it is that of now alone. */
const BAND = 18;

/** The races after which a rating is no longer provisional. */
const ENOUGH = 10;

/** @param {Given<"say">} given @param {Protocol.Tally} tally with its form, and with a rating */
export function ratingLine({ say }, { rating = 0, uncertainty = 0, provisional = false, ratings = [] }) {
  const [width, height] = chartSize();
  const line = provisional ? [] : ratings;
  const most = rating + 2 * uncertainty;
  const marks = marksOf([rating, most, ...line.map((one) => one.rating)]);
  const [bottom, top] = [marks[0], marks[marks.length - 1]];
  const times = line.map(({ week }) => Date.parse(firstDayOf(week)));
  const [from, to] = [Math.min(times[0], times[times.length - 1] - WEEK_MS), times[times.length - 1]];
  const end = width - (width < NARROW ? NARROW_RIGHT : RIGHT);
  /** @param {number} time */
  const x = (time) => short(LEFT + ((end - LEFT) * (time - from)) / (to - from));
  /** @param {number} value */
  const y = (value) => short(height - FOOT - ((height - FOOT - TOP) * (value - bottom)) / (top - bottom));
  const band = { class: "band", y: y(most), height: short(y(rating) - y(most)) };
  const said = line.map((one) => one.rating).join(", ");
  return h(
    "svg",
    { class: "chart rating", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": [said && say("player.ratings_are", { ratings: said }), say("player.between", { least: rating, most })].filter(Boolean).join(" ") },
    marks.map((mark) => [
      h("path", { class: "grid", d: `M${LEFT} ${y(mark)}H${end}` }),
      h("text", { class: "of", x: LEFT - 8, y: y(mark) + 4 }, mark),
    ]),
    provisional
      ? [
          h("rect", { ...band, x: LEFT, width: end - LEFT }),
          h("text", { class: "later", x: (LEFT + end) / 2, y: (y(rating) + y(most)) / 2 + 5 }, say("player.rating_later", { count: ENOUGH })),
        ]
      : [
          h("rect", { ...band, x: end - BAND / 2, width: BAND, rx: 3 }),
          h("path", { class: "line mine", d: line.map((one, at) => `${at ? "L" : "M"}${x(times[at])} ${y(one.rating)}`).join("") }),
          h("circle", { cx: end, cy: y(rating), r: 4.5 }),
          h("text", { class: "value", x: end + 12, y: y(rating) + 5 }, rating),
          datesOf(line.map(({ week }) => firstDayOf(week))).map((date) => h("text", { class: "when", x: x(Date.parse(date)), y: height - 6 }, dayName(say, date, { day: "numeric", month: "short" }))),
        ],
  );
}

/** The first, the last, and one between them. @param {string[]} dates */
function datesOf(dates) {
  return [...new Set([dates[0], dates[Math.floor(dates.length / 2)], dates[dates.length - 1]])].filter(Boolean);
}

/** Round numbers, the first one below all of these and the last one above. @param {number[]} values */
function marksOf(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const step = STEPS.find((one) => (most - least) / one <= MOST_MARKS - 1) ?? most;
  const marks = [];
  for (let mark = Math.floor(least / step) * step; mark < most + step; mark += step) marks.push(mark);
  return marks;
}
