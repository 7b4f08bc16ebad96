import { isProse, type Block, type Container } from './blocks.ts';
import { HINT_COUNT, HINT_NAMES } from './hints.ts';
import { FACT_NAMES, factsAsNumbers, type PageFacts } from './page-facts.ts';

const TAGS_AS_NUMBERS = [
  'P',
  'LI',
  'TD',
  'TH',
  'PRE',
  'DIV',
  'SECTION',
  'BUTTON',
  'DT',
  'DD',
  'BLOCKQUOTE',
  'FIGCAPTION',
  'ARTICLE',
];

const log = (count: number): number => Math.log2(1 + count);
const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

/**
 * Returns a function that computes the features of a block: its words, position, neighbors, page, and Readability's
 * verdict. `taken` holds the share of each block that Readability extracts, if it ran.
 */
export function describer(
  blocks: readonly Block[],
  containers: readonly Container[],
  facts: PageFacts,
  readabilityShares: Float32Array | undefined,
): (index: number) => Description {
  const page = describePage(blocks, containers, facts);
  const verdict = makeVerdict(blocks, readabilityShares);
  return (i) => ({
    words: ownFeatures(blocks, i, page),
    place: placeFeatures(blocks, i, page),
    neighbours: neighborFeatures(blocks, i, page),
    page: page.numbers,
    readability: verdictFeatures(blocks, i, verdict),
  });
}

/** Features of a block, by group. */
export interface Description {
  readonly words: readonly number[];
  readonly place: readonly number[];
  readonly neighbours: readonly number[];
  readonly page: readonly number[];
  readonly readability: readonly number[];
}

/** Returns the features in the order of the model. */
export function featureRow({ words, place, neighbours, page, readability }: Description): number[] {
  return [...words, ...place, ...neighbours, ...page, ...readability];
}

interface Group {
  blocks: number;
  words: number;
  linkWords: number;
  sentenceEnds: number;
}

/** Values of a page that the features of all its blocks use. */
interface Page {
  readonly numbers: readonly number[];
  readonly words: number;
  readonly prose: number;
  readonly PHRASES: Int32Array;
  readonly titleWords: ReadonlySet<string>;
  readonly groups: ReadonlyMap<string, Group>;
  readonly copies: ReadonlyMap<string, number>;
  /** Number of words, and of words of prose, before each block. */
  readonly wordsBefore: Float64Array;
  readonly proseBefore: Float64Array;
  /** Index of the nearest heading before each block, and of the first main heading; -1 if there is none. */
  readonly headingBefore: Int32Array;
  readonly mainHeading: number;
  /** Smallest containers that hold half, four fifths, and nearly all of the prose. */
  readonly cores: readonly (Container | undefined)[];
}

/** Share of a block's words above which Readability's extract includes the block. */
const MOSTLY = 0.5;
/** Shares of all prose: half, most, and nearly all. The last one leaves out a line below an article. */
const CORES = [0.5, 0.8, 0.97];

