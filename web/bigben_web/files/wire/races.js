// How races are named by those who join them, and what the server tells everybody of one.

const CODE = 6;

/** The code of a room without its invitation; the name of a daily or of a week as it is. @param {string} race */
export function codeOf(race) {
  return /^(daily|week)/.test(race) ? race : race.replace(/[\s-]/g, "").slice(0, CODE).toUpperCase();
}

/** A RaceInfo, or null if the server tells nothing of the race. @param {string} race */
export async function raceInfo(race) {
  try {
    const response = await fetch(`/api/races/${encodeURIComponent(codeOf(race))}`, { cache: "no-cache" });
    return response.ok ? await response.json() : null;
  } catch {
    return null; // without a network; joining says what is wrong
  }
}

/** The season and the number of a week's race; empty for another race. @param {string} race `week.K7QPXM2A.3` */
export function weekOf(race) {
  const [kind, season, number] = race.split(".");
  return kind === "week" ? { season, number: Number(number) } : { season: "", number: 0 };
}
