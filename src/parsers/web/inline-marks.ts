import { elementsIn, PageElement, PageText, walkDescendants, type PageNode } from './page-tree.ts';

/** Names of elements that are part of a line, with those of formulas, which a damaged page has outside of them. */
export const INLINE = new Set(
  'A ABBR B BDI BDO BIG CITE CODE DATA DEL DFN EM FONT I INS KBD LABEL MARK NOBR Q RB RUBY RT RP S SAMP SMALL SPAN STRIKE STRONG SUB SUP TIME TT U VAR WBR BR IMG X-TEX MI MN MO MTEXT'.split(
    ' ',
  ),
);
const STRUCK = new Set(['DEL', 'S', 'STRIKE']);
const STRUCK_STYLE = /text-decoration(?:-line)?\s{0,9}:[^;]{0,99}line-through/i;
const STRUCK_CLASS = /(?:^|\s)(?:line-through|strike-?through|struck)(?=\s|$)/i;
const RAISED_STYLE = /vertical-align\s{0,9}:\s{0,9}super/i;
const LOWERED_STYLE = /vertical-align\s{0,9}:\s{0,9}sub\b/i;
const RAISED_CLASS = /(?:^|\s)(?:super(?:script)?|sup)(?=\s|$)/i;
const LOWERED_CLASS = /(?:^|\s)(?:subscript|sub)(?=\s|$)/i;
/** Classes and roles of links to footnotes, in HTML and EPUB. */
const NOTE_NAME =
  /(?:^|[\s_-])(?:foot-?note|end-?note|note-?ref|fn-?ref|fnref|fn|cite-?ref|reference|doc-noteref|noteref)(?=$|[\s\d:_-])/i;
/** Classes and roles of note marks that aren't links. Names of the note itself don't count. */
const NOTE_REFERENCE = /(?:^|[\s_-])(?:foot-?note-?ref|note-?ref|fn-?ref)(?=$|[\s\d:_-])/i;
/** Numbers or signs of footnotes, with their brackets: `12`, `[3]`, `1,2`, `4–6`. */
const NOTE_MARK = /^([[(]?)(\d{1,4}(?:\s?[,;–-]\s?\d{1,4}){0,20}|[a-z]{1,2}|[ivx]{1,6})[\])]?$/i;

/**
 * Turns marks that plain text would lose into characters: superscripts and subscripts that would run into a number
 * (`10^6`, `2019 [12]`), readings above characters, and text that a style strikes through. Changes `root`.
 */
export function settleInlineMarks(root: PageElement): void {
  settleWithin(root, new Set(), new Set());
}

/** Settles the marks in an element, except those that are settled already. `struck` holds the elements with struck lines. */
function settleWithin(root: PageElement, settled: Set<PageElement>, struck: Set<PageElement>): void {
  for (const node of walkDescendants(root)) {
    if (node.nodeType === 3 || settled.has(node)) continue;
    const { nodeName } = node;
    const isRaised = isNoteLink(node) || nodeName === 'SUP' || hasMark(node, RAISED_STYLE, RAISED_CLASS);
    if (nodeName === 'RUBY') settleRuby(node);
    else if (isRaised || nodeName === 'SUB' || hasMark(node, LOWERED_STYLE, LOWERED_CLASS)) {
      settled.add(node);
      // A superscript with text can contain marks of its own. A single note mark can't.
      const isSingle = NOTE_MARK.test(node.textContent.trim());
      if (!isSingle && elementsIn(node, 'SUP', 'SUB').length > 0) settleWithin(node, settled, struck);
      if (isRaised) settleRaised(node);
      else settleLowered(node);
    } else if (!STRUCK.has(nodeName) && hasMark(node, STRUCK_STYLE, STRUCK_CLASS)) strike(node, struck);
  }
}

function hasMark({ nodeName, attributes }: PageElement, style: RegExp, names: RegExp): boolean {
  // In blocks and cells, such styles and classes lay out content.
  if (names !== STRUCK_CLASS && !/^(?:SPAN|FONT|A|SMALL)$/.test(nodeName)) return false;
  return style.test(attributes.get('style') ?? '') || names.test(attributes.get('class') ?? '');
}

/** Reports whether a link is the number of a footnote without being raised by its element. */
function isNoteLink(node: PageElement): boolean {
  const { attributes, nodeName } = node;
  if (nodeName !== 'A' && nodeName !== 'SPAN') return false;
  const names = nodeName === 'A' ? NOTE_NAME : NOTE_REFERENCE;
  const isNamed = ['class', 'role', 'epub:type'].some((name) => names.test(attributes.get(name) ?? ''));
  return isNamed && NOTE_MARK.test(node.textContent.trim());
}

/** Maximum length of a superscript or subscript, in UTF-16 code units. */
const MAX_MARK_LENGTH = 200;

