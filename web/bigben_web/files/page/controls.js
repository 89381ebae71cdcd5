// The controls that more than one screen has.

import { h } from "../draw.js";

/** What is answered sooner is not shown to be at work. */
const MOMENT_MS = 200;

/** A button that does something and says why not. @param {Given<"attempt" | "say">} given @param {string} text @param {() => unknown} does */
export function button(given, text, does, kind = "") {
  /** @param {Changed} event */
  const onclick = ({ currentTarget }) => busy(currentTarget, given.attempt(does));
  return h("button", { type: "button", key: text, class: kind, onclick }, given.say(text));
}

/** Show that a control is at work, if that takes longer than a moment. @param {Element | null} control @param {unknown} work */
async function busy(control, work) {
  const shown = setTimeout(() => control?.setAttribute("aria-busy", "true"), MOMENT_MS);
  try {
    await work;
  } finally {
    clearTimeout(shown);
    control?.removeAttribute("aria-busy");
  }
}

/** What a form does when it is sent; it says why not. @param {Given<"attempt">} given @param {(form: HTMLFormElement) => unknown} does */
export function submit({ attempt }, does) {
  return (/** @type {Event} */ event) => {
    event.preventDefault();
    return busy(/** @type {SubmitEvent} */ (event).submitter, attempt(() => does(/** @type {HTMLFormElement} */ (event.target))));
  };
}

/**
 * A choice from a list.
 * @param {Props} props @param {[value: string | number, text: string][]} options @param {string | number} chosen
 * @param {((value: string) => unknown) | null} choose
 */
export function select(props, options, chosen, choose = null) {
  const all = options.map(([value, text]) => h("option", { value, key: value, selected: value === chosen }, text));
  return h("select", { ...props, onchange: choose && ((/** @type {Changed} */ { target }) => choose(target.value)) }, all);
}

/** The languages of the page. @param {Given<"language" | "say">} given @param {string | null} [label] */
export function languages({ language, say }, label = null) {
  const options = language.all.map(({ code, name }) => h("option", { value: code, key: code, selected: code === say.language, lang: code }, name));
  return h("select", { "aria-label": label, onchange: (/** @type {Changed} */ { target }) => language.choose(target.value) }, options);
}

/** A choice with its label. @param {string} id @param {string} label @param {Described} control */
export function labelled(id, label, control) {
  return h("p", { class: "field", key: id }, h("label", { for: id }, label), control);
}

/**
 * A dialog over all else; `leave` is also what Escape means.
 * @param {Props} props @param {() => void} leave @param {...Child} children
 */
export function dialog(props, leave, ...children) {
  /** @param {Event} event */
  const oncancel = (event) => {
    event.preventDefault();
    leave();
  };
  return h("dialog", { ...props, oncancel }, ...children);
}

/** The field for a guest's name. @param {Given<"form" | "say">} given */
export function nameField({ form, say }) {
  const field = { ...form.field("name"), id: "name", maxlength: 32, autocomplete: "nickname" };
  return h(
    "p",
    { class: "field" },
    h("label", { for: "name" }, say("home.name")),
    h("input", { ...field, "aria-describedby": "name-hint", "aria-invalid": form.misnamed ? "true" : null }),
    h("span", { class: "hint", id: "name-hint" }, say("home.name_hint")),
  );
}

/** The form in which players name themselves, at any time. @param {Given<"attempt" | "focusOn" | "form" | "joining" | "say">} given */
export function nameForm(given) {
  // Enter only confirms the name: a daily gives one try, so it must not start by Enter.
  const onsubmit = submit(given, async () => {
    await given.joining.rename();
    given.focusOn(".hero .start");
  });
  return h("form", { class: "naming", key: "naming", onsubmit, novalidate: true }, nameField(given), h("button", {}, given.say("home.rename_do")));
}

/** A link to copy; a tap selects all of it. @param {string} id @param {string} link */
export function linkField(id, link) {
  /** @param {Changed} of */
  const onfocus = ({ target }) => target.select();
  return h("input", { id, class: "link", readonly: true, value: link, onfocus });
}
