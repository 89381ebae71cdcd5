// What this browser keeps for the next time: players, races, a few preferences. Asks no server.

/** Where a browser keeps nothing, all is kept until the page is left. */
export class Memory {
  /** @type {Map<string, string>} */
  #kept = new Map();

  constructor(storage = () => window.localStorage) {
    this.storage = storage;
  }

  /** @param {string} name */
  get(name, usual = "") {
    try {
      return this.storage().getItem(`bigben.${name}`) ?? usual;
    } catch {
      return this.#kept.get(name) ?? usual;
    }
  }

  /** What was kept as JSON; empty if it was not written by this page. @param {string} name @returns {any[]} */
  list(name) {
    try {
      const kept = JSON.parse(this.get(name, "[]"));
      return Array.isArray(kept) ? kept : [];
    } catch {
      return [];
    }
  }

  /** @param {string} name @param {string} value */
  set(name, value) {
    try {
      if (value) this.storage().setItem(`bigben.${name}`, value);
      else this.storage().removeItem(`bigben.${name}`);
    } catch {
      this.#kept.set(name, value);
    }
  }
}
