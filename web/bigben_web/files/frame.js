// What surrounds every screen: name of the page, state of the line, what went wrong, wishes.

import { hashOf } from "./address.js";
import { h } from "./draw.js";
import { boards } from "./leaderboards/boards.js";
import { over } from "./help/help_view.js";
import { home } from "./start/home.js";
import { learn } from "./learn/learn.js";
import { linked } from "./identities/linked.js";
import { race } from "./race/race.js";
import { archive } from "./records/archive.js";
import { groups } from "./groups/groups_view.js";
import { player } from "./records/player.js";
import { replay } from "./replay/replay.js";

/** @type {{[screen: string]: (page: Page) => Child}} */
const SCREENS = { home, learn, race, boards, replay, player, archive, groups };

/** @param {Page} page */
export function frame(page) {
  const { screen } = page.place;
  const shown = screen === "home" && page.linking.asks ? linked : SCREENS[screen];
  return h(
    "div",
    { class: `frame ${screen}` },
    h(
      "header",
      {},
      h("a", { class: "brand", href: "#" }, mark(), "Big Ben"),
      navigation(page),
    ),
    h("main", {}, shown(page)),
    screen === "learn" || (screen === "race" && page.race?.view) ? null : wishes(page),
    // Over all else: what comes and goes must not move the cards under a finger.
    h(
      "div",
      { class: "toasts" },
      announced(page),
      page.notice && h("p", { key: page.notice, class: "notice", role: "alert" }, page.notice),
      line(page),
    ),
    over(page),
  );
}

/** The button that shows the rules. @param {Page} page @param {Child} words */
function questionMark({ say, help }, words) {
  const does = { type: "button", class: "quiet help", "aria-label": say("home.how"), onclick: () => help.show(true) };
  return h("button", { key: "help", ...does }, h("span", { class: "sign", "aria-hidden": "true" }, "?"), words);
}

/** Where one can go from here. @param {Page} page */
function navigation(page) {
  const { say, place, session, choosing } = page;
  const start = place.screen === "home";
  const boards = hashOf({ screen: "boards", period: "daily", ...choosing.both });
  return h(
    "nav",
    { "aria-label": say("wish.go") },
    start ? h("a", { class: "button quiet boards", href: boards }, say("home.boards")) : null,
    questionMark(page, start ? h("span", { class: "word" }, say("home.how")) : null),
    session.me ? h("a", { class: "me", href: hashOf({ screen: "player", player: "", ...choosing.both }) }, session.me.name) : null,
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

/** What the operator tells everybody. The region is always there, so that it is read out when it fills. @param {Page} page */
function announced({ session, say }) {
  const { text } = session.announced;
  const close = { type: "button", class: "quiet", "aria-label": say("announced.close"), onclick: () => session.announced.close() };
  const shown = text && h("p", { key: text, class: "announced" }, h("span", {}, text), h("button", close, "×"));
  return h("div", { key: "announced", role: "status" }, shown);
}

/** What is wrong with the connection, if anything. @param {Page} page */
function line({ session, say, identities }) {
  const { line, me } = session;
  if (line === "ended") {
    const again = { type: "button", onclick: () => location.reload() };
    const text = say("line.ended", { reason: say.sentence(session.reason ?? "") });
    return h("p", { class: "line", role: "alert" }, text, " ", h("button", again, say("line.again")));
  }
  if (line === "away") return h("p", { class: "line", role: "status" }, say("line.away"));
  const first = line === "connecting" && !me && identities.token;
  return first ? h("p", { class: "line faint", role: "status" }, say("line.connecting")) : null;
}

/** How the page is to look and speak. @param {Page} page */
export function wishes(page) {
  const { say, languages, language } = page;
  return h(
    "footer",
    {},
    fourColours(page),
    ghosts(page),
    sounds(page),
    cheers(page),
    h(
      "label",
      {},
      say("wish.language"),
      " ",
      h(
        "select",
        { onchange: ({ target }) => page.choose(target.value) },
        languages.map(({ code, name }) =>
          h("option", { value: code, key: code, selected: code === language, lang: code }, name),
        ),
      ),
    ),
  );
}

/** @param {Page} page */
function fourColours(page) {
  /** @param {Changed} of */
  const onchange = ({ target }) => {
    page.memory.set("colours", target.checked ? "" : "two");
    page.redraw();
  };
  const checked = page.memory.get("colours") !== "two";
  const box = h("input", { type: "checkbox", checked, onchange });
  return h("label", {}, box, " ", page.say("wish.four"));
}

/** @param {Page} page */
function sounds({ playing, say }) {
  /** @param {Changed} of */
  const onchange = ({ target }) => (playing.sounds.on = target.checked);
  return h("label", {}, h("input", { type: "checkbox", checked: playing.sounds.on, onchange }), " ", say("wish.sounds"));
}

/** @param {Page} page */
function cheers(page) {
  /** @param {Changed} event */
  const onchange = ({ target }) => {
    page.cheering.on = target.checked;
    page.redraw();
  };
  const box = h("input", { type: "checkbox", checked: page.cheering.on, onchange });
  return h("label", {}, box, " ", page.say("wish.cheers"));
}

/** @param {Page} page */
function ghosts(page) {
  /** @param {Changed} of */
  const onchange = ({ target }) => {
    page.memory.set("ghosts", target.checked ? "" : "off");
    page.redraw();
  };
  const box = h("input", { type: "checkbox", checked: page.ghosts.on, onchange });
  return h("label", {}, box, " ", page.say("wish.ghosts"));
}
