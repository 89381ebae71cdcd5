// The player’s clubs: an invitation to a group, the own ones with their boards and seasons, a new one.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { avatar, numberOf } from "../figures/avatar.js";
import { button, linkField, nameField, submit } from "../page/controls.js";
import { groupName } from "../page/titles.js";

/** @param {Given<"attempt" | "choosing" | "clubs" | "focusOn" | "form" | "groups" | "route" | "say" | "session" | "sharing">} given */
export function groups(given) {
  const { say, route: { place }, groups, session } = given;
  if (place.code) return invitation(given);
  const all = groups.all ?? [];
  const opens = session.me && !groups.all;
  return [
    h("div", { class: "head", key: "head" }, h("h1", { class: "title" }, say("groups.title"))),
    h(
      "section",
      { class: "own-groups", key: "groups" },
      opens ? h("p", { class: "opening" }, say("race.opening")) : null,
      all.length ? h("ul", {}, all.map((one) => line(given, one))) : null,
      all.length || opens
        ? null
        : h("div", { class: "card-like none" }, h("p", {}, say("groups.none")), button(given, "groups.begin", () => given.focusOn("#group"), "primary")),
      given.clubs.here?.others(all),
      h("p", { class: "hint" }, all.length ? say("groups.hint") : null),
    ),
    h(
      "section",
      { class: "card-like new-group", key: "new", "aria-labelledby": "group-new" },
      h("h2", { id: "group-new" }, say("groups.new")),
      session.me ? null : nameField(given),
      form(given, { id: "group", label: "groups.name", does: "groups.make", maxlength: 32 }, () => groups.make()),
      form(given, { id: "group_code", label: "groups.code", does: "button.join" }, () => groups.join(given.form.typed.group_code ?? "")),
    ),
  ];
}

/** Who opens a link of a group. @param {Given<"attempt" | "form" | "groups" | "route" | "say" | "session">} given */
function invitation(given) {
  const { say, route: { place }, groups, session } = given;
  const onsubmit = submit(given, () => groups.join(place.code ?? ""));
  return h(
    "form",
    { class: "card-like gate", onsubmit },
    h("h1", {}, say("groups.invited")),
    h("p", {}, say("groups.invited_hint")),
    session.me ? null : nameField(given),
    h("button", { class: "primary large" }, say("groups.join")),
  );
}

/** @param {Given<"attempt" | "choosing" | "clubs" | "form" | "groups" | "say" | "sharing">} given @param {Protocol.Group} one */
function line(given, one) {
  const { say, choosing, groups } = given;
  const asked = `leave ${one.group}`;
  const boards = hashOf({ screen: "boards", period: "daily", ...choosing.both, group: one.group });
  const name = groupName(given, one);
  return h(
    "li",
    { key: one.group, class: "card-like" },
    h("div", { class: "row" },
      avatar({ name }, numberOf(one.group)),
      h("h2", {}, name),
      one.code && given.form.sure !== asked ? button(given, "groups.leave", () => (given.form.sure = asked), "quiet") : null,
      h("a", { class: "button", href: boards }, say("boards.title")),
    ),
    given.form.sure === asked ? leaving(given, one) : null,
    given.clubs.here?.of(one),
    one.code ? invite(given, one, groups.link(one)) : h("p", { class: "hint" }, say("groups.by_chat")),
  );
}

/** @param {Given<"attempt" | "form" | "groups" | "say">} given @param {Protocol.Group} one */
function leaving(given, one) {
  const { say, groups } = given;
  return h(
    "div",
    { role: "alertdialog", "aria-label": say("groups.leave") },
    h("p", {}, say("groups.leave_sure", { name: one.name })),
    h("div", { class: "row" },
      button(given, "groups.leave_yes", () => groups.leave(one), "danger"),
      button(given, "button.cancel", () => (given.form.sure = ""), "safe"),
    ),
  );
}

/** @param {Given<"attempt" | "say" | "sharing">} given @param {Protocol.Group} one @param {string} link */
function invite(given, one, link) {
  const { say, sharing } = given;
  const { code = "" } = one;
  const id = `invite-${one.group}`;
  const copy = () => sharing.link(link, /** @type {HTMLInputElement | null} */ (document.getElementById(id)));
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, say("groups.invite", { code: `${code.slice(0, 4)}-${code.slice(4)}` })),
    h("div", { class: "row" }, linkField(id, link), button(given, "race.share_do", copy, "primary")),
  );
}

/** @param {Given<"attempt" | "form" | "say">} given @param {{ id: string, label: string, does: string, maxlength?: number }} of @param {() => unknown} act */
function form(given, { id, label, does, ...more }, act) {
  const { say } = given;
  return h(
    "form",
    { class: "join", onsubmit: submit(given, act), novalidate: true },
    h("label", { for: id }, say(label)),
    h("div", { class: "row" }, h("input", { ...given.form.field(id), id, autocomplete: "off", ...more }), h("button", {}, say(does))),
  );
}
