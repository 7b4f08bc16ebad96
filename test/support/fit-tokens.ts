// Fits the token estimate, and measures its distance from the counts of real vocabularies on held-out texts:
//   node test/support/fit-tokens.ts [FOLDER] [--write]
// FOLDER contains the benchmarks' texts. This project's own texts are added, among them one in each of many languages.
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { countTokens as countOlder } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countNewer } from 'gpt-tokenizer/encoding/o200k_base';
import { TOKEN_WEIGHTS } from '../../src/core/language/token-weights.ts';
import { countPieces, type TokenCounts } from '../../src/core/language/tokens.ts';
import { benchmarksFor } from './benchmarks.ts';
import { chooseWeights, measureUnseen, percent, writeWeights, type Tried } from './choose-weights.ts';
import { root } from './paths.mjs';

type Name = keyof TokenCounts;

const folds = 5;
/** Factors to try on the current weights. */
const TIMES = [0.7, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.2, 1.3];
/** Length of a text, similar to that of passages, in UTF-16 code units. */
const PIECE = 1_500;
const MAX_PARTS = 20;
/**
 * Weights of characters that these texts hardly contain. test/unit/notebook-tokens.test.ts checks them with synthetic
 * texts.
 */
const RARE: ReadonlySet<Name> = new Set([
  'mixedCharacter',
  'otherLetter',
  'punctuation',
  'sameSigns',
  'symbol',
]);
/** Cost of an underestimate, which truncates a prompt, relative to an overestimate, which wastes some tokens. */
const COST_OF_LESS = 15;
/** Minimum gain; less is chance, as folds differ by some .05. */
const MIN_GAIN = 0.001;

interface Piece {
  readonly counts: TokenCounts;
  /** Token count of the vocabulary that needs the most. */
  readonly tokens: number;
}

const names = Object.keys(TOKEN_WEIGHTS) as Name[];
const tried = Object.fromEntries(
  names.map((name) => {
    const times = RARE.has(name) ? [1] : TIMES;
    return [name, times.map((one) => Number((one * TOKEN_WEIGHTS[name]).toFixed(2)))];
  }),
) as unknown as Tried<TokenCounts>;

/** Returns the relative overestimate of a text's tokens; negative for an underestimate. */
function excess({ counts, tokens }: Piece): number {
  return names.reduce((sum, name) => sum + TOKEN_WEIGHTS[name] * counts[name], 0) / tokens - 1;
}

function cost(pieces: readonly Piece[]): number {
  const costs = pieces.map(excess).map((share) => (share < 0 ? -COST_OF_LESS * share : share));
  return costs.reduce((sum, one) => sum + one, 0) / pieces.length;
}

function readPieces(path: string): Piece[] {
  const text = readFileSync(path, 'utf8');
  const step = Math.max(PIECE, Math.floor(text.length / MAX_PARTS));
  return Array.from({ length: Math.ceil(text.length / step) }, (_, i) =>
    text.slice(i * step, i * step + PIECE),
  )
    .filter((piece) => piece.trim() !== '')
    .map((piece) => ({ counts: countPieces(piece), tokens: Math.max(countOlder(piece), countNewer(piece)) }));
}

const folder = benchmarksFor(process.argv, ['passages', 'everyday', 'pdf']);
const files = [
  ...globSync(['passages/*.md', 'everyday/*.{md,ts}', 'pdf/*.md'], { cwd: folder }).map((file) =>
    join(folder, file),
  ),
  ...globSync(
    [
      'README.md',
      'src/platform/*.ts',
      'webview/*/*.css',
      'test/fixtures/{languages,questions,reading}/*.{csv,html,txt}',
    ],
    {
      cwd: root,
    },
  ).map((file) => join(root, file)),
].toSorted((a, b) => basename(a).localeCompare(basename(b), 'en'));
const parts = Array.from({ length: folds }, (_, fold) =>
  files.filter((_file, i) => i % folds === fold).flatMap(readPieces),
);
const chosenFor = (some: readonly (readonly Piece[])[]): Promise<TokenCounts> =>
  chooseWeights(TOKEN_WEIGHTS, tried, () => -cost(some.flat()), MIN_GAIN);
const countErrors = (pieces: readonly Piece[]): { short: number; long: number } => ({
  short: pieces.filter((piece) => excess(piece) < 0).length / pieces.length,
  long: pieces.map(excess).reduce((sum, one) => sum + one, 0) / pieces.length,
});
const printErrors = (name: string, pieces: readonly Piece[]): void => {
  const { short, long } = countErrors(pieces);
  console.log(
    `${name}: cost ${cost(pieces).toFixed(3)}, too short ${percent(short)}, longer by ${percent(long)}`,
  );
};

for (const part of parts) printErrors('as it is', part);
const unseen = await measureUnseen(TOKEN_WEIGHTS, tried, parts, chosenFor, (part) => {
  printErrors('not seen', part);
  return countErrors(part);
});
const chosen = await chosenFor(parts);
for (const part of parts) printErrors('chosen', part);
console.log(chosen);
const mean = (value: 'long' | 'short'): string =>
  percent(unseen.reduce((sum, one) => sum + one[value], 0) / folds);
if (process.argv.includes('--write'))
  writeWeights(
    join(root, 'src/core/language/token-weights.ts'),
    { ...chosen },
    {
      TOKEN_WEIGHTS: `How many tokens each thing in a text makes: a word, a character or a run. Chosen by test/support/fit-tokens.ts on the texts of the benchmarks (chunking_evaluation, the documentation of Git and R, MiniSearch's source, Docling's) and of this project, ${String(files.length)} files in five folds, against the vocabularies of GPT-4 and GPT-4o (whichever counts more): of texts not seen ${mean('short')} are told too short, and all are told longer by ${mean('long')} on average. \`mixedCharacter\`, \`otherLetter\`, \`punctuation\`, \`sameSigns\` and \`symbol\`, of which they have hardly any, are held to made texts by test/unit/notebook-tokens.test.ts.`,
    },
  );
