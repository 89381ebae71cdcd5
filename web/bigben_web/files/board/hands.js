// Taps, drags and keys on the board. Says what was meant; what may be played it is told.

import { copyOf, partOf } from "../draw.js";
import { nearest } from "./choices.js";

/** How far a finger may tremble on a tap, and how near to a pile a card must be dropped. */
const TREMBLE = 7;
const REACH = 90;
/** How long a pile is pointed at, or pressed, before it opens. */
const WAIT_MS = 400;

/**
 * @typedef {object} Meaning
 * @property {(pile: string) => void} tap
 * @property {(pile: string) => string[]} targets where a card dragged from here can go
 * @property {(pile: string) => void} pick a card is being dragged from here; "" when it is let go
 * @property {(pile: string, target: string) => void} drop
 * @property {(pile: string, target: string) => void} miss the card is let go where it can't go
 * @property {(pile: string, key: string) => void} walk an arrow key was pressed on this pile
 * @property {(pile: string) => void} open a pile is pointed at for a while, or pressed; "" when it no
 *   longer is
 * @property {(number: number) => void} [choose] a card of an exchange is tapped
 * @property {() => void} escape
 */

/** Listeners for the board's element. @param {Meaning} mean @returns {Props} */
export function hands(mean) {
  /** @type {{pile: string, id: number, x: number, y: number, scale: number, card?: Element, ghost: SVGGraphicsElement|null}|null} */
  let drag = null;
  let tapped = true;
  let pointed = { pile: "", timer: 0, open: false };

  /** Open this pile if nothing else happens for a while, and close any other. @param {string} pile */
  function point(pile, opened = () => {}) {
    if (pile === pointed.pile) return;
    clearTimeout(pointed.timer);
    if (pointed.open) mean.open("");
    const now = { pile, timer: 0, open: false };
    const open = () => {
      now.open = true;
      opened();
      mean.open(pile);
    };
    if (pile) now.timer = setTimeout(open, WAIT_MS);
    pointed = now;
  }

  /** @param {PointerEvent & Touched} event */
  function began(event) {
    const pile = pileOf(event.target);
    tapped = true;
    drag = null;
    if (event.pointerType !== "mouse") point(pile, () => (tapped = false));
    if (!pile || event.button || !mean.targets(pile).length) return;
    drag = { pile, id: event.pointerId, x: event.clientX, y: event.clientY, scale: 1, ghost: null };
  }

  /** @param {PointerEvent & Touched} event */
  function moved(event) {
    if (event.pointerType === "mouse" && !event.buttons) point(pileOf(event.target));
    if (!drag || event.pointerId !== drag.id) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.ghost) {
      if (Math.hypot(x, y) < TREMBLE) return;
      const svg = event.currentTarget;
      svg.setPointerCapture(drag.id);
      point("");
      mean.pick(drag.pile);
      drag.card = partOf(svg, `[data-pile="${drag.pile}"] .top`);
      drag.scale = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
      drag.ghost = copyOf(partOf(svg, `[data-pile="${drag.pile}"] .top`));
      drag.ghost.classList.add("held");
      drag.card.classList.add("away");
      partOf(svg, ".air").append(drag.ghost);
    }
    drag.ghost.style.translate = `${x * drag.scale}px ${y * drag.scale}px`;
  }

  /** @param {PointerEvent & Touched} event */
  function ended(event) {
    if (event.pointerType !== "mouse") clearTimeout(pointed.timer);
    if (!drag || event.pointerId !== drag.id) return;
    const { pile, ghost, card } = drag;
    drag = null;
    if (!ghost) return;
    tapped = false; // the click that follows is none
    const box = ghost.getBoundingClientRect();
    ghost.remove();
    card?.classList.remove("away");
    mean.pick("");
    if (event.type === "pointercancel") return;
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    /** @type {[pile: string, middle: Point][]} */
    const places = mean.targets(pile).map((name) => [name, topOf(event.currentTarget, name)]);
    const target = nearest(places, middle, REACH);
    if (target) return mean.drop(pile, target);
    const under = document.elementsFromPoint(event.clientX, event.clientY).map(pileOf).find(Boolean);
    if (under && under !== pile) mean.miss(pile, under);
  }

  /** @param {PointerEvent & Touched} event */
  function clicked(event) {
    const pile = pileOf(event.target);
    const choice = choiceOf(event.target);
    if (!tapped) return;
    if (choice) mean.choose?.(choice);
    else if (pile) mean.tap(pile);
    else mean.escape();
  }

  /** @param {KeyboardEvent & Touched} event */
  function pressed(event) {
    const [pile, choice] = [pileOf(event.target), choiceOf(event.target)];
    if (event.key === "Escape") mean.escape();
    if (choice && event.key === "Enter") mean.choose?.(choice);
    // The space bar is a shortcut too, unless the pile was reached by keys.
    if (!pile || (event.key === " " && !event.target.matches(":focus-visible"))) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (!event.repeat) mean.tap(pile);
    } else if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      mean.walk(pile, event.key);
    }
  }

  return {
    onpointerdown: began,
    onpointermove: moved,
    onpointerup: ended,
    onpointercancel: ended,
    onpointerleave: () => point(""),
    onclick: clicked,
    onkeydown: pressed,
  };
}

/** @param {Element} element */
function pileOf(element) {
  return element.closest?.("[data-pile]")?.getAttribute("data-pile") ?? "";
}

/** The number of a card of an exchange, or 0. @param {Element} element */
function choiceOf(element) {
  return Number(element.closest?.("[data-choice]")?.getAttribute("data-choice") ?? 0);
}

/** The middle of the top card of a pile, on the screen. @param {SVGSVGElement} svg @param {string} name */
function topOf(svg, name) {
  const pile = partOf(svg, `[data-pile="${name}"]`);
  const { x, y, width, height } = (pile.querySelector(".top") ?? pile).getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}
