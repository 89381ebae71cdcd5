// What surrounds every screen: name of the page, state of the line, what went wrong, wishes.

import { h } from "../draw.js";
import { boards } from "./boards.js";
import { home } from "./home.js";
import { linked } from "./linked.js";
import { race } from "./race/race.js";
import { replay } from "./replay.js";

const SCREENS = { home, race, boards, replay };

/** @param {import("../page/page.js").Page} page */
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
      h("span", { class: "me" }, page.session.me?.name),
    ),
    h("main", {}, shown(page)),
    screen === "race" && page.race?.view ? null : wishes(page),
    // Over all else: what comes and goes must not move the cards under a finger.
    h(
      "div",
      { class: "toasts" },
      page.notice && h("p", { key: page.notice, class: "notice", role: "alert" }, page.notice),
      line(page),
    ),
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

/** What is wrong with the connection, if anything. */
function line({ session, say, identities }) {
  const { line, me } = session;
  if (line === "ended") {
    const again = { type: "button", onclick: () => location.reload() };
    const text = say("line.ended", { reason: session.reason ?? "" });
    return h("p", { class: "line", role: "alert" }, text, " ", h("button", again, say("line.again")));
  }
  if (line === "away") return h("p", { class: "line", role: "status" }, say("line.away"));
  const first = line === "connecting" && !me && identities.token;
  return first ? h("p", { class: "line faint", role: "status" }, say("line.connecting")) : null;
}

/** How the page is to look and speak. */
export function wishes(page) {
  const { say, languages, language } = page;
  return h(
    "footer",
    {},
    fourColours(page),
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

function fourColours(page) {
  const onchange = ({ target }) => {
    page.memory.set("colours", target.checked ? "" : "two");
    page.redraw();
  };
  const checked = page.memory.get("colours") !== "two";
  const box = h("input", { type: "checkbox", checked, onchange });
  return h("label", {}, box, " ", page.say("wish.four"));
}
