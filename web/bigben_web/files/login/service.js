// The part of the server that logs players in with Discord, and what proves that a login is this page's.

import { sha256 } from "../fairness/sha256.js";
import { RefusedError } from "../wire/session.js";

/** A secret of this page, and what of it others may see (PKCE, RFC 7636). */
export function proof() {
  const verifier = lettersOf(crypto.getRandomValues(new Uint8Array(32)));
  return { verifier, challenge: lettersOf(sha256(new TextEncoder().encode(verifier))) };
}

/** Bytes as letters that need no escape in an address. @param {Uint8Array} bytes */
function lettersOf(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Ask it. Rejects with RefusedError.
 * @param {Say} say @param {string} path relative, as a frame of Discord may have a prefix @param {object} [body]
 * @returns {Promise<any>}
 */
export async function askLogin(say, path, body) {
  const sent = body && { method: "POST", body: JSON.stringify(body) };
  const headers = { "Accept-Language": say.language, ...(body && { "Content-Type": "application/json" }) };
  const answer = await fetch(path, { ...sent, headers, cache: "no-store" }).catch(() => null);
  const said = await answer?.json().catch(() => null);
  if (answer?.ok && said) return said;
  // A proxy says 502 while the bot is away.
  const none = answer && answer.status < 500;
  throw new RefusedError({ code: "token", text: said?.text ?? say(none ? "login.none" : "login.away") });
}
