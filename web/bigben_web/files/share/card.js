// The card to share as a drawing of 1000 by 524, in colours of its own: what is saved as a picture.

import { h } from "../draw.js";
import { HEIGHT, WIDTH } from "./sharing.js";
import { SIGNS, sharePlace, shareText } from "./share.js";
import { dayName, resultTime } from "../words.js";
import { weekOf } from "../wire/races.js";
import { COLOURS, face } from "../figures/wheel.js";
import { publicAddress } from "../page/public.js";
import { gameName, rulesName } from "../page/titles.js";

const [GROUND, LINE, INK, FAINT] = ["#123d33", "#b8944a", "#f6eed8", "#c3d6cb"];
const SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const SERIF = "ui-serif, Georgia, 'Times New Roman', serif";
const WHEEL = 488;
const LEFT = 536;
const ROOM = 420;

/** @param {Given<"games" | "say">} given @param {Share} share */
export function card(given, share) {
  const { say } = given;
  const { seat, game, hours = [] } = share;
  const [line] = shareText(say, share).split("\n");
  const { home = 0, name } = seat;
  const place = sharePlace(say, share);
  const large = place || `${home}/${game.total}`;
  const time = resultTime(seat.home_ms ?? 0);
  const ended = ["resigned", "timed out"].includes(seat.state) ? say(`share.${seat.state}`) : "";
  const { streak: days = 0 } = share;
  const streak = share.room.kind === "daily" && days > 1 ? say("share.streak", { days }) : "";
  return h(
    "svg",
    { class: "share-card", xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": line },
    h("rect", { width: WIDTH, height: HEIGHT, rx: 32, fill: GROUND }),
    h("rect", { x: 12, y: 12, width: WIDTH - 24, height: HEIGHT - 24, rx: 24, fill: "none", stroke: LINE, "stroke-width": 2 }),
    h("g", { transform: `translate(${WHEEL / 2 + 18} ${HEIGHT / 2})` }, face({ size: WHEEL, home, total: game.total, hours, middle: home, below: say("share.of", { total: game.total }), numbers: true })),
    text(what(given, share.room), { x: LEFT, y: 112, size: 32, fill: FAINT }),
    text(large, { x: LEFT, y: 200, size: 72, serif: true, fill: INK }),
    text([name, time, ended, streak].filter(Boolean).join(" · "), { x: LEFT, y: 254, size: 32, fill: FAINT }),
    squares(share),
    text(new URL(publicAddress()).host, { x: LEFT, y: 480, size: 25, fill: FAINT }),
  );
}

/** `Big Ben · 22 November`. @param {Given<"games" | "say">} given @param {Share["room"]} of */
function what(given, { race, kind, rules }) {
  const { say } = given;
  const { game = "bigben", rules: preset = "standard", daily = "" } = rules;
  const [, date] = (daily || (kind === "daily" ? race : "")).split(".");
  const words = [gameName(given, game)];
  if (preset !== "standard") words.push(rulesName(given, { game, rules: preset }).split(":")[0]);
  if (kind === "practice") words.push(say("race.practice"));
  if (date) words.push(dayName(say, date));
  else if (kind !== "practice") words.push(weekOf(race).season ? say("share.week", { week: weekOf(race).number }) : race);
  return words.join(" · ");
}

/** Twelve squares: the hours from one to twelve, or filled in turn by the cards home. @param {Share} share */
function squares({ seat: { home = 0 }, game: { total }, hours = [] }) {
  const known = hours.length === SIGNS;
  const filled = known ? [...hours.slice(1), hours[0]] : Array.from({ length: 12 }, (_, at) => [home * 12 - total * at, total]);
  return filled.map(([have, whole], at) => {
    const [x, y] = [LEFT - 2 + (at % 6) * 64, 298 + Math.floor(at / 6) * 64];
    const part = Math.max(0, Math.min(1, have / whole));
    const colour = part === 1 ? COLOURS.done : COLOURS.part;
    const box = { x: x + 1.5, y: y + 1.5, width: 53, height: 53, rx: 11 };
    return h(
      "g",
      {},
      h("rect", { ...box, fill: COLOURS.disc, stroke: part ? colour : COLOURS.none, "stroke-width": 3 }),
      part ? h("path", { d: filling(box, part), fill: colour }) : null,
      known ? number(at + 1, x + 28, y + 37, part) : null,
    );
  });
}

/** On what is half filled a number has an edge. @param {number} hour @param {number} x @param {number} y @param {number} part */
function number(hour, x, y, part) {
  const full = part === 1;
  const edge = full ? {} : { stroke: COLOURS.disc, "stroke-width": 6, "stroke-linejoin": "round", "paint-order": "stroke" };
  return text(hour, { x, y, size: 24, fill: full ? COLOURS.disc : INK, middle: true, bold: true, ...edge });
}

/** The lower part of a box with round corners. @param {Area & { rx: number }} of @param {number} part */
function filling({ x, y, width, height, rx }, part) {
  if (part === 1) return `M${x + rx} ${y}h${width - 2 * rx}a${rx} ${rx} 0 0 1 ${rx} ${rx}v${height - 2 * rx}a${rx} ${rx} 0 0 1 ${-rx} ${rx}h${2 * rx - width}a${rx} ${rx} 0 0 1 ${-rx} ${-rx}v${2 * rx - height}a${rx} ${rx} 0 0 1 ${rx} ${-rx}z`;
  const high = Math.max(rx, Math.min(height - rx, height * part));
  return `M${x} ${y + height - high}h${width}v${high - rx}a${rx} ${rx} 0 0 1 ${-rx} ${rx}h${2 * rx - width}a${rx} ${rx} 0 0 1 ${-rx} ${-rx}z`;
}

/** Text that shrinks to the room it has. @param {string | number} said @param {Point & {size: number, fill: string, serif?: boolean, bold?: boolean, middle?: boolean, [attribute: string]: any}} of */
function text(said, { x, y, size, fill, serif = false, bold = serif, middle = false, ...more }) {
  const most = middle ? size : Math.min(size, ROOM / (String(said).length * 0.53));
  const style = { "font-family": serif ? SERIF : SANS, "font-weight": bold ? 700 : 400, "font-size": most.toFixed(1) };
  return h("text", { x: x.toFixed(1), y: y.toFixed(1), fill, "text-anchor": middle ? "middle" : "start", ...style, ...more }, said);
}
