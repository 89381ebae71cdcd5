// Where the page begins: its parts put together, each with what it needs; and what is done when the
// address changes, when the server says something, and while time goes by.

import { placeOf } from "./address.js";
import { Felt } from "./board/felt.js";
import { Evidence } from "./fairness/evidence.js";
import { Groups } from "./groups/groups.js";
import { Identities } from "./identities/identities.js";
import { others, self } from "./identities/identities_view.js";
import { Linking } from "./identities/linking.js";
import { answerOfDiscord, entranceForNew } from "./login/entrance.js";
import { Memory } from "./memory.js";
import { Drawing } from "./page/drawing.js";
import { Form } from "./page/form.js";
import { frame } from "./page/frame.js";
import { Language } from "./page/language.js";
import { Later } from "./page/later.js";
import { Notices } from "./page/notices.js";
import { opening } from "./page/opening.js";
import { Route } from "./page/route.js";
import { Joining } from "./race/joining.js";
import { Days } from "./records/days.js";
import { Profiles } from "./records/profiles.js";
import { Analyses } from "./result/analyses.js";
import { Choosing } from "./start/choosing.js";
import { hero } from "./start/hero.js";
import { home, more } from "./start/home.js";
import { Podium } from "./start/podium.js";
import { Seasons } from "./seasons/mine.js";
import { Races } from "./start/races.js";
import { Today } from "./start/today.js";
import { Sounds } from "./table/sounds.js";
import { Games } from "./wire/games.js";
import { Session } from "./wire/session.js";
import { textsFor } from "./words.js";

const SECOND_MS = 1000;
/** While a countdown runs its digits must be true. */
const TICK_MS = 200;
/** So long after what a player sees first the line is left to it. */
const QUIET_MS = 1000;

const answer = answerOfDiscord();
const memory = new Memory();
const parameters = new URLSearchParams(location.search);
/** Whether the page is in Discord's frame. */
const framed = window !== window.parent && Boolean(document.documentElement.dataset.discord) && ["frame_id", "instance_id", "platform"].every((name) => parameters.has(name));
const [texts, games] = await Promise.all([textsFor(memory.get("language")), Games.fetched()]);
/** @param {string} id of an element of index.html */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

// The page as a whole

