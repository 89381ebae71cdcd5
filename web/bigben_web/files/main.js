// Where the page begins: its parts put together, each with what it needs; and what is done when the
// address changes, when the server says something, and while time goes by.

import { placeOf } from "./address.js";
import { Felt } from "./board/felt.js";
import { Cheering } from "./cheers/cheering.js";
import { Checking } from "./fairness/checking.js";
import { Evidence } from "./fairness/evidence.js";
import { Groups } from "./groups/groups.js";
import { groups as groupsView } from "./groups/groups_view.js";
import { Help } from "./help/help.js";
import { over } from "./help/help_view.js";
import { Identities } from "./identities/identities.js";
import { others, self } from "./identities/identities_view.js";
import { linked } from "./identities/linked.js";
import { Linking } from "./identities/linking.js";
import { BoardTable } from "./leaderboards/board_table.js";
import { boards } from "./leaderboards/boards.js";
import { learn } from "./learn/learn.js";
import { Learning } from "./learn/learning.js";
import { Memory } from "./memory.js";
import { Drawing } from "./page/drawing.js";
import { Form } from "./page/form.js";
import { frame } from "./page/frame.js";
import { Language } from "./page/language.js";
import { Notices } from "./page/notices.js";
import { Route } from "./page/route.js";
import { Courses } from "./race/courses.js";
import { Ghosts } from "./race/ghosts.js";
import { Joining } from "./race/joining.js";
import { lobby } from "./race/lobby.js";
import { race } from "./race/race.js";
import { watch } from "./race/watch.js";
import { archive } from "./records/archive.js";
import { Days, daysOf, lastDays, monthOf } from "./records/days.js";
import { player } from "./records/player.js";
import { Profiles } from "./records/profiles.js";
import { RecordedGames } from "./replay/recorded_games.js";
import { replay as replayView } from "./replay/replay.js";
import { Replay } from "./replay/replaying.js";
import { Analyses } from "./result/analyses.js";
import { result } from "./result/result.js";
import { Sharing } from "./share/sharing.js";
import { Choosing, choiceOf } from "./start/choosing.js";
import { hero } from "./start/hero.js";
import { home, more } from "./start/home.js";
import { Invitation } from "./start/invitation.js";
import { invitation as invitationView } from "./start/invitation_view.js";
import { Podium } from "./start/podium.js";
import { Races } from "./start/races.js";
import { Today } from "./start/today.js";
import { Hinting } from "./table/hinting.js";
import { Playing } from "./table/playing.js";
import { Shortcuts } from "./table/shortcuts.js";
import { table as tableView } from "./table/table.js";
import { Games } from "./wire/games.js";
import { Session } from "./wire/session.js";
import { textsFor } from "./words.js";

const SECOND_MS = 1000;
/** While a countdown runs its digits must be true. */
const TICK_MS = 200;

