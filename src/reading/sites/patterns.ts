import { globMatcher } from '../globs.ts';

/** So many characters of patterns count, braces spelt out: more than anybody types, and little enough for every link. */
const MOST_CHARACTERS = 4_000;

/**
 * Whether an address matches one of some patterns. A pattern is a glob of the path, with or without its query: `/docs/**`
 * from the root on, `*.html` or `blog` at any depth. One without wildcards also stands for all that lies below it, and
 * one that begins with a scheme is matched against the whole address.
 */
export function addressMatcher(patterns: readonly string[]): (url: URL) => boolean {
  const ofAddresses = patterns.filter(isAddress);
  const ofPaths = patterns.filter((pattern) => !isAddress(pattern));
  const matchesAddress = globMatcher(ofAddresses.flatMap(toGlobs), MOST_CHARACTERS);
  const matchesPath = globMatcher(ofPaths.flatMap(toGlobs), MOST_CHARACTERS);
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
