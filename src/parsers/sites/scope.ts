import { t } from '@vscode/l10n';
import type { SiteRules } from '../../core/domain/site.ts';
import { toAddress } from './addresses.ts';
import { globMatcher } from '../globs.ts';

/** Verdict on an address of a site; `elsewhere` if it belongs to another site. */
export type Judgment =
  | { readonly kind: 'in'; readonly url: URL }
  | { readonly kind: 'out'; readonly url: URL; readonly reason: string }
  | { readonly kind: 'elsewhere' };

/** Function that judges an address, absolute or relative to that of a page. */
export type Judge = (href: string, base?: string) => Judgment;

/** Parts of a path for pages that aren't about the site's subject, at the root of the site. */
const FORMALITIES =
  /^(?:contact|about|privacy|terms|imprint|impressum|cookies?|log-?in|log-?out|log-?off|sign-?in|sign-?up|sign-?out|register)(?:-(?:us|policy|notice|statement|settings|of-(?:service|use)|and-conditions|conditions|form|page))?$/i;

/** Folders at the root of a site that hold such pages: `/legal/privacy`, `/account/login`. */
const FORMAL_FOLDER =
  /^(?:legal|policy|policies|company|corporate|info|account|accounts|users?|members?|my|pages|site)$/i;

/** First part of a path for a language: `/en/privacy` is at the root of the English site. */
const LANGUAGE_FOLDER = /^[a-z]{2}(?:[-_](?:[a-z]{2}|[a-z]{4}))?$/i;

const OTHER_TYPES =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|css|m?js|map|woff2?|ttf|otf|eot|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|msi|dmg|pkg|deb|rpm|apk|jar|whl|iso|bin|mp[34]|m4[av]|webm|ogg|wav|flac|avi|mov|mkv|wasm|doc|xls|ppt|rss|atom)$/i;

/** Matches print versions of a page. */
const PRINT_VERSION = /\/print(?:able)?(?:[-_]page)?\/$|[?&](?:print(?:able)?=|view=print)/i;

/** Matches the print version of all pages directly below a start page. Deeper, "print" is a subject: `/functions/print`. */
const PRINT_OF_ALL = /^print(?:able)?(?:[-_]page)?(?:\.\w+)?$/i;

/** Matches a path that repeats a part three times in a row, as mistakenly relative links do. */
const REPEATED = /((?:\/[^/]+){1,3})\1\1/;

/** Maximum number of addresses of one path that differ only in their parameters. */
const MAX_VARIANTS = 40;

/**
 * Returns the judge of a site's addresses. It includes addresses on the origins of the start pages and below these, or,
 * if there are include patterns, addresses that match one. It excludes formalities at the root of the site such as
 * sign-in and terms, print versions, addresses that match an exclude pattern, unsupported files, and addresses that repeat themselves. A start
 * page is always included.
 */
export function scopeJudge(rules: SiteRules, starts: readonly string[]): Judge {
  const roots = starts.map((start) => new URL(start));
  const isStart = new Set(starts);
  const includes = addressMatcher(rules.include);
  const excludes = addressMatcher(rules.exclude);
  const variants = new Map<string, Set<string>>();

  const isVariantTooMany = ({ origin, pathname, search }: URL): boolean => {
    if (search === '') return false;
    const path = origin + pathname;
    const known = variants.get(path) ?? new Set();
    variants.set(path, known);
    if (known.size < MAX_VARIANTS) known.add(search);
    return !known.has(search);
  };

  const reasonAgainst = (url: URL): string | undefined => {
    if (isStart.has(url.href)) return undefined;
    if (excludes(url)) return t('This page matches an exclude pattern.');
    if (rules.include.length > 0) {
      if (!includes(url)) return t('This page doesn’t match an include pattern.');
    } else {
      if (!roots.some((root) => root.origin === url.origin && isBelow(url.pathname, root.pathname)))
        return t('This page isn’t below a start URL.');
      if (isFormality(url, roots)) return t('Sign-in, contact, terms, and similar pages are excluded.');
      if (PRINT_VERSION.test(url.pathname + url.search) || isPrintOfAll(url, roots))
        return t('This page is a print version of another page.');
    }
    if (OTHER_TYPES.test(url.pathname)) return t('This isn’t a web page or a supported file.');
    if (REPEATED.test(url.pathname)) return t('The URL path repeats itself.');
    if (isVariantTooMany(url)) return t('There are too many variants of this URL path.');
    return undefined;
  };

  return (href, base) => {
    const url = toAddress(href, base);
    if (url === undefined) return { kind: 'elsewhere' };
    // An old unencrypted link to the site's own host means the same page.
    const root = roots.find(({ host }) => host === url.host);
    if (root === undefined) return { kind: 'elsewhere' };
    url.protocol = root.protocol;
    const reason = reasonAgainst(url);
    return reason === undefined ? { kind: 'in', url } : { kind: 'out', url, reason };
  };
}