function describePage(blocks: readonly Block[], containers: readonly Container[], facts: PageFacts): Page {
  const [root] = containers;
  const words = root?.words ?? 0;
  const prose = root?.proseWords ?? 0;
  const groups = new Map<string, Group>();
  const copies = new Map<string, number>();
  const wordsBefore = new Float64Array(blocks.length);
  const proseBefore = new Float64Array(blocks.length);
  const headingBefore = new Int32Array(blocks.length).fill(-1);
  const PHRASES = Int32Array.from(blocks, ({ text }) => phrasesIn(text));
  const byTag = new Map<string, number>();
  let [wordsSoFar, proseSoFar, heading, mainHeading, prices] = [0, 0, -1, -1, 0];
  for (const [i, block] of blocks.entries()) {
    wordsBefore[i] = wordsSoFar;
    proseBefore[i] = proseSoFar;
    headingBefore[i] = heading;
    wordsSoFar += block.words;
    if (isProse(block)) proseSoFar += block.words;
    const tag = block.container.element.nodeName;
    if (/^H[1-6]$/.test(tag)) heading = i;
    if (tag === 'H1' && mainHeading < 0) mainHeading = i;
    byTag.set(tag, (byTag.get(tag) ?? 0) + block.words);
    if (((PHRASES[i] ?? 0) >> 9) & 1) prices++;
    const { signature } = block.container;
    const group = groups.get(signature) ?? { blocks: 0, words: 0, linkWords: 0, sentenceEnds: 0 };
    group.blocks++;
    group.words += block.words;
    group.linkWords += block.linkWords;
    group.sentenceEnds += block.sentenceEnds;
    groups.set(signature, group);
    copies.set(block.text, (copies.get(block.text) ?? 0) + 1);
  }
  const count = (name: string): number =>
    containers.filter(({ element }) => element.nodeName === name).length;
  const numbers = [
    log(words),
    log(blocks.length),
    share(root?.linkWords ?? 0, words),
    share(prose, words),
    share(root?.sentenceEnds ?? 0, words),
    log(root?.headings ?? 0),
    log(root?.images ?? 0),
    Math.min(3, count('MAIN')),
    log(count('ARTICLE')),
    log(count('FORM')),
    share(byTag.get('P') ?? 0, words),
    share(byTag.get('LI') ?? 0, words),
    share((byTag.get('TD') ?? 0) + (byTag.get('TH') ?? 0), words),
    share(byTag.get('PRE') ?? 0, words),
    share(prices, blocks.length),
    share([...copies.values()].filter((times) => times > 2).length, copies.size),
    ...factsAsNumbers(facts),
  ];
  const core = (part: number): Container | undefined => {
    let deepest: Container | undefined;
    for (const container of containers)
      if (container.proseWords >= part * prose && container.depth >= (deepest?.depth ?? 0))
        deepest = container;
    return deepest;
  };
  return {
    numbers,
    words,
    prose,
    PHRASES,
    titleWords: new Set(cutWords(facts.title)),
    groups,
    copies,
    wordsBefore,
    proseBefore,
    headingBefore,
    mainHeading,
    cores: CORES.map(core),
  };
}

/** Cuts a text into words. The model's weights depend on it: fit them again after a change. */
function cutWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]{1,1000}/gu) ?? [];
}

const headingLevel = ({ container }: Block): number => {
  const match = /^H([1-6])$/.exec(container.element.nodeName);
  return match ? Number(match[1]) : 7;
};

