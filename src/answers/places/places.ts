import { t } from '@vscode/l10n';
import type { Answer, Quote } from '../../core/domain/answer.ts';
import { sourcesInWords } from '../../core/domain/counts.ts';
import { throwIfCanceled } from '../../core/domain/errors.ts';
import type { FoundPlace } from '../../core/domain/passage.ts';
import type { QuestionInput } from '../question/question-input.ts';
import { describeProvenance, type Provenance } from '../retrieving/provenance.ts';
import { cite, type Cited } from '../retrieving/cite.ts';
import type { PassageFinder } from '../retrieving/passage-finder.ts';
import { tableHeader } from '../retrieving/table-header.ts';

/**
 * Maximum numbers of sections and of UTF-16 code units on a page. With 12 sections instead of 8, the first pages contain
 * 58 % of the answers of `bench everyday` instead of 56 %.
 */
const PLACES_OF_PAGE = 12;
const CHARACTERS_OF_PAGE = 4_000;
const MAX_PAGES = 3;

/** Excerpts of one section, best first. */
type PlaceExcerpts = readonly FoundPlace[];

/** Reports the best excerpts for a question, which the reader has to judge. */
export async function emitExcerpts(query: string, typed: string, input: QuestionInput): Promise<void> {
  const { passages: finder, signal, emit } = input;
  const foundPlaces = await finder.places(query, signal);
  throwIfCanceled(signal);
  const pages = paginate(foundPlaces);
  const [background, answer] = await Promise.all([
    describeProvenance(
      { searches: [query], typed, finder },
      foundPlaces.map(({ passage }) => passage),
    ),
    pages.length === 0 ? undefined : answerIn(pages, finder),
  ]);
  if (answer === undefined) {
    await emitNothingFound(query, background, input);
    return;
  }
  throwIfCanceled(signal);
  emit({ kind: 'started', answer: { ...answer, ...background } });
}

/**
 * Reports that the search scope matches no word of the question, and names the closest match in the rest of the
 * notebook.
 */
export async function emitNothingFound(
  query: string,
  background: Provenance,
  { passages, place, signal, emit }: QuestionInput,
): Promise<void> {
  const [nearest] = (await passages.placesElsewhere?.(query, signal)) ?? [];
  const citations = await cite(passages, nearest === undefined ? [] : toCited(nearest).slice(0, 1));
  throwIfCanceled(signal);
  const [first] = citations;
  const nothing =
    place === undefined
      ? t('Your question doesn’t match anything in this notebook. Try different words.')
      : t(
          'Your question doesn’t match anything in {0}. Try different words, or search the whole notebook.',
          place,
        );
  const elsewhere =
    first === undefined ? [] : [t('The closest match elsewhere in the notebook is in {0}.', first.title)];
  const text = [nothing, ...elsewhere].join(' ');
  emit({ kind: 'started', answer: { kind: 'nothing', text, citations, ...background } });
}

/** Groups excerpts by section, ranks each group by its best excerpt, and splits the groups into pages. */
export function paginate(foundPlaces: readonly FoundPlace[]): (readonly PlaceExcerpts[])[] {
  const pages: PlaceExcerpts[][] = [];
  let waiting = foundPlaces;
  while (waiting.length > 0 && pages.length < MAX_PAGES) {
    const places: FoundPlace[][] = [];
    const later: FoundPlace[] = [];
    let remainingCharacters = CHARACTERS_OF_PAGE;
    for (const excerpt of waiting) {
      const length = excerpt.passage.text.length;
      const place = places.find((other) =>
        other.some((excerptOfPlace) => isOfSamePlace(excerptOfPlace, excerpt)),
      );
      const fits = length <= remainingCharacters || remainingCharacters === CHARACTERS_OF_PAGE;
      if (!fits || (place === undefined && places.length === PLACES_OF_PAGE)) later.push(excerpt);
      else {
        remainingCharacters -= length;
        if (place === undefined) places.push([excerpt]);
        else place.push(excerpt);
      }
    }
    pages.push(places);
    waiting = later;
  }
  return pages;
}

function isOfSamePlace(a: FoundPlace, b: FoundPlace): boolean {
  return a.passage.documentId === b.passage.documentId && a.section.start === b.section.start;
}

async function answerIn(
  pages: readonly (readonly PlaceExcerpts[])[],
  finder: PassageFinder,
): Promise<Answer> {
  const shown = pages.flat().flatMap((place) => place.map((excerpt, i) => ({ excerpt, goesOn: i > 0 })));
  const cited = shown.map(({ excerpt }) => toCited(excerpt));
  const [citations, headers] = await Promise.all([
    cite(finder, cited.flat()),
    Promise.all(shown.map(({ excerpt: { passage } }) => tableHeader({ passage, span: passage }, finder))),
  ]);
  const firstSources = new Set((pages[0] ?? []).flat().map(({ passage }) => passage.sourceId)).size;
  let next = 0;
  const quotes = shown.map(({ excerpt: { passage, marks }, goesOn }, i): Quote => {
    const header = headers[i];
    const { format, languageId, headings, text, start } = passage;
    const own = Array.from(cited[i] ?? [], () => next++);
    return {
      citation: own[0] ?? 0,
      format,
      languageId,
      ...(header !== undefined && { header }),
      around: {
        text,
        headings,
        marks: marks
          .map((mark) => ({ start: mark.start - start, end: mark.end - start }))
          .toSorted((a, b) => a.start - b.start),
        citations: own,
        goesOn,
      },
    };
  });
  return {
    kind: 'quotes',
    text: t('Top excerpts from {0}:', sourcesInWords(firstSources)),
    quotes,
    citations,
    pages: pages.map((page) => page.flat().length),
  };
}

/**
 * Returns the spans to cite: the sentence that best matches the question, then other matches; or else the whole
 * excerpt.
 */
function toCited({ passage, marks }: FoundPlace): readonly Cited[] {
  const { start, end } = passage;
  return (marks.length > 0 ? marks : [{ start, end }]).map((span) => ({ passage, span }));
}
