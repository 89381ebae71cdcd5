// The page's sentences in the player's language: which languages there are, and how one is filled in.
// The sentences themselves are in texts/, one file for each language.

/** The texts of the language wished for, or of the first that the browser asks for and we have. */
export async function textsFor(wish) {
  const codes = await (await fetch("/texts/languages.json")).json();
  const asked = [wish, ...navigator.languages.map(languageOf), "en"];
  const code = asked.find((one) => codes.includes(one));
  const all = await Promise.all(codes.map((one) => import(`./texts/${one}.js`)));
  const languages = codes.map((one, at) => ({ code: one, name: all[at].default.language }));
  return { code, languages, say: sayer(code, all[codes.indexOf(code)].default) };
}

/** `de` for `de-AT`, and `en` for `en-US@posix`, which Chromium reports if LANG is C. */
function languageOf(tag) {
  return tag.split(/[-_@.]/)[0].toLowerCase();
}

/** The browser's variant of a language, for dates; the plain language if Intl takes no variant. */
export function localeFor(language) {
  return navigator.languages.find((tag) => languageOf(tag) === language && isLocale(tag)) ?? language;
}

function isLocale(tag) {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false; // a RangeError: not the form of a locale
  }
}

/** `22 November` for a day in UTC as the server names it: `2026-11-22`. */
export function dayName(language, date, wanted = { day: "numeric", month: "long" }) {
  const format = new Intl.DateTimeFormat(localeFor(language), { ...wanted, timeZone: "UTC" });
  return format.format(new Date(`${date}T12:00Z`));
}

/**
 * A text by its key, with its `{holes}` filled. Where a text is `{one, other, …}` its `count`
 * chooses. A key that is missing is a mistake of ours.
 * @param {string} code @param {Record<string, string|Record<string, string>>} texts
 * @returns {import("./board/words.js").Say}
 */
export function sayer(code, texts) {
  const plural = new Intl.PluralRules(code);
  return (key, values = {}) => {
    let text = texts[key];
    if (text === undefined) throw new Error(`there is no text ${key} in ${code}`);
    if (typeof text !== "string") text = text[plural.select(values.count)] ?? text.other;
    return text.replace(/\{(\w+)\}/g, (_, hole) => String(values[hole]));
  };
}

/** A span of time: `3:07`, `1:02:09`. */
export function span(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  const rest = `${two(seconds % 60)}`;
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** A result's time, to the tenth: who was first may hang on it. */
export function fineSpan(ms) {
  return `${span(ms)}.${Math.floor((ms % 1000) / 100)}`;
}
