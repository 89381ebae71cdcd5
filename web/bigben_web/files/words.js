// The page's sentences in the player's language: which languages there are, and how one is filled in.
// The sentences come from the server, in two halves; the second may come later.

/**
 * @typedef {{[hole: string]: string | number | undefined, count?: number, place?: number | string}} Values
 * @typedef {((key: string, values?: Values) => string)
 *   & {language: string, knows: (key: string) => boolean, under: (start: string) => string[], told: (said: Sentence[] | undefined, english: string) => string, plain: (english: string) => string}} Say
 * @typedef {{languages: {code: string, name: string}[], first: object, say: Say}} Texts
 * @typedef {{player: string, name: string}} Named
 */

/**
 * The texts of the language wished for, or of the one in which the server sent the page.
 * @param {string} wish @param {boolean} whole whether with those of the screens that come later
 * @returns {Promise<Texts>}
 */
export async function textsFor(wish, whole = false) {
  const code = wish || document.documentElement.lang;
  const [half, later] = await Promise.all([fetched(code, "first"), whole ? fetched(code, "later") : {}]);
  if (wish && !half) return textsFor("", whole);
  const { languages, texts: first } = half;
  const all = Object.entries(languages).map(([code, name]) => ({ code, name }));
  return { languages: all, first, say: sayer(code, { ...first, ...later }) };
}

/** With the texts of the screens that come later. @param {Texts} texts @returns {Promise<Texts>} */
export async function completed({ languages, first, say: { language } }) {
  return { languages, first, say: sayer(language, { ...first, ...(await fetched(language, "later")) }) };
}

/** @param {string} code @param {"first" | "later"} half @returns {Promise<any>} null if there is no such language */
async function fetched(code, half) {
  const answer = await fetch(`/texts/${code}.${half}.json`);
  return answer.status === 404 ? null : answer.json();
}

/** `de` for `de-AT`, and `en` for `en-US@posix`, which Chromium reports if LANG is C. @param {string} tag */
export function languageOf(tag) {
  return tag.split(/[-_@.]/)[0].toLowerCase();
}

/** The browser's variant of a language, for dates; the plain language if Intl takes no variant. @param {string} language */
export function localeFor(language) {
  return navigator.languages.find((tag) => languageOf(tag) === language && isLocale(tag)) ?? language;
}

/** @param {string} tag */
function isLocale(tag) {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false; // a RangeError: not the form of a locale
  }
}

/**
 * `22 November` for a day in UTC as the server names it: `2026-11-22`.
 * @param {Pick<Say, "language">} say @param {string} date @param {Intl.DateTimeFormatOptions} wanted
 */
export function dayName({ language }, date, wanted = { day: "numeric", month: "long" }) {
  const format = new Intl.DateTimeFormat(localeFor(language), { ...wanted, timeZone: "UTC" });
  return format.format(new Date(`${date}T12:00Z`));
}

/**
 * A text by its key, with its `{holes}` filled. Where a text is `{one, other, …}` its `count`
 * chooses, or as an ordinal its `place`. A key that is missing is a mistake of ours.
 * @param {string} code @param {{[key: string]: any}} texts
 * @returns {Say}
 */
export function sayer(code, texts) {
  const plural = new Intl.PluralRules(code);
  const ordinal = new Intl.PluralRules(code, { type: "ordinal" });
  /** @param {Values} of */
  const formOf = ({ count, place }) => (place === undefined ? plural.select(count ?? 0) : ordinal.select(Number(place)));
  /** @param {string} key @param {Values} values @returns {string} */
  const say = (key, values = {}) => {
    let text = texts[key];
    if (text === undefined) throw new Error(`there is no text ${key} in ${code}`);
    if (typeof text !== "string") text = text[formOf(values)] ?? text.other;
    return filled(text, values);
  };
  const { sentences = {}, plain: alone = {} } = texts;
  /** @param {string} key */
  const knows = (key) => key in texts;
  // What follows `start` in each key that begins with it, in the order of the texts.
  /** @param {string} start */
  const under = (start) => Object.keys(texts).filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
  // What the server says; a newer one may say what has no text here, and an older one sends no ids.
  /** @param {Sentence[] | undefined} said @param {string} english */
  const told = (said = [], english) => {
    const parts = said.map(({ id, values = {} }) => sentence(sentences[id], values, sentences.or));
    return parts.length && !parts.includes(null) ? parts.join(" ") : english;
  };
  // A sentence that comes as plain text, where there is no place for an id.
  /** @param {string} english @returns {string} */
  const plain = (english) => sentences[Object.keys(alone).find((id) => alone[id] === english) ?? ""] ?? english;
  return Object.assign(say, { language: code, knows, under, told, plain });
}

/**
 * A sentence with its values; null if it is not known, or a value is missing.
 * @param {string | undefined} text @param {NonNullable<Sentence["values"]>} values @param {string} or
 */
function sentence(text, values, or) {
  const holes = text?.matchAll(HOLE) ?? [];
  if (text === undefined || ![...holes].every(([, hole]) => hole in values)) return null;
  return text.replaceAll(HOLE, (_, hole) => [values[hole]].flat().join(or));
}

const HOLE = /\{(\w+)\}/g;

/** @param {string} text @param {Values} values */
function filled(text, values) {
  return text.replaceAll(HOLE, (_, hole) => String(values[hole]));
}

/** How the ids of house players begin, and what the server says behind their names. */
const [HOUSE, MARK] = ["bot:", " (house)"];

/** A player's name where a sign beside it says that a house player is a bot. @param {Named} of */
export function shortName({ player, name }) {
  return player.startsWith(HOUSE) && name.endsWith(MARK) ? name.slice(0, -MARK.length) : name;
}

/**
 * A player's name where nothing else says what they are: `Tick (house)`.
 * @param {Say} say @param {Named} of
 */
export function playerName(say, of) {
  const short = shortName(of);
  return short === of.name ? short : say("house.named", { name: short });
}

/** A span of time: `3:07`, `1:02:09`. @param {number} ms */
export function span(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  /** @param {number} number */
  const two = (number) => String(number).padStart(2, "0");
  const rest = `${two(seconds % 60)}`;
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/**
 * A result's time, when its last card came home, to the tenth: who was first may hang on it. Empty if there is none.
 * @param {number} homeMs
 */
export function resultTime(homeMs) {
  return homeMs ? `${span(homeMs)}.${Math.floor((homeMs % 1000) / 100)}` : "";
}
