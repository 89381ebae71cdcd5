// Puts a description of elements on the page and changes only what differs, so that focus,
// selection and scrolling stay. It never reads text as HTML.

const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";
/** What each node was drawn from. @type {WeakMap<Node, Described>} */
const drawn = new WeakMap();

/** @typedef {{tag: string, props: Record<string, any>, children: any[]}} Described */

/**
 * An element to be. A prop called `onclick` listens, `value` and `checked` are set as properties,
 * `key` tells it from its siblings; with `own` its children are somebody else's; all others are
 * attributes, left out when false or null.
 * @returns {Described}
 */
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, children };
}

/** Make the children of `parent` be these. */
export function draw(parent, ...children) {
  const wanted = children.flat(Infinity).filter((child) => child || child === 0);
  const free = [...parent.childNodes];
  const keyed = new Map(free.map((node) => [drawn.get(node)?.props.key, node]));
  wanted.forEach((child, at) => {
    const node = reused(child, free, keyed) ?? made(child, parent);
    const there = parent.childNodes[at];
    if (node !== there) parent.insertBefore(node, there ?? null);
    update(node, child);
  });
  for (const node of free) node.remove();
}

function reused(child, free, keyed) {
  const key = child.props?.key;
  const fits = (node) => (key === undefined || node === keyed.get(key)) && sameKind(node, child);
  const at = free.findIndex(fits);
  return at < 0 ? null : free.splice(at, 1)[0];
}

function sameKind(node, child) {
  if (typeof child !== "object") return node.nodeType === Node.TEXT_NODE;
  const was = drawn.get(node);
  return was?.tag === child.tag && was.props.key === child.props.key;
}

function made(child, parent) {
  if (typeof child !== "object") return document.createTextNode("");
  const inside = parent.namespaceURI === SVG && parent.localName !== "foreignObject";
  const namespace = child.tag === "svg" || inside ? SVG : HTML;
  return document.createElementNS(namespace, child.tag);
}

function update(node, child) {
  if (typeof child !== "object") {
    if (node.data !== String(child)) node.data = child;
    return;
  }
  const was = drawn.get(node)?.props ?? {};
  drawn.set(node, child);
  for (const name in was) if (!(name in child.props)) set(node, name, null, was[name]);
  for (const name in child.props) set(node, name, child.props[name], was[name]);
  if (!child.props.own) draw(node, ...child.children);
}

function set(node, name, value, was) {
  if (name === "key" || name === "own") return;
  if (name.startsWith("on")) {
    if (!was && value) node.addEventListener(name.slice(2), heard);
    if (was && !value) node.removeEventListener(name.slice(2), heard);
  } else if (name === "value" || name === "checked") {
    // What the user has typed stays until the description itself changes.
    if (value !== was) node[name] = value ?? "";
  } else if (value !== was) {
    if (value === null || value === undefined || value === false) node.removeAttribute(name);
    else node.setAttribute(name, value === true ? "" : value);
  }
}

/** One listener for all: what to do is read from what the node is drawn from now. */
function heard(event) {
  drawn.get(event.currentTarget).props[`on${event.type}`](event);
}
