// The table at which one plays: the board, and what can be done besides moving cards.

import { board } from "../../board/board.js";
import { TALL, WIDE } from "../../board/geometry.js";
import { h } from "../../draw.js";
import { span } from "../../words.js";
import { button } from "../controls.js";

const narrow = matchMedia("(max-width: 640px)");

/** The board's layout for this screen. */
export function layout() {
  return narrow.matches ? TALL : WIDE;
}

/** @param {import("../../page/page.js").Page} page @param {import("../../wire/followed.js").Followed} followed */
export function table(page, followed) {
  const { playing, say } = page;
  const { view, moves } = followed;
  const { focus, hands, picked, targets, choices, fresh, plays } = playing;
  const shown = {
    ...{ piles: view.piles, choices, picked, targets, fresh, focus, still: !plays },
    ...{ n: view.n, home: view.home, clock: elapsed(page, followed), four: fourColours(page) },
  };
  return h(
    "section",
    { class: `table ${moves.count ? "asking" : ""}`, key: "table" },
    board(shown, layout(), say, hands),
    plays ? controls(page, view) : null,
  );
}

export function fourColours({ memory }) {
  return memory.get("colours") !== "two";
}

/** On the seat's clock; it stands still once the game is over. */
function elapsed({ session }, { over, ms, view }) {
  return span(over || !view.begunAt ? ms : session.clock.now() - view.begunAt);
}

function controls(page, { legal, canUndo }) {
  const { playing, say } = page;
  if (page.sure === "resign") return resigning(page);
  const { deal } = playing.choices;
  return h(
    "div",
    { class: "controls", key: "controls" },
    h("button", { type: "button", key: "deal", class: "primary deal", disabled: !deal, onclick: () => playing.play(deal) }, deal ? say(`button.${deal}`) : say("button.turn")),
    page.race.room.rules.undo
      ? h("button", { type: "button", key: "undo", disabled: !canUndo, onclick: () => playing.play("undo") }, say("button.undo"))
      : null,
    typing(page),
    button(page, "button.resign", () => (page.sure = "resign"), "quiet"),
    !legal.length && canUndo ? h("p", { class: "hint" }, say("over.only_undo")) : null,
  );
}

function typing(page) {
  const { say } = page;
  const onsubmit = (event) => {
    event.preventDefault();
    const [field] = event.target.elements;
    page.playing.type(field.value);
    field.value = "";
  };
  const input = { name: "move", placeholder: say("typed.hint"), "aria-label": say("typed.label") };
  const plain = { autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 32 };
  return h("form", { class: "typing", key: "typing", onsubmit }, h("input", { ...input, ...plain, enterkeyhint: "send" }));
}

function resigning(page) {
  const { say, playing } = page;
  const sure = () => {
    page.sure = "";
    playing.play("resign");
  };
  return h(
    "div",
    { class: "controls sure", key: "sure", role: "alertdialog", "aria-label": say("button.resign") },
    h("p", {}, say("sure.resign")),
    button(page, "button.sure", sure, "danger"),
    button(page, "button.back", () => (page.sure = ""), "primary safe"),
  );
}
