import type { JudgedBlock, JudgedPage } from '../../core/domain/page-report.ts';
import { cutBlocks, type Block, type Container } from './blocks.ts';
import { CONTENT_FEATURES_HASH, CONTENT_MODEL } from './content-model.ts';
import { describer, FEATURE_NAMES, featureRow, type Description } from './features.ts';
import type { PageFacts } from './page-facts.ts';
import { closest, walkDescendants, elementsIn, type PageElement, type PageText } from './page-tree.ts';
import { readableShares } from './readability.ts';
import { isLayoutTable } from './tables.ts';
import { hashFeatures, logOdds, parseTrees, probability, type Trees } from './trees.ts';

let trees: Trees | undefined;

/**
 * Removes everything around a page's main content: judges each text block by its features, position, and page, and
 * keeps the blocks that make the best extract together. Changes `body`.
 */
export function keepMainContent(body: PageElement, facts: PageFacts): void {
  const { blocks, containers, describe, model, readabilityShares } = examine(body, facts);
  const likely = Float32Array.from(blocks, (_, i) => probability(model, featureRow(describe(i))));
  prune(body, mainContentTexts(blocks, containers, likely, readabilityShares));
}

/** Judges the blocks of a page like `keepMainContent`, with the reasons. */
export function judgeBlocks(body: PageElement, facts: PageFacts): JudgedPage {
  const { blocks, containers, describe, model, readabilityShares } = examine(body, facts);
  const described = blocks.map((_, i) => describe(i));
  const judged = Float32Array.from(described, (description) => probability(model, featureRow(description)));
  const {
    likely,
    minProbability,
    included: isIncluded,
    by,
  } = chooseBlocks(blocks, containers, judged, readabilityShares);
  const middle = medians(described);
  return {
    minProbability,
    blocks: blocks.map(({ text }, i) => {
      const own = described[i] ?? middle;
      const speaking = (reason: keyof JudgedBlock['reasons']): number =>
        logOdds(model, featureRow(own)) - logOdds(model, featureRow({ ...own, [reason]: middle[reason] }));
      return {
        text,
        isIncluded: isIncluded[i] === true,
        likely: likely[i] ?? 0,
        by: by[i] ?? 'likelihood',
        reasons: {
          words: speaking('words'),
          place: speaking('place'),
          neighbours: speaking('neighbours'),
          readability: speaking('readability'),
        },
      };
    }),
  };
}

/** Returns the median of each feature over all blocks. */
function medians(described: readonly Description[]): Description {
  const middle = (of: keyof Description): number[] =>
    (described[0]?.[of] ?? []).map(
      (_, at) =>
        described.map((description) => description[of][at] ?? 0).sort((a, b) => a - b)[
          Math.floor(described.length / 2)
        ] ?? 0,
    );
  return {
    words: middle('words'),
    place: middle('place'),
    neighbours: middle('neighbours'),
    page: middle('page'),
    readability: middle('readability'),
  };
}

interface Looked {
  readonly blocks: readonly Block[];
  readonly containers: readonly Container[];
  readonly describe: (index: number) => Description;
  readonly model: Trees;
  /** Share of each block that Readability extracts. */
  readonly readabilityShares: Float32Array | undefined;
}

function examine(body: PageElement, facts: PageFacts): Looked {
  const { blocks, containers } = cutBlocks(body);
  const readabilityShares = readableShares(body, facts.title, blocks);
  trees ??= loadModel();
  return {
    blocks,
    containers,
    describe: describer(blocks, containers, facts, readabilityShares),
    model: trees,
    readabilityShares,
  };
}

/** Returns the fitted model. @throws Error if it was fitted to other features */
function loadModel(): Trees {
  if (hashFeatures(FEATURE_NAMES) !== CONTENT_FEATURES_HASH)
    throw new Error('The model of main content has other features. Run test/support/fit-main-content.ts.');
  return parseTrees(CONTENT_MODEL);
}

/** Returns the texts of the content blocks; `readabilityShares` holds the share of each block that Readability extracts. */
export function mainContentTexts(
  blocks: readonly Block[],
  containers: readonly Container[],
  judged: Float32Array,
  readabilityShares: Float32Array | undefined,
): ReadonlySet<PageText> {
  const { included: isIncluded } = chooseBlocks(blocks, containers, judged, readabilityShares);
  return new Set(blocks.flatMap(({ texts }, i) => (isIncluded[i] === true ? texts : [])));
}

