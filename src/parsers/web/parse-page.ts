import { Tokenizer } from 'htmlparser2';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../core/domain/errors.ts';
import {
  aroundParagraph,
  cells,
  closedBy,
  endsParagraph,
  formatting,
  inHead,
  paragraph,
  read,
  tableParts,
  voids,
} from './html-rules.ts';
import { PageElement, PageText } from './page-tree.ts';

/** Maximum nesting depth. Deeper elements become siblings, as in browsers. */
const MAX_DEPTH = 200;
const MAX_ELEMENTS = 500_000;
/** Maximum length of an attribute value. Longer values are cut off. */
const MAX_VALUE_LENGTH = 8192;

/** Page as a tree without hidden content. */
export interface ParsedPage {
  readonly root: PageElement;
  readonly body: PageElement;
  /** Machine-readable metadata of the page: JSON-LD. */
  readonly linkedData: readonly string[];
  /** Number of scripts. */
  readonly scripts: number;
  /** `true` if the page has a password field. */
  readonly asksPassword: boolean;
}

/**
 * Parses HTML in one pass, in time and memory proportional to its length for any content.
 * @throws NotebookError `too-large` for a page of more than half a million elements.
 */
export function parsePage(html: string): ParsedPage {
  const builder = new TreeBuilder(html, isXhtml(html));
  const tokenizer = new Tokenizer({ decodeEntities: true, xmlMode: false }, builder);
  tokenizer.write(html);
  tokenizer.end();
  return builder.finish();
}

