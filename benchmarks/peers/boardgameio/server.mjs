// Big Ben on boardgame.io, in memory: node server.mjs --port 0
//
// A match is made with the order of its cards, and has four seats that all may move at any time.
// Players see their own cards without the stock, and how far the others are. After its end a game
// begins again.

import core from "boardgame.io/dist/cjs/core.js";
import boardgameio from "boardgame.io/dist/cjs/server.js";
import { parseArgs } from "node:util";

import { deal, home, legalMoves, play } from "../bigben.mjs";

const { ActivePlayers, INVALID_MOVE } = core;

function seat(n, position, steps) {
  return { n, position, steps, legal: legalMoves(position), home: home(position) };
}

function move({ G, playerID }, n, text) {
  const { n: last, position } = G.seats[playerID];
  if (n !== last + 1) return INVALID_MOVE;
  try {
    const played = play(position, text);
    const moved = seat(n, played.position, played.steps);
    const next = moved.legal.length ? moved : seat(n, deal(G.order), played.steps);
    return { ...G, seats: { ...G.seats, [playerID]: next } };
  } catch {
    return INVALID_MOVE;
  }
}

function playerView({ G, playerID }) {
  const seats = {};
  for (const [player, { n, home }] of Object.entries(G.seats)) seats[player] = { n, home };
  if (!(playerID in G.seats)) return { seats };
  const { position, ...own } = G.seats[playerID];
  const { stock, ...seen } = position;
  return { own: { ...own, ...seen, stock: stock.length }, seats };
}

const BigBen = {
  name: "bigben",
  disableUndo: true,
  setup: ({ ctx }, { order }) => {
    const dealt = seat(0, deal(order), []);
    const players = Array.from({ length: ctx.numPlayers }, (_, i) => [String(i), dealt]);
    return { order, seats: Object.fromEntries(players) };
  },
  turn: { activePlayers: ActivePlayers.ALL },
  moves: { move: { move, client: false, ignoreStaleStateID: true } },
  playerView,
};

const { values } = parseArgs({ options: { port: { type: "string" }, data: { type: "string" } } });
const server = boardgameio.Server({ games: [BigBen], origins: [/.*/] });
console.info = () => {}; // it says where it listens in its own words
const running = await server.run({ port: Number(values.port ?? 0) });
console.log(`listening on ws://127.0.0.1:${running.appServer.address().port}`);
