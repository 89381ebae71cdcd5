// A live room before the race: its code and link, who is there, and who is ready.

import { hashOf } from "../../address.js";
import { h } from "../../draw.js";
import { promise } from "./fair.js";
import { button, linkField } from "../controls.js";
import { rulesName } from "../titles.js";

const MINUTE_MS = 60_000;

/** @param {import("../../page/page.js").Page} page @param {import("../../wire/followed.js").Followed} followed */
export function lobby(page, followed) {
  const { say } = page;
  const { room, seat } = followed;
  return [
    h(
      "section",
      { class: "card-like share" },
      h("p", { class: "code", translate: "no" }, room.race),
      h("p", { class: "hint" }, terms(say, room)),
      seat ? sharing(page, room) : h("p", {}, say("race.watching")),
      promise(page, followed),
    ),
    h(
      "section",
      { class: "card-like seats" },
      h("h2", {}, say("race.players")),
      h("ul", {}, room.seats.map((one) => line(page, room, one))),
      h("p", { class: "hint" }, say("race.wait_open")),
      buttons(page, followed),
    ),
  ];
}

function terms(say, { rules }) {
  const limit = Math.round((rules.limit_ms ?? 0) / MINUTE_MS);
  return [
    rulesName(say, rules.rules ?? "standard"),
    limit && say("room.minutes", { count: limit }),
    rules.undo && say("room.undo"),
    rules.invite_only && say("room.invite_only"),
  ]
    .filter(Boolean)
    .join(" · ");
}

function sharing(page, { race, invite }) {
  const { say } = page;
  const link = `${location.origin}/${hashOf({ screen: "race", race: invite || race })}`;
  return h(
    "div",
    { class: "field" },
    h("label", { for: "share" }, say("race.share")),
    h(
      "div",
      { class: "row" },
      linkField("share", link),
      button(page, "race.share_do", () => share(page, link), "primary"),
    ),
  );
}

/** By the phone's own means, or to the clipboard, or marked to be copied. */
async function share(page, url) {
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    // Who changes their mind has not failed.
    await navigator.share({ title: "Big Ben", url }).catch(() => {});
    return;
  }
  const field = document.getElementById("share");
  field.select();
  try {
    await navigator.clipboard.writeText(url);
  } catch {
    // Only https and localhost may write there; the marked field can be copied by hand.
    return;
  }
  page.announce(page.say("race.copied"));
  page.complain("race.copied");
}

function line({ say, session }, room, { player, name, state }) {
  const notes = [player === room.host && say("race.host"), player === session.me?.player && say("you")];
  return h(
    "li",
    { key: player, class: state },
    h("span", { class: "name" }, name),
    h("span", { class: "notes" }, notes.filter(Boolean).join(", ")),
    h("span", { class: "state" }, say(`state.${state}`)),
  );
}

function buttons(page, { room, seat }) {
  const { race } = room;
  const ask = (message) => () => page.session.ask({ race, ...message });
  const leave = button(page, "race.leave", () => page.joining.leave(race));
  if (!seat) return h("div", { class: "row" }, leave);
  const host = room.host === seat.player;
  const someReady = room.seats.some(({ state }) => state === "ready");
  const ready =
    seat.state === "joined"
      ? button(page, "race.ready", () => page.joining.ready(race), "primary large")
      : button(page, "race.unready", ask({ type: "unready" }), "large");
  return h(
    "div",
    { class: "row" },
    ready,
    host && someReady && room.seats.length > 1 ? button(page, "race.start", ask({ type: "start" })) : null,
    leave,
  );
}
