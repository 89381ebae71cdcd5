// The page inside Discord's frame: who the player is there, who else is, which race theirs is, how much of
// the page is to be seen. Whatever is denied or missing is said, and the player goes on as a guest.

import { isGuest } from "../login/entrance.js";
import { askLogin, proof } from "../login/service.js";
import { title } from "../page/titles.js";
import { raceInfo } from "../wire/races.js";
import { RefusedError } from "../wire/session.js";
import { above, header, outside, waiting } from "./activity_view.js";
import { Partner, PartnerError } from "./partner.js";
import { tile } from "./tile.js";

/** How long a player may think about a question of Discord's. */
const QUESTION_MS = 300_000;
/** How often a page that waits for a race asks which one it is. */
const LOOK_MS = 5000;
const SCOPES = ["identify"];
/** Layout modes and locks as Discord numbers them. */
const [FOCUSED, UNLOCKED] = [0, 1];
const MESSAGE_MOST = 1000;
const WAITING = ["open", "countdown", "running"];

/** @typedef {{application: string, state?: string, race: string}} Opening for what the frame was opened */
/** @typedef {{id: string, name: string}} Person somebody in the instance */
/** @typedef {Given<"attempt" | "choosing" | "games" | "go" | "identities" | "joining" | "language" | "memory" | "notices" | "podium" | "redraw" | "route" | "say" | "session">} Needs */

export class Activity {
  /** Whether it is decided as whom the player plays. */
  settled = false;
  /** Why the player is a guest, in a sentence; "" if they are not. */
  trouble = "";
  /** Who is in the instance. @type {Person[]} */
  people = [];
  /** Whether only a tile of the page is to be seen. */
  small = false;
  /** The race that the instance plays, as far as the page knows. @type {Protocol.RaceInfo | null} */
  info = null;
  /** How the bot's process names that race, with its invitation if it takes one. */
  told = "";
  /** The card that came last in the own game. */
  lastCard = "";
  #race = "";
  /** What the bot's process has given; the server's own tokens mean nothing to it. */
  #token = "";
  /** Whether the client has been asked for all that it tells those who have logged in. */
  #accompanied = false;
  /** Which login counts: the player may not wait for one, or try again. */
  #turn = 0;

  /** @param {Needs} given @param {URLSearchParams} parameters of the frame's address */
  constructor(given, parameters) {
    this.given = given;
    /** @param {string} name */
    this.of = (name) => parameters.get(name) ?? "";
    this.partner = new Partner();
    document.addEventListener("click", (event) => this.#leaves(event), true);
    setInterval(() => this.look(), LOOK_MS);
  }

  /** Find out who the player is, and show the race for which the frame was opened. Never rejects. */
  async begin() {
    const turn = ++this.#turn;
    [this.settled, this.trouble] = [false, ""];
    this.given.redraw();
    try {
      const of = await this.#signedIn();
      if (turn !== this.#turn) return; // the player would not wait
      this.#token = of.token;
      this.given.podium.wanted = `discord:${this.of("guild_id")}`;
      await this.given.joining.be(of);
      this.#forgetOthers();
    } catch (error) {
      if (turn !== this.#turn) return;
      this.trouble = this.#why(error);
    }
    if (turn === this.#turn) await this.#settle();
  }

  /** Play as a guest rather than wait any longer. */
  async beGuest() {
    const { joining, say, session } = this.given;
    this.#turn++;
    this.trouble = say("activity.chosen");
    // The hello that is on its way would be that of the account.
    if (session.line !== "online" && session.me) joining.comeBack();
    await this.#settle();
  }

  /** Discord says whose frame this is; an account that was here earlier is not theirs to play as. */
  #forgetOthers() {
    const { identities, session } = this.given;
    const others = identities.all.filter((one) => !isGuest(one) && one.player !== session.me?.player);
    for (const { player } of others) identities.forget(player);
  }

  async #signedIn() {
    const { of, partner } = this;
    const [instance, { verifier, challenge }] = [of("instance_id"), proof()];
    const asked = this.#opening(challenge);
    // Guests see the race too, whatever Discord does.
    asked.then(({ race }) => (this.#race = race), () => {});
    await partner.handshake(document.documentElement.dataset.discord ?? "", of("frame_id"));
    const { application, state = "" } = await asked;
    const wanted = { client_id: application, scope: SCOPES, response_type: "code", state, prompt: "none" };
    const { code } = await partner.command("AUTHORIZE", { ...wanted, code_challenge: challenge, code_challenge_method: "S256" }, QUESTION_MS);
    const signed = await this.#ask("login", { code, state, verifier, instance });
    this.#race = signed.race || this.#race;
    await partner.command("AUTHENTICATE", { access_token: signed.access_token });
    return signed;
  }

  /** What the part of the server that logs players in knows of the instance. @param {string} [challenge] for a login @returns {Promise<Opening>} */
  #opening(challenge) {
    return this.#ask(`login?${new URLSearchParams({ ...(challenge && { challenge }), instance: this.of("instance_id") })}`);
  }

  /** @param {string} path @param {object} [body] */
  #ask(path, body) {
    return askLogin(this.given.say, path, body);
  }

  /** @param {unknown} error */
  #why(error) {
    const { say } = this.given;
    if (error instanceof PartnerError) return say(`activity.${error.kind}`, { text: error.message });
    if (error instanceof RefusedError) return say("activity.not_taken", { text: say.told(error.said, error.message) });
    throw error;
  }

  /** It is decided: show the race, and what else the client tells. */
  async #settle() {
    const { go, route, session } = this.given;
    // A guest is not somebody who has signed in here before, or still tries to.
    if (this.trouble && !session.who?.player.startsWith("guest:")) session.leave();
    await this.#learn(this.#race);
    const over = this.info && !WAITING.includes(this.info.phase);
    const race = (over ? "" : this.#race) || this.of("custom_id");
    this.settled = true;
    if (race && !location.hash) go({ screen: "race", race, watch: false });
    else route.arrive();
    if (this.partner.ready && !this.#accompanied) this.#accompany();
    this.#accompanied = !this.trouble;
    this.look();
  }

  /** All that is only asked for once Discord knows the page; an older client may not know some of it. */
  async #accompany() {
    const { partner, given } = this;
    /** @param {Promise<any>} answer @param {(data: any) => unknown} [use] */
    const tried = (answer, use) => answer.then(use, (error) => {
      if (!(error instanceof PartnerError)) throw error;
    });
    const meet = (/** @type {any} */ data) => this.#meet(data);
    await Promise.all([
      tried(partner.subscribe("ACTIVITY_LAYOUT_MODE_UPDATE", (data) => this.#fit(data))),
      tried(partner.command("SET_ORIENTATION_LOCK_STATE", { lock_state: UNLOCKED })),
      // Of those who have not said who they are, Discord does not say what they read.
      this.trouble ? null : tried(partner.command("USER_SETTINGS_GET_LOCALE"), ({ locale }) => given.language.follow(String(locale))),
      tried(partner.subscribe("ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE", meet)),
      tried(partner.command("GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS"), meet),
    ]);
  }

  /** @param {{layout_mode?: unknown}} of */
  #fit({ layout_mode: mode }) {
    this.small = typeof mode === "number" && mode > FOCUSED;
    this.given.redraw();
  }

  /** @param {{participants?: {id: string, username: string, global_name?: string | null, nickname?: string, bot?: boolean}[]}} of */
  #meet({ participants }) {
    if (!Array.isArray(participants)) return;
    const people = participants.filter(({ bot }) => !bot);
    this.people = people.map(({ id, username, global_name: name, nickname }) => ({ id, name: String(nickname || name || username) }));
    this.given.redraw();
    this.look();
  }

  // The race of the instance

  /** The race of the others, if the player is not there and may join. */
  get offered() {
    const { info, given: { route } } = this;
    const shown = [route.place.race, route.race?.room.rematch]; // the result has a button for its rematch
    return info && WAITING.includes(info.phase) && !shown.includes(info.race) ? info : null;
  }

  /** Ask which race the instance plays, where the player waits for one. */
  async look() {
    const { route } = this.given;
    const { screen } = route.place;
    const waits = screen === "home" || (screen === "race" && (route.race?.over ?? true));
    if (!this.settled || !waits || document.hidden || this.small) return;
    try {
      const { race } = await this.#opening();
      await this.#learn(race);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error; // it is asked again soon
    }
    this.given.redraw();
  }

  /** What the instance plays. @param {string} race */
  async #learn(race) {
    const info = race ? await raceInfo(race) : null;
    [this.info, this.told] = [info, race];
  }

