// How races are named by those who join them, and what the server tells everybody of one.

const CODE = 6;

/** The code of a room without its invitation; a daily's name as it is. @param {string} race */
export function codeOf(race) {
  return race.startsWith("daily") ? race : race.replace(/[\s-]/g, "").slice(0, CODE).toUpperCase();
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
