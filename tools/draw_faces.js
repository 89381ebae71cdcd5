// What the pictures of chat bots have of the page, printed as JSON: shapes in units of 100 x 140, and
// where everything lies on a square. Run by draw_faces.py, which says where the page's files are, the
// games as the server describes them, and how many cards complete which goal.

const { files, games, goals } = globalThis.given;
const { back, completePlate, face, indexOf, plate, suitPlate } = await import(`${files}/board/faces/faces.js`);
const { lineOf, rankAt, suitAt } = await import(`${files}/board/faces/shapes.js`);
const { banded, inside } = await import(`${files}/board/layout/curve.js`);
const { berth, places } = await import(`${files}/board/layout/spread.js`);
const { mirrored } = await import(`${files}/board/layout/ring.js`);
const { layoutOf } = await import(`${files}/board/layout/layout.js`);
const { sign } = await import(`${files}/board/marks.js`);
const { COLOURS, face: wheelFace } = await import(`${files}/figures/wheel.js`);
const { medal } = await import(`${files}/figures/medal.js`);
const { hoursOf } = await import(`${files}/share/share.js`);

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUITS = [..."CDHS"];
const WIDTH = 1000;
/** How high what completes a pile is on its plate: readable on a phone. */
const AIM = 25;

// Shapes

const shapes = {
  ...Object.fromEntries(SUITS.map((suit) => [`suit${suit}`, suitAt(suit, 10, 10, 20).props.d])),
  ...Object.fromEntries(RANKS.map((rank) => [`rank${rank}`, lineOf(rank)])),
};
const names = new Map(Object.entries(shapes).map(([name, d]) => [d, `{${name}}`]));

/** As SVG; shapes that many have are only named: `{suitC}`. */
function markup(one) {
  if (Array.isArray(one)) return one.map(markup).join("");
  if (!one) return "";
  if (typeof one !== "object") return String(one);
  const said = Object.entries(one.props).map(([name, value]) => ` ${name}="${names.get(value) ?? value}"`);
  const within = markup(one.children);
  return `<${one.tag}${said.join("")}${within ? `>${within}</${one.tag}` : "/"}>`;
}

/** The same without classes, where its attributes say all. */
function unnamed(one) {
  return markup(one).replaceAll(/ class="[^"]*"/g, "");
}

function faces(form) {
  const all = SUITS.flatMap((suit) => RANKS.map((rank) => [rank, suit]));
  const whole = (rank, suit) => markup([face(rank, suit, form), rankAt(rank, ...indexOf(rank, form))]);
  return Object.fromEntries(all.map(([rank, suit]) => [rank + suit, whole(rank, suit)]));
}

/** The plate of a goal in parts: what it always has, and each place without a card and with one of each suit. */
function plateOf([goal, whole]) {
  const suit = SUITS.find((one) => goal.endsWith(one));
  const drawn = (suits) => (suit ? plate(suits.length, whole, goal.slice(0, -1), suit, AIM) : suitPlate(suits, whole, goal, AIM));
  const placesOf = (suits) => drawn(suits).slice(1, whole + 1).map(markup);
  const [first, ...rest] = drawn([]);
  const there = Object.fromEntries(SUITS.map((one) => [one, placesOf(Array(whole).fill(one))]));
  return { rest: markup([first, ...rest.slice(whole)]), open: placesOf([]), there: suit ? { "": there.C } : there };
}

// Wheels, as large as 200 around their middle

const WHEEL = { size: 200, total: 1, middle: " " };

/** How many cards each hour of a game has. */
function wholesOf(game) {
  return hoursOf({ piles: emptied(game) }, game).map(([, whole]) => whole);
}

function emptied({ slots }) {
  return Object.fromEntries(slots.map(({ pile }) => [pile, { up: [], down: 0 }]));
}

/** The hours of a wheel that have so many cards each; the colour of each card is to be filled in: `{3.2}`. */
function wheelOf(wholes) {
  const [ground, , hours, kings] = wheelFace({ ...WHEEL, home: 0, hours: wholes.map((whole) => [0, whole]) }).children;
  const named = (cards, hour) => cards.map((card, at) => ({ ...card, props: { ...card.props, fill: `{c${hour}_${at}}` } }));
  return unnamed([ground, hours.map(({ children: [cards] }, hour) => named(cards, hour)), kings ? named(kings, 12) : null]);
}

/** Before the hours are public: how many of all cards are home, as a part of a ring, which is as long as 1000. */
function ringOf() {
  const [ground, , [ring]] = wheelFace({ ...WHEEL, home: 0 }).children;
  const long = 2 * Math.PI * ring.props.r;
  const home = { ...ring.props, stroke: "{colour}", "stroke-dasharray": `{dash} ${long.toFixed(2)}`, transform: "rotate(-90)" };
  return { long, drawn: unnamed([ground, ring, { tag: "circle", props: home, children: [] }]) };
}

/** Their numbers, where they have some: the wheel is then so much smaller. */
function numbersOf() {
  const [ground, ...rest] = wheelFace({ ...WHEEL, home: 0, numbers: true }).children;
  const plain = wheelFace({ ...WHEEL, home: 0 }).children[0];
  const digits = rest.flat().filter((one) => one?.tag === "text" && String(one.children[0]).trim());
  const places = digits.map(({ props: { x, y }, children: [hour] }) => [x, y, String(hour)]);
  return { places, scale: ground.props.r / plain.props.r };
}

