import { INLINE } from './inline-marks.ts';
import { texOfMath, textOfKatex } from './math.ts';
import { walkDescendants, elementsIn, PageElement, PageText } from './page-tree.ts';

/** Classes and IDs of consent widgets, which aren't content on any page. */
const CONSENT =
  /\b(?:onetrust|ot-sdk|ot-pc|cybot|cookiebot|usercentrics|didomi|qc-cmp|truste|osano|termly|cky-)/i;

/** Classes of forum signatures and author profiles. */
const SIGNATURE = /(?:^|\s)(?:message-signature|postprofile|cAuthorPane\S*|js-signature\S*)(?=\s|$)/;

/** Classes of elements that render a formula visually or before its script has run. */
const RENDERED_MATH =
  /(?:^|\s)(?:katex-html|MathJax(?:_\w+)?|MJX_\w+|MJXc-\w+|mwe-math-fallback-image-\w+)(?:\s|$)/;

/** Elements of MathML whose parts would run into each other. */
const FORMULA_PART = /^M(?:FRAC|ROOT|SUB|SUBSUP|SUP|OVER|TABLE|TR|UNDER|UNDEROVER)$/;

const HIDING_STYLE = /display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden/i;

/**
 * Simplifies a page's tree: turns formulas into TeX, and removes their rendered copies, consent banners, and
 * signatures.
 */
export function simplifyTree(root: PageElement): void {
  for (const node of walkDescendants(root)) {
    if (node.nodeType === 3) continue;
    const { nodeName, attributes } = node;
    const name = `${attributes.get('class') ?? ''} ${attributes.get('id') ?? ''}`;
    if (nodeName === 'OL' || nodeName === 'UL') keepTextApart(node);
    if (nodeName === 'MATH') settleMath(node);
    else if (FORMULA_PART.test(nodeName)) settleMath(asMath(node), node);
    else if (name !== ' ' && RENDERED_MATH.test(name)) settleRendered(node);
    else if (name !== ' ' && (CONSENT.test(name) || SIGNATURE.test(name))) node.parentNode?.removeChild(node);
    else if (nodeName === 'SPAN' && WRITTEN_MATH.test(name)) settleWrittenMath(node);
    else if (isPageBreak(node)) node.parentNode?.removeChild(node);
    else if (isRepeatedVariant(node)) node.parentNode?.removeChild(node);
    else if (nodeName === 'BUTTON' && isHeading(node.parentNode))
      node.parentNode?.replaceChild(asSpan(node), node);
    else if (isAnswer(node)) revealAnswer(node);
    else if (node.attributes.get('role') === 'tabpanel') reveal(node);
    // In the body of a damaged page, which shows no titles.
    else if (nodeName === 'TITLE') node.parentNode?.removeChild(node);
    else if (nodeName === 'MJX-CONTAINER' || nodeName === 'MJX-MATH') keepOnlyMath(node);
  }
}

/** Makes a paragraph of text in a list that is outside of its items, which only a damaged page has. */
function keepTextApart(list: PageElement): void {
  for (const node of list.childNodes) {
    if (node.nodeType === 3 ? node.data.trim() === '' : !INLINE.has(node.nodeName)) continue;
    const paragraph = new PageElement('P');
    list.replaceChild(paragraph, node);
    paragraph.append(node);
  }
}

/** Classes of Pandoc's formulas, whose TeX a script on the page renders. */
const WRITTEN_MATH = /(?:^|\s)math (?:inline|display)(?=\s|$)/;

/** Makes a formula of TeX between `\\(` and `\\)`, or `\\[` and `\\]`. */
function settleWrittenMath(element: PageElement): void {
  const [, open, tex] = /^\s*\\([([])([^]*)\\[)\]]\s*$/.exec(element.textContent) ?? [];
  if (tex === undefined) return;
  const formula = new PageElement('X-TEX', new Map([['display', open === '[' ? 'block' : 'inline']]));
  formula.append(new PageText(tex.trim()));
  element.parentNode?.replaceChild(formula, element);
}

/** Removes a rendered formula if its original is beside it; else keeps its text. */
function settleRendered(element: PageElement): void {
  const classes = (element.attributes.get('class') ?? '').split(/\s+/);
  const isKatex = classes.includes('katex-html');
  const isAlone = isKatex || classes.some((name) => /^MathJax(?:_Preview|_Display)?$/.test(name));
  if (!isAlone || hasOriginal(element)) element.parentNode?.removeChild(element);
  else if (isKatex) element.parentNode?.replaceChild(new PageText(textOfKatex(element)), element);
}

/** Number of elements on either side of a rendered formula that can hold its original. */
const MAX_BESIDE = 3;

