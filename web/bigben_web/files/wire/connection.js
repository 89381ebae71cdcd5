// One WebSocket after another to the server: dials, says hello, notices silence, comes back.
// Knows nothing of races.

import { Backoff, retryIn } from "./backoff.js";
import { naming } from "./home.js";

const SUBPROTOCOL = "bigben.v1.json";
const FOR_GOOD = [1007, 1008, 1009];
const LATER = ["rate", "busy", "limit"];
/** How often to ask whether the server is still there, and how long it may take to answer. */
const PING_MS = 10_000;
const SILENCE_MS = 6_000;
const DIAL_MS = 8_000;

/**
 * @typedef {object} Listener
 * @property {() => {token?: string, name?: string}} hello the fields of the next Hello
 * @property {() => string} race for which the next connection is made, "" for none
 * @property {(welcome: Protocol.Welcome) => void} welcomed
 * @property {(message: Protocol.ServerMessage) => void} received
 * @property {() => void} besides the socket that was dialled beside the other one has said something
 * @property {() => void} lost another try follows
 * @property {(refused: Protocol.Refused) => void} refused hello was refused for good; nothing follows
 * @property {(reason: string, refused: Protocol.Refused | null) => void} ended closed for good; nothing follows
 */
export class Connection {
  /** @type {WebSocket | null} */
  #socket = null;
  #open = false;
  /**
   * Another socket, which is made for this race, and its welcome once that has come.
   * @type {{race: string, socket: WebSocket, welcome: Protocol.Welcome | null} | null}
   */
  #beside = null;
  #timer = 0;
  #silence = 0;
  #backoff = new Backoff();
  /** The server has asked not to be connected to before then, whatever wakes the page up. */
  #notBefore = 0;

  /** @param {string} url @param {import("./clock.js").ServerClock} clock @param {Listener} listener */
  constructor(url, clock, listener) {
    this.url = url;
    this.clock = clock;
    this.listener = listener;
    // A phone that wakes up should not sit out a long pause.
    addEventListener("online", () => this.#soon());
    addEventListener("offline", () => this.#socket && this.reset());
    addEventListener("visibilitychange", () => document.hidden || this.#soon());
  }

  /** Connect now, on a new socket if there is one. */
  dial() {
    this.hangUp();
    this.#socket = this.#connected(this.listener.race());
    this.#expect(DIAL_MS);
  }

  /** Dial for this race too, unless that was done, while the socket goes on. @param {string} race */
  dialBeside(race) {
    if (this.#beside?.race === race) return;
    this.stay();
    this.#beside = { race, socket: this.#connected(race), welcome: null };
  }

  /** Whether `changeOver` has something to change over to. */
  get isWelcomeBeside() {
    return this.#open && Boolean(this.#beside?.welcome);
  }

  /** Leave this socket, and go on with the one beside it. */
  changeOver() {
    const { socket, welcome } = this.#beside ?? {};
    if (!socket || !welcome) return;
    this.#beside = null;
    this.hangUp();
    this.#socket = socket;
    this.clock.restart();
    this.#welcomed(welcome);
  }

  /** Dial no more beside the socket. */
  stay() {
    this.#beside?.socket.close();
    this.#beside = null;
  }

  /** @param {string} race */
  #connected(race) {
    // A proxy may pass no subprotocol; then the address names it.
    const socket = new WebSocket(naming(this.url, race), this.url.includes("codec=") ? [] : SUBPROTOCOL);
    /** @type {Protocol.Refused | null} */
    let refused = null;
    /** The latest refusal, which may be the reason of the close. @type {Protocol.Refused | null} */
    let latest = null;
    let sent = 0;
    socket.onopen = () => {
      sent = this.clock.local();
      socket.send(JSON.stringify({ type: "hello", client: "page/1", announcements: true, cheers: true, elsewhere: true, challenges: true, ...this.listener.hello() }));
    };
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (socket === this.#beside?.socket) {
        this.#beside.welcome ??= message.type === "welcome" ? message : null;
        this.listener.besides();
      }
      if (socket !== this.#socket) return;
      this.#heard();
      if (message.type === "pong") this.clock.sample(message.sent, message.now_at);
      else if (this.#open) {
        if (message.type === "refused") latest = message;
        this.listener.received(message);
      }
      else if (message.type === "welcome") {
        this.clock.restart();
        this.clock.sample(sent, message.now_at);
        this.#welcomed(message);
      }
      else refused = message;
    };
    socket.onclose = ({ code, reason }) => {
      if (socket === this.#beside?.socket) this.#beside.welcome = null; // where the page is, all works as well
      if (socket !== this.#socket) return;
      this.hangUp();
      if (refused && !LATER.includes(refused.code)) this.listener.refused(refused);
      else if (FOR_GOOD.includes(code) && !refused) this.listener.ended(reason, latest?.text === reason ? latest : null);
      else this.#again(retryIn(reason));
    };
    return socket;
  }

  /** Whether what is sent now goes out. */
  get open() {
    return this.#open;
  }

  /** @param {Protocol.ClientMessage} message */
  send(message) {
    if (!this.#open) return;
    this.#socket?.send(JSON.stringify(message));
    // A player on a dead connection notices at their own move, not at the next ping.
    if (!this.#silence) this.#expect(SILENCE_MS);
  }

  /** Leave, and do not come back before `dial`. */
  hangUp() {
    this.stay();
    this.#heard();
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#open = false;
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /** The line is of no use any more: take another one after a pause. */
  reset() {
    this.hangUp();
    this.#again();
  }

  /** @param {Protocol.Welcome} welcome */
  #welcomed(welcome) {
    this.#open = true;
    this.#backoff.up();
    this.listener.welcomed(welcome);
    this.#ping();
  }

  #again(atLeast = 0) {
    this.listener.lost();
    this.#notBefore = performance.now() + atLeast;
    this.#timer = setTimeout(() => this.dial(), this.#backoff.wait(atLeast));
  }

  #soon() {
    if (this.#open) this.#ping();
    else if (!this.#socket && this.#timer && performance.now() >= this.#notBefore) this.dial();
  }

  #ping() {
    clearTimeout(this.#timer);
    this.send({ type: "ping", sent: Math.round(this.clock.local()) });
    this.#timer = setTimeout(() => this.#ping(), PING_MS);
  }

  /** @param {number} within */
  #expect(within) {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.reset(), within);
  }

  #heard() {
    clearTimeout(this.#silence);
    this.#silence = 0;
  }
}