interface SelectedBlocks {
  /** Probability that each block is content, with all evidence combined. */
  readonly likely: Float32Array;
  /** Minimum probability at which a block is content by itself. */
  readonly minProbability: number;
  readonly included: readonly boolean[];
  /** Deciding reason for each block. */
  readonly by: readonly JudgedBlock['by'][];
}

function chooseBlocks(
  blocks: readonly Block[],
  containers: readonly Container[],
  judged: Float32Array,
  readabilityShares: Float32Array | undefined,
): SelectedBlocks {
  const likely = readabilityShares ? withVeto(blocks, judged, readabilityShares) : judged;
  const minProbability = bestThreshold(blocks, likely);
  const alone = blocks.map((_, i) => (likely[i] ?? 0) >= minProbability);
  const whole = [...alone];
  for (const container of containers)
    if (isDataTable(container)) keepWhole(container, blocks, likely, minProbability, whole);
  const included = [...whole];
  keepHeadings(blocks, included);
  const by = included.map((isIncluded, i): JudgedBlock['by'] => {
    if (isIncluded !== whole[i]) return 'heading';
    if (isIncluded !== alone[i]) return 'table';
    return !isIncluded && (judged[i] ?? 0) >= minProbability ? 'readability' : 'likelihood';
  });
  return { likely, minProbability, included, by };
}

/**
 * Lowers the probability of blocks that Readability leaves out, by up to one in log-odds: .6 becomes .36. The effect
 * depends on how well Readability's extract agrees with the likely content (their F1), because Readability is made for
 * articles only.
 */
function withVeto(
  blocks: readonly Block[],
  likely: Float32Array,
  readabilityShares: Float32Array,
): Float32Array {
  let [both, expected, readable] = [0, 0, 0];
  for (const [i, { words }] of blocks.entries()) {
    both += words * (likely[i] ?? 0) * (readabilityShares[i] ?? 0);
    expected += words * (likely[i] ?? 0);
    readable += words * (readabilityShares[i] ?? 0);
  }
  const agreement = expected + readable > 0 ? (2 * both) / (expected + readable) : 0;
  return likely.map((p, i) => {
    const still = p * Math.exp(-(agreement ** 2) * (1 - (readabilityShares[i] ?? 0)));
    return still / (still + 1 - p);
  });
}

/**
 * Returns the probability threshold with the best expected F1 of the words (precision and recall combined). It is lower
 * on pages without clear evidence.
 */
function bestThreshold(blocks: readonly Block[], likely: Float32Array): number {
  const order = blocks.map((_, i) => i).sort((a, b) => (likely[b] ?? 0) - (likely[a] ?? 0));
  const expected = blocks.reduce((sum, { words }, i) => sum + words * (likely[i] ?? 0), 0);
  let [words, hits, best, threshold] = [0, 0, 0, 1];
  for (const i of order) {
    const p = likely[i] ?? 0;
    words += blocks[i]?.words ?? 0;
    hits += (blocks[i]?.words ?? 0) * p;
    const score = (2 * hits) / (words + expected);
    if (score > best) [best, threshold] = [score, p];
  }
  return threshold;
}

/** Maximum average number of words in cells of data tables; layout tables have paragraphs in their cells. */
const WORDS_OF_CELL = 30;

/** Reports whether a table holds data and isn't used for layout. */
function isDataTable({ element, words, from, to }: Container): boolean {
  return (
    element.nodeName === 'TABLE' &&
    to > from &&
    words < WORDS_OF_CELL * (to - from + 1) &&
    elementsIn(element, 'TABLE').length === 0 &&
    !isLayoutTable(element)
  );
}

/** Keeps or drops a table as a whole, because it would be misleading without some of its cells. */
function keepWhole(
  { from, to }: Container,
  blocks: readonly Block[],
  likely: Float32Array,
  minProbability: number,
  included: boolean[],
): void {
  let [words, hits] = [0, 0];
  for (let i = from; i <= to; i++) {
    words += blocks[i]?.words ?? 0;
    hits += (blocks[i]?.words ?? 0) * (likely[i] ?? 0);
  }
  included.fill(hits >= minProbability * words, from, to + 1);
}

