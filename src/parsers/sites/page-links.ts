import { scanMarkup } from '../markup-scan.ts';

/** Links of a page to others and its own addresses, all absolute. */
export interface PageLinks {
  readonly links: readonly string[];
  /** Pages in frames of this one, such as tables of contents. */
  readonly frames: readonly string[];
  /** Canonical address, if the page names one. */
  readonly canonical: string | undefined;
  /** Address of a Markdown version of the page. */
  readonly twin: string | undefined;
}

/** Maximum number of links and frames of a page. The rest is ignored. */
const MAX_LINKS = 5_000;
const MAX_FRAMES = 10;

/** Returns the links of an HTML page, except those marked as not to be followed. `url` is the page's own address. */
export function linksOfHtml(html: string, url: string): PageLinks {
  const links = new Set<string>();
  const frames = new Set<string>();
  let base = url;
  let canonical: string | undefined;
  let twin: string | undefined;
  const robots: string[] = [];
  const absolute = (href: string | undefined): string | undefined =>
    href === undefined ? undefined : URL.parse(href.trim(), base)?.href;

  const onLink = (href: string | undefined, relation: string): void => {
    const to = absolute(href);
    if (to !== undefined && !/\bnofollow\b/i.test(relation) && links.size < MAX_LINKS) links.add(to);
  };
  scanMarkup(html, 'html', {
    onOpen(name, attributes) {
      const href = attributes.get('href');
      const rel = attributes.get('rel') ?? '';
      switch (name) {
        case 'base':
          base = absolute(href) ?? base;
          break;
        case 'a':
        case 'area':
          onLink(href, rel);
          break;
        case 'frame':
        case 'iframe': {
          const frame = absolute(attributes.get('src'));
          if (frame !== undefined && frames.size < MAX_FRAMES) frames.add(frame);
          break;
        }
        case 'link':
          if (/\bcanonical\b/i.test(rel)) canonical ??= absolute(href);
          else if (/\balternate\b/i.test(rel) && /^text\/markdown\b/i.test(attributes.get('type') ?? ''))
            twin ??= absolute(href);
          else if (/^(?:next|prev)$/i.test(rel)) onLink(href, '');
          break;
        case 'meta':
          if (/^robots$/i.test(attributes.get('name') ?? '')) robots.push(attributes.get('content') ?? '');
          if (/^refresh$/i.test(attributes.get('http-equiv') ?? ''))
            onLink(/url\s*=\s*["']?([^"']+)/i.exec(attributes.get('content') ?? '')?.[1], '');
      }
    },
  });
  const follows = !robots.some((words) => /\b(?:nofollow|none)\b/i.test(words));
  return { links: follows ? [...links] : [], frames: follows ? [...frames] : [], canonical, twin };
}

/** Returns the links of a Markdown text: `[words](address)`, `<address>`, and reference definitions. */
export function linksOfMarkdown(text: string, url: string): PageLinks {
  const links = new Set<string>();
  for (const match of text.matchAll(
    /\]\(\s*<?([^\s)>]+)|<(https?:[^\s<>]+)>|^ {0,3}\[[^\]\n\r\u2028\u2029]+\]:\s*<?([^\s>]+)/gm,
  )) {
    const to = URL.parse(match[1] ?? match[2] ?? match[3] ?? '', url)?.href;
    if (to !== undefined && links.size < MAX_LINKS) links.add(to);
  }
  return { links: [...links], frames: [], canonical: undefined, twin: undefined };
}
