// The question when a one-time link is opened while another player is current.

import { h } from "../draw.js";
import { whoIs } from "./identities_view.js";
import { isGuest } from "../login/entrance.js";

/** @param {Given<"attempt" | "linking" | "login" | "say">} given */
export function linked(given) {
  const { say, linking, login } = given;
  const { guest, here, accepting } = linking;
  if (!guest || !here) return null;
  const names = { here: here.name, guest: guest.name };
  // One of them must be known elsewhere than in a browser.
  const canBeOne = !(isGuest(here) && isGuest(guest));
  return h(
    "section",
    { class: "card-like linked" },
    h("h1", {}, say("link.title")),
    h(
      "dl",
      {},
      h("dt", {}, say("link.here")),
      h("dd", {}, whoIs(say, here)),
      h("dt", {}, say("link.guest")),
      h("dd", {}, whoIs(say, guest)),
    ),
    h("p", {}, say("link.ask", names)),
    h("p", { class: "hint" }, say("link.kept", names)),
    canBeOne ? h("p", {}, say("link.one_means", isGuest(here) ? { one: guest.name, other: here.name } : { one: here.name, other: guest.name })) : null,
    accepting ? h("p", { role: "status" }, say("race.opening")) : null,
    h(
      "div",
      { class: "row" },
      accepting || !canBeOne ? null : answer(given, say("link.one"), () => login.unite(), "one"),
      accepting ? null : answer(given, say("link.accept", names), () => linking.accept()),
      answer(given, say("link.decline", names), () => linking.decline(), "primary"),
    ),
  );
}

/** A button whose text has names in it. @param {Given<"attempt">} given @param {string} text @param {() => unknown} does */
export function answer(given, text, does, kind = "") {
  return h("button", { type: "button", key: kind, class: kind, onclick: () => given.attempt(does) }, text);
}
