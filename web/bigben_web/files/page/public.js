// Where others find this page: what a link begins with.

/** `https://play.example`, as its operator says, or as the browser knows it: in a frame of Discord `location` is of no use to others. */
export function publicAddress() {
  return document.documentElement.dataset.page ?? location.origin;
}
