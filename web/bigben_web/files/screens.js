// All screens but the start page, and the parts that only they need. They come after it.

import { Challenges } from "./challenges/challenges.js";
import { notices as challengeNotices } from "./challenges/challenges_view.js";
import { Cheering } from "./cheers/cheering.js";
import { Checking } from "./fairness/checking.js";
import { groups as groupsView } from "./groups/groups_view.js";
import { Help } from "./help/help.js";
import { over } from "./help/help_view.js";
import { linked } from "./identities/linked.js";
import { Later } from "./page/later.js";
import { opening } from "./page/opening.js";
import { BoardTable } from "./leaderboards/board_table.js";
import { boards } from "./leaderboards/boards.js";
import { learn } from "./learn/learn.js";
import { Learning } from "./learn/learning.js";
import { Login } from "./login/login.js";
import { device, loggingOut, tying } from "./login/login_view.js";
import { Courses } from "./race/courses.js";
import { Evening } from "./race/evening.js";
import { Ghosts } from "./race/ghosts.js";
import { lobby } from "./race/lobby.js";
import { race } from "./race/race.js";
import { watch } from "./race/watch.js";
import { archive } from "./records/archive.js";
import { daysOf, monthOf } from "./records/days.js";
import { player } from "./records/player.js";
import { RecordedGames } from "./replay/recorded_games.js";
import { replay as replayView } from "./replay/replay.js";
import { Replay } from "./replay/replaying.js";
import { result } from "./result/result.js";
import { Ratings } from "./result/ratings.js";
import { Sharing } from "./share/sharing.js";
import { choiceOf } from "./start/choosing.js";
import { Invitation } from "./start/invitation.js";
import { invitation as invitationView } from "./start/invitation_view.js";
import { Hinting } from "./table/hinting.js";
import { Playing } from "./table/playing.js";
import { Shortcuts } from "./table/shortcuts.js";
import { table as tableView } from "./table/table.js";
import { Followed } from "./wire/followed.js";

/** @typedef {ReturnType<typeof screensOf>} Screens */

