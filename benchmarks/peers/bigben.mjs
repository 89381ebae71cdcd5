// Big Ben for the servers in JavaScript: the standard rules of docs/rules-exact.md.
//
// A position is {fans, foundations, stock, waste}: piles of cards such as "10H", bottom first, but
// the stock with its next card first. Positions are not changed. Moves are "3 f9", "3 5", "w f9",
// "w 5", "refill" and "turn".

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const FIRST = ["6C", "7H", "8S", "9D", "10C", "JH", "QS", "KD", "2C", "3H", "4S", "5D"];
const FULL = [9, 9, 9, 9, 9, 9, 9, 9, 8, 8, 8, 8];
const CLOCKWISE = [11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]; // indexes of the fans from twelve o'clock
const SHORT = 3; // a fan with fewer cards has gaps, and nothing is built on it
const STOCK_AT_FIRST = 36;

const above = new Map(); // the card of the same suit that is one rank higher
for (const suit of "CDHS") {
  RANKS.forEach((rank, i) => above.set(rank + suit, RANKS[(i + 1) % RANKS.length] + suit));
}

export class IllegalMove extends Error {}

/** The first position for the shuffled cards, first dealt first. */
export function deal(order) {
  const fans = Array.from({ length: 12 }, () => []);
  for (let i = 0; i < STOCK_AT_FIRST; i++) fans[CLOCKWISE[i % 12]].push(order[i]);
  const foundations = FIRST.map((card) => [card]);
  return { fans, foundations, stock: order.slice(STOCK_AT_FIRST), waste: [] };
}

/** The number of cards on the foundations. */
export function home(position) {
  return position.foundations.reduce((sum, pile) => sum + pile.length, 0);
}

/** Every legal move. */
export function legalMoves(position) {
  const moves = [];
  position.fans.forEach((fan, i) => addMoves(position, String(i + 1), fan.at(-1), moves));
  addMoves(position, "w", position.waste.at(-1), moves);
  if (position.stock.length) moves.push(hasGap(position) ? "refill" : "turn");
  return moves;
}

function addMoves(position, source, card, moves) {
  if (!card) return;
  for (let i = 0; i < 12; i++) {
    if (fitsFoundation(position, card, i)) moves.push(`${source} f${i + 1}`);
    if (fitsFan(position, card, i)) moves.push(`${source} ${i + 1}`);
  }
}

function fitsFoundation(position, card, i) {
  const pile = position.foundations[i];
  return pile !== undefined && pile.length < FULL[i] && above.get(pile.at(-1)) === card;
}

function fitsFan(position, card, i) {
  const fan = position.fans[i];
  return fan !== undefined && fan.length >= SHORT && fan.at(-1) === above.get(card);
}

function hasGap(position) {
  return position.fans.some((fan) => fan.length < SHORT);
}

/** The position after a move, and its steps: [source, target, card]. Throws IllegalMove. */
export function play(position, move) {
  if (move === "turn" || move === "refill") return dealFromStock(position, move);
  const [source, target] = move.split(" ");
  const pile = source === "w" ? position.waste : position.fans[source - 1];
  const card = pile?.at(-1);
  const toFoundation = target?.startsWith("f");
  const i = Number(toFoundation ? target.slice(1) : target) - 1;
  const fits = toFoundation ? fitsFoundation : fitsFan;
  if (!card || !fits(position, card, i)) throw new IllegalMove(move);
  const after = { ...position };
  if (source === "w") after.waste = pile.slice(0, -1);
  else after.fans = position.fans.with(source - 1, pile.slice(0, -1));
  if (toFoundation) {
    after.foundations = position.foundations.with(i, [...position.foundations[i], card]);
  } else {
    after.fans = after.fans.with(i, [...after.fans[i], card]);
  }
  return { position: after, steps: [[source, target, card]] };
}

function dealFromStock(position, move) {
  const gap = hasGap(position);
  if (!position.stock.length || gap !== (move === "refill")) throw new IllegalMove(move);
  const stock = position.stock.slice();
  if (!gap) {
    const card = stock.shift();
    const waste = [...position.waste, card];
    return { position: { ...position, stock, waste }, steps: [["s", "w", card]] };
  }
  const fans = position.fans.map((fan) => fan.slice());
  const steps = [];
  while (stock.length && fans.some((fan) => fan.length < SHORT)) {
    for (const i of CLOCKWISE) {
      if (fans[i].length >= SHORT || !stock.length) continue;
      const card = stock.shift();
      fans[i].push(card);
      steps.push(["s", String(i + 1), card]);
    }
  }
  return { position: { ...position, stock, fans }, steps };
}
