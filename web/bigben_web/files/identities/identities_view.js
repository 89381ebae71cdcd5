// The current player, the others that this browser keeps, and the link to another device.

import { h } from "../draw.js";
import { entrance, isGuest } from "../login/entrance.js";
import { button, linkField, nameForm } from "../page/controls.js";

/**
 * `Ada, guest 9a3f`: names are not unique, so how a player came and the end of their id say more.
 * @param {Say} say @param {{ player: string, name: string }} of
 */
export function whoIs(say, { player, name }) {
  const [issuer, id] = player.split(":");
  const end = issuer === "matrix" ? id.slice(0, 16) : id.slice(-4);
  const kind = ["guest", "discord", "matrix"].includes(issuer) ? say(`who.${issuer}`, { end }) : issuer;
  return [h("bdi", {}, name), h("small", {}, ` ${kind}`)];
}

/** In Discord's frame nobody is forgotten: Discord says who plays there. @param {Given<"activity" | "attempt" | "focusOn" | "form" | "identities" | "joining" | "later" | "say" | "session">} given @param {{player: string, name: string}} me */
export function self(given, me) {
  const { say, joining } = given;
  const { name } = me;
  return h(
    "section",
    { class: "card-like self" },
    h("p", {}, say("home.hello", { name })),
    isGuest(me) && !joining.unnamed ? h("details", { key: "renaming" }, h("summary", {}, say("home.rename")), nameForm(given)) : null,
    entrance(given, me),
    given.form.link
      ? h("p", { class: "field" }, h("label", { for: "link" }, say("home.device_hint")), linkField("link", given.form.link))
      : button(given, "home.device", () => joining.elsewhere()),
    given.activity ? null : leaving(given, me),
  );
}

/** The other players that this browser keeps, to switch to one of them. @param {Given<"attempt" | "identities" | "joining" | "say" | "session">} given */
export function others(given) {
  const { say, identities, session, joining } = given;
  const all = identities.all.filter(({ player }) => player !== session.me?.player);
  if (!all.length) return null;
  /** @param {Identity} one */
  const line = (one) =>
    h(
      "li",
      { key: one.player },
      h("span", {}, whoIs(say, one)),
      h("button", { type: "button", onclick: () => given.attempt(() => joining.be(one)) }, say("others.be", one)),
    );
  return h(
    "section",
    { class: "card-like others", "aria-labelledby": "others" },
    h("h2", { id: "others" }, say("others.title")),
    h("p", { class: "hint" }, say("others.hint")),
    h("ul", {}, all.map(line)),
  );
}

/** @param {Given<"attempt" | "form" | "identities" | "say" | "session">} given @param {{player: string, name: string}} me */
function leaving(given, me) {
  if (given.form.sure === "forget") return forgetting(given, me);
  return button(given, "home.forget", () => (given.form.sure = "forget"));
}

/** @param {Given<"attempt" | "form" | "identities" | "say" | "session">} given @param {{player: string, name: string}} me */
function forgetting(given, me) {
  const { say, session, identities } = given;
  const forget = () => {
    const { player } = me;
    session.leave();
    identities.forget(player);
    session.evidence.forget(player);
    given.form.link = given.form.sure = "";
  };
  return h(
    "div",
    { role: "alertdialog", "aria-label": say("home.forget") },
    h("p", {}, say("home.forget_sure", { name: me.name })),
    button(given, "button.yes", forget, "danger"),
    button(given, "button.cancel", () => (given.form.sure = ""), "safe"),
  );
}
