// Where the player is on the page, and how they go to another screen.

import { hashOf } from "../address.js";

export class Route {
  /** @type {Place} */
  place = { screen: "home" };

  /** @param {Given<"session">} given @param {() => void} arrive shows what the address says */
  constructor({ session }, arrive) {
    this.session = session;
    this.arrive = arrive;
  }

  /** The race that is shown, if it is followed. */
  get race() {
    return this.place.screen === "race" ? this.session.followed.get(this.place.race ?? "") : undefined;
  }

  /** Go to another screen. A tap that follows meets it: a hashchange would come after the tap. @param {Place} place */
  go(place) {
    const hash = hashOf(place);
    if (location.hash !== hash && (hash !== "#" || location.hash)) history.pushState(null, "", hash);
    this.arrive();
  }

  /**
   * The race is called otherwise than it was asked for; the way back knows only the true name.
   * @param {string} race @param {boolean} watch
   */
  rename(race, watch) {
    this.place = { screen: "race", race, watch };
    history.replaceState(null, "", hashOf(this.place));
  }
}
