// Puts a description of elements on the page and changes only what differs, so that focus,
// selection and scrolling stay. It never reads text as HTML.

const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";
/** What each node was drawn from. @type {WeakMap<Node, Described>} */
const drawn = new WeakMap();

/**
 * @typedef {{[name: string]: any, onchange?: Heard, oninput?: Heard, onfocus?: Heard, onsubmit?: Heard,
 *   onclick?: ((event: any) => unknown) | null}} Props
 * @typedef {((event: Changed) => unknown) | null} Heard
 * @typedef {{tag: string, props: Props, children: Child[]}} Described
 * @typedef {Described | string | number | boolean | null | undefined | Child[]} Child
 * @typedef {Described | string | number} Drawable
 */

/**
 * An element to be. A prop called `onclick` listens, `value` and `checked` are set as properties,
 * `key` tells it from its siblings; with `own` its children are somebody else's; all others are
 * attributes, left out when false or null.
 * @param {string} tag @param {Props | null} props @param {...Child} children @returns {Described}
 */
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, children };
}

/** The part of what is drawn that is surely there. @param {ParentNode} whole @param {string} selector */
export function partOf(whole, selector) {
  return /** @type {SVGGraphicsElement} */ (whole.querySelector(selector));
}

/** All parts of what is drawn that fit. @param {ParentNode} whole @param {string} selector @returns {SVGGraphicsElement[]} */
export function partsOf(whole, selector) {
  return [...whole.querySelectorAll(selector)].map((part) => /** @type {SVGGraphicsElement} */ (part));
}

/** @template {Element} Part @param {Part} part @returns {Part} */
export function copyOf(part) {
  return /** @type {Part} */ (part.cloneNode(true));
}

/** Make the children of `parent` be these. @param {Element} parent @param {...Child} children */
export function draw(parent, ...children) {
  const wanted = /** @type {Drawable[]} */ (flat(children).filter((child) => child || child === 0));
  const free = [...parent.childNodes];
  const keyed = new Map(free.map((node) => [drawn.get(node)?.props.key, node]));
  const nodes = wanted.map((child) => reused(child, free, keyed) ?? made(child, parent));
  // First, because what moves loses the focus, and a press on it: what stays need not move past them.
  for (const node of free) node.remove();
  nodes.forEach((node, at) => {
    const there = parent.childNodes[at];
    if (node !== there) parent.insertBefore(node, there ?? null);
    update(node, wanted[at]);
  });
}

/** @param {Child[]} children @returns {Child[]} */
function flat(children) {
  return children.flatMap((child) => (Array.isArray(child) ? flat(child) : [child]));
}

/** @param {Drawable} child @param {ChildNode[]} free @param {Map<unknown, ChildNode>} keyed */
function reused(child, free, keyed) {
  const key = typeof child === "object" ? child.props.key : undefined;
  /** @param {Node} node */
  const fits = (node) => (key === undefined || node === keyed.get(key)) && sameKind(node, child);
  const at = free.findIndex(fits);
  return at < 0 ? null : free.splice(at, 1)[0];
}

/** @param {Node} node @param {Drawable} child */
function sameKind(node, child) {
  if (typeof child !== "object") return node.nodeType === Node.TEXT_NODE;
  const was = drawn.get(node);
  return was !== undefined && was.tag === child.tag && was.props.key === child.props.key;
}

/** @param {Drawable} child @param {Element} parent */
function made(child, parent) {
  if (typeof child !== "object") return document.createTextNode("");
  const inside = parent.namespaceURI === SVG && parent.localName !== "foreignObject";
  const namespace = child.tag === "svg" || inside ? SVG : HTML;
  return document.createElementNS(namespace, child.tag);
}

/** @param {any} node @param {Drawable} child */
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

/** @param {any} node @param {string} name @param {any} value @param {any} was */
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

/** One listener for all: what to do is read from what the node is drawn from now. @param {Event} event */
function heard(event) {
  const { props } = /** @type {Described} */ (drawn.get(/** @type {Node} */ (event.currentTarget)));
  props[`on${event.type}`](event);
}
