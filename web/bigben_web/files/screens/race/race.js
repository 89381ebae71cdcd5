// One race on the screen, in every phase: the gate, the lobby, the countdown, the table, the end.

import { h } from "../../draw.js";
import { button, nameField } from "../controls.js";
import { title } from "../titles.js";
import { lobby } from "./lobby.js";
import { bars } from "./bars.js";
import { promise } from "./fair.js";
import { result } from "./result.js";
import { table } from "./table.js";

/** @param {import("../../page/page.js").Page} page */
export function race(page) {
  const { race: followed, session, say } = page;
  if (!session.me && !page.identities.token) return gate(page);
  if (!followed?.room) return page.notice ? back(page) : h("p", { class: "opening" }, say("race.opening"));
  const { room, view } = followed;
  return [
    h("h1", { class: "title" }, title(page, room)),
    room.phase === "countdown" ? countdown(page, followed) : null,
    room.phase === "open" ? lobby(page, followed) : null,
    room.phase === "cancelled" ? back(page, say("race.cancelled")) : null,
    waits(room, followed) ? show(page, followed) : null,
    view && room.phase !== "countdown" ? table(page, followed) : null,
    ["running", "closed"].includes(room.phase) ? beside(page, followed) : null,
  ];
}

/** A guest without a name who opens a friend's link. */
function gate(page) {
  const { say, place } = page;
  const onsubmit = (event) => {
    event.preventDefault();
    page.try(async () => {
      await page.joining.welcome();
      await page.joining.race(place);
    });
  };
  return h(
    "form",
    { class: "card-like gate", onsubmit },
    h("h1", {}, say("race.gate")),
    nameField(page),
    h("button", { class: "primary large" }, say("race.gate_do")),
  );
}

function countdown(page, followed) {
  const { session, say } = page;
  const { room } = followed;
  const left = Math.max(1, Math.ceil((room.starts_at - session.clock.now()) / 1000));
  return h(
    "section",
    { class: "countdown card-like", role: "timer" },
    h("p", {}, say("race.countdown")),
    h("p", { class: "digit", key: `digit${left}` }, left),
    promise(page, followed),
  );
}

/** There is nothing to show here. */
function back(page, why = "") {
  const home = button(page, "button.home", () => page.go({ screen: "home" }), "primary");
  return h("section", { class: "card-like opening" }, why ? h("p", {}, why) : null, home);
}

/** Whether the player has a seat in a running race and has not asked for the cards. */
function waits({ kind, phase }, { seat, view }) {
  return kind !== "live" && phase === "running" && seat?.state === "joined" && !view;
}

function show(page, followed) {
  const { say } = page;
  const ready = () => page.session.ask({ type: "ready", race: followed.race });
  return h(
    "section",
    { class: "card-like" },
    h("p", {}, say("race.show_hint")),
    button(page, "race.show", ready, "primary large"),
    promise(page, followed),
  );
}

function beside(page, followed) {
  const running = followed.view && !followed.over && followed.room.phase === "running";
  const parts = [result(page, followed), bars(page, followed), running && promise(page, followed)].filter(Boolean);
  return parts.length ? h("aside", { key: "beside" }, parts) : null;
}
