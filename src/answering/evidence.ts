import type { TextFormat } from '../notebook/document.ts';
import type { FoundPassage } from '../notebook/passage.ts';
import type { Span } from '../notebook/span.ts';
import type { Abbreviation } from './abbreviations.ts';
import { abbreviationsIn } from './abbreviations.ts';
import type { Direction } from './directions.ts';
import { directionsIn, kinOfTerm } from './directions.ts';
import type { Negation } from './negations.ts';
import { negationsIn } from './negations.ts';
import type { SimilarTerms } from './similar-terms.ts';
import { similarTerms } from './similar-terms.ts';
import type { Word } from './terms.ts';
import { isNumber, termsOfWord, weighTerms, wordsOf } from './terms.ts';
import type { Order } from './order.ts';
import { orderIn } from './order.ts';
import type { Unit, UnitKind } from './units.ts';
import { unitsOf } from './units.ts';

/** A sentence, item, row, block or line of a passage, made ready to be compared with a claim. */
export interface EvidenceUnit extends Span {
  readonly kind: UnitKind;
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  /** The terms of abbreviations written out, or of long forms abbreviated. */
  readonly implied: ReadonlySet<string>;
  readonly kin: ReadonlySet<string>;
  readonly numbers: readonly UnitNumber[];
  readonly wordCount: number;
  readonly negations: readonly Negation[];
  readonly directions: readonly Direction[];
  readonly order: readonly Order[];
}

/** A number of a unit with the terms beside it. */
export interface UnitNumber {
  readonly term: string;
  readonly near: readonly string[];
}

/** A passage, made ready to be searched for what supports a claim. */
export interface EvidencePassage {
  readonly passage: FoundPassage;
  readonly units: readonly EvidenceUnit[];
  /** The terms of the titles and headings that the passage stands under. */
  readonly context: ReadonlySet<string>;
  readonly terms: ReadonlySet<string>;
  readonly words: readonly Word[];
  readonly wording: string;
  /** Where each word begins in `wording`. */
  readonly wordOffsets: readonly number[];
}

/** The passages that an answer was written from. */
export interface Evidence {
  readonly passages: readonly EvidencePassage[];
  readonly weight: (term: string) => number;
  readonly similar: SimilarTerms;
}

/** How many words to either side stand beside a number. */
const BESIDE = 2;
const COMMENT = /^(?:\/\/|\/?\*|#|--|"""|<!--)/;

/** Makes passages ready to be searched. */
export function prepareEvidence(passages: readonly FoundPassage[]): Evidence {
  const abbreviations = passages.flatMap(({ text, format }) =>
    format === 'code' ? [] : abbreviationsIn(text),
  );
  const prepared = passages.map((passage) => preparePassage(passage, abbreviations));
  const units = prepared.flatMap((passage) => passage.units.map((unit) => unit.terms));
  const vocabulary = new Set(prepared.flatMap(({ terms, context }) => [...terms, ...context]));
  return { passages: prepared, weight: weighTerms(units), similar: similarTerms(vocabulary) };
}

function preparePassage(passage: FoundPassage, abbreviations: readonly Abbreviation[]): EvidencePassage {
  const words = wordsOf(passage.text);
  const units: EvidenceUnit[] = [];
  let next = 0;
  for (const unit of unitsOf(passage.text, passage.format)) {
    while ((words[next]?.start ?? Infinity) < unit.start) next++;
    const first = next;
    while ((words[next]?.start ?? Infinity) < unit.end) next++;
    units.push(prepareUnit(unit, words.slice(first, next), passage, abbreviations));
  }
  const titles = [passage.documentTitle, passage.documentKey, ...passage.headings].join('\n');
  let wording = ' ';
  const wordOffsets: number[] = [];
  for (const { folded } of words) {
    wordOffsets.push(wording.length);
    wording += `${folded} `;
  }
  return {
    passage,
    units,
    context: new Set(wordsOf(titles).flatMap(termsOfWord)),
    terms: new Set(units.flatMap((unit) => [...unit.terms])),
    words,
    wording,
    wordOffsets,
  };
}

function prepareUnit(
  { start, end, kind }: Unit,
  words: readonly Word[],
  { text, format }: { readonly text: string; readonly format: TextFormat },
  abbreviations: readonly Abbreviation[],
): EvidenceUnit {
  const telling = words.map(termsOfWord).filter((terms) => terms.length > 0);
  const terms = new Set(telling.flat());
  const implied = new Set<string>();
  for (const { short, long } of abbreviations) {
    if (terms.has(short)) for (const term of long) implied.add(term);
    else if (long.every((term) => terms.has(term))) implied.add(short);
  }
  // Code says "not" and "before" in its comments only.
  const isProse = format !== 'code' || COMMENT.test(text.slice(start, end));
  return {
    kind,
    start,
    end,
    text: text.slice(start, end),
    terms,
    implied,
    kin: new Set([...terms].flatMap((term) => kinOfTerm(term) ?? [])),
    numbers: telling.flatMap((own, index) =>
      own.filter(isNumber).map((term) => ({
        term,
        near: telling.slice(Math.max(0, index - BESIDE), index + BESIDE + 1).flat(),
      })),
    ),
    wordCount: telling.length,
    negations: isProse ? negationsIn(words, text) : [],
    directions: isProse ? directionsIn(words) : [],
    order: isProse ? orderIn(words) : [],
  };
}
