// Where one can log in with Discord: its button on the start page, the way out again, and what the address
// brings back from Discord. All else of it comes with the other screens.

import { h } from "../draw.js";
import { button } from "../page/controls.js";

/** What Discord's own frame is called in the address; it has a login of its own. */
const FRAME = "frame_id";
/** The question whether to log out everywhere. */
export const EVERYWHERE = "everywhere";

/** Whether this server has a login with Discord. */
export function hasLogin() {
  return Boolean(document.documentElement.dataset.discord) && !new URLSearchParams(location.search).has(FRAME);
}

/** @param {{player: string}} of */
export function isGuest({ player }) {
  return player.startsWith("guest:");
}

/**
 * What Discord answered to a login, null if the page was opened in any other way. It leaves the address at once,
 * because its code stands for the player's account.
 */
export function answerOfDiscord() {
  const answer = new URLSearchParams(location.search);
  if (!hasLogin() || !(answer.has("code") || answer.has("error"))) return null;
  history.replaceState(null, "", `${location.pathname}${location.hash}`);
  return answer;
}

/** The way in for a guest, the way out for all others. @param {Given<"attempt" | "form" | "later" | "say">} given @param {{player: string, name: string}} me */
export function entrance(given, me) {
  const { form, later } = given;
  if (!hasLogin()) return null;
  if (isGuest(me)) return wayIn(given);
  if (form.sure === EVERYWHERE && later.here) return later.here.loggingOut(me);
  const ask = async () => {
    await later.come();
    form.sure = EVERYWHERE;
  };
  return button(given, "home.log_out", ask);
}

/** For one who has not played here yet. @param {Given<"attempt" | "later" | "say">} given */
export function entranceForNew(given) {
  return hasLogin() ? h("section", { class: "card-like self" }, wayIn(given), h("p", { class: "hint" }, given.say("home.log_in_hint"))) : null;
}

/** @param {Given<"attempt" | "later" | "say">} given */
function wayIn(given) {
  return button(given, "home.log_in", async () => (await given.later.come()).login.begin());
}
