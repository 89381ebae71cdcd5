// The types that many files of the page name in their JSDoc. What only one part needs is beside it.

/** Why the server said no, in a message or over HTTP. */
type Refusal = { code: string, text: string, id?: string, values?: Sentence["values"] };
type Sentence = Protocol.Sentence;

type Session = import("./bigben_web/files/wire/session.js").Session;
type Followed = import("./bigben_web/files/wire/followed.js").Followed;
type Games = import("./bigben_web/files/wire/games.js").Games;
type Memory = import("./bigben_web/files/memory.js").Memory;
type Identities = import("./bigben_web/files/identities/identities.js").Identities;
type Identity = import("./bigben_web/files/identities/identities.js").Identity;
type Place = import("./bigben_web/files/address.js").Place;
type Say = import("./bigben_web/files/words.js").Say;
type Texts = import("./bigben_web/files/words.js").Texts;
type Values = import("./bigben_web/files/words.js").Values;

// What the parts of the page are given: each names what it needs, and gets that from main.js.

type Given<Name extends keyof EveryPart> = Pick<EveryPart, Name>;
/** What all screens share. */
interface FirstParts {
  say: Say;
  session: Session;
  games: Games;
  memory: Memory;
  identities: Identities;
  route: import("./bigben_web/files/page/route.js").Route;
  notices: import("./bigben_web/files/page/notices.js").Notices;
  form: import("./bigben_web/files/page/form.js").Form;
  /** Do what the player wants, and say why not if it is refused. */
  attempt(what: () => unknown): Promise<void>;
  /** Show why the server said no. */
  refuse(of: import("./bigben_web/files/wire/session.js").RefusedError | Refusal): void;
  /** Show what is wrong, by the key of its text. */
  complain(key: string): void;
  /** Tell those who hear the page what happened. */
  announce(text: string): void;
  redraw(): void;
  /** Put the focus on this element after the next draw. */
  focusOn(selector: string): void;
  /** Let these cards fly to where the next drawing shows them. */
  fly(steps: Step[]): void;
  /** Where the piles of a game lie on this screen. */
  layout(game: Game, piles: Piles): Layout;
  /** Go to another screen. */
  go(place: Place): void;
  choosing: import("./bigben_web/files/start/choosing.js").Choosing;
  days: import("./bigben_web/files/records/days.js").Days;
  groups: import("./bigben_web/files/groups/groups.js").Groups;
  joining: import("./bigben_web/files/race/joining.js").Joining;
  podium: import("./bigben_web/files/start/podium.js").Podium;
  profiles: import("./bigben_web/files/records/profiles.js").Profiles;
  seasons: import("./bigben_web/files/seasons/mine.js").Seasons;
  /** The part of the page that only seasons need. */
  fetchClubs(): Promise<typeof import("./bigben_web/files/seasons/clubs.js")>;
  today: import("./bigben_web/files/start/today.js").Today;
  analyses: import("./bigben_web/files/result/analyses.js").Analyses;
  language: import("./bigben_web/files/page/language.js").Language;
  linking: import("./bigben_web/files/identities/linking.js").Linking;
  /** Show the start page to whom a link is for, if there is one. */
  settle(token?: string): Promise<void>;
  sounds: import("./bigben_web/files/table/sounds.js").Sounds;
  /** Null where the page is not in Discord's frame, and until it is known what to do there. */
  activity: import("./bigben_web/files/activity/activity.js").Activity | null;
}
/** What is used only with the start page, or only after it. */
interface EveryPart extends FirstParts {
  // The start page and what surrounds every screen
  races: import("./bigben_web/files/start/races.js").Races;
  later: import("./bigben_web/files/page/later.js").Later<import("./bigben_web/files/screens.js").Screens>;
  // The other screens
  challenges: import("./bigben_web/files/challenges/challenges.js").Challenges;
  checking: import("./bigben_web/files/fairness/checking.js").Checking;
  cheering: import("./bigben_web/files/cheers/cheering.js").Cheering;
  clubs: import("./bigben_web/files/page/later.js").Later<import("./bigben_web/files/seasons/clubs.js").Clubs>;
  courses: import("./bigben_web/files/race/courses.js").Courses;
  evening: import("./bigben_web/files/race/evening.js").Evening;
  ghosts: import("./bigben_web/files/race/ghosts.js").Ghosts;
  help: import("./bigben_web/files/help/help.js").Help;
  hinting: import("./bigben_web/files/table/hinting.js").Hinting;
  invitation: import("./bigben_web/files/start/invitation.js").Invitation;
  login: import("./bigben_web/files/login/login.js").Login;
  learning: import("./bigben_web/files/learn/learning.js").Learning;
  playing: import("./bigben_web/files/table/playing.js").Playing;
  records: import("./bigben_web/files/replay/recorded_games.js").RecordedGames;
  replay: import("./bigben_web/files/replay/replaying.js").Replay;
  ratings: import("./bigben_web/files/result/ratings.js").Ratings;
  sharing: import("./bigben_web/files/share/sharing.js").Sharing;
  shortcuts: import("./bigben_web/files/table/shortcuts.js").Shortcuts;
  table: import("./bigben_web/files/leaderboards/board_table.js").BoardTable;
}

// What the server says, with what it leaves out where that is the default.

type Standing = Protocol.Standing;
type Room = Protocol.Room & { seats: Standing[] };
type Deal = Protocol.Deal;
type Step = Protocol.Step;
type Slot = Required<Protocol.Slot>;
type Game = Omit<Protocol.GameInfo, "slots" | "moves"> & { slots: Slot[], moves: Required<Protocol.Typed>[] };
/** Face up, bottom first, on `down` face-down cards; in a reserve the face-up cards lie under them. */
type Pile = Required<Protocol.Pile>;
type Piles = { [name: string]: Pile };
/** A game and its rules, as fields of requests. */
type Both = { game: string, rules: string };
type View = import("./bigben_web/files/wire/view.js").View;

// What is kept, checked and shared.

type Kept = import("./bigben_web/files/fairness/evidence.js").Kept;
type Finding = import("./bigben_web/files/fairness/check.js").Finding;
type Share = import("./bigben_web/files/share/share.js").Share;
/** How far each foundation came, from twelve on. */
type Hours = [have: number, whole: number][];

// What is drawn.

type Described = import("./bigben_web/files/draw.js").Described;
type Props = import("./bigben_web/files/draw.js").Props;
type Child = import("./bigben_web/files/draw.js").Child;
/** An event of a field, and of what can be tapped. */
type Changed = Event & { target: HTMLInputElement, currentTarget: HTMLElement };
type Touched = { target: Element, currentTarget: SVGSVGElement };
type Shown = import("./bigben_web/files/board/board.js").Shown;
type Choices = import("./bigben_web/files/board/choices.js").Choices;
type Layout = import("./bigben_web/files/board/layout/layout.js").Layout;
type Berth = import("./bigben_web/files/board/layout/spread.js").Berth;
type Dial = import("./bigben_web/files/board/layout/curve.js").Dial;
type Hint = import("./bigben_web/files/table/hinting.js").Shown;
type Point = { x: number, y: number };
type Size = { width: number, height: number };
type Area = Point & Size;
type Box = Point & { w: number, h: number };

interface Window { trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } } }
type Parts = import("./bigben_web/files/board/layout/spread.js").Parts;
type Berths = { [pile: string]: Berth };
/** The way in which the cards of a pile lie. */
type Along = "x" | "y";
