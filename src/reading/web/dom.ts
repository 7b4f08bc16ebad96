import { HTMLElement, parseHTML } from 'linkedom';

/** What is used of the DOM here; the editor's host has no DOM library of its own. */
export interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly childNodes: Iterable<DomNode>;
  readonly parentNode: DomElement | null;
  readonly firstChild: DomNode | null;
  textContent: string;
}

export interface DomElement extends DomNode {
  innerHTML: string;
  readonly className: string;
  readonly ownerDocument: DomDocument;
  append(...nodes: readonly (DomNode | string)[]): void;
  normalize(): void;
  closest(selector: string): DomElement | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
  remove(): void;
  replaceWith(...nodes: readonly (DomNode | string)[]): void;
}

export interface DomDocument extends DomElement {
  readonly body: DomElement;
  readonly title: string;
  createElement(name: string): DomElement;
}

export const elementNode = 1;

// linkedom's tables lack `rows`, which the conversion to Markdown counts columns by.
Object.defineProperty(HTMLElement.prototype, 'rows', {
  configurable: true,
  get(this: DomElement) {
    return this.nodeName === 'TABLE' ? [...this.querySelectorAll('tr')] : undefined;
  },
});

/** An HTML page or fragment as a document whose address is `url`. Nothing is fetched and no script runs. */
export function parseDocument(html: string, url: string): DomDocument {
  const complete = /<(?:html|body)[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  const { document } = parseHTML(complete) as unknown as { document: DomDocument };
  // An entity is a text node of its own at first.
  document.normalize();
  // Asked for by main-content extraction, and not there in linkedom.
  Object.assign(document, { URL: url, styleSheets: [] });
  const { defaultView } = document as unknown as { defaultView: Record<string, unknown> };
  defaultView['getComputedStyle'] ??= () => ({ display: '' });
  return document;
}

/** A node for a library that is typed against the browser's own DOM. */
export function forLibrary(node: DomNode): never {
  return node as never;
}
