// What happens in the races that are followed, and what of it is spoken to one who hears the page:
// own moves, and what rivals do. Shows nothing.

import { deed } from "../../board/words.js";
import { Course, sentence } from "./course.js";

export class Courses {
  /** @type {Map<string, Course>} */
  #races = new Map();

  /** @param {import("../page.js").Page} page */
  constructor(page) {
    this.page = page;
  }

  /** @returns {Course} */
  of(race) {
    if (!this.#races.has(race)) this.#races.set(race, new Course());
    return this.#races.get(race);
  }

  /** Take in a message of a race. @returns {string} what to say of it, or "" */
  heard(message) {
    const { say, session } = this.page;
    const { type, race } = message;
    if (type === "diff") return deed(say, session.followed.get(race).game, message);
    if (type !== "progress" && type !== "room") return "";
    const events = this.of(race).take(message, session.clock.now(), session.me?.player);
    return events
      .filter(({ quiet }) => !quiet)
      .map((one) => sentence(say, one))
      .join(" ");
  }
}
