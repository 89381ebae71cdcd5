// Whether the revealed seed is the one that was promised. Deals nothing again: `bigben verify` does.

const DOMAIN = new TextEncoder().encode("bigben-commit-v1");

/** @returns {Promise<boolean|undefined>} undefined where the browser has no SHA-256 to use */
export async function fits({ commitment, server_seed: seed }) {
  if (!crypto.subtle) return undefined;
  const bytes = seed.match(/../g).map((pair) => parseInt(pair, 16));
  const hash = await crypto.subtle.digest("SHA-256", Uint8Array.from([...DOMAIN, ...bytes]));
  const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0"));
  return hex.join("") === commitment;
}
