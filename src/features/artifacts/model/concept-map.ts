import type { MapNode } from '../../../core/domain/artifact.ts';
import { findRelations, relationKey, type Relation, type Relations } from './relations.ts';
import { generateInSlices, plainTerm } from './sheet.ts';
import type { GeneratorDocument } from './generator-document.ts';
import { keyTerms, termsOfDocument, type DocumentTerms, type Term } from './terms.ts';

const MAX_TERMS = 24;
/** Terms of fewer sentences are left out if enough others remain. */
const MIN_SENTENCES = 3;
const MIN_TERMS = 8;
const MAX_NEIGHBORS = 5;
/** Minimum number of sentences with both terms, unless a verb is between them. Fewer may be a coincidence. */
const MIN_SHARED_SENTENCES = 2;
/** Factor for pairs whose relation is known. Otherwise, a map mostly shows terms that are only listed together. */
const RELATED_WEIGHT = 2;
/** Terms with more words between them share a sentence that doesn't relate them. */
const MAX_WORDS_BETWEEN = 9;

/** Term that often appears near another in sentences, with the keys of these sentences. */
interface Pair {
  readonly other: Term;
  readonly strength: number;
  readonly together: readonly string[];
  readonly relation: DirectedRelation | undefined;
}

/** Relation of two terms in the direction of a sentence. */
interface DirectedRelation extends Relation {
  /** `true` if the second term is the subject. */
  readonly isReversed: boolean;
}

interface RelatedTerms extends DocumentTerms {
  readonly relations: Relations;
}

/** Finds the terms of a document, and how its sentences relate them. */
function* relatedTermsOf(document: GeneratorDocument): Generator<RelatedTerms[]> {
  for (const parts of termsOfDocument(document))
    yield parts.map((part) => ({ ...part, relations: findRelations(document, part) }));
}

/** Returns the best relation of two terms in any document. */
function bestRelation(
  parts: readonly RelatedTerms[],
  { stems }: Term,
  other: Term,
): DirectedRelation | undefined {
  return parts
    .flatMap(({ relations }) =>
      [false, true].flatMap((isReversed) => {
        const [first, second] = isReversed ? [other.stems, stems] : [stems, other.stems];
        const relation = relations.get(relationKey(first, second));
        return relation === undefined ? [] : [{ ...relation, isReversed }];
      }),
    )
    .reduce<DirectedRelation | undefined>(
      (best, relation) => (relation.rank < (best?.rank ?? Infinity) ? relation : best),
      undefined,
    );
}

/**
 * Builds a concept map from the most informative terms. Below each are the terms that appear near it in sentences more
 * often than by chance, with the words between the two. These open the sentence with these words, or the first one with
 * both. Counts omitted terms, also those below a term.
 */
export const conceptMap = generateInSlices(relatedTermsOf, (documents) => {
  const parts = documents.flat();
  const { terms: all, omitted } = keyTerms(parts, MAX_TERMS);
  const often = all.filter(({ places }) => places.length >= MIN_SENTENCES);
  const terms = often.length >= MIN_TERMS ? often : all;
  let notShown = omitted;
  const sentences = new Map(
    terms.map((term) => [term, new Map(term.places.map((place) => [placeKey(place), place.at]))]),
  );
  const sentenceCount = parts.reduce((sum, part) => sum + part.sentences.length, 0);
  const findPlace = (key: string | undefined): MapNode['place'] => {
    const [part, sentence] = (key ?? '').split(' ').map(Number);
    return parts[part ?? -1]?.sentences[sentence ?? -1];
  };
  const nodes = terms.flatMap((term): MapNode[] => {
    const own = sentences.get(term) ?? new Map<string, number>();
    const pairs = terms
      // Skip terms that contain each other: "search" occurs in every sentence with "search engine".
      .filter((other) => !other.stems.some((stem) => term.stems.includes(stem)))
      .map((other): Pair => {
        const others = sentences.get(other) ?? new Map<string, number>();
        const together = [...own].flatMap(([key, at]) => {
          const neighbor = others.get(key);
          return neighbor !== undefined && wordsBetween(term, at, other, neighbor) <= MAX_WORDS_BETWEEN
            ? [key]
            : [];
        });
        const chance = (own.size * others.size) / Math.max(1, sentenceCount);
        const relation = bestRelation(parts, term, other);
        const weight = (relation?.words ?? '') === '' ? 1 : RELATED_WEIGHT;
        const strength = weight * together.length * Math.log(together.length / chance);
        return { other, together, relation, strength };
      })
      .filter(
        ({ strength, together, relation }) =>
          strength > 0 && (together.length >= MIN_SHARED_SENTENCES || relation?.hasVerb === true),
      )
      .sort((a, b) => b.strength - a.strength);
    if (pairs.length === 0) return [];
    notShown += Math.max(0, pairs.length - MAX_NEIGHBORS);
    return [
      { title: plainTerm(term.title), depth: 0, place: findPlace(own.keys().next().value) },
      ...pairs.slice(0, MAX_NEIGHBORS).map(({ other, together, relation }): MapNode => ({
        title: plainTerm(other.title),
        depth: 1,
        place: relation?.place ?? findPlace(together[0]),
        ...(relation !== undefined && {
          quote: relation.quote,
          ...(relation.words !== '' && {
            relation: { words: relation.words, isReversed: relation.isReversed },
          }),
        }),
      })),
    ];
  });
  return { nodes, omitted: notShown };
});

function placeKey({ part, sentence }: Term['places'][number]): string {
  return `${String(part)} ${String(sentence)}`;
}

function wordsBetween(term: Term, at: number, other: Term, otherAt: number): number {
  return at < otherAt ? otherAt - at - term.stems.length : at - otherAt - other.stems.length;
}
