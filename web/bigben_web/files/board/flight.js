// Cards fly from where they were to where they are, and fans make room. What the board shows is
// there already; with less motion wished for, cards only appear.

import { copyOf, partOf, partsOf } from "../draw.js";

/** @typedef {Point & {width: number, under?: Element | null}} Corner of a card on the screen */

const PAUSE_MS = 45;
const FADE_MS = 80;
const ROOM_MS = 160;
const RING_MS = 400;
const EASY = "cubic-bezier(.2,.7,.3,1)";

/**
 * The places of cards before they move.
 * @param {SVGSVGElement | null} svg @returns {(steps: Step[]) => void} to be called after the board was drawn anew
 */
export function takeOff(svg) {
  if (!svg || document.hidden) return () => {};
  const view = svg.getAttribute("viewBox");
  /** @type {Map<string, Corner>} */
  const from = new Map();
  /** @type {Map<SVGGraphicsElement, Point>} */
  const spots = new Map();
  const complete = new Set();
  for (const pile of partsOf(svg, "[data-pile]")) {
    const name = pile.dataset.pile ?? "";
    const top = pile.querySelector(":scope > .top");
    from.set(name, { ...corner(pile), under: top && !top.classList.contains("back") ? top : null });
    if (pile.querySelector(":scope > .complete")) complete.add(name);
    for (const card of partsOf(pile, ":scope > .card")) spots.set(card, placeOf(card));
  }
  return (steps) => {
    if (!svg.isConnected || svg.getAttribute("viewBox") !== view) return;
    if (isCalm()) appear(svg, steps);
    else {
      makeRoom(spots);
      flyAll(svg, steps, from);
      for (const pile of partsOf(svg, ".pile:has(> .complete)")) {
        if (steps.length && !complete.has(pile.dataset.pile)) ring(pile);
      }
    }
  };
}

/** Whether nothing is to travel. */
export function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * The cards that the steps have brought, with the pile that each came from and its delay.
 * @param {SVGSVGElement} svg @param {Step[]} steps
 */
function arrivals(svg, steps) {
  const landed = new Map();
  return [...steps].reverse().flatMap(([source, target, , how = ""], back) => {
    const later = landed.get(target) ?? 0;
    landed.set(target, later + 1);
    const card = arrived(partOf(svg, `[data-pile="${target}"]`), how ?? "", later);
    return card ? [{ card, source, target, delay: (steps.length - 1 - back) * PAUSE_MS }] : [];
  });
}

/**
 * The card that a step has brought, with `later` others that came after it.
 * @param {SVGGraphicsElement} pile @param {string} how @param {number} later
 */
function arrived(pile, how, later) {
  if (how === "down") return later ? null : partOf(pile, ":scope > .back");
  const cards = partsOf(pile, ":scope > .card:not(.back)");
  // In a column the latest card lies below the others.
  return how === "under" && !pile.classList.contains("ledge") ? cards[later] : cards[cards.length - 1 - later];
}

/** @param {SVGSVGElement} svg @param {Step[]} steps */
function appear(svg, steps) {
  for (const { card } of arrivals(svg, steps)) card.animate({ opacity: [0, 1] }, FADE_MS);
}

/** @param {SVGSVGElement} svg @param {Step[]} steps @param {Map<string, Corner>} from */
function flyAll(svg, steps, from) {
  for (const { card, source, target, delay } of arrivals(svg, steps)) {
    const start = from.get(source);
    if (start) fly(card, start, delay, from.get(target)?.under);
  }
}

/** @param {SVGGraphicsElement} pile */
function corner(pile) {
  const top = pile.querySelector(".top, .card") ?? partOf(pile, ".gap");
  const { x, y, width } = top.getBoundingClientRect();
  return { x, y, width };
}

/** @param {SVGGraphicsElement} card */
function placeOf(card) {
  const { e, f } = card.transform.baseVal.getItem(0).matrix;
  return { x: e, y: f };
}

/** Cards that stay on their pile glide to their new place. @param {Map<SVGGraphicsElement, Point>} spots */
function makeRoom(spots) {
  for (const [card, was] of spots) {
    if (!card.isConnected) continue;
    const now = placeOf(card);
    const [x, y] = [was.x - now.x, was.y - now.y];
    if (Math.abs(x) + Math.abs(y) < 0.5) continue;
    card.animate({ translate: [`${x}px ${y}px`, "0px 0px"] }, { duration: ROOM_MS, easing: "ease-out" });
  }
}

/**
 * A twin flies above all piles; the card itself shows when it has landed. `under` is seen until then.
 * @param {SVGGraphicsElement} card @param {Corner} start @param {number} delay
 * @param {Element | null | undefined} under
 */
function fly(card, start, delay, under) {
  const end = placeOf(card);
  const now = card.getBoundingClientRect();
  const size = start.width / now.width;
  const twin = copyOf(card);
  const svg = /** @type {SVGSVGElement} */ (card.ownerSVGElement);
  const below = under && !under.isConnected ? copyOf(under) : null;
  if (below) card.before(below);
  partOf(svg, ".air").append(twin);
  const marks = svg.querySelectorAll(`[data-mark="${card.parentElement?.dataset.pile}"]`);
  for (const part of [card, ...marks]) part.classList.add("away");
  // It is scaled from the felt's corner, so that it has to come from farther off.
  const from = [start.x - now.x + end.x * (1 - size), start.y - now.y + end.y * (1 - size)];
  const way = { translate: [`${from[0]}px ${from[1]}px`, "0px 0px"], scale: [size, 1] };
  const far = Math.hypot(start.x - now.x, start.y - now.y);
  const pace = { duration: Math.min(300, 160 + 0.1 * far), delay, fill: /** @type {const} */ ("backwards"), easing: EASY };
  twin.animate(way, pace).onfinish = () => {
    twin.remove();
    below?.remove();
    for (const part of [card, ...marks]) part.classList.remove("away");
  };
}

/** A foundation is complete: a ring goes out from it, once. @param {SVGGraphicsElement} pile */
function ring(pile) {
  const { x, y, width, height } = pile.getBBox();
  const line = document.createElementNS(pile.namespaceURI, "rect");
  for (const [name, value] of Object.entries({ class: "done", x, y, width, height, rx: width * 0.09 })) {
    line.setAttribute(name, String(value));
  }
  partOf(/** @type {SVGSVGElement} */ (pile.ownerSVGElement), ".air").append(line);
  const out = { scale: [1, 1.28], opacity: [1, 0] };
  line.animate(out, { duration: RING_MS, delay: ROOM_MS, fill: "both", easing: "ease-out" }).onfinish = () => line.remove();
}