function medalOf(place) {
  const [disc, ring, digit] = medal(place).children;
  return { disc: markup([disc, ring]), digit: digit.props.fill };
}

// Layouts

/** A felt is laid out at this width and then enlarged, so that what has a least size is large enough for a phone. */
const FELTS = [[600, 600], [600, 672]];
/** The taller one is taken if cards are so much larger on it. */
const LARGER = 1.25;

function layout(game) {
  if (game.slots.some(({ place }) => place === "inner")) return scaled(square(game), 1);
  const piles = emptied(game);
  const [usual, taller] = FELTS.map(([width, height]) => layoutOf(game, { width, height }, piles));
  return scaled(least(taller) > LARGER * least(usual) ? taller : usual, WIDTH / FELTS[0][0]);
}

function least({ berths }) {
  return Math.min(...Object.values(berths).map(({ w }) => w));
}

/** A ring of fans round an inner ring, with room for eight cards in each row. */
function square({ slots, total }) {
  const [m, w, home, middle] = [12, 96, 80, WIDTH / 2];
  const h = 1.4 * w;
  const band = 40;
  const dial = { cx: middle, cy: middle, a: 217, b: middle - m - h - 10, full: 4.2 };
  const [third, side] = [(WIDTH - 2 * m - 60) / 3, middle - m - dial.a - 14];
  const hours = [[0, -2.17], [1.06, -2.07], [1.62, -1.05], [1.69, 0]];
  const berths = {};
  const numerals = [];
  const centre = slots.filter(({ place }) => place === "centre").sort((a, b) => a.at - b.at);
  for (const slot of slots) {
    const { pile, place, at, label } = slot;
    const [x, y] = mirrored(at, hours);
    const back = at > 6 ? 12 - at : at % 12;
    if (place === "inner") {
      berths[pile] = berth(middle + (x - 0.5) * home, middle + (y - 0.5) * 1.4 * home, home);
      numerals.push({ ...numeral(at, x * home, y * 1.4 * home, dial, band), text: label });
    } else if (place === "outer") {
      const row = [0, 0, 1, 2, 3, 4, 4][back];
      const width = row % 4 ? side : third;
      const anchor = back % 6 ? Number(at < 6) : 0.5;
      const left = m + anchor * (WIDTH - 2 * m - width);
      const top = m + (row * (WIDTH - 2 * m - h)) / 4;
      berths[pile] = berth(left, top, w, { along: "x", width, anchor, step: 0.46 * w, least: places(slot) });
    }
  }
  centre.forEach(({ pile }, i) => {
    const x = middle + (i - (centre.length - 1) / 2) * 1.15 * home;
    const label = { x, y: middle + 0.7 * home + 26, size: 26 };
    berths[pile] = berth(x - home / 2, middle - 0.7 * home, home, { label });
  });
  const text = { x: middle, y: middle - 1.42 * home, size: 58 };
  return { width: WIDTH, height: WIDTH, ...banded(dial, band, total), berths, numerals, text, middle: { r: 84 } };
}

/** Where an hour stands in the band, beside its pile. */
function numeral(hour, x, y, dial, band) {
  const { a, b } = inside(dial, 0.6 * band);
  const [cx, cy] = [dial.cx, dial.cy];
  if (hour % 6 === 0) return { x: cx, y: cy + Math.sign(y) * b };
  if (Math.abs(y) > 224) return { x: cx + 1.28 * x, y: cy + Math.sign(y) * (b - 10) };
  return { x: cx + Math.sign(x) * a, y: cy + y };
}

/** In the picture's pixels but for the paths, which are in the felt's. */
function scaled({ width, height, rim, plate, ticks, numerals, text, pendulum, berths, middle, dial, order }, scale) {
  const enlarged = (one) =>
    Array.isArray(one) ? one.map(enlarged)
    : one && typeof one === "object" ? Object.fromEntries(Object.entries(one).map(([name, value]) => [name, name === "least" || name === "anchor" ? value : enlarged(value)]))
    : typeof one === "number" ? Math.round(one * scale * 100) / 100
    : one;
  const lines = ticks.map((d) => d.match(/[\d.]+/g).map(Number));
  return { rim, plate, scale, ...enlarged({ width, height, ticks: lines, numerals, text: stacked(text, dial, order), pendulum, berths, face: middle.r }) };
}

/** Pictures have a number and, below it, of how many: it is farther from the cards than a line. They have no order of suits. */
function stacked({ x, y, size, line }, dial, order) {
  const middle = order?.y ?? y;
  return { x, y: line && dial ? middle + Math.sign(middle - dial.cy) * size * 0.7 : y, size };
}

console.log(
  JSON.stringify({
    shapes,
    back: markup(back()),
    faces: { far: faces("far"), row: faces("row"), goal: faces("goal") },
    complete: markup(completePlate()),
    plates: Object.fromEntries(goals.map((goal) => [goal.join(" "), plateOf(goal)])),
    sign: markup(sign("home")),
    wheels: Object.fromEntries(games.map(wholesOf).map((wholes) => [wholes.join(" "), wheelOf(wholes)])),
    ring: ringOf(),
    numbers: numbersOf(),
    medals: [1, 2, 3].map(medalOf),
    results: COLOURS,
    layouts: Object.fromEntries(games.map((game) => [game.name, layout(game)])),
  }),
);
