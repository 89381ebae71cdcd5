// Which of its races a connection is for, and the address that names it: the server brings the players of
// that race together. A hint; whatever comes of it, everything works.

/** How the code of a room begins; an invitation may follow it. */
const CODE = /^[0-9A-Z]{6}/;

/** The address of a connection that is made for this race, as it is typed. A daily is not named. @param {string} url @param {string} race */
export function naming(url, race) {
  const [code] = CODE.exec(race.toUpperCase().replace(/[\s-]/g, "")) ?? [];
  return code ? `${url}?race=${code}` : url;
}

/**
 * The race that matters most: one that the player plays, else one that they wait for, else one that they
 * watch; of several the last one entered. A daily never matters: wherever its players are, they are spread.
 * @param {Iterable<Followed>} followed @returns {string} "" for none
 */
export function raceOf(followed) {
  let [best, most] = ["", 0];
  for (const one of followed) {
    const weight = weightOf(one);
    if (weight && weight >= most) [best, most] = [one.race, weight];
  }
  return best;
}

/** @param {Followed} followed */
function weightOf({ room, seat }) {
  if (room.kind === "daily" || ["closed", "cancelled"].includes(room.phase)) return 0;
  if (seat?.state === "playing" || (room.phase === "countdown" && seat?.state === "ready")) return 3;
  return ["joined", "ready"].includes(seat?.state ?? "") ? 2 : 1;
}