  /** A room for all who are here. */
  open() {
    return this.given.joining.create(this.given.choosing.both);
  }

  /** @param {Protocol.ServerMessage} message @param {Followed} followed the race that it is about */
  received(message, followed) {
    const { room, seat } = followed;
    if (message.type === "diff") this.lastCard = message.steps?.at(-1)?.[2] ?? this.lastCard;
    const mine = room.kind === "live" && room.phase === "open" && room.host === seat?.player && !room.rules.invite_only;
    if (mine && this.#token && this.#race !== room.race) this.#tell(room.race);
  }

  /** The room that the player has opened is where the others of the instance find them. @param {string} race */
  async #tell(race) {
    this.#race = race;
    try {
      await this.#ask("login/instance", { token: this.#token, instance: this.of("instance_id"), race });
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.given.notices.complain("activity.untold");
    }
  }

  // What is to be seen

  /** What is shown before it is decided as whom the player plays. */
  waiting() {
    return waiting(this.given, this);
  }

  /** Over a screen: what went wrong, and the way into the race of the others. */
  above() {
    return above(this.given, this);
  }

  /** Who is here. */
  header() {
    return header(this.given, this);
  }

  /** In a lobby: who is here and has no seat. @param {Room} room */
  outside(room) {
    return outside(this.given, this, room);
  }

  /** In place of the page, where Discord shows only a tile of it. */
  tile() {
    return this.small ? tile(this.given, this) : null;
  }

  // What a frame does otherwise

  /** Hand it to Discord, where the player chooses who gets it. @param {string} message @param {string} [race] to which it leads */
  async share(message, race) {
    const cut = message.slice(0, MESSAGE_MOST);
    try {
      await this.partner.command("SHARE_LINK", { message: cut, ...(race && { custom_id: race }) }, QUESTION_MS);
    } catch (error) {
      if (!(error instanceof PartnerError)) throw error;
      this.given.notices.complain("activity.unshared");
    }
  }

  /** Call others into a race. @param {Room} room */
  invite(room) {
    return this.share(this.given.say("activity.invites", { race: title(this.given, room) }), room.invite || room.race);
  }

  /** A frame opens no other page; Discord does, once the player agrees. @param {Event} event */
  #leaves(event) {
    const link = /** @type {Element} */ (event.target).closest("a[href]");
    if (!(link instanceof HTMLAnchorElement) || link.origin === location.origin || link.download) return;
    event.preventDefault();
    this.partner.command("OPEN_EXTERNAL_LINK", { url: link.href }, QUESTION_MS).catch((error) => {
      if (!(error instanceof PartnerError)) throw error;
      this.given.notices.complain("activity.unopened");
    });
  }
}
