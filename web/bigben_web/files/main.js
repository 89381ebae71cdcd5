// Where the page begins: its parts put together, once. Decides nothing.

import { Memory } from "./memory.js";
import { Page } from "./page/page.js";
import { textsFor } from "./words.js";

const memory = new Memory();
const page = new Page(memory, await textsFor(memory.get("language")), {
  root: document.getElementById("page"),
  said: document.getElementById("said"),
});

/** A mistake of ours; said without drawing, which may be where it is. */
function mistaken() {
  document.getElementById("wrong").textContent = page.say("wrong.mistake");
}
addEventListener("error", mistaken);
addEventListener("unhandledrejection", mistaken);
addEventListener("hashchange", () => page.arrive());
page.arrive();
