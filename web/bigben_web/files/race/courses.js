// What happens in the races that are followed, and what of it is spoken to one who hears the page:
// own moves, and what rivals do. Shows nothing.

import { deed } from "../board/words.js";
import { Course, sentence } from "./course.js";

export class Courses {
  /** @type {Map<string, Course>} */
  #races = new Map();

  /** @param {Given<"say" | "session">} given */
  constructor(given) {
    this.given = given;
  }

  /** @param {string} race @returns {Course} */
  of(race) {
    const course = this.#races.get(race) ?? new Course();
    this.#races.set(race, course);
    return course;
  }

  /** Take in a message of a race. @param {Protocol.ServerMessage} message @returns {string} what to say of it, or "" */
  received(message) {
    const { say, session } = this.given;
    const followed = "race" in message ? session.followed.get(message.race ?? "") : undefined;
    if (message.type === "diff") return followed ? deed(say, followed.game, message) : "";
    if (message.type !== "progress" && message.type !== "room") return "";
    const events = this.of(message.race).take(message, session.clock.now(), session.me?.player);
    return events
      .filter(({ quiet }) => !quiet)
      .map((one) => sentence(say, one))
      .join(" ");
  }
}
