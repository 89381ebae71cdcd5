// What is said of challenges: notices, and on a player's profile the way to challenge them.

import { h } from "../draw.js";
import { button } from "../page/controls.js";
import { gameName, rulesName } from "../page/titles.js";
import { choiceOf } from "../start/choosing.js";
import { playerName } from "../words.js";

/** @typedef {Given<"attempt" | "challenges" | "games" | "route" | "say" | "session">} Parts */

/**
 * Notices of challenges. Nothing is said over a board: what came during a race is said after it.
 * @param {Parts} given
 */
export function notices(given) {
  const { route: { place, race } } = given;
  const quiet = ["learn", "replay"].includes(place.screen) || (race?.view && !race.over);
  // The region is always there, so that it is read out when it fills.
  return h("div", { key: "challenges", class: "challenged", role: "status" }, quiet ? null : given.challenges.news.map((one) => notice(given, one)));
}

/** @param {Parts} given @param {Protocol.ChallengeInfo} one */
function notice(given, one) {
  const { challenges, say } = given;
  const received = challenges.isReceived(one);
  const name = playerName(say, one);
  const said = received ? say("challenge.received", { name, game: titleOf(given, one) }) : say(`challenge.${one.state}`, { name });
  const close = { type: "button", class: "quiet", "aria-label": say("challenge.close"), onclick: () => challenges.close(one.id) };
  return h(
    "div",
    { key: one.id, class: "card-like challenge" },
    h("p", {}, h("b", {}, said), " ", received || one.state === "accepted" ? record(given, one.player, name) : null),
    h("div", { class: "row" }, received ? answers(given, one) : one.state === "accepted" ? button(given, "challenge.enter", () => challenges.enter(one), "gold") : null, h("button", close, "×")),
  );
}

/** @param {Parts} given @param {Protocol.ChallengeInfo} one */
function answers(given, one) {
  return [button(given, "challenge.accept", () => given.challenges.answer(one, true), "gold"), button(given, "challenge.decline", () => given.challenges.answer(one, false))];
}

/** Who was ahead so far. @param {Parts} given @param {string} player @param {string} name */
function record({ challenges, say }, player, name) {
  const { ahead = 0, behind = 0, level = 0 } = challenges.record(player) ?? {};
  return ahead + behind + level ? say("challenge.record", { name, ahead, behind }) : null;
}

/** On the profile of another player: challenge them in the chosen game, or answer theirs. @param {Parts} given @param {Protocol.Profile} of */
export function challenging(given, of) {
  const { challenges, games, route: { place }, say, session } = given;
  if (!session.me || of.player === session.me.player || of.player.startsWith("bot:") || of.player.startsWith("deleted:")) return null;
  const name = playerName(say, of);
  const waiting = challenges.between(of.player);
  const both = choiceOf(games, place);
  if (waiting && challenges.isReceived(waiting)) return h("div", { class: "row", key: "challenge" }, h("p", {}, say("challenge.received", { name, game: titleOf(given, waiting) })), answers(given, waiting));
  if (waiting) return h("p", { key: "challenge", role: "status" }, say("challenge.waits", { name, game: titleOf(given, waiting) }));
  const challenge = () => given.attempt(() => challenges.send(of.player, both));
  return h("div", { class: "row", key: "challenge" }, h("button", { type: "button", class: "gold", onclick: challenge }, say("challenge.do", { name, game: titleOf(given, both) })));
}

/** @param {Given<"games" | "say">} given @param {Both} both */
function titleOf(given, { game, rules }) {
  const { presets } = given.games.of({ game }) ?? given.games.usual;
  const name = gameName(given, game);
  return presets[0] === rules ? name : `${name} · ${rulesName(given, { game, rules })}`;
}
