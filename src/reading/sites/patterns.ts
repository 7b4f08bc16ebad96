import picomatch from 'picomatch';

/**
 * Whether an address matches one of some patterns. A pattern is a glob of the path, with or without its query: `/docs/**`
 * from the root on, `*.html` or `blog` at any depth. One without wildcards also stands for all that lies below it, and
 * one that begins with a scheme is matched against the whole address.
 */
export function addressMatcher(patterns: readonly string[]): (url: URL) => boolean {
  const matchers = patterns.flatMap(matchersOf);
  return (url) => matchers.some((matches) => matches(url));
}

function matchersOf(pattern: string): ((url: URL) => boolean)[] {
  const isAddress = /^https?:\/\//i.test(pattern);
  const rooted = isAddress || pattern.startsWith('/') || pattern.startsWith('**') ? pattern : `**/${pattern}`;
  const bare = rooted.replace(/\/+$/, '');
  const globs = /[*?[\]{}!]/.test(pattern) ? [rooted] : [bare, `${bare}/**`];
  const matches = picomatch(globs, { dot: true });
  return [
    isAddress
      ? (url) => matches(url.href)
      : (url) => matches(url.pathname) || (url.search !== '' && matches(url.pathname + url.search)),
  ];
}
