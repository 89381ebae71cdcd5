// Cards fly from where they were to where they are. What the board shows is there already.

const FLIGHT_MS = 190;
const PAUSE_MS = 45;

/** The places of cards before they move. @returns {(steps: import("../wire/view.js").Step[]) => void} to be called after the board was drawn anew */
export function takeOff(svg) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!svg || calm || document.hidden) return () => {};
  const from = new Map();
  for (const pile of svg.querySelectorAll("[data-pile]")) from.set(pile.dataset.pile, corner(pile));
  return (steps) => {
    const landed = new Map();
    [...steps].reverse().forEach(([source, target], back) => {
      const later = landed.get(target) ?? 0;
      landed.set(target, later + 1);
      const cards = svg.querySelectorAll(`[data-pile="${target}"] > .card:not(.back)`);
      const card = cards[cards.length - 1 - later];
      const start = from.get(source);
      if (card && start) fly(card, start, (steps.length - 1 - back) * PAUSE_MS);
    });
  };
}

function corner(pile) {
  const top = pile.querySelector(".top, .card") ?? pile;
  return top.transform?.baseVal.numberOfItems ? top.transform.baseVal.getItem(0).matrix : null;
}

/** A twin flies above all piles; the card itself shows when it has landed. */
function fly(card, start, delay) {
  const end = card.transform.baseVal.getItem(0).matrix;
  const twin = card.cloneNode(true);
  card.ownerSVGElement.querySelector(".air").append(twin);
  card.classList.add("away");
  const way = { translate: [`${start.e - end.e}px ${start.f - end.f}px`, "0px 0px"] };
  const pace = { duration: FLIGHT_MS, delay, fill: "backwards", easing: "cubic-bezier(.2,.7,.3,1)" };
  twin.animate(way, pace).onfinish = () => {
    twin.remove();
    card.classList.remove("away");
  };
}
