// The wheel, the sign of a result: the hours of a dial, each filled with the cards of its foundation;
// while the hours are not public, a ring that the cards home fill. All its colours are attributes:
// it is a picture too.

import { h } from "../draw.js";
import { arc, onCircle } from "./ring.js";

export const COLOURS = { done: "#8fe3a8", part: "#f2c55a", none: "#314f48", disc: "#0d3028", rim: "#dcb964", tick: "#6f8a7c", lit: "#ffcf4a", ink: "#f6eed8", faint: "#c3d6cb" };
const HOURS = 12;
/** Of the radius: where the hours begin, also around a number; where they end, also within a ring of ticks. */
const [INNER, AROUND, OUTER, WITHIN] = [0.24, 0.36, 0.9, 0.8];
/** The size from which each card is seen, and the one from which the hours can have their numbers. */
const FINE = 100;
const SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const SERIF = "ui-serif, 'Iowan Old Style', Georgia, 'Times New Roman', serif";

/** @typedef {"done" | "part" | "none"} Kind of an hour: complete, on the way, to come */
/**
 * @typedef {object} Wheel
 * @property {number} size its width, in px of the page or of the picture
 * @property {number} home @property {number} total
 * @property {Hours} [hours] from twelve on; the kings of a game that collects ranks come last
 * @property {string | number} [middle] a number in the middle, and the words below it
 * @property {string} [below]
 * @property {boolean} [numbers] whether the hours have their numbers
 * @property {boolean} [ticks] whether a ring of ticks runs around it, one for each card
 */

/** The wheel as an element of the page: the number of cards stands beside it, for it alone says little. @param {Wheel} of */
export function wheel(of) {
  const half = of.size / 2;
  return h("svg", { class: "wheel", width: of.size, height: of.size, viewBox: `${-half} ${-half} ${of.size} ${of.size}`, "aria-hidden": "true" }, face(of));
}

/** The wheel around (0, 0), as a part of a drawing. @param {Wheel} of */
export function face(of) {
  const { size, home, total, hours = [], middle = "", below = "", numbers = false, ticks = false } = of;
  const r = numbers ? size * 0.415 : size / 2;
  const edge = Math.max(1.2, size * 0.012);
  const named = middle !== "";
  const [inner, outer] = [r * (named ? AROUND : INNER), r * (ticks ? WITHIN : OUTER)];
  const known = hours.length >= HOURS;
  return h(
    "g",
    {},
    h("circle", { class: "ground", r: short(r - edge / 2), fill: COLOURS.disc, stroke: COLOURS.rim, "stroke-width": short(edge) }),
    ticks ? [ring(r, home, total, total), ring(r, 0, home, total)] : null,
    known ? hours.slice(0, HOURS).map((hour, at) => wedge(hour, at / HOURS, { inner, outer, size })) : whole(home, total, outer / OUTER),
    known && hours.length > HOURS ? kings(hours[HOURS], named ? [r * 0.28, r * 0.33] : [0, r * 0.19]) : null,
    numbers ? Array.from({ length: HOURS }, (_, at) => number(at, size)) : null,
    named ? text(middle, { y: size * (below ? 0.02 : 0.045), size: Math.max(12, size * 0.13), fill: COLOURS.ink, serif: true }) : null,
    below ? text(below, { y: size * 0.085, size: Math.max(12, size * 0.052), fill: COLOURS.faint, kind: "total" }) : null,
  );
}

/**
 * The cards of one hour, from the middle outwards; on a small wheel they are one piece.
 * @param {[have: number, whole: number]} of @param {number} turn @param {{inner: number, outer: number, size: number}} place
 */
function wedge([have, whole], turn, { inner, outer, size }) {
  const fine = size >= FINE;
  const half = 0.5 / HOURS - (fine ? 1.6 : 2.2) / 360;
  const kind = have >= whole ? "done" : "part";
  /** @param {number} card */
  const at = (card) => inner + ((outer - inner) * card) / whole;
  /** @param {number} from @param {number} to @param {Kind} of */
  const part = (from, to, of) => h("path", { class: `is-${of}`, d: slice(turn - half, turn + half, from, to), fill: COLOURS[of] });
  if (!fine) return [part(inner, outer, "none"), have > 0 ? part(inner, at(Math.min(have, whole)), kind) : null];
  const gap = Math.max(0.8, size * 0.0055);
  const cards = Array.from({ length: whole }, (_, card) => part(at(card), at(card + 1) - gap, card < have ? kind : "none"));
  return h("g", { class: `hour at-${Math.round(turn * HOURS)}` }, cards);
}

/** All cards as one ring. @param {number} home @param {number} total @param {number} r */
function whole(home, total, r) {
  const [at, width] = [r * 0.72, short(r * 0.36)];
  const line = { fill: "none", "stroke-width": width };
  const kind = home >= total ? "done" : "part";
  return [
    h("circle", { ...line, class: "whole is-none", r: short(at), stroke: COLOURS.none }),
    home > 0 ? h("path", { ...line, class: `whole is-${kind}`, d: arc(0, at, home / total), stroke: COLOURS[kind] }) : null,
  ];
}

/** The kings, in the middle. @param {[have: number, whole: number]} of @param {number[]} place */
function kings([have, whole], [inner, outer]) {
  const kind = have >= whole ? "done" : "part";
  return Array.from({ length: whole }, (_, card) => {
    const d = slice(card / whole + 0.012, (card + 1) / whole - 0.012, inner, outer);
    const of = card < have ? kind : "none";
    return h("path", { class: `king is-${of}`, d, fill: COLOURS[of] });
  });
}

/** Ticks for some of all cards. @param {number} r @param {number} from @param {number} to @param {number} total */
function ring(r, from, to, total) {
  const lit = from === 0;
  const d = Array.from({ length: Math.max(0, to - from) }, (_, i) => {
    const [a, b] = [0.965, 0.91].map((part) => onCircle(0, r * part, (from + i) / total).join(" "));
    return `M${a}L${b}`;
  });
  return h("path", { class: lit ? "tick on" : "tick", d: d.join(""), fill: "none", stroke: lit ? COLOURS.lit : COLOURS.tick, "stroke-width": lit ? 2.6 : 1.3 });
}

/** @param {number} at @param {number} size */
function number(at, size) {
  const [x, y] = onCircle(0, size * 0.4625, at / HOURS);
  return text(at || HOURS, { x, y: y + size * 0.0175, size: Math.max(12, size * 0.05), fill: COLOURS.rim, serif: true });
}

/** @param {string | number} said @param {{x?: number, y: number, size: number, fill: string, serif?: boolean, kind?: string}} of */
function text(said, { x = 0, y, size, fill, serif = false, kind }) {
  const font = { "font-family": serif ? SERIF : SANS, "font-weight": serif ? 700 : 400 };
  return h("text", { class: kind, x: short(x), y: short(y), fill, "text-anchor": "middle", "font-size": short(size), ...font }, said);
}

/**
 * A part of a ring, from one turn to another, clockwise from twelve.
 * @param {number} from @param {number} to @param {number} inner @param {number} outer
 */
function slice(from, to, inner, outer) {
  /** @param {number} turn @param {number} r */
  const at = (turn, r) => onCircle(0, r, turn).join(" ");
  return (
    `M${at(from, inner)}L${at(from, outer)}A${short(outer)} ${short(outer)} 0 0 1 ${at(to, outer)}` +
    `L${at(to, inner)}A${short(inner)} ${short(inner)} 0 0 0 ${at(from, inner)}Z`
  );
}

/** A length with no more digits than can be seen. @param {number} length */
export function short(length) {
  return Number(length.toFixed(2));
}
