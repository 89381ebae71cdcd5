// The table at which one plays: the board, and what can be done besides moving cards.

import { board } from "../board/board.js";
import { commandName, pileName } from "../board/words.js";
import { h } from "../draw.js";
import { resultTime, span } from "../words.js";
import { button } from "../page/controls.js";
import { fourColours } from "../page/wishes.js";
import { icon } from "../figures/icons.js";
import { cheerButton, cheerChoice } from "../cheers/buttons.js";
import { adviceLine, bestButton, hintButton, legend } from "./hints.js";

/** @param {Given<"activity" | "attempt" | "cheering" | "form" | "help" | "hinting" | "layout" | "memory" | "playing" | "say" | "session">} given @param {Followed} followed */
export function table(given, followed) {
  const { playing, say } = given;
  const { moves, game } = followed;
  const { view, focus, hands, picked, offer, targets, choices, fresh, plays, hints } = playing;
  const hint = picked || offer ? null : given.hinting.at(followed.race, view.n);
  const shown = {
    ...{ game, piles: view.piles, choices, picked, offer, targets, fresh, focus, still: !plays },
    ...{ hints, why: playing.why.shown, hint, won: view.state === "won", open: playing.open },
    ...{ n: view.n, home: view.home, clock: plays ? "" : elapsed(given, followed), four: fourColours(given) },
  };
  const layout = given.layout(game, view.piles);
  const kinds = `table ${moves.count ? "asking" : ""} ${layout.across ? "across" : ""}`;
  return h(
    "section",
    { class: kinds, key: "table" },
    board(shown, layout, say, hands),
    adviceLine(hint),
    plays ? controls(given, view) : null,
  );
}

/** On the seat's clock; once the game is over, the time that decides the place. @param {Given<"session">} given @param {Followed} followed */
export function elapsed({ session }, { over, homeMs, view }) {
  if (over) return resultTime(homeMs);
  return span(view?.begunAt ? session.clock.now() - view.begunAt : (view?.ms ?? 0));
}

/** @param {Given<"activity" | "attempt" | "cheering" | "form" | "help" | "playing" | "say">} given @param {View} of */
function controls(given, { legal, canUndo }) {
  const { playing, say } = given;
  if (given.form.sure === "resign") return resigning(given);
  if (playing.offer) return exchanging(given, playing.offer);
  if (given.cheering.open) return cheerChoice(given, playing.race.race);
  const [deal] = playing.choices.commands;
  return h(
    "div",
    { class: "controls", key: "controls" },
    legend(given),
    finishing(given) ?? commands(given, deal),
    playing.offersBest ? bestButton(given, () => given.attempt(() => playing.askBest())) : null,
    hintButton(given),
    playing.race.room.rules.undo
      ? small("undo", say("button.undo"), () => playing.play("undo"), { disabled: !canUndo })
      : null,
    // In a narrow rail these open beside it; elsewhere they are there.
    h(
      "div",
      { class: "others", key: "others", id: "others", popover: "auto" },
      cheerButton(given, playing.race.room),
      inviting(given),
      typing(given),
      small("help", say("home.how"), () => given.help.show(true), { class: "quiet" }),
      small("resign", say("button.resign"), () => given.attempt(() => (given.form.sure = "resign")), { class: "quiet" }),
    ),
    h("button", { type: "button", key: "more", class: "more", "aria-label": say("button.more"), title: say("button.more"), popovertarget: "others" }, icon("more")),
    !legal.length && canUndo ? h("p", { class: "hint" }, say("over.only_undo")) : null,
  );
}

/**
 * A button that is only its drawing where there is little room.
 * @param {Parameters<typeof icon>[0]} name @param {string} words @param {() => void} onclick @param {Props} more
 */
function small(name, words, onclick, more) {
  return h("button", { type: "button", key: name, "aria-label": words, title: words, onclick, ...more }, icon(name), h("span", { class: "word" }, words));
}

