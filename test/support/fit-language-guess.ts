// Compares values for the minimum share of stop words that shows the language of a text:
//   node test/support/fit-language-guess.ts
// A low share takes code for another language, a high one misses lists and tables. The texts are those of the test
// fixtures, and the code, whose words are English, is that of this project's dependencies. The lock file pins it.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Languages from '../../src/core/language/words/languages.ts';
import type * as Words from '../../src/core/language/words/words.ts';
import { readGeneratedSets } from '../bench/made-sentences.ts';
import { printTable } from '../bench/table.ts';
import { importWith } from './import-with.ts';
import { root } from './paths.mjs';

const SHARES = [0, 0.025, 0.05, 0.075, 0.1, 0.125, 0.15, 0.175, 0.2, 0.25];
/** Lengths of parts, as of small and large passages, and minimum length of the last one, in UTF-16 code units. */
const PART_LENGTHS = [500, 800, 1_500];
const MIN_LENGTH = 300;
const MAX_PARTS_PER_FILE = 5;
/** Maximum number of files of a package. */
const MAX_FILES = 20;
/** Length of a line above which code is minified. */
const MAX_LINE = 500;

interface Part {
  readonly text: string;
  /** ISO 639 code of its language. */
  readonly code: string;
}

const NAMES = new Intl.DisplayNames('en', { type: 'language' });

function partsOf(text: string): string[] {
  return PART_LENGTHS.flatMap((length) => {
    const count = Math.min(MAX_PARTS_PER_FILE, Math.ceil(text.length / length));
    return Array.from({ length: count }, (_, i) => text.slice(i * length, (i + 1) * length));
  }).filter((part) => part.length >= MIN_LENGTH);
}

function readCode(): Part[] {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: object;
    devDependencies: object;
  };
  const names = Object.keys({ ...dependencies, ...devDependencies });
  return names.flatMap((name) => {
    const cwd = join(root, 'node_modules', name);
    const files = globSync('**/*.{js,mjs,cjs,ts}', { cwd, exclude: ['node_modules/**'] }).toSorted();
    const texts = files.slice(0, MAX_FILES).map((file) => readFileSync(join(cwd, file), 'utf8'));
    return texts
      .filter((text) => text.split('\n').every(({ length }) => length <= MAX_LINE))
      .flatMap((text) => partsOf(text).map((part) => ({ text: part, code: 'en' })));
  });
}

/** Reads the texts of test fixtures whose files or headings name a language that Open Notebook knows. */
function readTexts(codes: readonly string[]): Part[] {
  const codeOf = (name: string): string | undefined =>
    codes.find((code) => code === name || NAMES.of(code)?.toLowerCase() === name.toLowerCase());
  const fixtures = join(root, 'test/fixtures');
  const groups = { club: 'en', labor: 'de', mairie: 'fr', miete: 'de', shop: 'en', thesis: 'en' };
  const named = [
    ...globSync('languages/*.txt', { cwd: fixtures }).map((file) => [file, file.slice(10, -4)] as const),
    ...globSync('floors/{de,en,es,fr,ru,zh}/*', { cwd: fixtures }).map(
      (file) => [file, file.slice(7, 9)] as const,
    ),
    ...globSync('everyday/*.{csv,md,txt}', { cwd: fixtures }).flatMap((file) =>
      Object.entries(groups).flatMap(([group, code]) =>
        file.includes(`/${group}--`) ? [[file, code] as const] : [],
      ),
    ),
  ].map(([file, name]) => ({ text: readFileSync(join(fixtures, file), 'utf8'), name }));
  const generated = readGeneratedSets().map(({ text, language }) => ({ text, name: language }));
  return [...named, ...generated].flatMap(({ text, name }) => {
    const code = codeOf(name);
    return code === undefined ? [] : partsOf(text).map((part) => ({ text: part, code }));
  });
}

const code = readCode();
let texts: readonly Part[] | undefined;
const rows: string[][] = [];
for (const share of SHARES) {
  const path = 'src/core/language/words';
  const { languageOfText } = await importWith<typeof Words>(`${path}/words.ts`, { MIN_SHARE: share });
  const { LANGUAGES } = await importWith<typeof Languages>(`${path}/languages.ts`, { MIN_SHARE: share });
  const isWrong = (part: Part): boolean => LANGUAGES[languageOfText(part.text)]?.code !== part.code;
  // Some languages have no stop words here, such as Chinese.
  texts ??= readTexts(LANGUAGES.map((language) => language.code)).filter((part) => !isWrong(part));
  const [ofCode, ofTexts] = [code, texts].map((parts) => ({
    count: parts.filter(isWrong).length,
    of: parts.length,
  }));
  if (ofCode === undefined || ofTexts === undefined) continue;
  const show = ({ count, of }: typeof ofCode): string => `${String(count)} of ${of.toLocaleString('en')}`;
  const mean = (ofCode.count / ofCode.of + ofTexts.count / ofTexts.of) / 2;
  rows.push([String(share), show(ofCode), show(ofTexts), `${(100 * mean).toFixed(2)} %`]);
}
printTable(['minimum share', 'code in another language', 'texts in another one', 'mean of both'], rows);