/** Keeps a heading if the block right below it is content. */
function keepHeadings(blocks: readonly Block[], included: boolean[]): void {
  for (let i = blocks.length - 2; i >= 0; i--) {
    const container = blocks[i]?.container;
    if (included[i] === true || included[i + 1] !== true || container?.parent === undefined) continue;
    if (blocks[i]?.isLink !== false) continue;
    const isHeading = /^H[1-6]$/.test(container.element.nodeName) && container.parent.to > i;
    if (isHeading || isQuestion(blocks[i])) included[i] = true;
  }
}

/** Minimum number of words of a button that shows an answer, unless it ends as a question. */
const MIN_QUESTION_WORDS = 3;

/** Reports whether a block is the label of a part that a click opens: a term, a summary, or a button. */
function isQuestion(block: Block | undefined): boolean {
  if (block === undefined) return false;
  const { nodeName, attributes } = block.container.element;
  const opens = nodeName === 'SUMMARY' || nodeName === 'DT' || attributes.has('aria-expanded');
  return opens && (block.words >= MIN_QUESTION_WORDS || /[?？؟]$/.test(block.text));
}

/** Removes texts that aren't content, and elements that become empty. */
function prune(body: PageElement, includedTexts: ReadonlySet<PageText>): void {
  const ancestors = new Set<PageElement>([body]);
  for (const text of includedTexts)
    for (let at = text.parentNode; at && !ancestors.has(at); at = at.parentNode) ancestors.add(at);
  for (const image of describedImages(body, includedTexts))
    for (let at: PageElement | null = image; at && !ancestors.has(at); at = at.parentNode) ancestors.add(at);
  for (const node of walkDescendants(body)) {
    const parent = node.parentNode;
    if (!parent) continue;
    if (node.nodeType === 3) {
      if (!includedTexts.has(node)) parent.removeChild(node);
    } else if (!ancestors.has(node) && !mayBeEmpty(node)) parent.removeChild(node);
  }
}

/** Minimum number of words of a description that says what an image shows. */
const MIN_DESCRIPTION_WORDS = 5;

/** Returns the images that are paragraphs of their own between paragraphs of the content, and have a description. */
function describedImages(body: PageElement, contentTexts: ReadonlySet<PageText>): PageElement[] {
  const images: PageElement[] = [];
  let pending: PageElement[] = [];
  let before: PageText | undefined;
  for (const node of walkDescendants(body)) {
    if (node.nodeType === 1) {
      if (node.nodeName === 'IMG' && isDescribed(node)) pending.push(node);
    } else if (
      node.data.trim() !== '' &&
      (contentTexts.has(node) || closest(node, 'FIGCAPTION') === undefined)
    ) {
      const previous = before;
      if (previous !== undefined && contentTexts.has(previous) && contentTexts.has(node))
        images.push(...pending.filter((image) => isBetween(image, previous, node)));
      before = node;
      pending = [];
    }
  }
  return images;
}

function isDescribed(image: PageElement): boolean {
  const words = (image.getAttribute('alt') ?? '').trim().split(/\s+/).length;
  if (words < MIN_DESCRIPTION_WORDS) return false;
  const href = closest(image, 'A')?.getAttribute('href') ?? '';
  // A picture that links to a page is a teaser.
  return href === '' || /\.(?:png|jpe?g|gif|webp|svg|avif)(?:$|[?#])/i.test(href);
}

/** Reports whether an image's paragraph and the texts around it are parts of the same element. */
function isBetween(image: PageElement, before: PageText, after: PageText): boolean {
  const place = closest(image, 'P')?.parentNode ?? undefined;
  return (
    place !== undefined &&
    [before, after].every((text) => {
      const paragraph = closest(text, 'P', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'LI', 'PRE', 'BLOCKQUOTE');
      return paragraph?.nodeName === 'LI'
        ? closest(paragraph, 'UL', 'OL')?.parentNode === place
        : paragraph?.parentNode === place;
    })
  );
}

function mayBeEmpty({ nodeName }: PageElement): boolean {
  return (
    nodeName === 'BR' ||
    nodeName === 'IMG' ||
    nodeName === 'HR' ||
    nodeName === 'INPUT' ||
    nodeName === 'TD' ||
    nodeName === 'TH'
  );
}