const memory = new Memory();
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
const form = new Form();
const notices = new Notices({ focusOn, form, redraw, say }, element("said"));
const { attempt, refuse, complain, announce } = bound(notices, ["attempt", "refuse", "complain", "announce"]);
const identities = new Identities(memory);
const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/`;
const session = new Session(url, identities, new Evidence(memory), games, { changed: redraw, received });
const route = new Route({ session }, arrive);
const { go } = bound(route, ["go"]);

// Its features

const choosing = new Choosing({ attempt, games, memory, redraw }, loadStart);
const today = new Today({ choosing, games, redraw, session });
const races = new Races({ games, redraw, route, session });
const profiles = new Profiles({ complain, redraw, refuse, session });
const days = new Days({ games, redraw, session, today });
const records = new RecordedGames({ games, redraw, say, session });
const hinting = new Hinting({ announce, redraw, say, session });
const replay = new Replay({ attempt, fly, games, hinting, records, redraw, route, session });
const help = new Help({ choosing, games, redraw, replay, route });
const joining = new Joining({ form, games, go, identities, memory, redraw, route, say, session, today });
const linking = new Linking({ identities, joining, say, session });
const invitation = new Invitation({ focusOn, identities, redraw, session });
const learning = new Learning({ announce, fly, focusOn, games, layout, redraw, route, say, session });
const playing = new Playing({ announce, focusOn, form, hinting, layout, memory, notices, redraw, route, say, session });
const shortcuts = new Shortcuts({ attempt, hinting, playing, redraw, replay, route });
const courses = new Courses({ say, session });
const ghosts = new Ghosts({ memory, redraw, session });
const checking = new Checking({ redraw, session });
const cheering = new Cheering({ focusOn, memory, redraw, session });
const analyses = new Analyses({ announce, attempt, say, session });
const sharing = new Sharing({ announce, complain, profiles, redraw, say, session, today });
const table = new BoardTable({ complain, redraw, refuse, route, session });
const groups = new Groups({ announce, choosing, form, go, joining, redraw, say, session });
const podium = new Podium({ choosing, groups, redraw, session });

/** @type {import("./race/race.js").Phases} */
const phases = {
  invitation: () => invitationView({ attempt, form, games, invitation, joining, memory, route, say }),
  lobby: (followed) => lobby({ attempt, cheering, focusOn, form, games, joining, say, session, sharing }, followed),
  table: (followed) => tableView({ attempt, cheering, form, help, hinting, layout, memory, playing, say, session }, followed),
  result: (followed) =>
    result({ analyses, attempt, checking, cheering, choosing, courses, days, focusOn, form, games, ghosts, joining, profiles, records, say, session, sharing, today }, followed),
  watch: (followed) => watch({ attempt, cheering, courses, joining, say, session }, followed),
};

/** @type {{[screen: string]: () => Child}} */
const screens = {
  home: () =>
    home(
      { analyses, attempt, choosing, days, focusOn, form, games, joining, podium, races, redraw, say, session, today },
      hero({ attempt, choosing, days, games, go, joining, memory, podium, profiles, races, say, session, today }),
      [
        more({ choosing, say, today }),
        session.me ? self({ attempt, focusOn, form, identities, joining, say, session }, session.me) : null,
        others({ attempt, identities, joining, say, session }),
      ],
    ),
  linked: () => linked({ attempt, linking, say }),
  learn: () => learn({ attempt, form, games, go, joining, layout, learning, memory, say, session }),
  race: () =>
    race({ attempt, checking, cheering, choosing, courses, form, games, ghosts, go, identities, joining, notices, playing, route, say, session, sharing }, phases),
  boards: () => boards({ attempt, days, form, games, go, groups, redraw, route, say, session, table, today }),
  replay: () => replayView({ games, hinting, layout, memory, replay, say, session }),
  player: () => player({ days, games, go, identities, notices, profiles, route, say, session, today }),
  archive: () => archive({ attempt, days, form, games, go, joining, redraw, route, say, session, today }),
  groups: () => groupsView({ attempt, choosing, focusOn, form, groups, route, say, session, sharing }),
};

/** What is to be seen now. */
function drawn() {
  const { screen } = route.place;
  const shown = screens[screen === "home" && linking.asks ? "linked" : screen]();
  const above = over({ games, help, language, memory, playing, redraw, say, shortcuts });
  return frame({ attempt, cheering, choosing, focusOn, form, ghosts, help, identities, joining, language, memory, notices, playing, redraw, route, say, session }, shown, above);
}

function afterDrawing() {
  playing.drawn();
  learning.drawn();
  help.drawn();
  form.drawn();
  const title = document.querySelector("h1")?.textContent ?? "";
  document.title = !title || route.place.screen === "home" ? "Big Ben" : `${title} · Big Ben`;
}

/** Show what the address says. */
function arrive() {
  const place = placeOf(location.hash);
  // The token lets its holder play as this player, so it must not stay in the address or history.
  if (place.screen === "link") history.replaceState(null, "", "#");
  learning.comeFrom(route.place);
  route.place = place.screen === "link" ? { screen: "home" } : place;
  form.sure = "";
  playing.begin();
  cheering.open = false;
  joining.leaveBehind(place.race);
  redraw();
  scrollTo(0, 0);
  const { race = "", watch = false, player = "", move } = place;
  attempt(async () => {
    if (place.screen === "learn") await learning.show();
    invitation.load(place);
    if (route.place.screen === "home") await linking.settle(place.token);
    else await joining.known();
    if (route.place.screen === "home") await loadStart();
    if (place.screen === "race") await joining.race({ race, watch });
    if (place.screen === "boards") await Promise.all([table.show(), groups.load(), days.load(choiceOf(games, place), lastDays(today.day))]);
    if (place.screen === "player") await Promise.all([profiles.show({ player }), player ? null : days.load(choiceOf(games, place), lastDays(today.day))]);
    if (place.screen === "archive") await days.load(choiceOf(games, place), daysOf(monthOf(place.month, today.day)));
    if (place.screen === "groups") await groups.load();
    if (place.screen === "replay") await replay.show({ race, player, move });
  });
}

/** Ask for all that the start page tells. */
async function loadStart() {
  await Promise.all([podium.load(), today.load(), races.load(), profiles.load(), days.loadWeek(choosing.both)]);
}

/** @param {Protocol.ServerMessage} message */
function received(message) {
  if (message.type === "refused") refuse(message);
  const followed = session.followed.get("race" in message ? (message.race ?? "") : "");
  if (!followed) return;
  checking.update(followed);
  sharing.update(followed);
  joining.update(followed);
  ghosts.update(followed);
  const said = courses.received(message);
  if (followed !== route.race) return;
  announce(said);
  if (message.type === "cheers") announce(cheering.received(say, message, followed));
  if (message.type === "diff") {
    fly(message.steps);
    playing.moved(message);
  }
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
  if (route.race || replay.plays || ["home", "boards"].includes(route.place.screen)) redraw();
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
arrive();

// The shell is kept once nothing else is to be done; without it the page only needs a network.
if ("serviceWorker" in navigator) {
  const named = { createScriptURL: () => "/worker.js" };
  const policy = window.trustedTypes?.createPolicy("worker", named) ?? named;
  const keep = () => navigator.serviceWorker.register(policy.createScriptURL("")).catch(() => {});
  (window.requestIdleCallback ?? setTimeout)(keep);
}
