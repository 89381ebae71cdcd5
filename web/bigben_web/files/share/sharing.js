// The card of the own game that is shared: what it is made of, as text and as a picture.
// Sends nothing by itself.

import { placeOf } from "../address.js";
import { copyOf } from "../draw.js";
import { codeOf } from "../wire/races.js";
import { hoursOf, shareText } from "./share.js";

/** Large enough for every place where people share it. */
export const WIDTH = 1000;
export const HEIGHT = 524;
/** How long a browser may take to save a picture. */
const SAVED_MS = 60_000;

export class Sharing {
  /** How far each foundation came in the own games that are over. @type {WeakMap<object, [number, number][]>} */
  #hours = new WeakMap();
  #asked = new WeakSet();
  #counted = new WeakSet();

  /** @param {Given<"activity" | "announce" | "complain" | "podium" | "profiles" | "redraw" | "say" | "session" | "today">} given */
  constructor(given) {
    this.given = given;
  }

  /**
   * The card of this race; null while the own game goes on.
   * @param {Followed} followed @returns {Share|null}
   */
  of(followed) {
    const { room, game, seat, state, over, homeMs, placed, standings, view } = followed;
    if (!seat || !over) return null;
    const { kind, rules } = room;
    const both = { game: rules.game ?? "bigben", rules: rules.rules ?? "standard" };
    return {
      room,
      game,
      seat: { ...seat, home: view?.home ?? seat.home ?? 0, state: state ?? seat.state, home_ms: homeMs, place: placed?.place ?? 0 },
      players: standings?.players || room.players || room.seats.length,
      streak: kind === "daily" && this.#isCurrent(room) ? this.given.profiles.streak(both) : 0,
      hours: room.phase === "closed" ? this.hours(followed) : [],
    };
  }

  /** How far the hours of the own game came; others may see it once the race is closed. @param {Followed} followed @returns {Hours} */
  hours(followed) {
    return this.#hours.get(followed) ?? [];
  }

  /** Ask for what the card needs, once each. @param {Followed} followed */
  update(followed) {
    const { room, seat, over } = followed;
    if (!seat || !over || !room) return;
    if (room.kind === "daily" && !this.#counted.has(followed)) {
      this.#counted.add(followed);
      const [, date, game, rules] = room.race.split(".");
      this.given.profiles.loadAfter({ game, rules }, date).then(() => this.given.podium.load());
      this.given.today.load();
    }
    if ((room.phase === "closed" || room.kind === "daily") && !this.#asked.has(followed)) {
      this.#asked.add(followed);
      this.#readHours(followed);
    }
    if (room.kind === "live" && room.phase === "closed" && room.seats.length > 1 && !this.#counted.has(followed)) {
      this.#counted.add(followed);
      const { game = "bigben", rules = "standard" } = room.rules;
      this.given.profiles.loadRated({ game, rules });
    }
  }

  /** A streak is one up to today, or to yesterday. @param {Room} room */
  #isCurrent({ race }) {
    const [, date] = race.split(".");
    const days = (Date.parse(this.given.today.day) - Date.parse(date)) / 86_400_000;
    return days <= 1;
  }

  /** @param {Followed} followed */
  async #readHours(followed) {
    const record = await this.given.session.tried({ type: "get-record", race: followed.race });
    if (record) this.#hours.set(followed, hoursOf(record, followed.game));
    this.given.redraw();
  }

  /** Whether this device has a way of its own to share. */
  get byDevice() {
    return Boolean(navigator.share) && matchMedia("(pointer: coarse)").matches;
  }

  /** Both lines. @param {Share} share @param {HTMLInputElement | HTMLTextAreaElement | null} field */
  text(share, field) {
    const { activity, say } = this.given;
    const text = shareText(say, share);
    if (activity) return activity.share(text, share.room.race);
    return this.#hand({ text }, text, field, "share.copied");
  }

  /** A message to somebody. @param {string} text @param {HTMLInputElement | HTMLTextAreaElement | null} field */
  words(text, field) {
    const { activity } = this.given;
    return activity ? activity.share(text, "") : this.#hand({ text }, text, field, "share.copied");
  }

  /** A link to this page. @param {string} url @param {HTMLInputElement | HTMLTextAreaElement | null} field */
  link(url, field) {
    const { activity, say } = this.given;
    const { race } = placeOf(new URL(url).hash);
    if (activity) return activity.share(race ? say("activity.invites", { race: codeOf(race) }) : url, race);
    return this.#hand({ title: "Big Ben", url }, url, field, "race.copied");
  }

  /**
   * By the phone's own means, else to the clipboard, else marked to be copied by hand.
   * @param {ShareData} what @param {string} text @param {HTMLInputElement | HTMLTextAreaElement | null} field
   * @param {string} told
   */
  async #hand(what, text, field, told) {
    const { given } = this;
    if (this.byDevice && (await shared(what))) return;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Only https and localhost may write there.
      field?.focus();
      field?.select();
      return given.complain("share.by_hand");
    }
    given.announce(given.say(told));
    given.complain(told);
  }

  /** Whether a picture can leave the page: not that of a frame. */
  get byPicture() {
    return !this.given.activity;
  }

  /** The picture, by the phone's own means or as a file. @param {SVGElement} card @param {string} name */
  async picture(card, name) {
    const blob = await pngOf(card);
    const file = new File([blob], name, { type: blob.type });
    const what = { files: [file] };
    if (this.byDevice && navigator.canShare?.(what) && (await shared(what))) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), SAVED_MS);
  }
}

/** Whether the device took it; who changes their mind has not failed. @param {ShareData} what */
async function shared(what) {
  try {
    await navigator.share(what);
    return true;
  } catch (error) {
    return /** @type {Error} */ (error).name === "AbortError";
  }
}

/** A drawing whose attributes say all, as a picture of its own. @param {SVGElement} card @returns {Promise<Blob>} */
async function pngOf(card) {
  const drawn = copyOf(card);
  drawn.setAttribute("width", `${WIDTH}`);
  drawn.setAttribute("height", `${HEIGHT}`);
  const image = new Image(WIDTH, HEIGHT);
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(drawn))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  canvas.getContext("2d")?.drawImage(image, 0, 0, WIDTH, HEIGHT);
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(/** @type {Blob} */ (blob)), "image/png"));
}
