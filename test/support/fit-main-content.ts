// Fits the model that separates a page's content from its surroundings, and measures it on pages that it hasn't seen:
//   node test/support/fit-main-content.ts [FOLDER] [--write]
// FOLDER contains web/ and articles/, each with truth.jsonl ({id, type, url, text}) and html/<id>.html.gz.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { cutBlocks, type Block, type Container } from '../../src/parsers/web/blocks.ts';
import { describer, FEATURE_NAMES, featureRow } from '../../src/parsers/web/features.ts';
import { mainContentTexts } from '../../src/parsers/web/main-content.ts';
import { readMetadata } from '../../src/parsers/web/metadata.ts';
import { parsePage } from '../../src/parsers/web/parse-page.ts';
import { readableShares } from '../../src/parsers/web/readability.ts';
import { simplifyTree } from '../../src/parsers/web/simplify-tree.ts';
import { hashFeatures, parseTrees, probability } from '../../src/parsers/web/trees.ts';
import { alignWords } from '../../src/parsers/word-alignment.ts';
import { benchmarksFor } from './benchmarks.ts';
import { fitTrees, type BoostingOptions, type Examples } from './boosting.ts';
import { wordF1, lowerWords } from './word-f1.ts';

export interface LabeledPage {
  readonly set: string;
  readonly type: string;
  readonly site: string;
  readonly truth: readonly string[];
  readonly blocks: readonly Block[];
  readonly containers: readonly Container[];
  readonly words: readonly (readonly string[])[];
  /** Share of each block's words that the true content contains. */
  readonly shares: Float32Array;
  /** Share of each block that Readability selects. */
  readonly taken: Float32Array | undefined;
  readonly rows: readonly Float32Array[];
}

const folds = 5;

export const options: BoostingOptions = {
  trees: 220,
  depth: 4,
  rate: 0.06,
  leafWeight: 12,
  regularization: 3,
  rowShare: 0.7,
  featureShare: 0.3,
};

