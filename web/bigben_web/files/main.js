// Where the page begins: its parts put together, once. Decides nothing.

import { Memory } from "./memory.js";
import { Page } from "./page.js";
import { Games } from "./wire/games.js";
import { textsFor } from "./words.js";

const memory = new Memory();
const [texts, games] = await Promise.all([textsFor(memory.get("language")), Games.fetched()]);
/** @param {string} id of an element of index.html */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const page = new Page(memory, texts, games, { root: element("page"), said: element("said") });

/** A mistake of ours; said without drawing, which may be where it is. */
function mistaken() {
  element("wrong").textContent = page.say("wrong.mistake");
}
addEventListener("error", mistaken);
addEventListener("unhandledrejection", mistaken);
addEventListener("hashchange", () => page.arrive());
page.arrive();

// The shell is kept once nothing else is to be done; without it the page only needs a network.
if ("serviceWorker" in navigator) {
  const named = { createScriptURL: () => "/worker.js" };
  const policy = window.trustedTypes?.createPolicy("worker", named) ?? named;
  const keep = () => navigator.serviceWorker.register(policy.createScriptURL("")).catch(() => {});
  (window.requestIdleCallback ?? setTimeout)(keep);
}
