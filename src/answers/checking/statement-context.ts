import type { Span } from '../../core/language/span.ts';
import { pointsBack } from '../../core/language/statement-words.ts';
import { outlinedLineAt, outlineText } from '../../core/language/text-outline.ts';
import { languageOfText } from '../../core/language/words/words.ts';

/** Text around a statement that tells what the statement is about. It isn't evidence. */
export interface StatementContext {
  /** Headings, the line above a list or table, and the items that contain the statement, outermost first. */
  readonly under: readonly string[];
  /** Statement before it in the same paragraph, or before one that refers back. */
  readonly after: string | undefined;
  /** `true` if the statement refers to the one before it with a word such as "it". */
  readonly pointsBack: boolean;
  /** `true` if the statement has too few words to be understandable on its own: "In March." */
  readonly isShort: boolean;
}

/** Maximum number of lines above a statement. */
const MAX_LINES = 5;
/** Maximum number of words, or of characters in scripts without spaces, of a short statement. */
const MAX_SHORT_WORDS = 5;
const WORDS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}.,'’-]*/gu;

/** Returns a function that finds the context of each statement of an answer, by the index of the statement. */
export function contextOfStatements(
  text: string,
  statements: readonly Span[],
): (index: number) => StatementContext {
  const lines = outlineText(text);
  const language = languageOfText(text);
  return (index) => {
    const [previous, own] = [statements[index - 1], statements[index]];
    if (own === undefined) return { under: [], after: undefined, pointsBack: false, isShort: false };
    const sentence = text.slice(own.start, own.end);
    const isShort = (sentence.match(WORDS)?.length ?? 0) <= MAX_SHORT_WORDS;
    const isBack = pointsBack(sentence, language);
    const isInLine = previous !== undefined && !text.slice(previous.end, own.start).includes('\n');
    const needsPrevious = isBack || isInLine;
    const { headings = [], leads = [] } = outlinedLineAt(lines, own.start) ?? {};
    const under = [...headings.map(({ title }) => title).filter((title) => title !== ''), ...leads];
    return {
      under: under.slice(-MAX_LINES),
      after: needsPrevious && previous !== undefined ? text.slice(previous.start, previous.end) : undefined,
      pointsBack: isBack,
      isShort,
    };
  };
}