/** Returns the text of a superscript or subscript; undefined if it is empty, or too much text for one. */
function textOfMark(element: PageElement): string | undefined {
  const text = element.textContent.replace(/\s+/g, ' ').trim();
  if (text === '') return undefined;
  const hasBlocks = element.children.length > 0 && hasBlock(element);
  if (text.length <= MAX_MARK_LENGTH && !hasBlocks) return text;
  if (/\d$/.test(textBefore(element)) && /^\d/.test(text)) putSpaceBefore(element, element.firstChild);
  if (/\d$/.test(text) && /^\d/.test(textAfter(element))) element.append(new PageText(' '));
  return undefined;
}

function hasBlock(element: PageElement): boolean {
  for (const node of walkDescendants(element))
    if (node.nodeType === 1 && !INLINE.has(node.nodeName)) return true;
  return false;
}

function putSpaceBefore(parent: PageElement, first: PageNode | null): void {
  if (first === null) return;
  const space = new PageElement('SPAN');
  parent.replaceChild(space, first);
  space.append(new PageText(' '));
  space.append(first);
}

function settleRaised(element: PageElement): void {
  const text = textOfMark(element);
  if (text === undefined) return;
  const before = textBefore(element);
  const after = textAfter(element);
  const written = superscriptText(text, before, after, isNote(element));
  if (written !== undefined) replaceWithText(element, written);
}

function settleLowered(element: PageElement): void {
  const text = textOfMark(element);
  if (text === undefined) return;
  const isGlued =
    (/\d$/.test(textBefore(element)) && /^\d/.test(text)) ||
    (/\d$/.test(text) && /^\d/.test(textAfter(element)));
  if (isGlued) replaceWithText(element, `_${braceText(text, textAfter(element))}`);
}

/** Reports whether a superscript is the mark of a footnote by its links and names. */
function isNote(element: PageElement): boolean {
  const named = (candidate: PageElement): boolean =>
    ['class', 'id', 'role', 'epub:type'].some((name) => NOTE_NAME.test(candidate.attributes.get(name) ?? ''));
  const links = element.nodeName === 'A' ? [element] : elementsIn(element, 'A');
  const parent = element.parentNode?.nodeName === 'A' ? [element.parentNode] : [];
  return (
    named(element) ||
    [...links, ...parent].some((link) => named(link) || (link.getAttribute('href') ?? '').includes('#'))
  );
}

const UNITS = /(?:^|[^\p{L}])(?:[a-zµμΩ]|[kcmdnµμhM]m|ft|in|yd|mi|sec|cd|Pa|Hz|kg|mol)$/u;

/** Returns a superscript as text; undefined if its own content can follow the text before it, as in `1st`. */
function superscriptText(text: string, before: string, after: string, isNote: boolean): string | undefined {
  const note = NOTE_MARK.exec(text);
  // The upper part of a fraction, as in 3 1/4.
  if (/^\d{1,3}$/.test(text) && /^\s?[/⁄∕]\s?\d/.test(after) && !isNote)
    return `${/\d$/.test(before) ? ' ' : ''}${text}`;
  if (note !== null && (isNote || /^\d/.test(note[2] ?? '')) && !(isPower(text, before, after) && !isNote))
    return asNote(note, before, after);
  if (/^[oº]$/i.test(text) && /\d\s?$/.test(before) && /^\s?[CF](?!\p{L})/u.test(after)) return '°';
  if (!/\d/.test(text) && !isVariable(text, before)) return undefined;
  if (before === '' || /\s$/.test(before)) return `^${braceText(text, after)}`;
  const unicode = /\p{L}$/u.test(before) && !/^\d/.test(after) ? inUnicode(text) : undefined;
  return unicode ?? `^${braceText(text, after)}`;
}