function ownFeatures(blocks: readonly Block[], i: number, page: Page): number[] {
  const block = blocks[i];
  if (block === undefined) return [];
  const { text, words, container } = block;
  const bits = page.PHRASES[i] ?? 0;
  const features = [
    log(words),
    share(block.linkWords, words),
    Number(block.isLink),
    Number(block.isEmphasized),
    share(block.letters, words),
    share(block.digits, block.letters + block.digits),
    share(block.capitals, block.letters),
    share(block.commas, words),
    share(block.sentenceEnds, words),
    Number(/[.!?:;…。]["'”’)\]]?$/.test(text)),
    Number(/^[^\p{L}\p{N}]/u.test(text)),
    headingLevel(block),
    TAGS_AS_NUMBERS.indexOf(container.element.nodeName) + 1,
    log(page.copies.get(text) ?? 0),
    log(block.texts.length),
    overlap(text, page.titleWords),
  ];
  for (let bit = 0; bit < PHRASE_COUNT; bit++) features.push((bits >> bit) & 1);
  for (let hint = 0; hint < HINT_COUNT; hint++) features.push(container.hints[hint] ?? 0);
  return features;
}

/** Returns the overlap of a text's words with the title's words, as a share of all words of both. */
function overlap(text: string, titleWords: ReadonlySet<string>): number {
  if (text.length > 300 || titleWords.size === 0) return 0;
  const words = cutWords(text);
  const common = words.filter((word) => titleWords.has(word)).length;
  return share(common, words.length + titleWords.size - common);
}

function placeFeatures(blocks: readonly Block[], i: number, page: Page): number[] {
  const block = blocks[i];
  if (block === undefined) return [];
  const { container } = block;
  const group = page.groups.get(container.signature);
  const before = page.wordsBefore[i] ?? 0;
  const proseBefore = page.proseBefore[i] ?? 0;
  const features = [
    share(i, blocks.length),
    share(before, page.words),
    share(proseBefore, page.prose),
    log(page.prose - proseBefore),
    page.mainHeading < 0 ? 0 : Math.sign(i - page.mainHeading) * log(Math.abs(i - page.mainHeading)),
    container.depth,
    log(group?.blocks ?? 0),
    log(group?.words ?? 0),
    share(group?.words ?? 0, group?.blocks ?? 0),
    share(group?.linkWords ?? 0, group?.words ?? 0),
    share(group?.sentenceEnds ?? 0, group?.words ?? 0),
    share(group?.words ?? 0, page.words),
  ];
  for (const core of page.cores) {
    if (core === undefined) features.push(0, 0);
    else {
      const inside = i >= core.from && i <= core.to;
      const away = inside ? 0 : i < core.from ? i - core.from : i - core.to;
      features.push(Math.sign(away) * log(Math.abs(away)), commonDepth(container, core) - core.depth);
    }
  }
  let here = container;
  for (let level = 0; level < 6; level++) {
    features.push(
      log(here.words),
      share(here.linkWords, here.words),
      share(here.proseWords, page.prose),
      share(here.proseWords, here.words),
    );
    if (level < 3)
      features.push(share(here.sentenceEnds, here.words), log(here.to - here.from + 1), log(here.images));
    here = here.parent ?? here;
  }
  return features;
}

function commonDepth(a: Container, b: Container): number {
  let [left, right]: [Container | undefined, Container | undefined] = [a, b];
  while (left && right && left !== right) {
    if (left.depth >= right.depth) left = left.parent;
    else right = right.parent;
  }
  return left === right ? (left?.depth ?? 0) : 0;
}

function neighborFeatures(blocks: readonly Block[], i: number, page: Page): number[] {
  const features: number[] = [];
  for (const step of [-3, -2, -1, 1, 2, 3]) {
    const other = blocks[i + step];
    if (other === undefined) {
      features.push(-1, 0, 0, 8, 0);
      continue;
    }
    const own = blocks[i];
    features.push(
      log(other.words),
      share(other.linkWords, other.words),
      share(other.sentenceEnds, other.words),
      headingLevel(other),
      Number(other.container.signature === own?.container.signature),
    );
  }
  for (const reach of [5, 15]) {
    let [words, linkWords, prose] = [0, 0, 0];
    for (let at = Math.max(0, i - reach); at <= Math.min(blocks.length - 1, i + reach); at++) {
      const other = blocks[at];
      if (other === undefined) continue;
      words += other.words;
      linkWords += other.linkWords;
      if (isProse(other)) prose += other.words;
    }
    features.push(log(words), share(linkWords, words), share(prose, words));
  }
  const heading = page.headingBefore[i] ?? -1;
  const bits = heading < 0 ? 0 : (page.PHRASES[heading] ?? 0);
  const before = heading < 0 ? undefined : blocks[heading];
  features.push(heading < 0 ? 12 : log(i - heading), before ? headingLevel(before) : 8);
  for (let bit = 0; bit < PHRASE_COUNT; bit++) features.push((bits >> bit) & 1);
  return features;
}

/** Readability's extract of a page. */
interface Verdict {
  readonly shares: Float32Array;
  /** Number of words, and of extracted words, before each block and before the end. */
  readonly before: Float64Array;
  readonly extractedBefore: Float64Array;
  /** Extracted share of the prose. */
  readonly prose: number;
  readonly first: number;
  readonly last: number;
}

function makeVerdict(blocks: readonly Block[], readabilityShares: Float32Array | undefined): Verdict {
  const shares = readabilityShares ?? new Float32Array(blocks.length).fill(-1);
  const before = new Float64Array(blocks.length + 1);
  const extractedBefore = new Float64Array(blocks.length + 1);
  let [prose, extractedProse] = [0, 0];
  for (const [i, block] of blocks.entries()) {
    const own = (shares[i] ?? 0) * block.words;
    before[i + 1] = (before[i] ?? 0) + block.words;
    extractedBefore[i + 1] = (extractedBefore[i] ?? 0) + own;
    if (!isProse(block)) continue;
    prose += block.words;
    extractedProse += own;
  }
  const isExtracted = (part: number): boolean => part > MOSTLY;
  return {
    shares,
    before,
    extractedBefore,
    prose: share(extractedProse, prose),
    first: shares.findIndex(isExtracted),
    last: shares.findLastIndex(isExtracted),
  };
}

function verdictFeatures(blocks: readonly Block[], i: number, verdict: Verdict): number[] {
  const container = blocks[i]?.container;
  if (container === undefined) return [];
  const { shares, before, extractedBefore, prose, first, last } = verdict;
  /** Returns the extracted share of the words in a range of blocks, including the last one. */
  const extractedShare = (from: number, to: number): number =>
    share(
      (extractedBefore[to + 1] ?? 0) - (extractedBefore[from] ?? 0),
      (before[to + 1] ?? 0) - (before[from] ?? 0),
    );
  const { from, to } = container.parent ?? container;
  return [
    shares[i] ?? -1,
    extractedShare(container.from, container.to),
    extractedShare(from, to),
    extractedShare(0, blocks.length - 1),
    prose,
    first < 0 ? -2 : i < first ? -1 : Number(i > last),
    extractedShare(Math.max(0, i - 3), i - 1),
    extractedShare(i + 1, Math.min(blocks.length - 1, i + 3)),
  ];
}

/** Patterns of short texts that reveal their role in the page. */
const PHRASES: readonly RegExp[] = [
  /\b(?:share|tweet|facebook|twitter|linkedin|whatsapp|pinterest|instagram|follow us|e-?mail this)\b/i,
  /\b(?:log ?in|sign ?(?:in|up|out)|register|create (?:an )?account|my account|password)\b/i,
  /©|\b(?:copyright|all rights reserved|privacy|terms|cookies?|legal|sitemap|imprint|disclaimer|accessibility)\b/i,
  /\b(?:subscribe|newsletter|unsubscribe|inbox|your e-?mail)\b/i,
  /\b(?:reply|replies|quote|report|flag|likes?|views?|joined|messages|posts|upvote|permalink|karma|badges?|reputation|solved|members?)\b/i,
  /\b(?:related|recommended|you (?:may|might) (?:also )?like|more (?:from|stories|articles|like|in)|trending|popular|most read|latest|featured|see also|further reading|similar)\b/i,
  /\b(?:next|previous|prev|older|newer|back to|page \d+)\b/i,
  /\b(?:read more|learn more|view all|see all|show more|load more|view more|shop now|get started|contact us|try (?:it )?free|book|call (?:us|now)|request|download)\b/i,
  /\b(?:19|20)\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d|\b\d+ (?:minute|hour|day|week|month|year)s? ago\b|\b\d{1,2}:\d\d\b/i,
  /[$€£¥]\s?\d|\d\s?(?:€|usd|eur)\b/i,
  /\b(?:by|author|written|published|updated|posted|min(?:ute)?s? read|reviewed|last (?:edited|modified))\b/i,
  /\b(?:add to (?:cart|bag|basket)|buy now|wish ?list|checkout|quantity|sold out|in stock|out of stock|free shipping|returns?|sale|off)\b/i,
  /\b(?:edit (?:this|page|on)|feedback|helpful|improve|on this page|table of contents|contents|in this article|skip to|search|menu|navigation|toggle|close|home)\b/i,
  /\b(?:advertis\w+|sponsored|affiliate|commission|promoted|ad)\b/i,
  /\b(?:comments?|leave a|responses|discussion|answers?)\b/i,
  /\b(?:copy(?:ied)?|expand|collapse|print|filter|sort(?: by)?|clear|apply|select|choose|reset|refine|submit|cancel|loading)\b/i,
  /\b(?:stars?|ratings?|reviews?|out of 5)\b/i,
  /\b(?:javascript|browser|enable|unsupported)\b/i,
];

const PHRASE_COUNT = PHRASES.length;

/** Maximum length of a text to match. Longer texts reveal their topic, not their role. */
const MAX_PHRASE_LENGTH = 160;

/** Returns the PHRASES in a text as a set of bits. */
function phrasesIn(text: string): number {
  if (text.length > MAX_PHRASE_LENGTH) return 0;
  let phraseBits = 0;
  for (const [i, phrase] of PHRASES.entries()) if (phrase.test(text)) phraseBits |= 1 << i;
  return phraseBits;
}

/** Returns names for a list of values that is computed for several places. */
const namesFor = (places: readonly (number | string)[], values: readonly string[]): string[] =>
  places.flatMap((place) => values.map((value) => `${value} at ${String(place)}`));

/**
 * Names of the features, in the order of `featureRow`. Features that match a pattern have it as their name, so that a
 * changed pattern is noticed, too.
 */
export const FEATURE_NAMES: readonly string[] = [
  // Words of the block.
  ...['words', 'link words', 'is a link', 'is emphasized', 'letters', 'digits', 'capitals', 'commas'],
  ...[
    'sentence ends',
    'ends a sentence',
    'begins with a sign',
    'heading level',
    `tag of ${String(TAGS_AS_NUMBERS)}`,
  ],
  ...['copies', 'texts', 'overlap with the title'],
  ...namesFor(['the block'], PHRASES.map(String)),
  ...HINT_NAMES,
  // Its place.
  ...[
    'position in blocks',
    'position in words',
    'position in prose',
    'prose after',
    'distance to the heading',
    'depth',
  ],
  ...[
    'blocks like it',
    'words like it',
    'words of each like it',
    'link words like it',
    'sentence ends like it',
  ],
  'share of words like it',
  ...namesFor(CORES, ['distance to the core', 'depth above the core']),
  ...[0, 1, 2, 3, 4, 5].flatMap((level) => [
    ...namesFor([`container ${String(level)}`], ['words', 'link words', 'prose of the page', 'prose']),
    ...(level < 3 ? namesFor([`container ${String(level)}`], ['sentence ends', 'blocks', 'pictures']) : []),
  ]),
  // Its neighbors.
  ...namesFor(
    ['-3', '-2', '-1', '+1', '+2', '+3'],
    ['words', 'link words', 'sentence ends', 'heading level', 'same kind'],
  ),
  ...namesFor(['5 around', '15 around'], ['words', 'link words', 'prose']),
  ...['distance to the heading above', 'level of the heading above'],
  ...namesFor(['the heading above'], PHRASES.map(String)),
  // Its page.
  ...['page words', 'page blocks', 'page link words', 'page prose', 'page sentence ends', 'page headings'],
  ...[
    'page pictures',
    'main elements',
    'articles',
    'forms',
    'paragraphs',
    'list items',
    'table cells',
    'code',
  ],
  ...['prices', 'repeated blocks'],
  ...FACT_NAMES,
  // The extract of Readability.
  ...['extracted', 'extracted of its container', 'extracted of the one around', 'extracted of the page'],
  ...['extracted prose', 'side of the extract', 'extracted before', 'extracted after'],
];