/** Declares a prefix for elements of HTML, MathML, or SVG. */
const PREFIX =
  /\sxmlns:([a-z][\w-]{0,20})\s{0,9}=\s{0,9}["']http:\/\/www\.w3\.org\/(?:1998\/Math\/MathML|1999\/xhtml|2000\/svg)["']/gi;

/** Length of the beginning of a page that declares XHTML, in UTF-16 code units. */
const DECLARED_WITHIN = 2000;

/** Reports whether a page declares that it is XHTML, in which every element can close itself: `<script src="a.js"/>`. */
export function isXhtml(html: string): boolean {
  const head = html.slice(0, DECLARED_WITHIN);
  return /<html[^>]{0,1000}?\sxmlns\s{0,9}=/i.test(head) || /^\s{0,99}<\?xml\s/i.test(head);
}

class TreeBuilder {
  readonly #html: string;
  readonly #isXhtml: boolean;
  /** Prefixes of elements of HTML, MathML, and SVG, in capitals: `M` for `<m:math>`. */
  readonly #prefixes: ReadonlySet<string>;
  readonly #root = new PageElement('HTML');
  readonly #stack: PageElement[] = [this.#root];
  readonly #linkedData: string[] = [];
  #body: PageElement | undefined;
  #rootAttributes = new Map<string, string>();
  /** Number of open elements that are too deep for the tree. */
  #beyond = 0;
  /** `true` if the next text must be separated from the previous text, because an element beyond `MAX_DEPTH` starts. */
  #isApart = false;
  #elements = 0;
  #scripts = 0;
  #asksPassword = false;

  #tag = '';
  #attributes: Map<string, string> | undefined;
  #attribute = '';
  #value = '';

  /** Element whose content is skipped, and the number of its open nested instances. */
  #skipped = '';
  #skippedDepth = 0;
  /** Text of a script that contains data. */
  #script: string | undefined;

  constructor(html: string, isXhtmlPage: boolean) {
    this.#html = html;
    this.#isXhtml = isXhtmlPage;
    this.#prefixes = new Set(Array.from(html.matchAll(PREFIX), ([, prefix = '']) => prefix.toUpperCase()));
  }

  finish(): ParsedPage {
    const root = new PageElement('HTML', this.#rootAttributes);
    for (const node of this.#root.childNodes) root.append(node);
    const body = this.#body ?? new PageElement('BODY');
    if (this.#body === undefined) {
      for (const node of root.childNodes)
        if (node.nodeName !== 'HEAD' && !inHead.has(node.nodeName)) body.append(node);
      root.append(body);
    }
    return {
      root,
      body,
      linkedData: this.#linkedData,
      scripts: this.#scripts,
      asksPassword: this.#asksPassword,
    };
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#tagAt(start, end);
    this.#attributes = undefined;
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#html.slice(start, end).toLowerCase();
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.#value.length < MAX_VALUE_LENGTH)
      this.#value += this.#html.slice(start, Math.min(end, start + MAX_VALUE_LENGTH));
  }

  onattribentity(codePoint: number): void {
    if (this.#value.length < MAX_VALUE_LENGTH) this.#value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    if (!read.has(this.#attribute)) return;
    this.#attributes ??= new Map();
    if (!this.#attributes.has(this.#attribute)) this.#attributes.set(this.#attribute, this.#value);
  }

  onopentagend(): void {
    this.#open(this.#tag, this.#attributes, false);
  }

  onselfclosingtag(): void {
    this.#open(
      this.#tag,
      this.#attributes,
      this.#isXhtml || this.#skipped !== '' || this.#stack.some(({ nodeName }) => nodeName === 'MATH'),
    );
  }

  onclosetag(start: number, end: number): void {
    const tag = this.#tagAt(start, end);
    if (this.#skipped !== '') {
      if (tag === this.#skipped && --this.#skippedDepth === 0) this.#endSkipped();
      return;
    }
    if (tag === 'BR') this.#open('BR', undefined, true);
    else if (!voids.has(tag) && tag !== 'HTML' && tag !== 'BODY') this.#close(tag);
  }

  ontext(start: number, end: number): void {
    if (this.#skipped === '') this.#text(this.#html.slice(start, end));
    else if (this.#script !== undefined) this.#script += this.#html.slice(start, end);
  }

  ontextentity(codePoint: number): void {
    if (this.#skipped === '') this.#text(String.fromCodePoint(codePoint));
  }

  oncdata(start: number, end: number, offset: number): void {
    this.ontext(start, end - offset);
  }

  readonly oncomment = passOver;
  readonly ondeclaration = passOver;
  readonly onprocessinginstruction = passOver;

  onend(): void {
    if (this.#skipped === 'SCRIPT') this.#endSkipped();
  }

  #tagAt(start: number, end: number): string {
    const tag = this.#html.slice(start, end).toUpperCase();
    const colon = this.#prefixes.size === 0 ? -1 : tag.indexOf(':');
    return colon > 0 && this.#prefixes.has(tag.slice(0, colon)) ? tag.slice(colon + 1) : tag;
  }

  get #top(): PageElement {
    return this.#stack.at(-1) ?? this.#root;
  }

  #text(data: string): void {
    const { lastChild } = this.#top;
    const text = this.#isApart ? ` ${data}` : data;
    this.#isApart = false;
    if (lastChild?.nodeType === 3) lastChild.data += text;
    else this.#top.append(new PageText(text));
  }

  #open(tag: string, attributes: Map<string, string> | undefined, isClosed: boolean): void {
    if (this.#skipped !== '') {
      if (tag === this.#skipped && !isClosed) this.#skippedDepth++;
      return;
    }
    if (this.#isSkipped(tag, attributes)) {
      if (isClosed && (this.#isXhtml || (tag !== 'SCRIPT' && tag !== 'STYLE'))) {
        if (tag === 'SCRIPT') this.#scripts++;
        return;
      }
      this.#skipped = tag;
      this.#skippedDepth = 1;
      const type = attributes?.get('type') ?? '';
      this.#script =
        tag === 'SCRIPT' && /^(?:application\/ld\+json|math\/tex)/i.test(type) ? type : undefined;
      if (this.#script !== undefined) this.#script += '\n';
      else if (tag === 'SCRIPT') this.#scripts++;
      return;
    }
    if (tag === 'HTML') {
      for (const [name, value] of attributes ?? []) this.#rootAttributes.set(name, value);
      return;
    }
    if (this.#body === undefined && tag !== 'HEAD' && !inHead.has(tag)) this.#close('HEAD');
    if (tag === 'BODY' && this.#body !== undefined) return;
    if (tag === 'INPUT' && attributes?.get('type')?.toLowerCase() === 'password') this.#asksPassword = true;
    this.#closeBefore(tag);
    const element = new PageElement(tag, attributes);
    if (++this.#elements > MAX_ELEMENTS) {
      throw new NotebookError(
        'too-large',
        t(
          'The page has more than half a million elements, which is too many to read. Save a part of the page as a file, then add the file.',
        ),
      );
    }
    this.#top.append(element);
    if (tag === 'BODY') this.#body = element;
    if (voids.has(tag) || isClosed) return;
    if (this.#stack.length < MAX_DEPTH) this.#stack.push(element);
    else {
      this.#beyond++;
      // The text of this element is added to an ancestor. Separate it from the text before.
      this.#isApart = true;
    }
  }

  #isSkipped(tag: string, attributes: Map<string, string> | undefined): boolean {
    if (tag === 'TEMPLATE') return attributes?.has('shadowrootmode') !== true;
    return /^(?:SCRIPT|STYLE|SVG|IFRAME|OBJECT|CANVAS|AUDIO|VIDEO)$/.test(tag);
  }

  #endSkipped(): void {
    if (this.#script !== undefined) {
      const [type = '', ...lines] = this.#script.split('\n');
      const text = lines.join('\n');
      if (/json/i.test(type)) this.#linkedData.push(text);
      else {
        const tex = new PageElement(
          'X-TEX',
          new Map([['display', /mode\s*=\s*display/i.test(type) ? 'block' : 'inline']]),
        );
        tex.append(new PageText(text));
        this.#top.append(tex);
      }
    }
    this.#script = undefined;
    this.#skipped = '';
  }

  #closeBefore(tag: string): void {
    if (endsParagraph.has(tag)) this.#closeNearest(paragraph, aroundParagraph);
    const rule = closedBy[tag];
    if (rule) this.#closeNearest(...rule);
  }

  /** Closes the outermost open element of some names, within the nearest element of others. */
  #closeNearest(closes: ReadonlySet<string>, within: ReadonlySet<string>): void {
    if (this.#beyond > 0) return;
    let closedIndex = -1;
    for (let at = this.#stack.length - 1; at > 0; at--) {
      const name = this.#stack[at]?.nodeName ?? '';
      if (within.has(name)) break;
      if (closes.has(name)) closedIndex = at;
    }
    if (closedIndex > 0) this.#stack.length = closedIndex;
  }

  #close(tag: string): void {
    if (this.#beyond > 0) {
      this.#beyond--;
      this.#isApart = true;
      return;
    }
    for (let at = this.#stack.length - 1; at > 0; at--) {
      const name = this.#stack[at]?.nodeName ?? '';
      if (name === tag) {
        this.#stack.length = at;
        return;
      }
      // A stray end tag in a cell doesn't end an element around the table, and a stray inline end tag doesn't end a
      // block.
      if (cells.has(name) && !tableParts.has(tag)) return;
      if (formatting.has(tag) && !formatting.has(name)) return;
    }
  }
}

const passOver = (): void => undefined;
