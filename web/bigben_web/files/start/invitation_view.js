// A friend's link, opened by somebody without a name: who invites and to what, then one field.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { button, nameField } from "../controls.js";
import { gameName, rulesName, title } from "../titles.js";
import { clock, start } from "./clock.js";

const MINUTE_MS = 60_000;
/** The phases in which one can no longer join a live room. */
const BEGUN = ["countdown", "running"];

/** @param {Page} page */
export function invitation(page) {
  const { say, place, invitation, session } = page;
  const { info } = invitation;
  /** @param {Event} event */
  const onsubmit = (event) => {
    event.preventDefault();
    page.try(async () => {
      await page.joining.welcome();
      await page.joining.race({ race: place.race ?? "", watch: Boolean(place.watch) || goes(info) !== "race.gate_do" });
    }).then(() => session.me || page.focusOn("#name"));
  };
  return h(
    "section",
    { class: "invitation", key: "invitation" },
    h("div", { class: "dial" }, clock(page, start(page), say("home.clock"))),
    h(
      "form",
      { class: "card-like gate", onsubmit, novalidate: true },
      h("h1", {}, heading(page, info)),
      info ? about(page, info) : null,
      nameField(page),
      h("button", { class: "primary large" }, say(goes(info))),
      h("a", { class: "quiet", href: hashOf({ screen: "learn" }) }, say("invite.learn")),
    ),
  );
}

/** @param {Page} page @param {Protocol.RaceInfo | null} info */
function heading(page, info) {
  const { say } = page;
  if (!info) return say("race.gate");
  return info.host ? say("invite.title", { host: info.host }) : title(page, info);
}

/** @param {Protocol.RaceInfo | null} info */
function goes(info) {
  if (info?.phase === "closed") return "invite.see";
  return info?.kind === "live" && BEGUN.includes(info.phase) ? "invite.watch" : "race.gate_do";
}

/** The game, its rules and time, and who is there. @param {Page} page @param {Protocol.RaceInfo} info */
function about(page, info) {
  const { say, language } = page;
  const { rules, names = [], players, phase, kind, closes_at: until } = info;
  const minutes = Math.round((rules.limit_ms ?? 0) / MINUTE_MS);
  const game = gameName(page, rules.game ?? page.games.usual.name);
  const terms = [
    game,
    rulesName(page, { ...rules, game: rules.game ?? page.games.usual.name }),
    minutes && say("room.minutes", { count: minutes }),
    rules.undo && say("room.undo"),
  ];
  const more = players - names.length;
  const all = [...names, ...(names.length && more > 0 ? [say("race.more", { count: more })] : [])];
  const closes = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  return [
    h("p", { class: "terms" }, terms.filter(Boolean).join(" · ")),
    h("p", {}, say(`game.${rules.game ?? page.games.usual.name}.goal`)),
    kind === "deadline" && until ? h("p", {}, say("invite.until", { when: closes.format(until) })) : null,
    names.length ? h("p", { class: "there" }, say("invite.there", { count: players }), " ", h("bdi", {}, all.join(", "))) : null,
    kind === "live" && BEGUN.includes(phase) ? h("p", { class: "hint" }, say("invite.begun")) : null,
    phase === "closed" ? h("p", { class: "hint" }, say("invite.closed")) : null,
  ];
}

/** The way back to the invitation after the lesson. @param {Page} page */
export function backToInvitation(page) {
  const { race, watch } = page.learning.from ?? {};
  return race ? button(page, "invite.back", () => page.go({ screen: "race", race, watch }), "primary") : null;
}
