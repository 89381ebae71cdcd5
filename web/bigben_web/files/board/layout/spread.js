// Where the cards of one pile lie in its berth. Draws nothing.

/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {object} Berth the room of one pile
 * @property {number} x the left edge of its room
 * @property {number} y the upper edge
 * @property {number} width of the room
 * @property {number} height
 * @property {number} w a card's width
 * @property {number} h a card's height
 * @property {"" | "x" | "y"} along the way to the next card, or "": only the top card shows
 * @property {number} step the usual way to the next card; a long pile has shorter ones
 * @property {number} anchor where a short pile lies in its room: 0 at its start, 1 at its end
 * @property {number} lead the way from the first place to what is tucked under it, which shows below; 0 if nothing does
 * @property {number} least places that are shown, with cards or without
 * @property {Point & {size: number} | null} label
 *
 * @typedef {{card: string, down: number, at: number}} Lying a face-up card, or `down` cards face
 *   down that are drawn as one; `at` counts from the bottom of the pile
 */

/**
 * @typedef {object} Parts of a clock
 * @property {number} total
 * @property {Map<number, Slot>} fans by hour @property {Map<number, Slot>} inner by hour @property {Slot[]} centre
 * @property {(slot: Slot) => number} count of the cards that a pile is to have room for
 */

/** The usual ratio of a card's height to its width. */
export const TALLER = 1.4;

/** Where cards are narrower than this, no counter is between them: what surrounds the board tells it. */
export const TINY = 42;

/**
 * A berth for a single card at this corner, with what differs.
 * @param {number} x @param {number} y @param {number} w @param {Partial<Berth>} more @returns {Berth}
 */
export function berth(x, y, w, more = {}) {
  const h = w * TALLER;
  const plain = { along: /** @type {const} */ (""), step: 0, anchor: 0, lead: 0, least: 1, label: null };
  return { x, y, width: w, height: h, w, h, ...plain, ...more };
}

/** How many places a pile shows at least, with cards or without. @param {Slot} slot */
export function places({ size }) {
  return size || 1;
}

/**
 * What of a pile can be seen when all its cards are spread, the lowest first.
 * @param {Slot} slot @param {Pile} pile @returns {Lying[]}
 */
export function lying({ kind }, { up, down }) {
  const faces = up.map((card, at) => ({ card, down: 0, at }));
  const backs = down ? [{ card: "", down, at: -1 }] : [];
  return kind === "reserve" ? [...faces, ...backs] : [...backs, ...faces];
}

/**
 * The corners of a pile's cards and of its empty places, the lowest first.
 * @param {Berth} berth @param {Lying[]} cards
 * @returns {{cards: (Lying & Point)[], gaps: Point[]}}
 */
export function spread(berth, cards) {
  const { x, y, along, lead } = berth;
  if (lead) return ledge(berth, cards);
  if (!along) {
    const top = cards.slice(-1).map((one) => ({ ...one, x, y }));
    return { cards: top, gaps: top.length ? [] : [{ x, y }] };
  }
  const count = Math.max(cards.length, berth.least);
  const { step, start } = pace(berth, count);
  const spots = Array.from({ length: count }, (_, i) => {
    const way = start + i * step;
    return along === "x" ? { x: x + way, y } : { x, y: y + way };
  });
  return {
    cards: cards.map((one, i) => ({ ...one, ...spots[i] })),
    gaps: spots.slice(cards.length),
  };
}

/**
 * A reserve in a column: its backs, and below them what is tucked, the latest last.
 * @param {Berth} berth @param {Lying[]} cards
 */
function ledge({ x, y, lead, step }, cards) {
  const backs = cards.filter(({ down }) => down).map((one) => ({ ...one, x, y }));
  const tucked = cards.filter(({ down }) => !down).reverse();
  const faces = tucked.map((one, i) => ({ ...one, x, y: y + lead + i * step }));
  return { cards: [...backs, ...faces], gaps: backs.length ? [] : [{ x, y }] };
}

/** @param {Berth} berth @param {number} count */
function pace({ along, width, height, w, h, step, anchor }, count) {
  const room = along === "x" ? width - w : height - h;
  const pace = count > 1 ? Math.min(step, room / (count - 1)) : 0;
  return { step: pace, start: (room - pace * (count - 1)) * anchor };
}

/** The least way to the next card at which its index is seen, as a part of the card's width. */
const SEEN = { x: 0.18, y: 0.27 };

/**
 * The corners of a pile's cards when it is spread over its neighbours, as far as it must be for all
 * indices to be seen; as `spread` where they are.
 * @param {Berth} berth @param {Lying[]} cards @param {{width: number, height: number}} felt
 */
export function fanned(berth, cards, felt) {
  const usual = spread(berth, cards);
  const { along, w, h } = berth;
  const [[first, second], last] = [usual.cards, usual.cards[usual.cards.length - 1]];
  if (!along || berth.lead || !second || second[along] - first[along] >= SEEN[along] * w) return usual;
  const [size, room] = along === "x" ? [w, felt.width] : [h, felt.height];
  const step = Math.min(0.34 * w, (room - size) / (cards.length - 1));
  const middle = (first[along] + last[along]) / 2;
  const long = step * (cards.length - 1);
  const start = Math.max(0, Math.min(room - size - long, middle - long / 2));
  return { ...usual, cards: usual.cards.map((card, i) => ({ ...card, [along]: start + i * step })) };
}
