import type { Citation } from '../../core/domain/answer.ts';
import type { FoundPassage } from '../../core/domain/passage.ts';
import { asksForFigure, figureNumbersIn, figuresIn } from '../../core/language/figures.ts';
import { comparedLanguage, comparedTermSet } from '../../core/language/words/words.ts';
import { cite, type Cited } from '../retrieving/cite.ts';
import type { PassageFinder } from '../retrieving/passage-finder.ts';

/** Maximum number of figures for one question. */
const MAX_FIGURES = 3;
/** Maximum number of locations to search for figures. */
const MAX_PLACES = 12;

/**
 * Returns the figures of retrieved passages, best first, that a question names by number. If it mentions a figure
 * without a number, returns the one whose caption matches most of its words. The results are citations, each with its
 * figure.
 */
export async function figuresInQuestion(
  question: string,
  read: readonly FoundPassage[],
  finder: PassageFinder,
): Promise<readonly Citation[]> {
  const numbers = figureNumbersIn(question);
  if (numbers.length === 0 && !asksForFigure(question)) return [];
  const places =
    numbers.length > 0
      ? read.flatMap((passage) => figurePlaces(passage, numbers))
      : placeOfWords(question, read);
  const citations = await cite(finder, places.slice(0, MAX_PLACES));
  const known = new Set<string>();
  const figureCitations = citations.filter(({ documentId, figure }) => {
    const key = figure && `${String(documentId)} ${String(figure.start)}`;
    const isNamed =
      numbers.length === 0 ||
      figureNumbersIn(figure?.name ?? '').some((figureNumber) => numbers.includes(figureNumber));
    if (key === undefined || known.has(key) || !isNamed) return false;
    known.add(key);
    return true;
  });
  return figureCitations.slice(0, MAX_FIGURES);
}

/** Returns the captions of the numbered figures, or else the whole passage if it mentions one. */
function figurePlaces(passage: FoundPassage, numbers: readonly string[]): Cited[] {
  const { figures } = figuresIn(passage.text, passage.format);
  const captions = figures.filter(({ name }) =>
    figureNumbersIn(name).some((number) => numbers.includes(number)),
  );
  if (captions.length > 0) return captions.map(({ caption }) => spanIn(passage, caption));
  const mentioned = figureNumbersIn(passage.text).some((number) => numbers.includes(number));
  return mentioned ? [spanIn(passage, { start: 0, end: passage.text.length })] : [];
}

function placeOfWords(question: string, read: readonly FoundPassage[]): Cited[] {
  const captions = read.flatMap((passage) => {
    const { figures } = figuresIn(passage.text, passage.format);
    if (figures.length === 0) return [];
    const language = comparedLanguage(passage.text, question);
    const questionTerms = [...comparedTermSet(question, language)];
    return figures.map(({ caption }) => {
      const words = comparedTermSet(passage.text.slice(caption.start, caption.end), language);
      return {
        place: spanIn(passage, caption),
        shared: questionTerms.filter((term) => words.has(term)).length,
      };
    });
  });
  const [best] = captions.toSorted((a, b) => b.shared - a.shared);
  return best === undefined || best.shared === 0 ? [] : [best.place];
}

function spanIn(passage: FoundPassage, { start, end }: { start: number; end: number }): Cited {
  return { passage, span: { start: passage.start + start, end: passage.start + end } };
}
