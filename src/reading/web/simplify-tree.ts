import { texOfMath } from './math.ts';
import { walkDescendants, elementsIn, PageElement, PageText } from './page-tree.ts';

/** Classes and IDs of consent widgets, which aren't content on any page. */
const CONSENT =
  /\b(?:onetrust|ot-sdk|ot-pc|cybot|cookiebot|usercentrics|didomi|qc-cmp|truste|osano|termly|cky-)/i;

/** Classes of forum signatures and author profiles. */
const SIGNATURE = /(?:^|\s)(?:message-signature|postprofile|cAuthorPane\S*|js-signature\S*)(?=\s|$)/;

/** Classes of elements that render a formula visually or before its script has run. */
const RENDERED_MATH =
  /(?:^|\s)(?:katex-html|MathJax(?:_\w+)?|MJX_\w+|MJXc-\w+|mwe-math-fallback-image-\w+)(?:\s|$)/;

/**
 * Simplifies a page's tree: turns formulas into TeX, and removes their rendered copies, consent banners, and
 * signatures.
 */
export function simplifyTree(root: PageElement): void {
  for (const node of walkDescendants(root)) {
    if (node.nodeType === 3) continue;
    const { nodeName, attributes } = node;
    const name = `${attributes.get('class') ?? ''} ${attributes.get('id') ?? ''}`;
    if (nodeName === 'MATH') settleMath(node);
    else if (name !== ' ' && (RENDERED_MATH.test(name) || CONSENT.test(name) || SIGNATURE.test(name)))
      node.parentNode?.removeChild(node);
    else if (nodeName === 'MJX-CONTAINER' || nodeName === 'MJX-MATH') keepOnlyMath(node);
  }
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
