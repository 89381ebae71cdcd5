// Bytes as people and messages write them: two letters each.

/** @param {Uint8Array} bytes */
export function hexOf(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
