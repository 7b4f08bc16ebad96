import { pausing } from '../../core/rpc/pausing.ts';

/** Rules of a site's robots.txt for this program. */
export interface Robots {
  /** Reports whether an address of the site may be downloaded. */
  allows(url: URL): boolean;
  /** Required pause between requests, in milliseconds. */
  readonly crawlDelay: number | undefined;
  readonly sitemaps: readonly string[];
}

/** Maximum number of bytes of a robots.txt to read, as RFC 9309 allows. */
export const MAX_ROBOTS_BYTES = 500 * 1024;

/** Maximum pause to respect, in milliseconds. */
const MAX_DELAY_MS = 60_000;

interface Rule {
  readonly allow: boolean;
  /** Length of the path, which decides between several matching rules. */
  readonly length: number;
  /** Parts of the path between its `*`. */
  readonly pieces: readonly string[];
  /** `true` if the path must end with the last part. */
  readonly isAnchored: boolean;
}

/**
 * Rules that several agents share, stored once: a parser that stores them for each agent, as robots-parser does, needs
 * gigabytes for the 500 KB of 20,000 agents with 15,000 rules.
 */
interface Group {
  readonly agents: Set<string>;
  /** Rules by their text, without duplicates. */
  readonly rules: Map<string, Rule>;
  delay: number | undefined;
}

/** Rules for a site without a robots.txt. */
export const noRobots: Robots = { allows: () => true, crawlDelay: undefined, sitemaps: [] };

/**
 * Parses a robots.txt (RFC 9309, with `Crawl-delay`), yielding to other tasks. If no group names `agent`, the groups
 * for all agents apply. The longest matching rule decides. If an allow and a disallow rule are equally long, the allow
 * rule decides.
 */
export async function parseRobots(text: string, agent: string): Promise<Robots> {
  const { groups, sitemaps } = await readGroups(text.slice(0, MAX_ROBOTS_BYTES));
  const named = groups.filter(({ agents }) => agents.has(agent.toLowerCase()));
  const own = named.length > 0 ? named : groups.filter(({ agents }) => agents.has('*'));
  const rules = [...new Map(own.flatMap((group) => [...group.rules])).values()].sort(
    (a, b) => b.length - a.length || Number(b.allow) - Number(a.allow),
  );
  const delay = own.find((group) => group.delay !== undefined)?.delay;
  return {
    allows: (url) => {
      const path = comparable(url.pathname + url.search);
      return rules.find((rule) => matches(rule, path))?.allow ?? true;
    },
    crawlDelay: delay,
    sitemaps,
  };
}

async function readGroups(text: string): Promise<{ groups: Group[]; sitemaps: string[] }> {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  const pause = pausing();
  let current: Group | undefined;
  let isNaming = false;
  for (const line of text.split(/\r\n?|\n/)) {
    await pause();
    const { name, value } = readField(line);
    switch (name) {
      case 'user-agent':
        if (!isNaming || current === undefined)
          groups.push((current = { agents: new Set(), rules: new Map(), delay: undefined }));
        current.agents.add(value.toLowerCase());
        isNaming = true;
        continue;
      case 'allow':
      case 'disallow':
        // An empty rule forbids no page.
        if (value !== '')
          current?.rules.set(`${name} ${value}`, makeRule(name === 'allow', comparable(value)));
        isNaming = false;
        continue;
      case 'crawl-delay':
        if (current !== undefined && /^\d+(?:\.\d+)?$/.test(value))
          current.delay = Math.min(MAX_DELAY_MS, 1000 * Number(value));
        isNaming = false;
        continue;
      case 'sitemap':
        sitemaps.push(value);
    }
  }
  return { groups, sitemaps };
}

/** Returns the lowercase name and the value of a line without its comment; '' for both if it has none. */
function readField(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(':');
  if (colon < 0) return { name: '', value: '' };
  const name = line.slice(0, colon).trim().toLowerCase();
  return { name, value: line.slice(colon + 1, commentIn(line)).trim() };
}

/** Returns the start of a line's comment: at its start or after a space, because addresses can contain a `#`. */
function commentIn(line: string): number {
  for (let at = line.indexOf('#'); at >= 0; at = line.indexOf('#', at + 1))
    if (at === 0 || /\s/.test(line[at - 1] ?? '')) return at;
  return line.length;
}

function makeRule(allow: boolean, path: string): Rule {
  const isAnchored = path.endsWith('$');
  const [first = '', ...others] = (isAnchored ? path.slice(0, -1) : path).split('*');
  // Remove the empty parts between adjacent `*`.
  const pieces = [first, ...others.filter((piece, index) => piece !== '' || index === others.length - 1)];
  return { allow, length: path.length, pieces, isAnchored };
}

/** Returns a path with normalized escapes. */
function comparable(path: string): string {
  const escaped = path.replace(/[^\x21-\x7e]+/g, (part) => encodeURI(part.toWellFormed()));
  return escaped.replace(/%[\da-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
}

/**
 * Reports whether a rule's path, with `*` for anything and `$` for the end, matches the start of a path. Searches each
 * part after the one before it, without backtracking.
 */
function matches({ pieces, isAnchored }: Rule, path: string): boolean {
  const [first = ''] = pieces;
  if (!path.startsWith(first)) return false;
  const last = pieces.length - 1;
  if (last === 0) return !isAnchored || path.length === first.length;
  let at = first.length;
  for (let index = 1; index < (isAnchored ? last : last + 1); index++) {
    const piece = pieces[index] ?? '';
    const pieceIndex = path.indexOf(piece, at);
    if (pieceIndex < 0) return false;
    at = pieceIndex + piece.length;
  }
  const end = pieces[last] ?? '';
  return !isAnchored || (path.length - end.length >= at && path.endsWith(end));
}
