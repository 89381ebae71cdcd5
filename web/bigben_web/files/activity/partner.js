// Discord's client around the frame and how the page talks to it: pairs of an opcode and a payload, commands
// that are answered by their nonce, events. Knows nothing of players and races.

import { hexOf } from "../fairness/hex.js";

const [HANDSHAKE, FRAME, CLOSE] = [0, 1, 2];
const VERSION = 1;
/** Where Discord's clients come from. */
const ORIGINS = ["", "ptb.", "canary."].flatMap((kind) => [`https://${kind}discord.com`, `https://${kind}discordapp.com`]);
/** Some of its apps on phones have no origin, and some deliver what they say as if the frame said it. */
const NONE = "null";
/** How long the client may take to answer. */
const ANSWER_MS = 10_000;

/** @typedef {{cmd?: string, evt?: string | null, nonce?: string | null, data?: any}} Payload */
/** @typedef {{resolve: (data: any) => void, reject: (error: PartnerError) => void}} Waiting */

/** The client said no, or nothing. */
export class PartnerError extends Error {
  /** @param {"silent" | "refused" | "closed"} kind @param {string} [message] in the client's words */
  constructor(kind, message = "") {
    super(message);
    this.kind = kind;
  }
}

export class Partner {
  /** @type {Map<string, Waiting>} */
  #asked = new Map();
  /** @type {Map<string, (data: any) => void>} */
  #listeners = new Map();
  /** Where it is: it may be another window than the parent, if the frame has popped out. @type {Window} */
  #window = window.parent.opener ?? window.parent;
  /** Its origin, once that is known. Before that nothing secret is sent. */
  #origin = originOf(document.referrer);
  /** Whether the page has shaken hands, which it may do once, and whether the client is ready. */
  #shaken = false;
  #ready = false;
  /** @type {PartnerError | null} */
  #closed = null;

  constructor() {
    addEventListener("message", (event) => this.#receive(event));
  }

  /**
   * Must be called first, and may be called again; resolves when the client is ready. Rejects with PartnerError,
   * as all below.
   * @param {string} application @param {string} frame
   */
  async handshake(application, frame) {
    if (this.#closed) throw this.#closed;
    if (this.#ready) return;
    const ready = this.#answer("READY", ANSWER_MS);
    if (!this.#shaken) this.#post(HANDSHAKE, { v: VERSION, encoding: "json", client_id: application, frame_id: frame });
    this.#shaken = true;
    await ready;
  }

  get ready() {
    return this.#ready && !this.#closed;
  }

  /**
   * @param {string} cmd @param {object} [args]
   * @param {number} [within] how long it may take, in ms: people are slower than programs
   * @returns {Promise<any>} what the client answers
   */
  async command(cmd, args, within = ANSWER_MS) {
    return this.#ask({ cmd, args }, within);
  }

  /** Hear of an event from now on. @param {string} evt @param {(data: any) => void} listener */
  async subscribe(evt, listener) {
    this.#listeners.set(evt, listener);
    return this.#ask({ cmd: "SUBSCRIBE", evt }, ANSWER_MS);
  }

  /** @param {object} request @param {number} within */
  #ask(request, within) {
    if (this.#closed) throw this.#closed;
    const nonce = uuid();
    const answer = this.#answer(nonce, within);
    this.#post(FRAME, { ...request, nonce });
    return answer;
  }

  /** @param {string} name a nonce, or the one event that is waited for @param {number} within */
  #answer(name, within) {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => this.#settle(name)?.reject(new PartnerError("silent")), within);
      /** @param {(of: any) => void} how */
      const settled = (how) => (/** @type {any} */ of) => {
        clearTimeout(late);
        how(of);
      };
      this.#asked.set(name, { resolve: settled(resolve), reject: settled(reject) });
    });
  }

  /** @param {string} name */
  #settle(name) {
    const waiting = this.#asked.get(name);
    this.#asked.delete(name);
    return waiting;
  }

  /** @param {number} opcode @param {object} payload */
  #post(opcode, payload) {
    this.#window.postMessage([opcode, payload], this.#origin || "*");
  }

  /** @param {MessageEvent} event */
  #receive({ origin, source, data }) {
    const known = ORIGINS.includes(origin);
    if (!known && origin !== location.origin && !(origin === NONE && source === this.#window)) return;
    if (!Array.isArray(data) || typeof data[1] !== "object" || !data[1]) return;
    if (known) this.#origin = origin;
    const [opcode, payload] = data;
    if (opcode === CLOSE) this.#close(payload);
    if (opcode === FRAME && "data" in payload) this.#hear(payload); // else it is the page's own command
  }

  /** @param {Payload} payload */
  #hear({ cmd, evt, nonce, data }) {
    if (cmd === "DISPATCH") {
      if (evt === "READY") {
        this.#ready = true;
        this.#settle(evt)?.resolve(data);
      } else if (evt) this.#listeners.get(evt)?.(data ?? {});
      return;
    }
    const waiting = this.#settle(nonce ?? "");
    if (evt === "ERROR") waiting?.reject(new PartnerError("refused", text(data)));
    else waiting?.resolve(data ?? {});
  }

  /** @param {{message?: unknown}} of */
  #close(of) {
    this.#closed = new PartnerError("closed", text(of));
    for (const name of [...this.#asked.keys()]) this.#settle(name)?.reject(this.#closed);
  }
}

/** @param {{message?: unknown} | null} [of] */
function text(of) {
  return typeof of?.message === "string" ? of.message : "";
}

/** @param {string} referrer @returns {string} "" if it is none of Discord's */
function originOf(referrer) {
  return ORIGINS.find((origin) => referrer === origin || referrer.startsWith(`${origin}/`)) ?? "";
}

/** A random one (RFC 9562, version 4): crypto.randomUUID is missing in a frame without an origin. */
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return hexOf(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
