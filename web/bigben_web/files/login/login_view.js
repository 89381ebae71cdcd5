// What a login asks: whether a guest belongs to the account, whether another device is let in, whether to log out.

import { EVERYWHERE, hasLogin } from "./entrance.js";
import { h } from "../draw.js";
import { whoIs } from "../identities/identities_view.js";
import { answer } from "../identities/linked.js";
import { button, submit } from "../page/controls.js";

/** @param {Given<"attempt" | "login" | "say" | "session">} given @param {Identity} guest */
export function tying(given, guest) {
  const { say, login, session } = given;
  const names = { guest: guest.name, name: session.me?.name ?? "" };
  return h(
    "section",
    { class: "card-like linked", key: "tying" },
    h("h1", {}, say("login.tie", names)),
    h(
      "dl",
      {},
      h("dt", {}, say("login.tie_guest")),
      h("dd", {}, whoIs(say, guest)),
      h("dt", {}, say("login.tie_account")),
      h("dd", {}, session.me ? whoIs(say, session.me) : null),
    ),
    h("p", {}, say("login.tie_means", names)),
    h("p", { class: "hint" }, say("login.tie_hint", names)),
    h("div", { class: "row" }, answer(given, say("login.tie_do", names), () => login.tie()), answer(given, say("login.tie_not"), () => login.keepApart(), "primary")),
  );
}

/** The page to which another device sends its player. @param {Given<"attempt" | "form" | "login" | "route" | "say">} given */
export function device(given) {
  const { say, login } = given;
  const shown = hasLogin() ? (login.device ? asking(given, login.device) : typing(given)) : h("p", {}, say("login.none"));
  return h("section", { class: "card-like linked" }, h("h1", {}, say("login.device")), shown);
}

/** The code first, then the login: only who has just logged in may let a device in. @param {Given<"attempt" | "form" | "login" | "route" | "say">} given */
function typing(given) {
  const { say, form, login, route: { place } } = given;
  const field = form.field("device", place.code ?? "");
  return h(
    "form",
    { onsubmit: submit(given, () => login.begin((form.typed.device ?? place.code ?? "").trim())), novalidate: true },
    h("p", { class: "field" },
      h("label", { for: "device" }, say("login.device_code")),
      h("input", { ...field, id: "device", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", required: true }),
      h("span", { class: "hint" }, say("login.device_hint")),
    ),
    h("button", { class: "primary large" }, say("home.log_in")),
  );
}

/** @param {Given<"attempt" | "login" | "say">} given @param {import("./login.js").Device} of */
function asking(given, { client, host, address, asked_at: askedAt }) {
  const { say, login } = given;
  const names = { host, name: login.name };
  if (login.answered) return h("p", { role: "status" }, say(`login.${login.answered}`, names));
  const when = new Intl.DateTimeFormat(say.language, { timeStyle: "short" }).format(askedAt);
  const facts = [[say("login.client"), client], [say("login.host"), host], [say("login.address"), address], [say("login.asked_at"), when]];
  return [
    h("p", {}, say("login.device_ask", names)),
    h("dl", {}, facts.map(([what, is]) => [h("dt", {}, what), h("dd", {}, h("bdi", {}, is))])),
    h("p", { class: "warning" }, say("login.device_warning")),
    h("div", { class: "row" }, button(given, "login.allow", () => login.answer(true)), button(given, "login.refuse", () => login.answer(false), "primary")),
  ];
}

/** @param {Given<"attempt" | "form" | "login" | "say">} given @param {{name: string}} me */
export function loggingOut(given, me) {
  const { say, form, login } = given;
  const leave = async () => {
    form.sure = "";
    await login.logOut();
  };
  return h(
    "div",
    { key: EVERYWHERE, role: "alertdialog", "aria-label": say("home.log_out") },
    h("p", {}, say("login.out_sure", { name: me.name })),
    h("div", { class: "row" }, button(given, "login.out_do", leave, "danger"), button(given, "button.cancel", () => (form.sure = ""), "safe")),
  );
}
