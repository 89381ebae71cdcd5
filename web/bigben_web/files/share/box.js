// What to do with the card of the own game: look at it, copy it as text, send it as a picture.

import { h, partOf } from "../draw.js";
import { icon } from "../figures/icons.js";
import { SIGNS, shareText } from "./share.js";
import { card } from "./card.js";

/** Shows the card on a phone, and wherever a daily has other things beside its result. @param {Given<"attempt" | "form" | "say" | "sharing">} given @param {Followed} followed */
export function shareOpens({ attempt, form, say, sharing }, followed) {
  const { race } = followed;
  if (!sharing.of(followed)) return null;
  const open = form.typed.shares === race;
  const onclick = () => attempt(() => (form.typed.shares = open ? "" : race));
  return h("button", { type: "button", key: "share", class: "share-opens", "aria-expanded": String(open), onclick }, icon("share"), h("span", {}, say("share.heading")));
}

/** Null while the own game goes on. @param {Given<"attempt" | "form" | "games" | "say" | "sharing">} given @param {Followed} followed */
export function shareBox(given, followed) {
  const { say, sharing } = given;
  const share = sharing.of(followed);
  if (!share) return null;
  const text = shareText(say, share);
  const key = share.hours?.length === SIGNS ? "share.legend_hours" : "share.legend";
  const name = `bigben-${text.split(" · ")[0].replace(/.* /s, "").replace(/\W+/g, "-")}.png`;
  const copy = () => given.attempt(() => sharing.text(share, /** @type {HTMLTextAreaElement | null} */ (document.getElementById("share-text"))));
  /** @param {Changed} event */
  const picture = ({ currentTarget }) => {
    const drawn = partOf(/** @type {Element} */ (currentTarget.closest("section")), ".share-card");
    given.attempt(() => sharing.picture(drawn, name));
  };
  return h(
    "section",
    { class: `share-box ${given.form.typed.shares === followed.race ? "open" : ""}`, key: "share", "aria-labelledby": "share-title" },
    h("h2", { id: "share-title" }, say("share.heading")),
    card(given, share),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", key: "text", class: "primary", onclick: copy }, say(sharing.byDevice || !sharing.byPicture ? "button.share" : "share.copy")),
      sharing.byPicture ? h("button", { type: "button", key: "picture", onclick: picture }, say("share.picture")) : null,
    ),
    h("textarea", { id: "share-text", readonly: true, rows: 3, "aria-label": say("share.text"), value: text, onfocus: ({ target }) => target.select() }),
    h("p", { class: "hint" }, say(key)),
  );
}
