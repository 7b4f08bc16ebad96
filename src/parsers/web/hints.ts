import type { PageElement } from './page-tree.ts';

/** Distance of each hint, in containers upward. */
export type Hints = Uint8Array;

/** Distance for a missing hint, or for one too far up to count. */
export const NO_HINT = 12;

/** Patterns of classes and IDs, by the role of a page part. */
const NAMED: readonly RegExp[] = [
  /\bmain|primary|inner-?content|main-?content/,
  /content|body|text|markdown|prose|rich/,
  /article|post|entry|story|blog/,
  /nav|menu|breadcrumb|crumb|\btoc|table-?of-?contents|\btabs?\b/,
  /foot|copyright|legal|bottom/,
  /head|masthead|banner|hero|\btop/,
  /side|aside|\brail|widget/,
  /comment|repl(?:y|ies)|discuss|disqus|answer|message|thread|topic|cooked/,
  /relat|recommend|similar|also|popular|trending|upsell|cross-?sell|recent|suggest|discover/,
  /share|social|follow|like|vot(?:e|ing)|reaction|facebook|twitter/,
  /\bads?\b|advert|promo|sponsor|\bcta|subscri|newsletter|sign-?up/,
  /cookie|consent|gdpr|modal|popup|pop-up|overlay|dialog|toast|alert|notice|announce/,
  /meta|author|byline|\bdate|time|\btags?\b|categor|info\b|badge|stats/,
  /user|avatar|profile|member|account/,
  /signature|\bsig\b|poster|author-?pane|user-?info|post-?meta/,
  /product|price|item|card|tile|grid|listing|result|teaser/,
  /form|search|filter|login|input|select|sort|facet|button|btn|toolbar|action|control|option/,
  /pagin|pager|\bnext|\bprev/,
  /hidden|sr-only|screen-?reader|visually|d-none|offscreen|skip|print/,
  /code|highlight|hljs|syntax|snippet/,
  /review|rating|testimonial|faq|accordion|question|quote/,
  /desc|detail|spec|summary|overview|intro|about|feature/,
  /caption|gallery|carousel|slider|swiper|slick|figure|image|video|media|thumb/,
  /cart|checkout|basket|wishlist|shipping|deliver/,
  /edit|feedback|helpful|contribut|report|permalink|headerlink|anchor/,
];

/** Tags and roles of page parts. */
const TAGGED: readonly (readonly string[])[] = [
  ['MAIN'],
  ['ARTICLE'],
  ['SECTION'],
  ['NAV'],
  ['HEADER'],
  ['FOOTER'],
  ['ASIDE'],
  ['FORM'],
  ['TABLE'],
  ['UL', 'OL', 'MENU'],
  ['LI'],
  ['BUTTON', 'SUMMARY', 'LEGEND'],
  ['FIGURE', 'FIGCAPTION'],
  ['DL'],
  ['DETAILS'],
  ['BLOCKQUOTE'],
  ['SELECT', 'OPTION', 'DATALIST', 'TEXTAREA'],
  ['NOSCRIPT'],
  ['PRE'],
];

const ROLES: Readonly<Record<string, string>> = {
  main: 'MAIN',
  article: 'ARTICLE',
  navigation: 'NAV',
  banner: 'HEADER',
  contentinfo: 'FOOTER',
  complementary: 'ASIDE',
  search: 'FORM',
  form: 'FORM',
  menu: 'NAV',
  menubar: 'NAV',
};

const UNSEEN = NAMED.length + TAGGED.length;

/** Names of the hints, in the order of `contentHints`. */
export const HINT_NAMES: readonly string[] = [...NAMED.map(String), ...TAGGED.map(String), 'hidden'];

/** Number of hint kinds. */
export const HINT_COUNT = UNSEEN + 1;

const hintsOfName = new Map<string, readonly number[]>();
const MAX_NAMES = 20_000;

/** Returns the hints of an element by its class, ID, tag, role, and visibility. */
export function contentHints(element: PageElement): number[] {
  const { attributes, nodeName } = element;
  const hints = [...hintsByName(`${attributes.get('class') ?? ''} ${attributes.get('id') ?? ''}`)];
  const tag = ROLES[attributes.get('role') ?? ''] ?? nodeName;
  const byTag = TAGGED.findIndex((tags) => tags.includes(tag));
  if (byTag >= 0) hints.push(NAMED.length + byTag);
  if (isHidden(element)) hints.push(UNSEEN);
  return hints;
}

function hintsByName(name: string): readonly number[] {
  if (name === ' ') return [];
  let hints = hintsOfName.get(name);
  if (hints === undefined) {
    // Split camelCase names into words.
    const words = name
      .slice(0, 200)
      .replace(/([a-z])([A-Z])/g, '$1-$2')
      .toLowerCase();
    hints = NAMED.flatMap((pattern, hint) => (pattern.test(words) ? [hint] : []));
    if (hintsOfName.size >= MAX_NAMES) hintsOfName.clear();
    hintsOfName.set(name, hints);
  }
  return hints;
}

/** Reports whether the page hides an element. */
function isHidden({ attributes }: PageElement): boolean {
  return (
    attributes.has('hidden') ||
    attributes.get('aria-hidden') === 'true' ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.get('style') ?? '')
  );
}
