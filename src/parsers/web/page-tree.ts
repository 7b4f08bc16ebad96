import { appendNode, listChildren, removeNode, replaceNode } from './linked-nodes.ts';

/** Text node of a page, with the subset of the DOM that the conversion to Markdown needs. */
export class PageText {
  readonly nodeType = 3;
  readonly nodeName = '#text';
  parentNode: PageElement | null = null;
  previousSibling: PageNode | null = null;
  nextSibling: PageNode | null = null;
  data: string;

  constructor(data: string) {
    this.data = data;
  }

  get nodeValue(): string {
    return this.data;
  }

  get textContent(): string {
    return this.data;
  }
}

/** Element of a page: lightweight, linked in both directions, and without browser features. */
export class PageElement {
  readonly nodeType = 1;
  /** Tag name in capitals. */
  readonly nodeName: string;
  readonly attributes: ReadonlyMap<string, string>;
  parentNode: PageElement | null = null;
  previousSibling: PageNode | null = null;
  nextSibling: PageNode | null = null;
  firstChild: PageNode | null = null;
  lastChild: PageNode | null = null;

  constructor(nodeName: string, attributes: ReadonlyMap<string, string> = noAttributes) {
    this.nodeName = nodeName;
    this.attributes = attributes;
  }

  get childNodes(): PageNode[] {
    return listChildren<PageNode>(this);
  }

  get children(): PageElement[] {
    const elements: PageElement[] = [];
    for (let node = this.firstChild; node; node = node.nextSibling)
      if (node.nodeType === 1) elements.push(node);
    return elements;
  }

  get lastElementChild(): PageElement | null {
    for (let node = this.lastChild; node; node = node.previousSibling) if (node.nodeType === 1) return node;
    return null;
  }

  get textContent(): string {
    let text = '';
    for (const node of walkDescendants(this)) if (node.nodeType === 3) text += node.data;
    return text;
  }

  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }

  getElementsByTagName(name: string): PageElement[] {
    return elementsIn(this, name.toUpperCase());
  }

  append(node: PageNode): void {
    appendNode(this, node);
  }

  removeChild(node: PageNode): void {
    removeNode(node);
  }

  replaceChild(node: PageNode, old: PageNode): void {
    replaceNode(this, node, old);
  }

  /** Returns the element itself. The conversion to Markdown clones the tree, but converts each tree only once. */
  cloneNode(): this {
    return this;
  }
}

export type PageNode = PageElement | PageText;

const noAttributes: ReadonlyMap<string, string> = new Map();

/** Yields the nodes inside an element in page order. The caller may remove or replace the current node. */
export function* walkDescendants(root: PageElement): Generator<PageNode, undefined> {
  let node: PageNode | null = root.firstChild;
  while (node) {
    const { parentNode, nextSibling }: PageNode = node;
    yield node;
    if (node.parentNode === parentNode && node.nodeType === 1 && node.firstChild) node = node.firstChild;
    else node = nextSibling ?? (parentNode && after(parentNode, root));
  }
}

/** Returns the node that follows an element and all its descendants. */
function after(element: PageElement, root: PageElement): PageNode | null {
  for (let at: PageElement | null = element; at && at !== root; at = at.parentNode)
    if (at.nextSibling) return at.nextSibling;
  return null;
}

/** Returns the elements of some names (in capitals) inside an element, in page order. */
export function elementsIn(root: PageElement, ...names: readonly string[]): PageElement[] {
  const elements: PageElement[] = [];
  for (const node of walkDescendants(root))
    if (node.nodeType === 1 && names.includes(node.nodeName)) elements.push(node);
  return elements;
}

/** Returns the nearest element of some names (in capitals) that contains or is a node. */
export function closest(node: PageNode, ...names: readonly string[]): PageElement | undefined {
  for (let at: PageNode | null = node; at; at = at.parentNode)
    if (at.nodeType === 1 && names.includes(at.nodeName)) return at;
  return undefined;
}

/** Returns an element typed for a library that expects the browser's own DOM. */
export function forLibrary(element: PageElement): never {
  return element as never;
}
