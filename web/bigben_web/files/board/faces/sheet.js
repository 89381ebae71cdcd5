// Every face is drawn once, when it is first needed, as a symbol that all boards of the page use.

import { draw, h } from "../../draw.js";
import { back, face } from "./faces.js";
import { lineOf } from "./shapes.js";

const SVG = "http://www.w3.org/2000/svg";
/** The ids of what is drawn. */
const there = new Set();
/** @type {Element | null} */
let sheet = null;

/**
 * The symbol of a face without the rank of its first index.
 * @param {string} rank @param {string} suit @param {import("./faces.js").Form} form
 */
export function faceSymbol(rank, suit, form) {
  return symbol(`${form}-${rank}${suit}`, () => face(rank, suit, form));
}

export function backSymbol() {
  return symbol("back", back);
}

/** A rank as a line on a grid 20 high. @param {string} rank */
export function rankSymbol(rank) {
  return kept(`rank-${rank}`, () => h("path", { class: "stroke", d: lineOf(rank) }));
}

/** @param {string} id @param {() => Child[]} parts */
function symbol(id, parts) {
  return kept(id, () => h("symbol", { viewBox: "0 0 100 140" }, ...parts()));
}

/** @param {string} id @param {() => Described} made */
function kept(id, made) {
  const name = `face-${id}`;
  if (!there.has(name)) {
    there.add(name);
    const holder = document.createElementNS(SVG, "g");
    const { tag, props, children } = made();
    draw(holder, h(tag, { ...props, id: name }, ...children));
    onPage().append(holder);
  }
  return `#${name}`;
}

function onPage() {
  if (!sheet) {
    sheet = document.createElementNS(SVG, "svg");
    sheet.setAttribute("class", "faces");
    sheet.setAttribute("aria-hidden", "true");
    document.body.append(sheet);
  }
  return sheet;
}
