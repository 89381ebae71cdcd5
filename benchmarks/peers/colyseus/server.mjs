// Big Ben on Colyseus, in memory: node server.mjs --port 0
//
// A room is made with the order of its cards, and has four seats. "move" is answered with "diff" for
// the player, and the others receive "progress". After the end the game begins again.

import { Room, Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { createServer } from "node:http";
import { parseArgs } from "node:util";

import { deal, home, legalMoves, play } from "../bigben.mjs";

class BigBen extends Room {
  maxClients = 4;
  patchRate = null; // no shared state that is compared twenty times a second

  onCreate({ order }) {
    this.first = deal(order);
    this.seats = new Map();
    this.onMessage("start", (client) => client.send("snapshot", this.snapshot(client)));
    this.onMessage("move", (client, message) => this.move(client, message));
  }

  onJoin(client) {
    this.seats.set(client.sessionId, { n: 0, position: this.first });
  }

  snapshot(client) {
    const { n, position } = this.seats.get(client.sessionId);
    const { stock, ...seen } = position;
    return { n, ...seen, stock: stock.length, legal: legalMoves(position) };
  }

  move(client, { n, move }) {
    const seat = this.seats.get(client.sessionId);
    if (n !== seat.n + 1) throw new Error(`move ${n} after move ${seat.n}`);
    const { position, steps } = play(seat.position, move);
    const over = legalMoves(position).length === 0;
    seat.n = n;
    seat.position = over ? this.first : position;
    const legal = legalMoves(seat.position);
    const state = over ? "over" : "playing";
    const homeNow = home(position);
    client.send("diff", { n, move, steps, state, home: homeNow, legal });
    const player = client.sessionId;
    this.broadcast("progress", { player, state, moves: n, home: homeNow }, { except: client });
  }
}

const { values } = parseArgs({ options: { port: { type: "string" }, data: { type: "string" } } });
const http = createServer();
const server = new Server({
  transport: new WebSocketTransport({ server: http, pingInterval: 20_000 }), // as websockets does
  greet: false,
});
server.define("bigben", BigBen);
await server.listen(Number(values.port ?? 0), "127.0.0.1");
console.log(`listening on ws://127.0.0.1:${http.address().port}`);