function hasOriginal(element: PageElement): boolean {
  for (const side of ['previousSibling', 'nextSibling'] as const) {
    let at = element[side];
    for (let step = 0; at !== null && step < MAX_BESIDE; step++, at = at[side]) {
      if (at.nodeType === 3) continue;
      if (at.nodeName === 'X-TEX' || at.nodeName === 'MATH' || elementsIn(at, 'X-TEX', 'MATH').length > 0)
        return true;
    }
  }
  return false;
}

/** Class of the copies of a part that a page has for each width of the window, as Framer writes them. */
const VARIANT = /(?:^|\s)ssr-variant(?=\s|$)/;

/** Reports whether an element is a copy of the same words for another width of the window. */
function isRepeatedVariant(element: PageElement): boolean {
  if (!VARIANT.test(element.attributes.get('class') ?? '')) return false;
  const words = plainText(element);
  for (let at = element.previousSibling; at !== null; at = at.previousSibling)
    if (at.nodeType === 1 && VARIANT.test(at.attributes.get('class') ?? '')) return plainText(at) === words;
  return false;
}

/** Maximum length of the number of a printed page, in UTF-16 code units. */
const MAX_PAGE_NUMBER_LENGTH = 20;

/** Reports whether an element only shows the number of a printed page, which may be within a number or a word. */
function isPageBreak(element: PageElement): boolean {
  const { attributes } = element;
  const isMarked =
    attributes.get('role') === 'doc-pagebreak' || /\bpagebreak\b/.test(attributes.get('epub:type') ?? '');
  return isMarked && element.textContent.trim().length <= MAX_PAGE_NUMBER_LENGTH;
}

function plainText({ textContent }: PageElement): string {
  return textContent.replace(/\s+/g, '');
}

function isHeading(element: PageElement | null): boolean {
  return element !== null && /^(?:H[1-6]|DT)$/.test(element.nodeName);
}

function asSpan(button: PageElement): PageElement {
  const span = new PageElement('SPAN');
  for (const node of button.childNodes) span.append(node);
  return span;
}

/** Reports whether an element is the closed part below a heading, a term, or a button that opens it. */
function isAnswer(element: PageElement): boolean {
  const { attributes, nodeName } = element;
  if (!isHidden(attributes)) return false;
  const before = elementBefore(element);
  if (before?.nodeName === 'BUTTON')
    return attributes.has('id') && before.attributes.get('aria-controls') === attributes.get('id');
  return isHeading(before) && (attributes.has('id') || nodeName === 'DD');
}

function elementBefore({ previousSibling }: PageElement): PageElement | null {
  const before = previousSibling?.nodeType === 3 ? previousSibling.previousSibling : previousSibling;
  return before?.nodeType === 1 ? before : null;
}

/** Shows the answer of a closed part, and its question if that is a button. */
function revealAnswer(answer: PageElement): void {
  const question = elementBefore(answer);
  if (question?.nodeName === 'BUTTON') {
    const heading = new PageElement('H3');
    heading.append(asSpan(question));
    question.parentNode?.replaceChild(heading, question);
  }
  reveal(answer);
}

function isHidden(attributes: ReadonlyMap<string, string>): boolean {
  return (
    attributes.has('hidden') ||
    attributes.get('aria-hidden') === 'true' ||
    HIDING_STYLE.test(attributes.get('style') ?? '')
  );
}

/** Shows an element that the page hides until a click. */
function reveal(element: PageElement): void {
  const { attributes, parentNode } = element;
  if (!isHidden(attributes)) return;
  const shown = new Map(attributes);
  for (const name of ['hidden', 'aria-hidden', 'style']) shown.delete(name);
  const copy = new PageElement(element.nodeName, shown);
  for (const node of element.childNodes) copy.append(node);
  parentNode?.replaceChild(copy, element);
}

/** Returns a formula with a copy of a part that is outside of formulas in a damaged page. */
function asMath(part: PageElement): PageElement {
  const math = new PageElement('MATH');
  const copy = new PageElement(part.nodeName, part.attributes);
  for (const node of part.childNodes) copy.append(node);
  math.append(copy);
  return math;
}

function settleMath(math: PageElement, place: PageElement = math): void {
  const tex = texOfMath(math);
  const formula = new PageElement(
    'X-TEX',
    new Map([['display', math.attributes.get('display') ?? 'inline']]),
  );
  formula.append(new PageText(tex));
  place.parentNode?.replaceChild(formula, place);
}

/** Replaces a visually rendered formula with its MathML for screen readers. */
function keepOnlyMath(container: PageElement): void {
  const [math] = elementsIn(container, 'MATH');
  if (math) settleMath(math, container);
}