/**
 * Reports whether an address is a formality: at the root of the site, in a folder for formalities, or as the last part
 * directly below a deeper start page. Deeper down, the same words name a subject: `/docs/auth/login`,
 * `/docs/functions/cookies`.
 */
function isFormality({ origin, pathname }: URL, roots: readonly URL[]): boolean {
  const parts = pathParts(pathname);
  const depths = roots
    .filter((root) => root.origin === origin && isBelow(pathname, root.pathname))
    .map((root) => pathParts(folderOf(root.pathname)).length);
  const [first = '', second = '', ...deeper] = parts.slice(Math.max(0, ...depths));
  if (depths.some((depth) => depth > 0))
    // Many manuals begin with a page that is called “About”.
    return second === '' && FORMALITIES.test(first) && first.toLowerCase() !== 'about';
  if (FORMALITIES.test(first)) return true;
  return deeper.length === 0 && FORMAL_FOLDER.test(first) && FORMALITIES.test(second);
}

function isPrintOfAll({ origin, pathname }: URL, roots: readonly URL[]): boolean {
  return roots.some((root) => {
    const folder = folderOf(root.pathname);
    return (
      root.origin === origin &&
      pathname.startsWith(folder) &&
      PRINT_OF_ALL.test(pathname.slice(folder.length))
    );
  });
}

/** Returns the parts of a path, without a folder for a language and without the endings of files. */
function pathParts(path: string): string[] {
  const parts = path.split('/').flatMap((part) => (part === '' ? [] : [part.replace(/\.\w+$/, '')]));
  return LANGUAGE_FOLDER.test(parts[0] ?? '') ? parts.slice(1) : parts;
}

/**
 * Reports whether a path equals a start or is below it: `/docs/`, `/docs`, and `/docs/index.html` contain `/docs/a`.
 */
function isBelow(path: string, start: string): boolean {
  const folder = folderOf(start);
  return path.startsWith(folder) || `${path}/` === folder;
}

function folderOf(start: string): string {
  const isFile = /\/[^/]*\.\w{2,5}$/.test(start);
  return isFile || start.endsWith('/') ? start.slice(0, start.lastIndexOf('/') + 1) : `${start}/`;
}

/**
 * Maximum number of characters of all patterns with braces expanded: more than users enter, few enough to match every
 * link.
 */
const MAX_CHARACTERS = 4_000;

/**
 * Returns a function that reports whether an address matches one of the patterns. A pattern is a glob of the path, with
 * or without its query: `/docs/**` from the root, `*.html` or `blog` at any depth. A pattern without wildcards also
 * matches everything below it. A pattern that starts with a scheme is matched against the whole address.
 */
export function addressMatcher(patterns: readonly string[]): (url: URL) => boolean {
  const ofAddresses = patterns.filter(isAddress);
  const ofPaths = patterns.filter((pattern) => !isAddress(pattern));
  const matchesAddress = globMatcher(ofAddresses.flatMap(toGlobs), MAX_CHARACTERS);
  const matchesPath = globMatcher(ofPaths.flatMap(toGlobs), MAX_CHARACTERS);
  return (url) =>
    (ofPaths.length > 0 &&
      (matchesPath(url.pathname) || (url.search !== '' && matchesPath(url.pathname + url.search)))) ||
    (ofAddresses.length > 0 && matchesAddress(url.href));
}

function isAddress(pattern: string): boolean {
  return /^https?:\/\//i.test(pattern);
}

function toGlobs(pattern: string): string[] {
  const isRooted = isAddress(pattern) || pattern.startsWith('/') || pattern.startsWith('**');
  const rooted = isRooted ? pattern : `**/${pattern}`;
  if (/[*?[\]{}]/.test(pattern)) return [rooted];
  let end = rooted.length;
  while (rooted[end - 1] === '/') end--;
  const bare = rooted.slice(0, end);
  return [bare, `${bare}/**`];
}
