// One race that is followed: its room, the own game in it, the own moves on the way.
// Knows no other race and no socket; what to send is handed to `send`.

import { promises, withAcknowledgement, withDeal, withDiff, withNonce, withPromise, withRoom, withSnapshot } from "../fairness/keeping.js";
import { Moves } from "./moves.js";
import { OVER } from "./over.js";
import { Hopeless } from "./session.js";
import { Diverged, Gap, after, viewOf } from "./view.js";

const MOST_TRIES = 3;
/** @type {readonly string[]} */
const BEFORE_THE_CARDS = ["joined", "ready"];

/** Folds what the server says of one race, and asks again for what does not fit. */
export class Followed {
  /** The own game, once the cards are out. @type {View|null} */
  view = null;
  /** @type {{race: string, rows: Standing[], players: number, final: boolean}|null} */
  standings = null;
  /** The own place, and whether it is for good. @type {{place: number, final: boolean}|null} */
  placed = null;
  /** @type {Protocol.Reveal|null} */
  reveal = null;
  /** What this browser has kept of the player's race. @type {Kept|null} */
  kept = null;
  moves = new Moves();
  #seen = 0;
  /** @type {{ref: number, whole: boolean}|null} */
  #resync = null;
  #tries = 0;
  /** The ref of the nonce that was sent on this connection; 0 for none. */
  #nonceRef = 0;

  /**
   * @param {Protocol.Room} room that was entered: of one of these games
   * @param {import("./session.js").Ours} of
   */
  constructor(room, { me, ref, send, evidence, games }) {
    this.race = room.race;
    /** @type {Room} */
    this.room = { ...room, seats: [] };
    this.me = me;
    this.ref = ref;
    this.send = send;
    this.evidence = evidence;
    this.games = games;
  }

  /** The game of this race. */
  get game() {
    return /** @type {Game} */ (this.games.of(this.room.rules));
  }

  /** The own seat in the room, if any. */
  get seat() {
    return this.room.seats.find((seat) => seat.player === this.me());
  }

  /**
   * The state of the player's game. When the time is up, the server reports it for the seat alone,
   * and the view stays as the last move left it.
   */
  get state() {
    const { state } = this.seat ?? {};
    return OVER.includes(state) ? state : (this.view?.state ?? state);
  }

  get over() {
    return OVER.includes(this.state);
  }

  /** When the last card came home, which decides the place of a game that is over; 0 if nothing does. */
  get homeMs() {
    return (this.view && OVER.includes(this.view.state) ? this.view.homeMs : this.seat?.home_ms) ?? 0;
  }

  /** Whether another player is known to be still playing. */
  get othersPlay() {
    const others = this.room.seats.filter(({ player }) => player !== this.me());
    return others.some(({ state }) => state === "playing");
  }

  // What the server says. Each returns whether anything is new.

