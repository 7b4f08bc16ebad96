import { stemEnglish } from './words/english-stems.ts';
import { ENGLISH } from './words/word-terms.ts';
import type { Word } from './words/words.ts';

/** Word for one of two opposite directions: its family, its direction, and the surrounding terms. */
export interface Direction {
  readonly family: number;
  readonly pole: 0 | 1;
  readonly near: ReadonlySet<string>;
}

/**
 * Families of English words for two opposite directions. If `alike` is set, words of one direction are near synonyms.
 */
const FAMILIES: readonly { readonly alike?: true; readonly poles: readonly [string, string] }[] = [
  {
    alike: true,
    poles: [
      'increase raise rise rose risen grow grew grown higher greater larger bigger more enhance elevate boost gain amplify accelerate promote stimulate upregulate improve strengthen augment expand extend exceed',
      'decrease reduce reduction lower decline fall fell fallen drop fewer less lesser smaller diminish inhibit suppress attenuate impair downregulate shrink weaken lessen limit block restrict slow',
    ],
  },
  { alike: true, poles: ['better best superior', 'worse worst inferior poorer'] },
  { alike: true, poles: ['faster quicker quick fast', 'slower slow'] },
  { poles: ['longer long', 'shorter short'] },
  { poles: ['before earlier prior', 'after later following'] },
  { alike: true, poles: ['allow permit enable', 'forbid prohibit prevent disallow disable deny refuse'] },
  { alike: true, poles: ['include contain', 'exclude omit'] },
  { poles: ['add insert', 'remove delete'] },
  { alike: true, poles: ['start begin began begun', 'stop end finish'] },
  { poles: ['maximum most', 'minimum least'] },
  { poles: ['above over', 'below under'] },
  { poles: ['first', 'last'] },
  { poles: ['positive', 'negative'] },
  { poles: ['true', 'false'] },
  { poles: ['required mandatory', 'optional'] },
  { alike: true, poles: ['success succeed', 'fail failure'] },
  { poles: ['open', 'close closed shut'] },
  { poles: ['public', 'private'] },
  { poles: ['internal', 'external'] },
  { poles: ['upper', 'lower'] },
  { poles: ['synchronous', 'asynchronous'] },
  { poles: ['ascending', 'descending'] },
  { poles: ['possible', 'impossible'] },
  { poles: ['safe', 'unsafe dangerous'] },
];

const polesByTerm = new Map<string, Pick<Direction, 'family' | 'pole'>[]>();
const kinByTerm = new Map<string, string>();
for (const [family, { alike, poles }] of FAMILIES.entries()) {
  for (const pole of [0, 1] as const) {
    for (const word of poles[pole].split(' ')) {
      const stem = stemEnglish(word);
      polesByTerm.set(stem, [...(polesByTerm.get(stem) ?? []), { family, pole }]);
      if (alike && !kinByTerm.has(stem)) kinByTerm.set(stem, `${String(family)}:${String(pole)}`);
    }
  }
}

/** Number of words on either side that a direction refers to: "the yield of wheat rose sharply". */
const NEAR = 3;

/** Returns the directions in a text, in order. Empty for languages other than English. */
export function directionsIn(words: readonly Word[], language: number): Direction[] {
  if (language !== ENGLISH) return [];
  const terms = words.map((word) => word.terms);
  return words.flatMap((word, index) => {
    const directions = polesByTerm.get(stemEnglish(word.folded));
    if (directions === undefined) return [];
    const near = new Set([...around(terms, index, -1), ...around(terms, index, 1)]);
    return directions.map((each) => ({ ...each, near }));
  });
}

function around(terms: readonly (readonly string[])[], index: number, step: 1 | -1): string[] {
  const near: string[] = [];
  let termCount = 0;
  for (let at = index + step; at >= 0 && at < terms.length && termCount < NEAR; at += step) {
    const own = terms[at] ?? [];
    if (own.length === 0) continue;
    near.push(...own);
    termCount++;
  }
  return near;
}

/** Returns the family of an English term for quantities or actions with its near synonyms; undefined if it has none. */
export function oppositeFamily(term: string, language: number): string | undefined {
  return language === ENGLISH ? kinByTerm.get(term) : undefined;
}
