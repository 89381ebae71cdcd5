// The part of the page about seasons: it is asked for when a season or the player's clubs are shown.

import { otherSeasons, seasonsOf } from "./list_view.js";
import { Season } from "./season.js";
import { season as seasonView } from "./season_view.js";

/** @typedef {ReturnType<typeof clubsOf>} Clubs */

/** @param {Given<"announce" | "attempt" | "complain" | "focusOn" | "form" | "games" | "go" | "redraw" | "refuse" | "route" | "say" | "seasons" | "session" | "sharing">} given */
export function clubsOf(given) {
  const season = new Season(given);
  const parts = { ...given, season };
  return {
    season,
    shown: () => seasonView(parts),
    /** @param {Protocol.Group} group */
    of: (group) => seasonsOf(parts, group),
    /** @param {Protocol.Group[]} groups */
    others: (groups) => otherSeasons(parts, groups),
  };
}
