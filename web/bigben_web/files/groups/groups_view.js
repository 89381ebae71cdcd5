// Groups of friends: an invitation to one, the own ones with their boards, a new one.

import { hashOf } from "../address.js";
import { h } from "../draw.js";
import { button, linkField, nameField } from "../controls.js";

/** @param {Page} page */
export function groups(page) {
  const { say, place, groups, session } = page;
  if (place.code) return invitation(page);
  const all = groups.all ?? [];
  return [
    h("h1", { class: "title" }, say("groups.title")),
    h(
      "section",
      { class: "card-like groups" },
      h("p", {}, say(all.length ? "groups.hint" : "groups.none")),
      session.me && !groups.all ? h("p", { class: "opening" }, say("race.opening")) : null,
      all.length ? h("ul", {}, all.map((one) => line(page, one))) : null,
    ),
    h(
      "section",
      { class: "card-like groups", "aria-labelledby": "group-new" },
      h("h2", { id: "group-new" }, say("groups.new")),
      session.me ? null : nameField(page),
      form(page, { id: "group", label: "groups.name", does: "groups.make", maxlength: 32 }, () => groups.make()),
      form(page, { id: "group_code", label: "groups.code", does: "home.join" }, () => groups.join(page.typed.group_code ?? "")),
    ),
  ];
}

/** Who opens a link of a group. @param {Page} page */
function invitation(page) {
  const { say, place, groups, session } = page;
  /** @param {Event} event */
  const onsubmit = (event) => {
    event.preventDefault();
    page.try(() => groups.join(place.code ?? ""));
  };
  return h(
    "form",
    { class: "card-like gate", onsubmit },
    h("h1", {}, say("groups.invited")),
    h("p", {}, say("groups.invited_hint")),
    session.me ? null : nameField(page),
    h("button", { class: "primary large" }, say("groups.join")),
  );
}

/** What a group is called; a front end's own group has no name here. @param {Page} page @param {Protocol.Group} of */
export function groupName({ say }, { group, name }) {
  return name || say("groups.of_discord", { end: group.slice(-4) });
}

/** @param {Page} page @param {Protocol.Group} one */
function line(page, one) {
  const { say, choosing, groups } = page;
  const asked = `leave ${one.group}`;
  const boards = hashOf({ screen: "boards", period: "daily", ...choosing.both, group: one.group });
  const name = groupName(page, one);
  return h(
    "li",
    { key: one.group },
    h("h2", {}, name),
    h("div", { class: "row" },
      h("a", { class: "button primary", href: boards }, say("home.boards")),
      one.code && page.sure !== asked ? button(page, "groups.leave", () => (page.sure = asked)) : null,
    ),
    page.sure === asked ? leaving(page, one) : null,
    one.code ? invite(page, one, groups.link(one)) : h("p", { class: "hint" }, say("groups.by_discord")),
  );
}

/** @param {Page} page @param {Protocol.Group} one */
function leaving(page, one) {
  const { say, groups } = page;
  return h(
    "div",
    { role: "alertdialog", "aria-label": say("groups.leave") },
    h("p", {}, say("groups.leave_sure", { name: one.name })),
    h("div", { class: "row" },
      button(page, "groups.leave_yes", () => groups.leave(one), "danger"),
      button(page, "button.cancel", () => (page.sure = ""), "safe"),
    ),
  );
}

/** @param {Page} page @param {Protocol.Group} one @param {string} link */
function invite(page, one, link) {
  const { say, sharing } = page;
  const { code = "" } = one;
  const id = `invite-${one.group}`;
  const copy = () => sharing.link(link, /** @type {HTMLInputElement | null} */ (document.getElementById(id)));
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, say("groups.invite", { code: `${code.slice(0, 4)}-${code.slice(4)}` })),
    h("div", { class: "row" }, linkField(id, link), button(page, "race.share_do", copy)),
  );
}

/** @param {Page} page @param {{ id: string, label: string, does: string, maxlength?: number }} of @param {() => unknown} act */
function form(page, { id, label, does, ...more }, act) {
  const { say } = page;
  /** @param {Event} event */
  const onsubmit = (event) => {
    event.preventDefault();
    page.try(act);
  };
  return h(
    "form",
    { class: "join", onsubmit, novalidate: true },
    h("label", { for: id }, say(label)),
    h("div", { class: "row" }, h("input", { ...page.field(id), id, autocomplete: "off", ...more }), h("button", {}, say(does))),
  );
}
