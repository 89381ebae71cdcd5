// A friend's link, opened by somebody without a name: who invites and to what, then one field.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { button, nameField, submit } from "../page/controls.js";
import { gameName, rulesName, title } from "../page/titles.js";
import { clock, start } from "./clock.js";

const MINUTE_MS = 60_000;
/** The phases in which one can no longer join a live room. */
const BEGUN = ["countdown", "running"];

/** @param {Given<"attempt" | "form" | "games" | "invitation" | "joining" | "memory" | "route" | "say">} given */
export function invitation(given) {
  const { say, route: { place }, invitation } = given;
  const { info } = invitation;
  const enter = async () => {
    await given.joining.welcome();
    await given.joining.race({ race: place.race ?? "", watch: Boolean(place.watch) || enterKey(info) !== "button.join" });
  };
  return h(
    "section",
    { class: "invitation", key: "invitation" },
    h("div", { class: "dial" }, clock(given, start(given), say("home.clock"))),
    h(
      "form",
      { class: "card-like gate", onsubmit: submit(given, enter), novalidate: true },
      h("h1", {}, heading(given, info)),
      info ? about(given, info) : null,
      nameField(given),
      h("button", { class: "primary large" }, say(enterKey(info))),
      h("a", { class: "quiet", href: hashOf({ screen: "learn" }) }, say("invite.learn")),
    ),
  );
}

/** @param {Given<"games" | "say">} given @param {Protocol.RaceInfo | null} info */
function heading(given, info) {
  const { say } = given;
  if (!info) return say("race.gate");
  return info.host ? say("invite.title", { host: info.host }) : title(given, info);
}

/** @param {Protocol.RaceInfo | null} info */
function enterKey(info) {
  if (info?.phase === "closed") return "invite.see";
  return info?.kind === "live" && BEGUN.includes(info.phase) ? "button.watch" : "button.join";
}

/** The game, its rules and time, and who is there. @param {Given<"games" | "say">} given @param {Protocol.RaceInfo} info */
function about(given, info) {
  const { say } = given;
  const { rules, names = [], players, phase, kind, closes_at: until } = info;
  const minutes = Math.round((rules.limit_ms ?? 0) / MINUTE_MS);
  const game = gameName(given, rules.game ?? given.games.usual.name);
  const terms = [
    game,
    rulesName(given, { ...rules, game: rules.game ?? given.games.usual.name }),
    minutes && say("span.minutes", { count: minutes }),
    rules.undo && say("race.undo"),
  ];
  const more = players - names.length;
  const all = [...names, ...(names.length && more > 0 ? [say("race.more", { count: more })] : [])];
  const closes = new Intl.DateTimeFormat(say.language, { dateStyle: "medium", timeStyle: "short" });
  return [
    h("p", { class: "terms" }, terms.filter(Boolean).join(" · ")),
    h("p", {}, say(`game.${rules.game ?? given.games.usual.name}.goal`)),
    kind === "deadline" && until ? h("p", {}, say("invite.until", { when: closes.format(until) })) : null,
    names.length ? h("p", { class: "there" }, say("invite.there", { count: players }), " ", h("bdi", {}, all.join(", "))) : null,
    kind === "live" && BEGUN.includes(phase) ? h("p", { class: "hint" }, say("invite.begun")) : null,
    phase === "closed" ? h("p", { class: "hint" }, say("invite.closed")) : null,
  ];
}

/** The way back to the invitation after the lesson. @param {Given<"attempt" | "go" | "learning" | "say">} given */
export function backToInvitation(given) {
  const { race, watch } = given.learning.from ?? {};
  return race ? button(given, "invite.back", () => given.go({ screen: "race", race, watch }), "primary") : null;
}
