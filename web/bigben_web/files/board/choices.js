// What can be played, as the server listed it: from where to where. Knows no rules and no screen.

/**
 * @typedef {{from: Map<string, string[]>, deal: string}} Choices the targets by source, and the
 *   stock's move: "turn", "refill", or "" when there is none
 */

/** @param {string[]} legal `["3 f9", "w 5", "turn"]` @returns {Choices} */
export function choicesOf(legal) {
  const from = new Map();
  let deal = "";
  for (const move of legal) {
    const [source, target] = move.split(" ");
    if (target === undefined) deal = move;
    else from.set(source, [...(from.get(source) ?? []), target]);
  }
  return { from, deal };
}

/** Where the top of this pile can go. */
export function targetsOf(choices, pile) {
  return choices.from.get(pile) ?? [];
}

/**
 * The move that a pile tapped twice means: home if its card can go there, else the only other
 * one; "" if that is not clear. Of two foundations the server takes the one that needs more.
 */
export function sensible(choices, pile) {
  const targets = targetsOf(choices, pile);
  if (targets.some(isFoundation)) return `${pile} fdn`;
  return targets.length === 1 ? `${pile} ${targets[0]}` : "";
}

/** Whether the top of this pile can go to a foundation. */
export function goesHome(choices, pile) {
  return targetsOf(choices, pile).some(isFoundation);
}

/** @typedef {{picked: string, move: string, none: string}} Tapped
 *   what is picked now, the move to play if any, the pile that can't move if that is why nothing happens */

/** @param {string} picked the pile picked before, or "" @returns {Tapped} */
export function tapped(choices, picked, pile) {
  const still = { picked: "", move: "", none: "" };
  if (picked === pile) return { ...still, move: sensible(choices, pile) };
  if (picked && targetsOf(choices, picked).includes(pile)) {
    return { ...still, move: `${picked} ${pile}` };
  }
  if (pile === "s") return choices.deal ? { ...still, move: choices.deal } : { ...still, none: pile };
  if (targetsOf(choices, pile).length) return { ...still, picked: pile };
  return { ...still, none: pile };
}

/** Of the targets the one nearest to a point, by the middles of their places; "" if none is near. */
export function nearest(places, point, reach) {
  let best = { pile: "", far: reach };
  for (const [pile, { x, y }] of places) {
    const far = Math.hypot(x - point.x, y - point.y);
    if (far < best.far) best = { pile, far };
  }
  return best.pile;
}

export function isFoundation(pile) {
  return pile.startsWith("f");
}
