// The moment of a win: the piles light up round the clock, its hands go to twelve, rays and suits
// fly out. What is drawn is the last picture; `celebrate` lets it come about, once.

import { h } from "../draw.js";
import { suitAt } from "./faces/shapes.js";
import { isCalm } from "./flight.js";
import { along } from "./layout/curve.js";

const RAYS = 48;
const SUITS = 64;
const SPIN_MS = 900;
const EASY = "cubic-bezier(.2,.7,.3,1)";

/**
 * @param {Shown} shown @param {Layout} layout
 * @param {Say} say
 */
export function win({ home, clock, n }, layout, say) {
  const { x, y, r, aside } = layout.middle;
  return h(
    "g",
    { key: "win", class: "win", "aria-hidden": "true" },
    h("g", { class: "rays" }, ...rays(layout)),
    h("g", { class: "falling" }, ...falling(layout)),
    r ? faceOf(x, y, r) : null,
    aside ? figure("home", x - aside, y, r, home, say("heading.home")) : null,
    aside ? figure("time", x + aside, y, r, clock, say("moves", { count: n })) : null,
  );
}

/** @param {number} x @param {number} y @param {number} r */
function faceOf(x, y, r) {
  return h(
    "g",
    {},
    h("circle", { class: "clock-face", cx: x, cy: y, r }),
    h("path", { class: "hours", d: strokes(x, y, r) }),
    h("path", { class: "minute hand", d: `M${x} ${y}V${y - r * 0.78}`, "stroke-width": r * 0.09 }),
    h("path", { class: "hour hand", d: `M${x} ${y}V${y - r * 0.5}`, "stroke-width": r * 0.15 }),
    h("circle", { class: "axle", cx: x, cy: y, r: r * 0.09 }),
  );
}

/** @param {string} kind @param {number} x @param {number} y @param {number} r @param {Child} large @param {string} small */
function figure(kind, x, y, r, large, small) {
  return h(
    "g",
    { class: "figure" },
    h("text", { class: "large", x, y: y - r * 0.1, "font-size": r * (kind === "time" ? 0.36 : 0.42) }, large),
    h("text", { class: "small", x, y: y + r * 0.3, "font-size": Math.max(11, r * 0.19) }, small),
  );
}

/** @param {number} x @param {number} y @param {number} r */
function strokes(x, y, r) {
  return Array.from({ length: 12 }, (_, hour) => {
    const angle = (hour * Math.PI) / 6;
    /** @param {number} far */
    const at = (far) => `${(x + Math.sin(angle) * r * far).toFixed(1)} ${(y - Math.cos(angle) * r * far).toFixed(1)}`;
    return `M${at(0.86)}L${at(hour % 3 ? 0.78 : 0.7)}`;
  }).join("");
}

/** Lines outwards from the dial, every fourth one long; above and below it where it is a band. @param {Layout} layout */
function rays(layout) {
  const { dial, middle, width, height } = layout;
  /** @type {(part: number) => Point} */
  const from = dial ? (part) => along(grown(dial, 10), part) : (part) => onBand(middle, 1, part);
  /** @type {(part: number, far: number) => Point} */
  const to = dial
    ? (part, far) => along(grown(dial, 14 + far), part)
    : (part, far) => onBand(middle, 1 + far / middle.b, part);
  return Array.from({ length: RAYS }, (_, i) => {
    const far = Math.min(width, height) * (i % 4 ? (i % 2 ? 0.028 : 0.05) : 0.085);
    const [start, end] = [from(i / RAYS), to(i / RAYS, far)];
    if (!middle.r || start.x < 0 || start.x > width) return null;
    return h("path", { d: `M${start.x.toFixed(1)} ${start.y.toFixed(1)}L${end.x.toFixed(1)} ${end.y.toFixed(1)}` });
  });
}

/**
 * Where a ray crosses the upper or the lower edge of a band, `out` times as far as its middle.
 * @param {Layout["middle"]} of @param {number} out @param {number} part
 */
function onBand({ x, y, b }, out, part) {
  const angle = 2 * Math.PI * part;
  const [right, up] = [Math.sin(angle), Math.cos(angle)];
  const far = ((b + 18) * out) / Math.max(Math.abs(up), 1e-6);
  return { x: x + right * far, y: y - up * far };
}

/** @param {Dial} dial @param {number} by */
function grown(dial, by) {
  return { ...dial, a: dial.a + by, b: dial.b + by };
}

/** Suits all over the felt but on the clock itself, always the same. @param {Layout} layout */
function falling({ width, height, middle: inside }) {
  const found = [];
  for (let i = 1; found.length < SUITS && i < SUITS * 4; i++) {
    const [x, y] = [((i * 0.754877666) % 1) * width, ((i * 0.569840296) % 1) * height];
    const out = Math.max(Math.abs(x - inside.x) / inside.a, Math.abs(y - inside.y) / inside.b);
    if (out < 1.12) continue;
    const suit = "CDHS"[i % 4];
    const size = 9 + ((i * 7) % 12);
    found.push(h("g", { class: `bit ${suit}`, transform: `rotate(${(i * 67) % 50 - 25} ${x.toFixed(1)} ${y.toFixed(1)})` }, suitAt(suit, x, y, size, { kind: "" })));
  }
  return found;
}

/**
 * Let the win come about; nothing with less motion wished for.
 * @param {SVGElement} svg @param {string[]} round the foundations clockwise from twelve
 */
export function celebrate(svg, round) {
  const layer = svg?.querySelector(".win");
  if (!layer || isCalm() || document.hidden) return;
  const grow = { duration: 400, delay: SPIN_MS, fill: /** @type {const} */ ("backwards"), easing: EASY };
  round.forEach((name, i) => {
    const pile = svg.querySelector(`[data-pile="${name}"]`);
    const up = { translate: ["0px 0px", "0px -12px", "0px 0px"], filter: ["brightness(1)", "brightness(1.25)", "brightness(1)"] };
    pile?.animate(up, { duration: 320, delay: i * 70, easing: "ease-in-out" });
  });
  const centre = layer.querySelector(".clock-face");
  const origin = centre ? `${centre.getAttribute("cx")}px ${centre.getAttribute("cy")}px` : "50% 50%";
  for (const [kind, turns] of [["hour", -300], ["minute", -1440]]) {
    const spin = { transform: [`rotate(${turns}deg)`, "rotate(0deg)"], transformOrigin: [origin, origin] };
    layer.querySelector(`.${kind}`)?.animate(spin, { duration: SPIN_MS, easing: "cubic-bezier(.3,0,.2,1)" });
  }
  layer.querySelector(".rays")?.animate({ opacity: [0, 1], scale: [0.9, 1], transformOrigin: [origin, origin] }, grow);
  for (const bit of layer.querySelectorAll(".bit")) {
    const way = { opacity: [0, 1], translate: [`0px -60px`, "0px 0px"] };
    bit.animate(way, { ...grow, duration: 1200, delay: SPIN_MS + Math.random() * 300 });
  }
}

/** Show the last picture at once. @param {Element | null} svg */
export function endMotion(svg) {
  for (const motion of svg?.getAnimations({ subtree: true }) ?? []) motion.finish();
}
