// Which of its races a connection is for, and the address that names it: the server brings the players of
// that race together. A hint; whatever comes of it, everything works.

/** How the code of a room begins; an invitation may follow it. */
const CODE = /^[0-9A-Z]{6}/;
const OVER = ["closed", "cancelled"];
const WATCHED = 2;

/** The address of a connection that is made for this race, as it is typed. A daily is not named. @param {string} url @param {string} race */
export function naming(url, race) {
  const [code] = CODE.exec(race.toUpperCase().replace(/[\s-]/g, "")) ?? [];
  return code ? `${url}${url.includes("?") ? "&" : "?"}race=${code}` : url;
}

/**
 * The race that matters most: one that the player plays, else one that they wait for, else one that they
 * watch, else one that they have finished; of several the last one entered. A daily never matters: wherever
 * its players are, they are spread.
 * @param {Iterable<Followed>} followed @returns {string} "" for none
 */
export function raceOf(followed) {
  let [best, most] = ["", 0];
  for (const one of followed) {
    const weight = one.room.kind === "daily" ? 0 : weightOf(one);
    if (weight && weight >= most) [best, most] = [one.race, weight];
  }
  return best;
}

/**
 * Whether another connection, for this race, costs nobody anything: no countdown runs, and this one has
 * nothing else to do but to show the end of races that the player has finished.
 * @param {Map<string, Followed>} followed @param {string} race
 */
export function mayChangeOver(followed, race) {
  const { phase = "closed" } = followed.get(race)?.room ?? {};
  if (phase === "countdown" || OVER.includes(phase)) return false;
  return [...followed.values()].every((one) => one.race === race || weightOf(one) < WATCHED);
}

/** @param {Followed} followed */
function weightOf({ room, seat }) {
  if (OVER.includes(room.phase)) return 0;
  const own = seat?.state;
  if (own === "playing" || (room.phase === "countdown" && own === "ready")) return 4;
  if (own === "joined" || own === "ready") return 3;
  return own ? 1 : WATCHED;
}
