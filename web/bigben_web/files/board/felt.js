// How large the felt is on the screen, so that the board is laid out in its pixels.

import { layoutOf } from "./layout/layout.js";

export class Felt {
  width = 800;
  height = 600;
  /** @type {(Size & {game: Game, piles: Piles, layout: Layout}) | null} */
  #last = null;

  /** @param {() => void} changed the felt has another size now */
  constructor(changed) {
    addEventListener("resize", changed);
  }

  /** Measure the felt that is on the page; whether it has another size than before. */
  measure() {
    const box = document.querySelector("svg.board")?.getBoundingClientRect();
    if (!box?.width || (box.width === this.width && box.height === this.height)) return false;
    [this.width, this.height] = [box.width, box.height];
    return true;
  }

  /** The layout of a game's piles on it. @param {Game} game @param {Piles} piles */
  layout(game, piles) {
    const { width, height } = this;
    const last = this.#last;
    const same = last?.game === game && last.width === width && last.height === height;
    if (same && (last.piles === piles || !last.layout.elastic)) return last.layout;
    const layout = layoutOf(game, { width, height }, piles);
    this.#last = { game, piles, width, height, layout };
    return layout;
  }
}