/** In Discord's frame: the button that calls others into the race. @param {Given<"activity" | "attempt" | "playing" | "say">} given */
function inviting({ activity, attempt, playing, say }) {
  const { room } = playing.race;
  if (!activity || room.kind === "practice") return null;
  return small("share", say("activity.invite"), () => attempt(() => activity.invite(room)), { class: "quiet" });
}

/** All cards that are left can go home: the button that brings them there, and stops. @param {Given<"playing" | "say">} given */
function finishing({ playing, say }) {
  const { finishing: all } = playing;
  if (!all.runs && !all.offered) return null;
  const does = { type: "button", key: "finish", class: "primary deal" };
  if (all.runs) return h("button", { ...does, onclick: () => all.stop() }, icon("stop"), say("finish.stop"));
  return h("button", { ...does, onclick: () => all.start() }, icon("home"), say("finish.all"));
}

/**
 * The button of the move that names no pile; in a game that has none there is no button. Where
 * piles are to be tapped instead, it is said what for.
 * @param {Given<"playing" | "say">} given @param {string | undefined} deal
 */
function commands({ playing, say }, deal) {
  const { moves } = playing.game;
  const { taps, from } = playing.choices;
  if (!deal && taps.size && !from.size) {
    const [word] = [...taps.values()][0][0].split(" ");
    const move = moves.find(({ example }) => example.split(" ")[0] === word);
    return move ? h("p", { class: "task", key: "task" }, say(move.says)) : null;
  }
  if (moves.every(({ example }) => example.includes(" "))) return null;
  // Off, the button says why.
  const name = deal ? commandName(say, deal) : say("does.none");
  const does = { type: "button", key: "deal", class: "primary deal", title: name, disabled: !deal };
  const key = h("kbd", { "aria-hidden": "true" }, say("help.key.space"));
  const keys = { "aria-keyshortcuts": "Space", onclick: () => deal && playing.play(deal) };
  return h("button", { ...does, ...keys }, icon("deal"), name, key);
}

/**
 * The cards of one pile lie on the board: the button that takes the one that is chosen.
 * @param {Given<"attempt" | "playing" | "say">} given @param {import("../board/exchange.js").Offer} offer
 */
function exchanging(given, { pile, chosen }) {
  const { playing, say } = given;
  const title = say("offer.title", { pile: pileName(say, playing.slot(pile)) });
  /** @param {KeyboardEvent} event */
  const onkeydown = ({ key }) => {
    if (key === "Escape") playing.escape();
  };
  const takes = { type: "button", key: "take", class: "primary safe deal", onclick: () => playing.choose(chosen) };
  return h(
    "div",
    { class: "controls offer", key: "offer", role: "dialog", "aria-label": title, onkeydown },
    h("p", {}, title),
    h("button", takes, icon("swap"), say("offer.take", { count: chosen })),
    button(given, "offer.another", () => playing.escape()),
  );
}

/** @param {Given<"playing" | "say">} given */
function typing(given) {
  const { say } = given;
  /** @param {Event} event */
  const onsubmit = (event) => {
    event.preventDefault();
    const [field] = /** @type {HTMLInputElement[]} */ ([...(/** @type {HTMLFormElement} */ (event.target).elements)]);
    given.playing.type(field.value);
    field.value = "";
  };
  const input = { name: "move", placeholder: examples(given.playing.game), "aria-label": say("typed.label") };
  const plain = { autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 32 };
  return h("form", { class: "typing", key: "typing", onsubmit }, h("input", { ...input, ...plain, enterkeyhint: "send" }));
}

/** The first and the last kind of move, as one types them. @param {Game} game */
function examples({ moves }) {
  return [...new Set([moves[0].example, moves[moves.length - 1].example])].join(", ");
}

/** @param {Given<"attempt" | "form" | "playing" | "say">} given */
function resigning(given) {
  const { say, playing } = given;
  const sure = () => {
    given.form.sure = "";
    playing.play("resign");
  };
  return h(
    "div",
    { class: "controls sure", key: "sure", role: "alertdialog", "aria-label": say("button.resign") },
    h("p", {}, say("sure.resign")),
    button(given, "button.sure", sure, "danger"),
    button(given, "button.back", () => (given.form.sure = ""), "primary safe"),
  );
}
