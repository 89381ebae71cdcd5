// The race to which a link invites somebody whose name is not known yet: who invites, to what. Asks
// without a player, draws nothing.

import { raceInfo } from "../wire/races.js";

export class Invitation {
  /** What the server tells everybody of it, null before or if it tells nothing. @type {Protocol.RaceInfo|null} */
  info = null;
  #of = "";

  /** @param {Given<"focusOn" | "identities" | "redraw" | "session">} given */
  constructor(given) {
    this.given = given;
  }

  /** Ask about the race that is shown, if its player is not known. @param {Place} place */
  async load({ screen, race = "" }) {
    const { session, identities } = this.given;
    if (screen !== "race" || session.me || identities.token || this.#of === race) return;
    [this.#of, this.info] = [race, null];
    const info = await raceInfo(race);
    if (this.#of !== race) return;
    this.info = info;
    this.given.redraw();
    // On a phone the keyboard would cover who invites.
    if (matchMedia("(pointer: fine)").matches) this.given.focusOn("#name");
  }
}
