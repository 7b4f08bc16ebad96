import { appendNode, listChildren, removeNode, replaceNode } from './linked-nodes.ts';
import type { PageElement, PageText } from './page-tree.ts';

/** Maximum length of an attribute value: Readability only checks names and short values. */
const MAX_VALUE_LENGTH = 200;

interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly cloneNode: () => Attribute;
}

abstract class ReadabilityNode {
  parentNode: ReadabilityElement | null = null;
  previousSibling: ReadabilityNode | null = null;
  nextSibling: ReadabilityNode | null = null;

  abstract readonly nodeType: 1 | 3;
  abstract get textContent(): string;
  abstract copy(): ReadabilityNode;

  get nextElementSibling(): ReadabilityElement | null {
    return elementFrom(this.nextSibling, 'nextSibling');
  }

  get previousElementSibling(): ReadabilityElement | null {
    return elementFrom(this.previousSibling, 'previousSibling');
  }

  remove(): void {
    removeNode<ReadabilityNode>(this);
  }
}

/** Text node with the page's text that it represents. */
export class ReadabilityText extends ReadabilityNode {
  readonly nodeType = 3;
  readonly nodeName = '#text';
  readonly childNodes: readonly never[] = [];
  readonly textContent: string;
  readonly origin: PageText | undefined;

  constructor(textContent: string, origin?: PageText) {
    super();
    this.textContent = textContent;
    this.origin = origin;
  }

  copy(): ReadabilityText {
    return new ReadabilityText(this.textContent, this.origin);
  }
}

/**
 * Element with the subset of the DOM that Readability needs. It sets `innerHTML` only to a value that it read there.
 */
export class ReadabilityElement extends ReadabilityNode {
  readonly nodeType = 1;
  tagName: string;
  localName: string;
  firstChild: ReadabilityNode | null = null;
  lastChild: ReadabilityNode | null = null;
  readonly #attributes: Map<string, string>;

  constructor(tagName: string, attributes = new Map<string, string>()) {
    super();
    this.tagName = tagName.toUpperCase();
    this.localName = tagName.toLowerCase();
    this.#attributes = attributes;
  }

  get nodeName(): string {
    return this.tagName;
  }

  get className(): string {
    return this.getAttribute('class') ?? '';
  }

  get id(): string {
    return this.getAttribute('id') ?? '';
  }

  set id(value: string) {
    this.setAttribute('id', value);
  }

  get style(): { readonly display: string; readonly visibility: string } {
    const style = this.getAttribute('style') ?? '';
    return {
      display: /display\s{0,9}:\s{0,9}none/i.test(style) ? 'none' : '',
      visibility: /visibility\s{0,9}:\s{0,9}hidden/i.test(style) ? 'hidden' : '',
    };
  }

  get attributes(): Attribute[] {
    return [...this.#attributes].map(([name, value]) => {
      const attribute: Attribute = { name, value, cloneNode: () => attribute };
      return attribute;
    });
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }

  hasAttribute(name: string): boolean {
    return this.#attributes.has(name);
  }

  setAttribute(name: string, value: string): void {
    this.#attributes.set(name, value);
  }

  setAttributeNode({ name, value }: Attribute): void {
    this.#attributes.set(name, value);
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name);
  }

  get childNodes(): ReadabilityNode[] {
    return listChildren<ReadabilityNode>(this);
  }

  get children(): ReadabilityElement[] {
    const elements: ReadabilityElement[] = [];
    for (let node = this.firstElementChild; node; node = node.nextElementSibling) elements.push(node);
    return elements;
  }

  get firstElementChild(): ReadabilityElement | null {
    return elementFrom(this.firstChild, 'nextSibling');
  }

  get textContent(): string {
    const texts: string[] = [];
    this.#collectTexts(texts);
    return texts.join('');
  }

  #collectTexts(texts: string[]): void {
    for (let node = this.firstChild; node; node = node.nextSibling)
      if (node instanceof ReadabilityElement) node.#collectTexts(texts);
      else texts.push(node.textContent);
  }

  get innerHTML(): readonly ReadabilityNode[] {
    return this.childNodes.map((node) => node.copy());
  }

  set innerHTML(nodes: readonly ReadabilityNode[]) {
    while (this.firstChild) this.firstChild.remove();
    for (const node of nodes) this.appendChild(node.copy());
  }

  getElementsByTagName(name: string): ReadabilityElement[] {
    const elements: ReadabilityElement[] = [];
    this.#collect(name.toUpperCase(), elements);
    return elements;
  }

  #collect(tagName: string, elements: ReadabilityElement[]): void {
    for (let node = this.firstElementChild; node; node = node.nextElementSibling) {
      if (node.tagName === tagName) elements.push(node);
      node.#collect(tagName, elements);
    }
  }

  appendChild(node: ReadabilityNode): ReadabilityNode {
    appendNode(this, node);
    return node;
  }

  removeChild(node: ReadabilityNode): void {
    node.remove();
  }

  replaceChild(node: ReadabilityNode, old: ReadabilityNode): void {
    replaceNode(this, node, old);
  }

  copy(): ReadabilityElement {
    const element = new ReadabilityElement(this.tagName, new Map(this.#attributes));
    for (let node = this.firstChild; node; node = node.nextSibling) element.appendChild(node.copy());
    return element;
  }
}

function elementFrom(
  from: ReadabilityNode | null,
  next: 'nextSibling' | 'previousSibling',
): ReadabilityElement | null {
  let node = from;
  while (node && !(node instanceof ReadabilityElement)) node = node[next];
  return node;
}

/** Returns a copy of a part of a page, which Readability may change. */
export function readabilityTree(element: PageElement): ReadabilityElement {
  const attributes = new Map<string, string>();
  // Readability checks only that a link has a target, not which one, and it skips images without a source.
  for (const [name, value] of element.attributes)
    attributes.set(
      name,
      name === 'href' ? (value.startsWith('#') ? '#a' : '/') : value.slice(0, MAX_VALUE_LENGTH),
    );
  if (element.nodeName === 'IMG') attributes.set('src', '/');
  const copy = new ReadabilityElement(element.nodeName, attributes);
  for (let node = element.firstChild; node; node = node.nextSibling)
    copy.appendChild(node.nodeType === 3 ? new ReadabilityText(node.data, node) : readabilityTree(node));
  return copy;
}
