// The form that opens a live room: its rules, time limit, who may join.

import { h } from "../draw.js";
import { PRESETS } from "./titles.js";

const MINUTES = [5, 10, 20, 30, 60, 120];
const MINUTE_MS = 60_000;

/** @param {import("../page/page.js").Page} page */
export function roomForm(page) {
  const { say } = page;
  const onsubmit = (event) => {
    event.preventDefault();
    const given = new FormData(event.target);
    page.try(() =>
      page.joining.create({
        rules: given.get("rules"),
        limit_ms: Number(given.get("minutes")) * MINUTE_MS,
        undo: given.has("undo"),
        invite_only: given.has("invite_only"),
      }),
    );
  };
  return h(
    "form",
    { class: "open-room", onsubmit },
    h("button", { class: "primary" }, say("home.create")),
    h(
      "details",
      {},
      h("summary", {}, say("room.options")),
      choice("rules", say("room.rules"), PRESETS.map((rules) => [rules, say(`rules.${rules}`)])),
      choice("minutes", say("room.limit"), [
        ...MINUTES.map((count) => [count, say("room.minutes", { count })]),
        [0, say("room.no_limit")],
      ], 60),
      box("undo", say("room.undo")),
      box("invite_only", say("room.invite_only")),
    ),
  );
}

function choice(name, text, options, usual = options[0][0]) {
  const all = options.map(([value, shown]) => h("option", { value, key: value, selected: value === usual }, shown));
  const [label, select] = [{ for: name }, { id: name, name }];
  return h("p", { class: "field" }, h("label", label, text), h("select", select, all));
}

function box(name, text) {
  return h("label", { class: "box" }, h("input", { type: "checkbox", name }), " ", text);
}
