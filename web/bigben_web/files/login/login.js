// A login with Discord: the way there and back, another device that is let in, and the way out. And who is tied to
// whom, after a login or a link. Shows nothing.

import { isGuest } from "./entrance.js";
import { Memory } from "../memory.js";
import { publicAddress } from "../page/public.js";
import { RefusedError } from "../wire/session.js";
import { askLogin, proof } from "./service.js";

const DISCORD = "https://discord.com/oauth2/authorize";

/**
 * @typedef {{verifier: string, state: string, device: string}} Begun a login that waits for Discord's answer
 * @typedef {{client: string, host: string, address: string, asked_at: number, confirm: string}} Device another
 *   device that wants to play as this player
 */

export class Login {
  /** The device that waits for an answer. @type {Device | null} */
  device = null;
  /** What it was answered: "allowed" or "refused". */
  answered = "";
  /** As whom that device would play. */
  name = "";
  /** Survives the way to Discord and back, but not the end of this tab. */
  #kept = new Memory(() => window.sessionStorage);

  /** @param {Given<"go" | "identities" | "linking" | "notices" | "say" | "session" | "settle">} given */
  constructor(given) {
    this.given = given;
  }

  /** Go to Discord, which asks the player and sends them back. @param {string} [device] the code that another device shows */
  async begin(device = "") {
    const { verifier, challenge } = proof();
    const { application, state } = await askLogin(this.given.say, `login?challenge=${challenge}`);
    this.#kept.set("login", JSON.stringify([{ verifier, state, device }]));
    const asked = { client_id: application, response_type: "code", redirect_uri: redirect(), scope: "identify", state };
    location.assign(`${DISCORD}?${new URLSearchParams({ ...asked, code_challenge: challenge, code_challenge_method: "S256" })}`);
  }

  /** Discord has sent the player back. Rejects with RefusedError. @param {URLSearchParams} answer */
  async returned(answer) {
    const begun = this.#begun();
    if (!begun || answer.get("state") !== begun.state) throw this.#wrong("login.foreign");
    const { verifier, state, device } = begun;
    if (device) this.given.go({ screen: "device", code: device });
    if (answer.has("error")) throw this.#wrong("login.denied");
    const more = device ? { device } : {};
    const said = await askLogin(this.given.say, "login", { code: answer.get("code"), state, verifier, redirect: redirect(), lasting: true, ...more });
    if (device) [this.device, this.name] = [said.device ?? null, said.name];
    else await this.given.settle(said.token); // the way of a one-time link, which asks before it replaces a player
  }

  /** A login that was begun in this tab; it is answered once. @returns {Begun | null} */
  #begun() {
    const [begun] = this.#kept.list("login");
    this.#kept.set("login", "");
    return begun ?? null;
  }

  // One player

  /** Who plays here and whom the link is for are one from now on, for good. Rejects with RefusedError. */
  async unite() {
    const { identities, linking, session } = this.given;
    const { guest, here } = linking;
    if (!guest || !here) return;
    if (isGuest(here)) {
      await linking.accept();
      this.#kept.set("tie", JSON.stringify([{ guest: here.player, account: session.me?.player }]));
      return this.tie();
    }
    await session.ask({ type: "tie", token: guest.token });
    linking.forget();
    identities.forget(guest.player);
    this.#tied(guest);
  }

  /** @param {{name: string}} other */
  #tied(other) {
    const { notices, say, session } = this.given;
    notices.show(say("login.tied", { guest: other.name, name: session.me?.name ?? "" }));
  }

  /** The guest who may be tied to the account that plays here now, until that is answered. @returns {Identity | null} */
  get guest() {
    const [tie] = this.#kept.list("tie");
    const { identities, session } = this.given;
    if (!tie || tie.account !== session.me?.player) return null;
    return identities.all.find(({ player }) => player === tie.guest) ?? null;
  }

  /** Tie the guest to the account, for good. Rejects with RefusedError. */
  async tie() {
    const { guest } = this;
    const { identities, session } = this.given;
    if (!guest) return;
    await session.ask({ type: "tie", token: guest.token });
    identities.forget(guest.player);
    session.evidence.forget(guest.player);
    this.keepApart();
    this.#tied(guest);
  }

  /** The guest stays a player of their own, in this browser. */
  keepApart() {
    this.#kept.set("tie", "");
  }

  // Another device

  /** Let the device play as this player, or not. Rejects with RefusedError. @param {boolean} allow */
  async answer(allow) {
    if (!this.device) return;
    await askLogin(this.given.say, "login/device/confirm", { confirm: this.device.confirm, allow });
    this.answered = allow ? "allowed" : "refused";
  }

  /** The page of devices is opened: a code may be typed. */
  restart() {
    this.device = null;
    this.answered = "";
  }

  // The way out

  /** End the player's logins everywhere, this one too. Rejects with RefusedError. */
  async logOut() {
    const { identities, notices, say, session } = this.given;
    const { player, name } = session.me ?? { player: "", name: "" };
    await session.ask({ type: "log-out" });
    session.leave();
    identities.forget(player);
    notices.show(say("login.out", { name }));
  }

  /** @param {string} key */
  #wrong(key) {
    return new RefusedError({ code: "token", text: this.given.say(key) });
  }
}

/** Where Discord sends the player back to; its operator has told Discord so. */
function redirect() {
  return `${publicAddress()}/`;
}