const redraw = () => drawing.redraw();
const felt = new Felt(redraw);
const drawing = new Drawing(element("page"), { felt, frame: drawn, drawn: afterDrawing });
const { focusOn, fly } = bound(drawing, ["focusOn", "fly"]);
const { layout } = bound(felt, ["layout"]);
const language = new Language({ memory, redraw }, texts);
const { say } = language;
const form = new Form({ redraw });
const notices = new Notices({ focusOn, form, redraw, say }, element("said"));
const { attempt, refuse, complain, announce } = bound(notices, ["attempt", "refuse", "complain", "announce"]);
const identities = new Identities(memory);
const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/${framed ? "?codec=bigben.v1.json" : ""}`;
const session = new Session(url, identities, new Evidence(memory), games, { changed: redraw, received, race: () => route.place.race ?? "" });
const route = new Route({ session }, arrive);
const { go } = bound(route, ["go"]);
const sounds = new Sounds(memory);
const later = new Later({ redraw, say }, fetchLater);
/** What the page does in Discord's frame. @type {EveryPart["activity"]} */
let activity = null;

// Its features

const choosing = new Choosing({ attempt, games, memory, redraw }, loadStart);
const today = new Today({ choosing, games, memory, redraw, session });
const races = new Races({ games, later, redraw, route, session });
const seasons = new Seasons({ redraw, session });
/** What only the screens of seasons need. */
const fetchClubs = () => import("./seasons/clubs.js");
const profiles = new Profiles({ complain, redraw, refuse, session });
const days = new Days({ games, redraw, session, today });
const joining = new Joining({ form, games, go, identities, later, memory, redraw, route, say, session, today });
const linking = new Linking({ identities, joining, say, session });
const groups = new Groups({ announce, choosing, form, go, joining, redraw, say, session });
const analyses = new Analyses({ announce, attempt, say, session });
const podium = new Podium({ choosing, groups, memory, redraw, session, today });

/** The start page. */
function start() {
  return home(
    { analyses, attempt, choosing, days, focusOn, form, games, joining, podium, races, redraw, say, seasons, session, today },
    hero({ attempt, choosing, days, games, go, joining, memory, podium, profiles, races, say, session, today }),
    [
      more({ choosing, say, today }),
      session.me ? self({ activity, attempt, focusOn, form, identities, joining, later, say, session }, session.me) : entranceForNew({ attempt, later, say }),
      others({ attempt, identities, joining, say, session }),
    ],
  );
}

/** The other screens, with all that is not asked for before. */
async function fetchLater() {
  const framing = framed ? import("./activity/activity.js") : null;
  const [{ screensOf }, frames] = await Promise.all([import("./screens.js"), framing, sheet("/later.css"), language.complete()]);
  const parts = { analyses, choosing, days, fetchClubs, form, games, groups, identities, joining, language, linking, memory, notices, podium, profiles, route, seasons, session, settle, sounds, today };
  return () => {
    activity = frames && new frames.Activity({ ...parts, attempt, go, redraw, say }, parameters);
    return screensOf({ ...parts, activity, announce, attempt, complain, fly, focusOn, go, layout, redraw, refuse, say });
  };
}

/** What is to be seen now. */
function drawn() {
  const { here } = later;
  return activity?.tile() ?? frame({ activity, attempt, choosing, focusOn, form, identities, joining, language, later, memory, notices, redraw, route, say, session, sounds }, shown(), here?.above(), here?.challenged());
}

function shown() {
  const { screen } = route.place;
  if (framed && !activity?.settled) return activity?.waiting() ?? opening({ attempt, later, route, say });
  if (screen === "home" && !linking.asks) return later.here?.tying() ?? start();
  return later.here?.shown[screen === "home" ? "link" : screen]() ?? opening({ attempt, later, route, say });
}

function afterDrawing() {
  later.here?.drawn();
  form.drawn();
  const title = document.querySelector("h1")?.textContent ?? "";
  document.title = !title || route.place.screen === "home" ? "Big Ben" : `${title} · Big Ben`;
}

/** Show what the address says; in Discord's frame once it is known who the player is. */
function arrive() {
  if (framed && !activity) {
    return attempt(async () => {
      await later.come();
      await activity?.begin();
    });
  }
  if (activity && !activity.settled) return Promise.resolve();
  const place = placeOf(location.hash);
  // The token lets its holder play as this player, so it must not stay in the address or history.
  if (place.screen === "link") history.replaceState(null, "", "#");
  later.here?.leave(route.place);
  route.place = place.screen === "link" ? { screen: "home" } : place;
  form.sure = "";
  joining.leaveBehind(place.race);
  redraw();
  scrollTo(0, 0);
  return attempt(async () => {
    if (route.place.screen !== "home") return (await later.tried())?.load(place);
    await settle(place.token);
  });
}

/** Show the start page to whom a link is for, if there is one. @param {string} [token] */
async function settle(token) {
  await linking.settle(token);
  if (linking.asks) await later.tried();
  await loadStart();
}

/** Ask for all that the start page tells. */
async function loadStart() {
  await Promise.all([podium.load(), today.load(), races.load(), seasons.load(), profiles.load(), days.loadWeek(choosing.both)]);
}

/** @param {Protocol.ServerMessage} message */
function received(message) {
  if (message.type === "refused") refuse(message);
  const followed = session.followed.get("race" in message ? (message.race ?? "") : "");
  if (!followed) return;
  joining.update(followed);
  activity?.received(message, followed);
  later.here?.received(message, followed);
}

/** The second that was drawn last. */
let lastSecond = 0;
/** Clocks go on while nothing happens. */
function tick() {
  const counting = route.race?.room?.phase === "countdown";
  const second = Math.floor(session.clock.now() / SECOND_MS);
  if (!counting && second === lastSecond) return;
  lastSecond = second;
  notices.fade();
  later.here?.tick();
  if (route.race || later.here?.replay.plays || ["home", "boards", "season"].includes(route.place.screen)) redraw();
}

/** More styles, when they are here; in a frame all are in the page. @param {string} href */
async function sheet(href) {
  if (document.querySelector(`style, link[href="${href}"]`)) return;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(link);
  await new Promise((resolve, reject) => Object.assign(link, { onload: resolve, onerror: reject })).finally(() => link.sheet ?? link.remove());
}

/** A mistake of ours; said without drawing, which may be where it is. */
function mistaken() {
  element("wrong").textContent = say("wrong.mistake");
}

/**
 * Methods of an object, as functions by themselves.
 * @template {object} Of @template {keyof Of} Name @param {Of} of @param {Name[]} names @returns {Pick<Of, Name>}
 */
function bound(of, names) {
  return /** @type {Pick<Of, Name>} */ (Object.fromEntries(names.map((name) => [name, /** @type {Function} */ (of[name]).bind(of)])));
}

setInterval(tick, TICK_MS);
addEventListener("error", mistaken);
addEventListener("unhandledrejection", mistaken);
addEventListener("hashchange", arrive);
arrive()
  .then(() => answer && attempt(async () => (await later.come()).login.returned(answer)))
  .then(() => setTimeout(prepare, QUIET_MS));

/** What the start page does without: the other screens, and that it opens without a network. */
async function prepare() {
  if (framed) return;
  await later.tried(); // it is asked for again when it is needed
  // Without a worker the page only needs a network.
  const named = { createScriptURL: () => "/worker.js" };
  const policy = window.trustedTypes?.createPolicy("worker", named) ?? named;
  await navigator.serviceWorker?.register(policy.createScriptURL("")).catch(() => {});
}