function asNote([text, open = '', mark = '']: RegExpExecArray, before: string, after: string): string {
  const isApart = before === '' || /[\s([]$/.test(before) || (open === '[' && !/\d$/.test(before));
  return `${isApart ? '' : ' '}${open === '(' && text !== `(${mark})` ? text : `[${mark}]`}${/^[\d(\p{L}]/u.test(after) ? ' ' : ''}`;
}

/** Reports whether a number is an exponent and not a footnote, by the text before it. */
function isPower(text: string, before: string, after: string): boolean {
  if (!/^\d{1,4}$/.test(text)) return false;
  // The mass number of an isotope.
  if (before === '' || /[\s(]$/.test(before)) return /^[A-Z][a-z]?(?![a-z])/.test(after);
  const number = /(?:^|[^\d.,\p{L}])(\d[\d.,]{0,20})$/u.exec(before)?.[1];
  if (number !== undefined)
    return (
      /^(?:\d{1,2}|10+)$/.test(number) || /[=×*(+]\s?\d\.\d{1,9}$/.test(before) || /^\s?[=×·*+]/.test(after)
    );
  if (text.length <= 2 && UNITS.test(before)) return true;
  if (before.endsWith(')')) return text.length === 1 && /\([^()]{0,20}[+*/=−-][^()]{0,20}\)$/.test(before);
  return /(?:^|[^\p{L}]|=\s?\p{L}{1,2})\p{L}$/u.test(before);
}

/** Reports whether letters are an exponent: after a single letter, unless they abbreviate a word, as in `n<sup>o</sup>`. */
function isVariable(text: string, before: string): boolean {
  return (
    /(?:^|[^\p{L}\d'’])[a-zA-Zπ]$/u.test(before) &&
    /^[a-zT](?:[a-z]?[+−-][a-z\d])?$/.test(text) &&
    !/^[oaesrd]$/.test(text)
  );
}

const RAISED_SIGNS: Readonly<Record<string, string>> = {
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '7': '⁷',
  '8': '⁸',
  '9': '⁹',
  '+': '⁺',
  '-': '⁻',
  '−': '⁻',
  '–': '⁻',
};

function inUnicode(text: string): string | undefined {
  const signs = Array.from(text, (sign) => RAISED_SIGNS[sign]);
  return signs.includes(undefined) ? undefined : signs.join('');
}

/** Puts an exponent or index in braces if its end wouldn't show. */
function braceText(text: string, after: string): string {
  return /\s|[\p{L}\p{N})][-+−*/×·]/u.test(text) ||
    (/^[\p{L}\p{N}]/u.test(after) && /[\p{L}\p{N}]$/u.test(text))
    ? `{${text}}`
    : text;
}

/** Length of the examined text around a mark, and the maximum number of nodes to search for it. */
const CONTEXT = 40;
const MAX_STEPS = 60;

/** Returns the examined text of a line before or after an element. */
function textBeside(element: PageElement, side: 'nextSibling' | 'previousSibling'): string {
  const isAfter = side === 'nextSibling';
  let text = '';
  let at: PageNode = element;
  for (let step = 0; step < MAX_STEPS && text.length < CONTEXT; step++) {
    const beside: PageNode | null = at[side];
    if (beside === null) {
      const { parentNode }: PageNode = at;
      if (parentNode === null || !INLINE.has(parentNode.nodeName)) break;
      at = parentNode;
      continue;
    }
    at = beside;
    while (at.nodeType === 1) {
      if (at.nodeName === 'BR' || !INLINE.has(at.nodeName)) return text;
      const inner: PageNode | null = isAfter ? at.firstChild : at.lastChild;
      if (inner === null) break;
      at = inner;
    }
    if (at.nodeType === 3) text = isAfter ? text + at.data.slice(0, CONTEXT) : at.data.slice(-CONTEXT) + text;
  }
  return text;
}

const textBefore = (element: PageElement): string => textBeside(element, 'previousSibling');
const textAfter = (element: PageElement): string => textBeside(element, 'nextSibling');

/** Maximum length of a text that another one is joined to: joining thousands of them would take too long. */
const MAX_JOINED = 10_000;

/** Replaces an element with text, as a part of the text before it, so that both are escaped together. */
function replaceWithText(element: PageElement, text: string): void {
  const { previousSibling, parentNode } = element;
  if (previousSibling?.nodeType === 3 && previousSibling.data.length < MAX_JOINED) {
    previousSibling.data += text;
    parentNode?.removeChild(element);
  } else parentNode?.replaceChild(new PageText(text), element);
}

const EAST_ASIAN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}]/u;

/** Leaves out the readings of East Asian characters; puts other annotations in parentheses after their words. */
function settleRuby(ruby: PageElement): void {
  const marks = elementsIn(ruby, 'RT', 'RTC', 'RP');
  const notes = marks.flatMap(({ nodeName, textContent }) => (nodeName === 'RP' ? [] : [textContent.trim()]));
  for (const mark of marks) mark.parentNode?.removeChild(mark);
  if (EAST_ASIAN.test(ruby.textContent)) return;
  const words = notes.filter((note) => note !== '').join(' ');
  if (words !== '') ruby.append(new PageText(` (${words})`));
}

/** Marks the lines of an element as struck through. `done` holds the elements with lines that are marked already. */
function strike(element: PageElement, done: Set<PageElement>): void {
  if (done.has(element)) return;
  done.add(element);
  for (let at: PageElement | null = element.parentNode; at; at = at.parentNode)
    if (STRUCK.has(at.nodeName)) return;
  const isLine = element.children.every(({ nodeName }) => INLINE.has(nodeName));
  if (!isLine) {
    for (const child of element.children) if (!STRUCK.has(child.nodeName)) strike(child, done);
    return;
  }
  if (elementsIn(element, ...STRUCK).length > 0) return;
  const struck = new PageElement('DEL');
  for (const child of element.childNodes) struck.append(child);
  element.append(struck);
}
