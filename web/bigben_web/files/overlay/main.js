// A race over the picture of a stream: `/overlay#CODE`. Its parts put together, and drawn again each second.

import { draw } from "../draw.js";
import { Memory } from "../memory.js";
import { Games } from "../wire/games.js";
import { textsFor } from "../words.js";
import { Following } from "./following.js";
import { optionsOf } from "./options.js";
import { overlay } from "./plates.js";

const SECOND_MS = 1000;

const options = optionsOf(location.hash);
const [{ say }, games] = await Promise.all([textsFor(options.language, true), Games.fetched()]);
const { style, lang } = document.documentElement;
document.documentElement.lang = say.language || lang;
style.setProperty("--scale", `${options.scale / 100}`);
style.setProperty("--safe", `${options.safe}px`);
const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/`;
const following = new Following(url, new Memory(), options, redraw);

function redraw() {
  draw(document.body, overlay({ games, say }, following, options));
}

setInterval(redraw, SECOND_MS);
// Another address of the source means another race, or another look.
addEventListener("hashchange", () => location.reload());
if (options.race) following.begin();
else redraw();
