// The service worker: keeps the shell of the page, so that it opens without a network and says so.
// It keeps nothing else, and with a network every file comes from there.

/** The server puts in a hash of the shell, another of which is another worker, and its files. */
const SHELL = "shell {shell}";
const FILES = "{files}".split(" ");

/**
 * @typedef {Event & {waitUntil: (done: Promise<void>) => void}} Waiting
 * @typedef {Event & {request: Request, respondWith: (answer: Promise<Response>) => void}} Asking
 */
/** What it is in a browser; tsc checks all files as a page's. */
const worker = /** @type {any} */ (self);
worker.addEventListener("install", (/** @type {Waiting} */ event) => event.waitUntil(keep()));
worker.addEventListener("activate", (/** @type {Waiting} */ event) => event.waitUntil(forgetOthers()));
worker.addEventListener("fetch", (/** @type {Asking} */ event) => {
  const { pathname, origin } = new URL(event.request.url);
  const isOurs = origin === location.origin && event.request.method === "GET";
  if (isOurs && FILES.includes(pathname)) {
    event.respondWith(networkFirst(event.request));
  }
});

async function keep() {
  const kept = await caches.open(SHELL);
  await kept.addAll(FILES);
  await worker.skipWaiting();
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request */
async function networkFirst(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
