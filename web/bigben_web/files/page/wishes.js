// How the page is to look and speak: what the player wishes for, which this browser keeps.

import { h } from "../draw.js";
import { languages } from "./controls.js";

/** @param {Given<"memory">} given */
export function fourColours({ memory }) {
  return memory.get("colours") !== "two";
}

/** @param {Given<"language" | "memory" | "redraw" | "say" | "sounds">} given */
export function wishes(given) {
  const { say, language, memory, redraw, sounds } = given;
  /** @param {string} name @param {string} off */
  const remember = (name, off) => (/** @type {boolean} */ checked) => {
    memory.set(name, checked ? "" : off);
    redraw();
  };
  return h(
    "footer",
    {},
    wish(say("wish.four"), fourColours(given), remember("colours", "two")),
    wish(say("wish.ghosts"), memory.get("ghosts") !== "off", remember("ghosts", "off")),
    wish(say("wish.sounds"), sounds.on, (checked) => (sounds.on = checked)),
    wish(say("wish.cheers"), memory.get("cheers") !== "off", remember("cheers", "off")),
    h("label", {}, say("wish.language"), " ", languages({ language, say })),
  );
}

/**
 * A wish that is on or off.
 * @param {Child} words @param {boolean} checked @param {(checked: boolean) => unknown} choose
 */
function wish(words, checked, choose) {
  return h("label", {}, h("input", { type: "checkbox", checked, onchange: ({ target }) => choose(target.checked) }), " ", words);
}
