// The card of a finished game to share, as text: the twin of bigben_protocol/share.py, with the
// same table of tests. It is made of public progress alone and names no card.

import { RANKS, rankAndSuit } from "../cards.js";
import { resultTime } from "../words.js";
import { weekOf } from "../wire/races.js";

export const SIGNS = 12;
const SUITS = 4;
const [NONE, PARTS, WHOLE] = ["□", "◔◑◕", "■"];
const PLAYING = ["joined", "ready", "playing"];

/**
 * @typedef {object} Share
 * @property {Pick<Room, "race" | "kind" | "phase" | "rules">} room a Room or RaceInfo
 * @property {Standing} seat
 * @property {Game} game
 * @property {number} [players] how many have a place
 * @property {number} [streak] days in a row
 * @property {Hours} [hours] of a closed race, from twelve on
 */

/** Both lines. @param {Say} say @param {Share} share */
export function shareText(say, share) {
  const { room, seat, game, players = 0, streak = 0, hours = [] } = share;
  const final = room.phase === "closed";
  if (hours.length && !final) throw new Error("the hours are shown only when the race is closed");
  const { state, home = 0, home_ms: homeMs = 0 } = seat;
  const parts = [
    shareTitle(say, room),
    `${home}/${game.total}`,
    resultTime(homeMs),
    ["resigned", "timed out"].includes(state) ? say(`share.${state}`) : "",
    sharePlace(say, { room, seat, players }),
    room.kind === "daily" && streak > 1 ? say("share.streak", { days: streak }) : "",
  ];
  return `${parts.filter(Boolean).join(" · ")}\n${signs(home, game.total, hours)}`;
}

/**
 * Twelve signs: of the hours if they are known, else squares that the cards home fill.
 * @param {number} home @param {number} total @param {Hours} hours
 */
export function signs(home, total, hours = []) {
  /** @type {Hours} */
  const filled = Array.from({ length: SIGNS }, (_, square) => [home * SIGNS - total * square, total]);
  return (hours.length === SIGNS ? hours : filled).map(sign).join("");
}

/** @param {[have: number, whole: number]} of */
function sign([have, whole]) {
  if (have <= 0) return NONE;
  return have >= whole ? WHOLE : PARTS[Math.floor((have * PARTS.length) / whole)];
}

/**
 * How far each foundation came, from a record, from twelve on; where ranks are collected the kings come last.
 * Empty where they are not the hours of a dial.
 * @param {Protocol.Record} of @param {Game} game @returns {Hours}
 */
export function hoursOf({ piles = {}, steps = [] }, { slots, deal }) {
  const first = new Map(deal?.laid);
  const all = slots.filter(({ kind, goal }) => goal && (kind === "foundation" || kind === "reserve"));
  const ranks = all.every(({ goal }) => RANKS.includes(goal));
  const dial = all.length === SIGNS || (ranks && all.length === RANKS.length);
  if (!dial || all.some(({ pile }) => !piles[pile] || !(ranks || first.has(pile)))) return [];
  const have = new Map(all.map(({ pile }) => [pile, piles[pile].up?.length ?? 0]));
  for (const [source, target, , how = ""] of steps.flat()) {
    if (how !== "turned") have.set(source, (have.get(source) ?? 0) - 1);
    if (how !== "down") have.set(target, (have.get(target) ?? 0) + 1);
  }
  /** @param {Slot} of */
  const hour = ({ at, goal }) => (goal === "K" ? SIGNS : (ranks ? RANKS.indexOf(goal) + 1 : at) % SIGNS);
  const clockwise = [...all].sort((a, b) => hour(a) - hour(b));
  return clockwise.map(({ pile, goal }) => [have.get(pile) ?? 0, ranks ? SUITS * (deal?.packs ?? 1) : size(first.get(pile) ?? "", goal)]);
}

/** A foundation builds up in suit from the card that lies there first to its goal. @param {string} first @param {string} goal */
function size(first, goal) {
  const [start, end] = [first, goal].map((card) => RANKS.indexOf(rankAndSuit(card)[0]));
  return ((end - start + RANKS.length) % RANKS.length) + 1;
}

/** What was played: the game, its rules, the day or the code. @param {Say} say @param {Share["room"]} of */
function shareTitle(say, { race, kind, rules }) {
  const { game: name = "bigben", rules: preset = "standard", daily: archived = "" } = rules;
  /** @param {string} key */
  const named = (key) => (say.knows(key) ? say(key) : (key.split(".").at(-1) ?? key));
  let game = named(`game.${name}`);
  if (preset !== "standard") {
    // The name of rules without what may explain them: "Open rules: turn at any time".
    const [short] = named(`rules.${name}.${preset}`).split(":");
    game = say("share.rules", { game, rules: short });
  }
  if (kind === "practice" && !archived) return say("share.practice", { game });
  const daily = archived || (kind === "daily" ? race : "");
  const { number: week } = weekOf(race);
  const day = daily ? daily.split(".")[1] : week ? say("share.week", { week }) : race;
  return say(archived ? "share.unranked" : "share.title", { game, race: day });
}

/** `2nd of 9`; empty where a place means nothing. @param {Say} say @param {Omit<Share, "game">} share */
export function sharePlace(say, { room, seat, players = 0 }) {
  const final = room.phase === "closed";
  if (room.kind === "practice") return "";
  if (!final && PLAYING.includes(seat.state)) return say("share.playing");
  if (!seat.place || players < 2) return "";
  const place = ordinal(seat.place, say("share.ordinals"));
  return say(final ? "share.place" : "share.so_far", { place, players });
}

/**
 * A number with the first of these endings whose digits it ends with: `1st 2nd 3rd th`.
 * @param {number} number @param {string} endings
 */
export function ordinal(number, endings) {
  for (const ending of endings.split(/\s+/)) {
    const [, digits, letters] = ending.match(/^(\d*)(\D*)$/) ?? [];
    if (digits !== undefined && String(number).endsWith(digits)) return `${number}${letters}`;
  }
  return String(number);
}
