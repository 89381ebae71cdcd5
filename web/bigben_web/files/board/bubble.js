// What is said of a card, beside it: a bubble with its tail at the card, within the felt.

import { h } from "../draw.js";
import { shortCard, withCards } from "./words.js";

const WIDEST = 340;
/** The room for its lines: nothing is there for taps, and the bubble fills what it needs. */
const HIGH = 150;
const TAIL = 12;

/**
 * @param {{title: string, text: string}} said @param {Box} box of the card
 * @param {{width: number, height: number}} felt @param {Say} say
 */
export function bubble({ title, text }, { x, y, w, h: height }, felt, say) {
  const width = Math.min(WIDEST, felt.width - 16);
  const middle = x + w / 2;
  const left = Math.max(8, Math.min(felt.width - width - 8, middle - width * 0.4));
  const below = y + height + HIGH < felt.height || y < HIGH;
  const far = Math.min(HIGH, below ? felt.height - y - height - TAIL : y - TAIL);
  const top = below ? y + height + TAIL : y - TAIL - HIGH;
  const tip = below ? y + height + 3 : y - 3;
  const foot = below ? tip + TAIL : tip - TAIL;
  const at = Math.max(left + 22, Math.min(left + width - 22, middle));
  return h(
    "g",
    { key: "bubble", class: "bubble", "aria-hidden": "true" },
    h(
      "foreignObject",
      { x: left, y: far < 60 && below ? felt.height - HIGH : top, width, height: HIGH },
      h("div", { class: below ? "said-below" : "said-above" }, h("p", {}, title ? h("b", {}, title, " ") : null, withCards(text, (card) => shortCard(say, card)))),
    ),
    h("path", { d: `M${at - 12} ${foot}L${at} ${tip}L${at + 12} ${foot}Z` }),
  );
}
