// The season that is shown: asked for over HTTP by anybody, and by players over their connection; what
// organisers and members change of it. Draws nothing.

import { hoursOf } from "../share/share.js";
import { RefusedError } from "../wire/session.js";

/** How often the screen asks for what others have played, and for a week that is about to be opened. */
const [AGAIN_MS, SOON_MS] = [15_000, 1000];
/** The fields of forms that the server's sentences are about: the first one that the form has. */
const FIELDS = /** @type {{[id: string]: string[]}} */ ({
  "season.counted": ["counted"],
  "season.past": ["first_day", "opens"],
  "season.late": ["first_day", "opens"],
  "season.day": ["first_day"],
  "season.window": ["closes"],
  "season.zone": ["zone"],
  "season.too_early": ["opens"],
  "season.too_late": ["closes"],
  "season.reason": ["reason"],
  "board.no_player": ["member"],
});

/** @typedef {Omit<Protocol.Season, "ref">} Shown */

export class Season {
  /** @type {Shown|null} */
  shown = null;
  /** Whether there is no such season. */
  unknown = false;
  /** The player with whom is compared. */
  chosen = "";
  /** What the form of a plan says so far. @type {Protocol.Plan|null} */
  draft = null;
  /** Which field the server refuses, by its id, and why. */
  wrong = { id: "", text: "" };
  /** Where the news of the season are sent, once it is set here. @type {Protocol.Webhook|null} */
  hook = null;
  /** Which attempts are alike, once an organiser has asked. @type {Protocol.Alike|null} */
  alike = null;
  /** How far a player's hours came, by race and player. @type {Map<string, Hours>} */
  #hours = new Map();
  #asking = Promise.resolve();
  #timer = 0;

  /** @param {Given<"announce" | "complain" | "focusOn" | "form" | "go" | "redraw" | "refuse" | "route" | "say" | "seasons" | "session">} given */
  constructor(given) {
    this.given = given;
    // Who comes back to the page sees at once what is new.
    document.addEventListener("visibilitychange", () => this.#again());
  }

  /** @param {string} id */
  async show(id) {
    if (this.shown?.season !== id) [this.shown, this.chosen] = [null, ""];
    [this.unknown, this.draft, this.hook, this.alike] = [false, null, null, null];
    this.wrong = { id: "", text: "" };
    await this.#load(id);
    this.#wait();
  }

  /** Whether a week opens or closes just now: what is shown is not so any more. */
  tick() {
    const { session } = this.given;
    const due = (this.shown?.weeks ?? []).some(({ phase, opens_at: opens, closes_at: closes }) => {
      const now = session.clock.now();
      return (phase === "to come" && opens <= now && now < closes) || (phase === "open" && closes <= now);
    });
    if (due && !this.#due) this.#again();
    this.#due = due;
  }

  #due = false;

  #wait() {
    clearTimeout(this.#timer);
    const opens = this.shown?.weeks.some(({ phase, race }) => phase === "open" && !race);
    this.#timer = window.setTimeout(() => this.#again(), opens ? SOON_MS : AGAIN_MS);
  }

  async #again() {
    const { season = "" } = this.given.route.place;
    if (!season || season !== this.shown?.season) return;
    if (document.visibilityState === "visible") await this.#load(season, true);
    this.#wait();
  }

  /** @param {string} id @param {boolean} [quiet] whether what is shown may stay as it is */
  async #load(id, quiet = false) {
    const { session, redraw } = this.given;
    const told = session.me ? await this.#asked(id, quiet) : await this.#fetched(id, quiet);
    if (this.given.route.place.season !== id) return;
    if (told) this.shown = told;
    redraw();
  }

  /** @param {string} id @param {boolean} quiet @returns {Promise<Shown|null>} */
  async #asked(id, quiet) {
    try {
      return await this.given.session.ask({ type: "get-season", season: id });
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (error.code === "unknown") this.unknown = true;
      else if (!quiet) throw error;
      return null;
    }
  }

  /** What anybody may see without a name. @param {string} id @param {boolean} quiet @returns {Promise<Shown|null>} */
  async #fetched(id, quiet) {
    try {
      const answer = await fetch(`/api/seasons/${encodeURIComponent(id)}`, { cache: "no-cache" });
      if (answer.ok) return await answer.json();
      const refused = await answer.json();
      if (refused.code === "unknown") this.unknown = true;
      else if (!quiet) this.given.refuse(refused);
    } catch {
      if (!quiet) this.given.complain("wrong.boards");
    }
    return null;
  }

  /** How far a player's hours came in a week; empty before it is known, and where it is not public. @param {string} race @param {string} player @param {Game} game */
  hours(race, player, game) {
    const key = `${race} ${player}`;
    if (!this.#hours.has(key) && this.given.session.me) {
      this.#hours.set(key, []);
      // One after the other: nobody waits for them.
      this.#asking = this.#asking.then(async () => {
        const record = await this.given.session.tried({ type: "get-record", race, player });
        if (record) this.#hours.set(key, hoursOf(record, game));
        this.given.redraw();
      });
    }
    return this.#hours.get(key) ?? [];
  }

  /** What the server has against a field. @param {string} id */
  against(id) {
    return this.wrong.id === id ? this.wrong.text : "";
  }

  /**
   * Change it, as an organiser; or leave it, as a member.
   * @param {Protocol.ChangeSeason["change"]} change @param {string} said what has happened
   * @param {string} [form] how the ids of its fields begin
   */
  async change(change, said, form = "plan") {
    const { given } = this;
    const { season = "" } = this.shown ?? {};
    this.shown = await this.#fitting(form, () => given.session.ask({ type: "change-season", season, change }));
    [this.draft, given.form.sure] = [null, ""];
    given.announce(said);
  }

  /** @param {string} group @param {Protocol.Plan} plan */
  async make(group, plan) {
    const { given } = this;
    const made = await this.#fitting("plan", () => given.session.ask({ type: "make-season", group, plan }));
    this.draft = null;
    given.announce(given.say("club.made", { name: made.plan.name }));
    given.go({ screen: "season", season: made.season });
  }

  /** With all that belongs to it. */
  async remove() {
    const { given } = this;
    const { seasons = [] } = await given.session.ask({ type: "delete-season", season: this.shown?.season ?? "" });
    given.seasons.all = seasons;
    [this.shown, given.form.sure] = [null, ""];
    given.go({ screen: "groups" });
  }

  /**
   * What the server answers; what it says of a field of the form is shown beside it.
   * @template Answer @param {string} form @param {() => Promise<Answer>} ask
   */
  async #fitting(form, ask) {
    const { given } = this;
    this.wrong = { id: "", text: "" };
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      const fields = error.code === "name" ? ["name"] : (FIELDS[error.id ?? ""] ?? []);
      const id = fields.map((field) => `${form}-${field}`).find((one) => document.getElementById(one));
      if (!id) throw error;
      this.wrong = { id, text: given.say.told(error.said, error.message) };
      given.focusOn(`#${id}`);
      throw new RefusedError({ code: "rules", text: this.wrong.text });
    }
  }
}
