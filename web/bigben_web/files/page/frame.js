// What surrounds every screen: name of the page, state of the line, what went wrong, wishes.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { icon } from "../figures/icons.js";
import { nameForm } from "./controls.js";
import { wishes } from "./wishes.js";

/** The screens with a field for one's name. */
const ASKING = ["race", "groups", "learn"];

/** @param {Given<"activity" | "attempt" | "choosing" | "focusOn" | "form" | "identities" | "joining" | "language" | "later" | "memory" | "notices" | "redraw" | "route" | "say" | "session" | "sounds">} given @param {Child} shown the screen @param {Child} over what lies over it @param {Child} challenged what is said of challenges */
export function frame(given, shown, over, challenged) {
  const { screen } = given.route.place;
  return h(
    "div",
    { class: `frame ${screen} ${given.activity ? "framed" : ""}` },
    h(
      "header",
      {},
      h("a", { class: "brand", href: "#" }, mark(), "Big Ben"),
      given.activity?.header(),
      navigation(given),
    ),
    h("main", {}, given.activity?.settled && given.activity.above(), shown),
    screen === "learn" || (screen === "race" && given.route.race?.view) ? null : wishes(given),
    // Over all else: what comes and goes must not move the cards under a finger.
    h(
      "div",
      { class: "toasts" },
      announced(given),
      challenged,
      given.session.line !== "ended" && given.notices.text && h("p", { key: given.notices.text, class: "notice", role: "alert" }, given.notices.text),
      line(given),
    ),
    over,
  );
}

/** The button that shows the rules. @param {Given<"attempt" | "later" | "say">} given @param {Child} words */
function questionMark({ attempt, later, say }, words) {
  const show = () => attempt(async () => (await later.come()).help.show(true));
  const does = { type: "button", class: "quiet help", "aria-label": say("home.how"), onclick: show };
  return h("button", { key: "help", ...does }, h("span", { class: "sign", "aria-hidden": "true" }, "?"), words);
}

/** Where one can go from here. @param {Given<"attempt" | "choosing" | "focusOn" | "form" | "joining" | "later" | "route" | "say" | "session">} given */
function navigation(given) {
  const { say, route: { place }, choosing } = given;
  const start = place.screen === "home";
  const boards = hashOf({ screen: "boards", period: "daily", ...choosing.both });
  return h(
    "nav",
    { "aria-label": say("wish.go") },
    way(boards, "boards", say("boards.title"), place.screen === "boards"),
    way(hashOf({ screen: "groups" }), "people", say("groups.title"), ["groups", "season"].includes(place.screen)),
    questionMark(given, start ? h("span", { class: "word" }, say("home.how")) : null),
    me(given),
  );
}

/** @param {string} href @param {"boards" | "people"} sign @param {string} words @param {boolean} here */
function way(href, sign, words, here) {
  return h("a", { class: `button quiet ${sign}`, key: sign, href, "aria-label": words, "aria-current": here ? "page" : null }, icon(sign), h("span", { class: "word" }, words));
}

/**
 * Who plays: the way to their statistics. A player without a name may choose one here, if the screen does not ask by itself.
 * @param {Given<"attempt" | "choosing" | "focusOn" | "form" | "joining" | "route" | "say" | "session">} given
 */
function me(given) {
  const { say, route: { place }, session, choosing, form, joining } = given;
  const shown = [icon("person"), h("span", { class: "name" }, session.who?.name ?? say("guest"))];
  const href = hashOf({ screen: "player", player: "", ...choosing.both });
  /** @param {KeyboardEvent & {currentTarget: HTMLDetailsElement}} event */
  const onkeydown = ({ key, currentTarget: naming }) => {
    if (key !== "Escape" || !naming.open) return;
    naming.open = false;
    naming.querySelector("summary")?.focus();
  };
  if (!joining.unnamed || ASKING.includes(place.screen)) return session.who ? h("a", { class: "me", href }, shown) : null;
  return h(
    "details",
    { class: "naming", key: `naming ${place.screen}`, open: form.misnamed, onkeydown },
    h("summary", { class: "me" }, shown),
    h("div", { class: "card-like" }, nameForm(given), session.who ? h("a", { href }, say("player.statistics")) : null),
  );
}

function mark() {
  return h(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    h("circle", { cx: 12, cy: 12, r: 10 }),
    h("path", { d: "M12 6v6l4 2.5" }),
  );
}

/** What the operator tells everybody. The region is always there, so that it is read out when it fills. @param {Given<"say" | "session">} given */
function announced({ session, say }) {
  const { text } = session.announced;
  const close = { type: "button", class: "quiet", "aria-label": say("announced.close"), onclick: () => session.announced.close() };
  const shown = text && h("p", { key: text, class: "announced" }, h("span", {}, text), h("button", close, "×"));
  return h("div", { key: "announced", role: "status" }, shown);
}

/** What is wrong with the connection, if anything. @param {Given<"identities" | "say" | "session">} given */
function line({ session, say, identities }) {
  const { line, me } = session;
  if (line === "ended") {
    const again = { type: "button", onclick: () => location.reload() };
    const text = say("line.ended", { reason: session.reason ? say.told(session.reason.said, say.plain(session.reason.message)) : "" });
    return h("p", { class: "line", role: "alert" }, text, " ", h("button", again, say("line.again")));
  }
  if (line === "away") return h("p", { class: "line", role: "status" }, say("line.away"));
  const first = line === "connecting" && !me && identities.token;
  return first ? h("p", { class: "line faint", role: "status" }, say("line.connecting")) : null;
}
