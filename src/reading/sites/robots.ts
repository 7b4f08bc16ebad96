/** What a site's robots.txt says to this program. */
export interface Robots {
  /** Whether an address of the site may be fetched. */
  allows(url: URL): boolean;
  /** The pause between requests that it asks for, in milliseconds. */
  readonly crawlDelay: number | undefined;
  readonly sitemaps: readonly string[];
}

/** More of a robots.txt is not read. */
const mostCharacters = 500 * 1024;

/** A longer pause than this, in milliseconds, is not waited for. */
const longestDelay = 60_000;

interface Rule {
  readonly allow: boolean;
  readonly path: string;
}

interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
  delay: number | undefined;
}

/** What stands for a robots.txt that is not there. */
export const noRobots: Robots = { allows: () => true, crawlDelay: undefined, sitemaps: [] };

/**
 * Reads a robots.txt (RFC 9309, with `Crawl-delay`). Of the groups those that name `agent` hold, or else those for all;
 * of an address's rules the longest holds, and of two as long the one that allows.
 */
export function parseRobots(text: string, agent: string): Robots {
  const { groups, sitemaps } = groupsOf(text.slice(0, mostCharacters));
  const named = groups.filter(({ agents }) => agents.includes(agent.toLowerCase()));
  const own = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'));
  const rules = own.flatMap((group) => group.rules).sort((a, b) => b.path.length - a.path.length);
  const delay = own.find((group) => group.delay !== undefined)?.delay;
  return {
    allows: (url) => {
      const path = comparable(url.pathname + url.search);
      const first = rules.find((rule) => matches(rule.path, path));
      if (first === undefined || first.allow) return true;
      return rules.some(
        (rule) => rule.allow && rule.path.length === first.path.length && matches(rule.path, path),
      );
    },
    crawlDelay: delay,
    sitemaps,
  };
}

function groupsOf(text: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let current: Group | undefined;
  let isNaming = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const field = /^\s*([A-Za-z-]+)\s*:\s*(.*)$/.exec(line.replace(/(?:^|\s)#.*$/, ''));
    const [, name = '', rest = ''] = field ?? [];
    const value = rest.trim();
    switch (name.toLowerCase()) {
      case 'user-agent':
        if (!isNaming || current === undefined)
          groups.push((current = { agents: [], rules: [], delay: undefined }));
        current.agents.push(value.toLowerCase());
        isNaming = true;
        continue;
      case 'allow':
      case 'disallow':
        // An empty rule forbids nothing.
        if (value !== '')
          current?.rules.push({ allow: name.toLowerCase() === 'allow', path: comparable(value) });
        isNaming = false;
        continue;
      case 'crawl-delay':
        if (current !== undefined && /^\d+(?:\.\d+)?$/.test(value))
          current.delay = Math.min(longestDelay, 1000 * Number(value));
        isNaming = false;
        continue;
      case 'sitemap':
        sitemaps.push(value);
    }
  }
  return { groups, sitemaps };
}

/** A path with its escapes written in one way. */
function comparable(path: string): string {
  const escaped = path.replace(/[^\x21-\x7e]+/g, (part) => encodeURI(part.toWellFormed()));
  return escaped.replace(/%[\da-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
}

/** Whether a rule's path, with `*` for anything and `$` for the end, begins a path. Takes linear time, whatever the rule. */
function matches(rule: string, path: string): boolean {
  const isAnchored = rule.endsWith('$');
  const [first = '', ...others] = (isAnchored ? rule.slice(0, -1) : rule).split('*');
  if (!path.startsWith(first)) return false;
  if (others.length === 0) return !isAnchored || path === first;
  const last = isAnchored ? (others.pop() ?? '') : '';
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return !isAnchored || (path.length - last.length >= at && path.endsWith(last));
}
