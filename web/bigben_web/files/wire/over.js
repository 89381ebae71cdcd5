// The states of a game that is over.

/** @type {readonly (string | undefined)[]} */
export const OVER = ["won", "blocked", "resigned", "timed out"];