export function readPages(folder: string): LabeledPage[] {
  const lines = readFileSync(join(folder, 'truth.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const { id, type, url, text } = JSON.parse(line) as {
      id: string;
      type: string;
      url: string;
      text: string;
    };
    const page = parsePage(gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`))).toString('utf8'));
    const { openGraphType, title } = readMetadata(page, url);
    simplifyTree(page.body);
    const { blocks, containers } = cutBlocks(page.body);
    const facts = { url, title: title ?? '', openGraphType, linkedData: page.linkedData };
    const readabilityShares = readableShares(page.body, facts.title, blocks);
    const describe = describer(blocks, containers, facts, readabilityShares);
    const words = blocks.map((block) => lowerWords(block.text));
    const truth = lowerWords(text);
    return {
      set: basename(folder),
      type,
      site: new URL(url).hostname.split('.').slice(-2).join('.'),
      truth,
      blocks,
      containers,
      words,
      shares: truthShares(words, truth),
      taken: readabilityShares,
      rows: blocks.map((_, i) => Float32Array.from(featureRow(describe(i)))),
    };
  });
}

/** Returns shares by alignment in order. Blocks that are elsewhere in the truth word for word also count. */
function truthShares(words: readonly (readonly string[])[], truth: readonly string[]): Float32Array {
  const owners = words.flatMap((own, i) => own.map(() => i));
  const hits = new Float32Array(words.length);
  for (const [, at] of alignWords(truth, words.flat())) {
    const owner = owners[at] ?? 0;
    hits[owner] = (hits[owner] ?? 0) + 1;
  }
  const joined = ` ${truth.join(' ')} `;
  return Float32Array.from(words, (own, i) => {
    if (own.length >= 5 && joined.includes(` ${own.join(' ')} `)) return 1;
    return own.length === 0 ? 0 : (hits[i] ?? 0) / own.length;
  });
}

/** Weights every page the same, and words in long blocks somewhat less. */
export function makeExamples(pages: readonly LabeledPage[]): Examples {
  const width = pages[0]?.rows[0]?.length ?? 0;
  const count = pages.reduce((sum, { blocks }) => sum + blocks.length, 0);
  const values = new Float32Array(count * width);
  const targets = new Float32Array(count);
  const weights = new Float32Array(count);
  let at = 0;
  for (const { blocks, words, shares, rows } of pages) {
    for (const [i, row] of rows.entries()) values.set(row, (at + i) * width);
    targets.set(shares, at);
    const own = words.map(({ length }) => length ** 0.7);
    const sum = own.reduce((total, weight) => total + weight, 0);
    for (const [i, weight] of own.entries()) weights[at + i] = (300 * weight) / sum;
    at += blocks.length;
  }
  return { width, values, targets, weights };
}

/** Returns the F1 of a page's words with a model. */
export function scorePage(
  { blocks, containers, words, truth, taken, rows }: LabeledPage,
  model: string,
): number {
  const trees = parseTrees(model);
  const likely = Float32Array.from(rows, (row) => probability(trees, row));
  const included = mainContentTexts(blocks, containers, likely, taken);
  const extract = words.filter((_, i) => {
    const [first] = blocks[i]?.texts ?? [];
    return first !== undefined && included.has(first);
  });
  return wordF1(extract.flat(), truth);
}

/** Assigns pages of one site to one fold, so that its peculiarities don't help. */
export function assignFolds(pages: readonly LabeledPage[]): number[] {
  const sites = [...new Set(pages.map(({ site }) => site))];
  return pages.map(({ site }) => sites.indexOf(site) % folds);
}

/** Prints the means of each set, of all its pages and by their types. */
export function report(name: string, pages: readonly LabeledPage[], scores: readonly number[]): string[] {
  const means: string[] = [];
  for (const set of new Set(pages.map((page) => page.set))) {
    const types = ['all', ...new Set(pages.flatMap((page) => (page.set === set ? page.type : [])))];
    const figures = types.map((type) => {
      const own = scores.filter(
        (_, i) => pages[i]?.set === set && (type === 'all' || pages[i].type === type),
      );
      return `${type} ${(own.reduce((sum, score) => sum + score, 0) / own.length).toFixed(3)}`;
    });
    console.log(`${name}, ${set}: ${figures.join('  ')}`);
    means.push(`${figures[0]?.replace('all ', '') ?? ''} of ${set}`);
  }
  return means;
}

if (import.meta.main) {
  const sets = ['web', 'articles'];
  const folder = benchmarksFor(process.argv, sets);
  const pages = sets.flatMap((name) => readPages(join(folder, name)));
  const foldOf = assignFolds(pages);
  const unseen = new Array<number>(pages.length).fill(0);
  for (let fold = 0; fold < folds; fold++) {
    const model = fitTrees(makeExamples(pages.filter((_, i) => foldOf[i] !== fold)), options);
    for (const [i, page] of pages.entries()) if (foldOf[i] === fold) unseen[i] = scorePage(page, model);
  }
  const means = report('not seen', pages, unseen);
  const model = fitTrees(makeExamples(pages), options);
  report(
    'fitted',
    pages,
    pages.map((page) => scorePage(page, model)),
  );
  if (process.argv.includes('--write')) {
    const head = `/**
 * Made by test/support/fit-main-content.ts; read by \`parseTrees\`. Fitted on pages of WCXB's development split (web) and of the
 * article-extraction benchmark (articles); the mean F1 over words of pages that a fold was not fitted on: ${means.join(', ')}.
 */
`;
    const file = join(import.meta.dirname, '../../src/parsers/web/content-model.ts');
    writeFileSync(
      file,
      `${head}export const CONTENT_MODEL = \`${model}\`;\n\n/** Hash of the names of its features. */\nexport const CONTENT_FEATURES_HASH = '${hashFeatures(FEATURE_NAMES)}';\n`,
    );
  }
}
