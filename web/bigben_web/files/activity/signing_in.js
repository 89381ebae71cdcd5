// What the bot's process does for a page in the frame: it says which race the frame is opened for, and
// makes a token of the code that Discord gives.

import { sha256 } from "../fairness/sha256.js";
import { RefusedError } from "../wire/session.js";

/** @typedef {{application: string, state?: string, race: string}} Offer */
/** @typedef {{token: string, player: string, name: string, race: string, access_token: string}} SignedIn */

/** A secret of this page, and what of it may be seen (PKCE, RFC 7636). */
export function proof() {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  return { verifier, challenge: base64url(sha256(new TextEncoder().encode(verifier))) };
}

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * What the frame is opened for; with a challenge also the state for a login. Rejects with RefusedError.
 * @param {string} instance @param {string} [challenge] @returns {Promise<Offer>}
 */
export function offer(instance, challenge) {
  return asked(`login?${new URLSearchParams({ ...(challenge && { challenge }), instance })}`);
}

/** @param {{code: string, state: string, verifier: string, instance: string}} of @returns {Promise<SignedIn>} */
export function signIn(of) {
  return asked("login", of);
}

/** Say which race the others in the frame may join. @param {{token: string, instance: string, race: string}} of */
export function tellRace(of) {
  return asked("login/instance", of);
}

/** Addresses are relative, as the frame may be served under a prefix. @param {string} address @param {object} [of] */
async function asked(address, of) {
  const post = of && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(of) };
  /** @type {Response} */
  let response;
  let said;
  try {
    response = await fetch(address, { cache: "no-store", ...post });
    said = await response.json();
  } catch {
    throw new RefusedError({ code: "busy", text: "" }); // there is no such service, or no network
  }
  if (!response.ok) throw new RefusedError({ code: "token", text: "", ...said });
  return said;
}