  /** @param {Protocol.Room} room */
  enter(room) {
    if (room.ref && room.ref === this.#nonceRef) this.#keep(withAcknowledgement);
    if ((room.since ?? 0) < (this.room.since ?? 0) && room.ref !== this.#resync?.ref) return false;
    if (this.room.kind === "daily" && (room.counter ?? 0) > (this.room.counter ?? 0)) this.#dealAgain();
    // The invitation is told once, to those who sit there.
    this.room = { ...room, invite: room.invite ?? this.room.invite, seats: this.#seatsOf(room) };
    this.#keep((kept) => withDeal(withRoom(kept, this.room, this.me()), this.game.deal));
    if (this.#resync && this.#resync.ref === room.ref && !this.#resync.whole) this.#resync = null;
    this.#sendNonce();
    this.#sendMove();
    return true;
  }

  /** A daily has other cards now, and the player has not seen them. */
  #dealAgain() {
    this.room.seats = [];
    [this.view, this.standings, this.placed, this.reveal, this.moves] = [null, null, null, null, new Moves()];
    [this.#seen, this.#resync, this.#tries] = [0, null, 0];
  }

  /** @param {Protocol.Snapshot} snapshot */
  see(snapshot) {
    let view;
    try {
      view = viewOf(snapshot, this.game.slots);
    } catch (error) {
      if (!(error instanceof Diverged)) throw error;
      return this.#askAgain(true);
    }
    this.view = view;
    this.#keep((kept) => withSnapshot(kept, snapshot, view.piles));
    [this.#seen, this.#resync, this.#tries] = [snapshot.n, null, 0];
    this.#sendMove();
    return true;
  }

  /** @param {Protocol.Diff} diff */
  follow(diff) {
    this.#seen = Math.max(this.#seen, diff.n);
    const folded = this.#fold(diff);
    if (this.moves.madeBy(diff)) this.moves.answered(diff.n);
    this.#sendMove();
    return folded;
  }

  /** The server has taken this nonce with Ready. @param {string} nonce */
  readied(nonce) {
    this.#keep((kept) => withNonce(kept, nonce));
  }

  /** The hash to send with Ready, once its nonce is kept: a reloaded page must find it. @param {string} nonce */
  promise(nonce) {
    // Another device may have promised one, which this one must not put in its place.
    if (this.seat?.state !== "joined" && !this.kept?.nonceHash) return "";
    this.#keep((kept) => withPromise(kept, nonce));
    return this.kept?.nonceHash ?? "";
  }

  /** Whether another device has promised the nonce, which only that device can send. */
  get promisedElsewhere() {
    const { room, kept } = this;
    const [, hash = ""] = promises(room).find(([player]) => player === this.me()) ?? [];
    return room.phase === "open" && hash !== "" && (kept?.nonce ?? null) === null && hash !== kept?.nonceHash;
  }

  /** @param {Protocol.Progress} of */
  progress({ seats }) {
    const known = new Map(this.room.seats.map((seat) => [seat.player, seat]));
    for (const seat of seats) known.set(seat.player, seat);
    this.room = { ...this.room, seats: [...known.values()] };
    return true;
  }

  /** Places so far, or for good: of all, or of the player alone. @param {Protocol.Standings} of */
  ranked({ rows = [], players = 0, final = false, ...of }) {
    const mine = rows.find(({ player }) => player === this.me());
    if (mine && (final || !this.placed?.final)) this.placed = { place: mine.place ?? 0, final };
    const whole = rows.length > 1 || players < 2;
    if (whole && (final || !this.standings?.final)) this.standings = { ...of, rows, players, final };
    return true;
  }

  /** Whether this refuses the move that is sent. @param {Protocol.Refused} refused */
  refused(refused) {
    const mine = this.moves.answered(refused.ref);
    if (mine) this.#sendMove();
    return mine;
  }

  // The connection

  /** Whether everything is answered. */
  get idle() {
    return !this.#resync && !this.moves.count;
  }

  lost() {
    [this.#resync, this.#tries, this.#nonceRef] = [null, 0, 0];
  }

  resume(whole = false) {
    this.#resync = { ref: this.ref(), whole };
    const since = this.view && !whole ? this.view.n : 0;
    this.send({ type: "resume", race: this.race, since, ref: this.#resync.ref });
  }

  /** @param {number | undefined} ref */
  resumes(ref) {
    return this.#resync?.ref === ref;
  }

  sendAgain() {
    if (this.moves.sent) this.#send(this.moves.sent);
  }

  /** @param {string} text */
  move(text) {
    this.moves.add(text);
    this.#sendMove();
  }

  // How

  /** @param {(kept: Kept | null) => Kept | null} add */
  #keep(add) {
    this.kept = this.evidence.add(this.me(), this.race, add);
  }

  /**
   * Send the nonce that was promised, on each connection until it is answered; only if the hashes are still
   * the kept ones, and the own one is among them. Then nobody can choose another nonce any more.
   */
  #sendNonce() {
    const { kept, room } = this;
    if (!room.mixing || !kept?.nonce || !kept.nonceHash || kept.acknowledged || this.#nonceRef) return;
    const own = kept.seats?.some(([player, hash]) => player === kept.player && hash === kept.nonceHash);
    if (!own || JSON.stringify(kept.seats) !== JSON.stringify(promises(room))) return;
    this.#nonceRef = this.ref();
    this.send({ type: "nonce", race: this.race, nonce: kept.nonce, ref: this.#nonceRef });
  }

  /** A daily's Room has only the best hundred seats; the player's own seat stays. @param {Protocol.Room} of */
  #seatsOf({ kind, seats = [], players = 0 }) {
    const mine = this.seat;
    const left = kind === "daily" && mine && players > seats.length;
    return left && !seats.some(({ player }) => player === mine.player) ? [...seats, mine] : seats;
  }

  /** @param {Protocol.Diff} diff */
  #fold(diff) {
    if (this.#resync && (this.#resync.whole || !this.view)) return false;
    if (!this.view) return this.#askAgain(true);
    try {
      const view = after(this.view, diff);
      if (view === this.view) return false;
      this.view = view;
      this.#keep((kept) => withDiff(kept, diff));
    } catch (error) {
      if (error instanceof Gap) return this.#resync ? false : this.#askAgain(false);
      if (error instanceof Diverged) return this.#askAgain(true);
      throw error;
    }
    this.#tries = 0;
    return true;
  }

  /** @param {boolean} whole */
  #askAgain(whole) {
    if (++this.#tries > MOST_TRIES) throw new Hopeless(`race ${this.race} does not fit`);
    this.resume(whole);
    return false;
  }

  /**
   * Send the next move if its number is certain. The Room that answers a Resume comes before the
   * diffs that were missed: were a move sent between them, a missed diff would be taken for its.
   */
  #sendMove() {
    if (this.#resync || (this.view && this.#seen > this.view.n)) return;
    if (this.view) {
      const next = this.moves.next(this.view.n + 1);
      if (next) this.#send(next);
    } else if (this.moves.count && this.seat && !BEFORE_THE_CARDS.includes(this.seat.state)) {
      this.resume(true);
    }
  }

  /** @param {{ n: number, move: string }} of */
  #send({ n, move }) {
    this.send({ type: "move", race: this.race, n, move });
  }
}
