// Sounds for those who wish for them: made by the browser from a few tones, off unless chosen.

/** Of each sound its tones: pitch in Hz, start and length in s, loudness. */
const SOUNDS = {
  pick: [[640, 0, 0.05, 0.08]],
  place: [[300, 0, 0.08, 0.16]],
  home: [[660, 0, 0.12, 0.12], [990, 0.05, 0.16, 0.1]],
  bell: [[164.8, 0, 3.2, 0.3], [329.6, 0, 2.4, 0.16], [415.3, 0, 1.6, 0.1], [659.3, 0, 1, 0.06]],
};
const STROKES = 3;
const BETWEEN_S = 0.55;

export class Sounds {
  /** @type {AudioContext|null} */
  #context = null;

  /** @param {Memory} memory */
  constructor(memory) {
    this.memory = memory;
  }

  get on() {
    return this.memory.get("sounds") === "on";
  }

  /** @param {boolean} wished */
  set on(wished) {
    this.memory.set("sounds", wished ? "on" : "");
    if (wished) this.play("home");
  }

  /** @param {"pick" | "place" | "home" | "bell"} name */
  play(name) {
    if (!this.on || !globalThis.AudioContext) return;
    this.#context ??= new AudioContext();
    const strokes = name === "bell" ? STROKES : 1;
    for (let stroke = 0; stroke < strokes; stroke++) {
      for (const tone of SOUNDS[name]) this.#ring(tone, stroke * BETWEEN_S);
    }
  }

  /** @param {number[]} of @param {number} later */
  #ring([pitch, start, length, loud], later) {
    const context = /** @type {AudioContext} */ (this.#context);
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    const at = context.currentTime + start + later;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(loud, at + 0.012);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}
