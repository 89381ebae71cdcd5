// What this browser keeps for the next time: players, races, a few preferences. Asks no server.

/** Where a browser keeps nothing, all is kept until the page is left. */
export class Memory {
  #kept = new Map();

  constructor(storage = () => window.localStorage) {
    this.storage = storage;
  }

  get(name, usual = "") {
    try {
      return this.storage().getItem(`bigben.${name}`) ?? usual;
    } catch {
      return this.#kept.get(name) ?? usual;
    }
  }

  set(name, value) {
    try {
      if (value) this.storage().setItem(`bigben.${name}`, value);
      else this.storage().removeItem(`bigben.${name}`);
    } catch {
      this.#kept.set(name, value);
    }
  }
}
