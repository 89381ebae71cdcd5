// The current player, the others that this browser keeps, and the link to another device.

import { h } from "../draw.js";
import { button, linkField } from "../controls.js";

/**
 * `Ada, guest 9a3f`: names are not unique, so how a player came and the end of their id say more.
 * @param {Say} say @param {{ player: string, name: string }} of
 */
export function whoIs(say, { player, name }) {
  const [issuer, id] = player.split(":");
  const end = id.slice(-4);
  const kind = ["guest", "discord"].includes(issuer) ? say(`who.${issuer}`, { end }) : issuer;
  return [h("bdi", {}, name), h("small", {}, ` ${kind}`)];
}

/** @param {Page} page @param {{player: string, name: string}} me */
export function self(page, me) {
  const { say, joining } = page;
  const { name } = me;
  const guest = me.player.startsWith("guest:");
  return h(
    "section",
    { class: "card-like self" },
    h("p", {}, say("home.hello", { name })),
    guest ? renaming(page, name) : null,
    page.link
      ? h("p", { class: "field" }, h("label", { for: "link" }, say("home.device_hint")), linkField("link", page.link))
      : button(page, "home.device", () => joining.elsewhere()),
    page.sure === "forget" ? forgetting(page, me) : button(page, "home.forget", () => (page.sure = "forget")),
  );
}

/** The other players that this browser keeps, to switch to one of them. @param {Page} page */
export function others(page) {
  const { say, identities, session, joining } = page;
  const all = identities.all.filter(({ player }) => player !== session.me?.player);
  if (!all.length) return null;
  /** @param {Identity} one */
  const line = (one) =>
    h(
      "li",
      { key: one.player },
      h("span", {}, whoIs(say, one)),
      h("button", { type: "button", onclick: () => page.try(() => joining.be(one)) }, say("others.be", one)),
    );
  return h(
    "section",
    { class: "card-like others", "aria-labelledby": "others" },
    h("h2", { id: "others" }, say("others.title")),
    h("p", { class: "hint" }, say("others.hint")),
    h("ul", {}, all.map(line)),
  );
}

/** @param {Page} page @param {string} name */
function renaming(page, name) {
  const { say } = page;
  /** @param {Event} event */
  const onsubmit = (event) => {
    event.preventDefault();
    page.try(() => page.joining.rename());
  };
  const field = page.field("name", name);
  return h(
    "details",
    {},
    h("summary", {}, say("home.rename")),
    h(
      "form",
      { class: "row", onsubmit },
      h("input", { ...field, maxlength: 32, "aria-label": say("home.name") }),
      h("button", {}, say("home.rename_do")),
    ),
  );
}

/** @param {Page} page @param {{player: string, name: string}} me */
function forgetting(page, me) {
  const { say, session, identities } = page;
  const forget = () => {
    const { player } = me;
    session.leave();
    identities.forget(player);
    session.evidence.forget(player);
    page.link = page.sure = "";
  };
  return h(
    "div",
    { role: "alertdialog", "aria-label": say("home.forget") },
    h("p", {}, say("home.forget_sure", { name: me.name })),
    button(page, "button.yes", forget, "danger"),
    button(page, "button.cancel", () => (page.sure = ""), "safe"),
  );
}
