// The types that many files of the page name in their JSDoc. What only one part needs is beside it.

type Page = import("./bigben_web/files/page.js").Page;
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