/** @param {FirstParts} first */
export function screensOf(first) {
  const { analyses, choosing, days, fetchClubs, form, games, groups, identities, joining, language, linking, memory, notices, podium, profiles, route, seasons, session, settle, sounds, today } = first;
  const { activity, announce, attempt, complain, fly, focusOn, go, layout, redraw, refuse, say } = first;
  session.follow = (room, of) => new Followed(room, of);
  const records = new RecordedGames({ games, redraw, say, session });
  const hinting = new Hinting({ announce, redraw, say, session });
  const replay = new Replay({ attempt, fly, games, hinting, records, redraw, route, session });
  const help = new Help({ choosing, games, redraw, replay, route });
  const invitation = new Invitation({ focusOn, identities, redraw, session });
  const login = new Login({ go, identities, linking, notices, say, session, settle });
  const learning = new Learning({ announce, fly, focusOn, games, layout, redraw, route, say, session });
  const playing = new Playing({ announce, focusOn, form, hinting, layout, memory, notices, redraw, route, say, session, sounds });
  const shortcuts = new Shortcuts({ attempt, hinting, playing, redraw, replay, route });
  const courses = new Courses({ say, session });
  const evening = new Evening({ memory, redraw, session });
  const ghosts = new Ghosts({ memory, redraw, session });
  const checking = new Checking({ redraw, session });
  const cheering = new Cheering({ focusOn, memory, redraw, session });
  const challenges = new Challenges({ go, memory, redraw, session });
  const ratings = new Ratings({ redraw, session });
  const sharing = new Sharing({ activity, announce, complain, podium, profiles, redraw, say, session, today });
  /** @type {Later<import("./seasons/clubs.js").Clubs>} */
  const clubs = new Later({ redraw, say }, async () => {
    const { clubsOf } = await fetchClubs();
    return () => clubsOf({ announce, attempt, complain, focusOn, form, games, go, redraw, refuse, route, say, seasons, session, sharing });
  });
  const table = new BoardTable({ complain, redraw, refuse, route, session });

  /** @type {import("./race/race.js").Phases} */
  const phases = {
    invitation: () => invitationView({ attempt, form, games, invitation, joining, memory, route, say }),
    lobby: (followed) => lobby({ activity, attempt, cheering, evening, focusOn, form, games, joining, say, session, sharing }, followed),
    table: (followed) => tableView({ activity, attempt, cheering, form, help, hinting, layout, memory, playing, say, session }, followed),
    result: (followed) =>
      result({ analyses, attempt, checking, cheering, choosing, courses, days, evening, focusOn, form, games, ghosts, joining, podium, profiles, ratings, records, say, session, sharing, today }, followed),
    watch: (followed) => watch({ attempt, cheering, courses, joining, say, session }, followed),
  };

  /** @type {{[screen: string]: () => Child}} */
  const shown = {
    link: () => linked({ attempt, linking, login, say }),
    learn: () => learn({ attempt, form, games, go, joining, layout, learning, memory, say, session }),
    race: () =>
      race({ attempt, checking, cheering, choosing, courses, evening, form, games, ghosts, go, identities, joining, notices, playing, route, say, session, sharing }, phases),
    boards: () => boards({ attempt, form, games, go, groups, redraw, route, say, session, table, today }),
    replay: () => replayView({ games, hinting, layout, memory, replay, say, session }),
    player: () => player({ attempt, challenges, days, games, go, identities, notices, profiles, route, say, session, today }),
    archive: () => archive({ attempt, days, form, games, go, joining, redraw, route, say, session, today }),
    device: () => device({ attempt, form, login, route, say }),
    groups: () => groupsView({ attempt, choosing, clubs, focusOn, form, groups, route, say, session, sharing }),
    season: () => clubs.here?.shown() ?? opening({ attempt, later: clubs, route, say }),
  };

  /** Ask for what a screen shows. @param {Place} place */
  async function load(place) {
    const { screen, race = "", watch = false, player = "", move } = place;
    if (screen === "learn") await learning.show();
    invitation.load(place);
    if (screen === "device") login.restart();
    await joining.known();
    if (screen === "race") await joining.race({ race, watch });
    if (screen === "boards") await Promise.all([table.show(), groups.load()]);
    if (screen === "player") await profiles.show({ player });
    if (screen === "archive") await days.load(choiceOf(games, place), daysOf(monthOf(place.month, today.day)));
    if (screen === "groups") await Promise.all([groups.load(), seasons.load(), clubs.tried()]);
    if (screen === "season") await (await clubs.tried())?.season.show(place.season ?? "");
    if (screen === "replay") await replay.show({ race, player, move });
  }

  /** Another screen than this one is shown. @param {Place} place */
  function leave(place) {
    learning.comeFrom(place);
    playing.begin();
    cheering.open = false;
  }

  /** @param {Protocol.ServerMessage} message @param {Followed} followed the race that it is about */
  function received(message, followed) {
    checking.update(followed);
    sharing.update(followed);
    ratings.update(followed);
    ghosts.update(followed);
    if (message.type === "room" && message.rematch) evening.follows(message.race, message.rematch);
    const said = courses.received(message);
    if (followed !== route.race) return;
    announce(said);
    if (message.type === "cheers") announce(cheering.received(say, message, followed));
    if (message.type === "diff") {
      fly(message.steps);
      playing.moved(message);
    }
  }

  function drawn() {
    playing.drawn();
    learning.drawn();
    help.drawn();
    challenges.drawn();
  }

  /** The question whether a guest belongs to the account, if it is open. */
  const tyingGuest = () => login.guest && tying({ attempt, login, say, session }, login.guest);
  /** @param {{name: string}} me */
  const loggingOutMe = (me) => loggingOut({ attempt, form, login, say }, me);
  const above = () => over({ games, help, language, memory, playing, redraw, say, shortcuts });
  const challenged = () => challengeNotices({ attempt, challenges, games, route, say, session });
  const tick = () => clubs.here?.season.tick();
  return { above, challenged, drawn, help, leave, load, loggingOut: loggingOutMe, login, received, replay, shown, tick, tying: tyingGuest };
}
