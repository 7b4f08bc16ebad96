// Compares abbreviations in code with the words of its documentation, for the list in code-words.ts:
//   node test/support/fit-abbreviations.ts
// The code is that of this project's dependencies, whose versions the lock file pins. A pair counts if functions whose
// documentation has the word, and whose code doesn't, have the abbreviation more often than others. Words are compared by
// their stems.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { abbreviationsOf } from '../../src/core/language/words/code-words.ts';
import { termsIn } from '../../src/core/language/words/words.ts';
import { printTable } from '../bench/table.ts';
import { root } from './paths.mjs';

/** Documentation before code that isn't another comment. */
const DOCUMENTED = /\/\*\*((?:(?!\*\/)[^]){20,1000})\*\/\s*(?!\/)([^]{20,600}?)(?=\/\*\*|$)/g;
const MAX_FILE_LENGTH = 300_000;
const MAX_LINE = 500;
/** Longest abbreviation, and minimum number of letters that it omits. */
const MAX_LENGTH = 6;
const MIN_OMITTED = 2;
const MIN_FUNCTIONS = 5;
const MIN_RATIO = 2;
const MAX_SHOWN = 40;

const stems = new Map<string, string>();

/** Returns the stems of the words and of the parts of names in a text. */
function stemsOf(text: string): ReadonlySet<string> {
  const words = text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return new Set(
    words.map((word) => {
      const lower = word.toLowerCase();
      const stem = stems.get(lower) ?? termsIn(lower)[0] ?? lower;
      stems.set(lower, stem);
      return stem;
    }),
  );
}

/** Reports whether a word has the letters of another one in order, from the first. */
function mayAbbreviate(short: string, long: string): boolean {
  if (short.length < 2 || short.length > MAX_LENGTH || long.length < short.length + MIN_OMITTED) return false;
  if (!long.startsWith(short.charAt(0))) return false;
  let matched = 0;
  for (const letter of long) if (letter === short[matched]) matched++;
  return matched === short.length;
}

const functions = new Map<string, { doc: ReadonlySet<string>; code: ReadonlySet<string> }>();
for (const file of globSync('node_modules/**/*.{js,mjs,cjs,ts,mts}', { cwd: root }).toSorted()) {
  let text: string;
  try {
    text = readFileSync(join(root, file), 'utf8');
  } catch {
    // Folders can have such names, too.
    continue;
  }
  if (text.length > MAX_FILE_LENGTH || text.split('\n').some(({ length }) => length > MAX_LINE)) continue;
  for (const [whole, doc = '', code = ''] of text.matchAll(DOCUMENTED))
    functions.set(whole, { doc: stemsOf(doc), code: stemsOf(code) });
}

/** Number of functions with each word in their code. */
const inCode = new Map<string, number>();
/** Functions with each word in their documentation and not in their code, and how many of these have each abbreviation. */
const onlyInDoc = new Map<string, { count: number; readonly short: Map<string, number> }>();
for (const { doc, code } of functions.values()) {
  for (const word of code) inCode.set(word, (inCode.get(word) ?? 0) + 1);
  for (const long of doc) {
    if (code.has(long)) continue;
    const own = onlyInDoc.get(long) ?? { count: 0, short: new Map<string, number>() };
    onlyInDoc.set(long, own);
    own.count++;
    for (const short of code)
      if (mayAbbreviate(short, long) || abbreviationsOf(long).includes(short))
        own.short.set(short, (own.short.get(short) ?? 0) + 1);
  }
}
const pairs = [...onlyInDoc].flatMap(([long, { count, short: abbreviations }]) => {
  const listed = abbreviationsOf(long).filter((short) => short.length < long.length);
  return [...new Set([...listed, ...abbreviations.keys()])].map((short) => {
    const expected = (count * (inCode.get(short) ?? 0)) / functions.size;
    const both = abbreviations.get(short) ?? 0;
    return { short, long, both, ratio: both === 0 ? 0 : both / expected, isListed: listed.includes(short) };
  });
});
const listed = pairs.filter(({ isListed }) => isListed);
const frequent = listed.filter(({ ratio }) => ratio >= MIN_RATIO);
console.log(
  `${functions.size.toLocaleString('en')} documented functions. ${String(frequent.length)} of ${String(listed.length)} listed pairs are at least ${String(MIN_RATIO)} times as frequent as by chance.`,
);
const show = (some: typeof pairs): void => {
  const rows = some.map(({ short, long, both, ratio }) => [short, long, String(both), ratio.toFixed(1)]);
  printTable(['abbreviation', 'word', 'functions', 'ratio to chance'], rows);
};
show(listed.toSorted((a, b) => b.both - a.both || b.ratio - a.ratio));
console.log('Pairs that the list lacks');
const others = pairs.filter(
  ({ isListed, both, ratio }) => !isListed && both >= MIN_FUNCTIONS && ratio >= MIN_RATIO,
);
show(others.toSorted((a, b) => b.both * Math.log(b.ratio) - a.both * Math.log(a.ratio)).slice(0, MAX_SHOWN));
