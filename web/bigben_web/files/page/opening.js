// What is shown until a screen is here, and if it does not come.

import { h } from "../draw.js";
import { button } from "./controls.js";

/** @param {Given<"attempt" | "route" | "say"> & {later: {missing: boolean}}} given */
export function opening(given) {
  const { say, later, route } = given;
  if (!later.missing) return h("p", { class: "opening" }, say("race.opening"));
  return h("section", { class: "card-like opening" }, h("p", {}, say("later.missing")), button(given, "later.again", () => route.arrive(), "primary"));
}
