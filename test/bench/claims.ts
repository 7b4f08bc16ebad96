import { splitDocument } from '../../src/index/documents/splitter.ts';
import type { FoundPassage } from '../../src/core/domain/passage.ts';
import { markdownHeadingSpans } from '../unit/answering-fixtures.ts';
import { overlap, type Span } from '../../src/core/language/span.ts';

/** Claim and the sentences of the text to check it against: an abstract, or a whole page. */
export interface Case {
  readonly claim: string;
  readonly label: 'CONTRADICT' | 'NONE' | 'SUPPORT';
  readonly title: string;
  readonly sentences: readonly string[];
  readonly evidence: readonly number[];
  /** For a page: the label of the claim, and every sufficient set of sentences. */
  readonly wice?: 'not_supported' | 'partially_supported' | 'supported';
  readonly sets?: readonly (readonly number[])[];
}

/** Text to check a claim against, as it would be read for an answer. */
interface CaseText {
  readonly passages: readonly FoundPassage[];
  /** Spans of the sentences in the text. */
  readonly spans: readonly Span[];
}

const TITLE = /^\(meta data\) TITLE: (.*)/;
const ENDS = /[.!?…]["'”’»)\]]*$/;

/** Joins sentences. An abstract is one passage of prose. A page is Markdown, split into passages like a source. */
export function joinSentences({ title, sentences, wice }: Case): CaseText {
  const spans: Span[] = [];
  let text = '';
  for (const [index, sentence] of sentences.entries()) {
    const words = sentence.trim();
    const before = sentences[index - 1]?.trim() ?? '';
    const goesOn = ENDS.test(before) && !before.startsWith('#') && !words.startsWith('#');
    if (text !== '') text += wice === undefined || goesOn ? ' ' : '\n\n';
    spans.push({ start: text.length, end: text.length + words.length });
    text += words;
  }
  const [first = ''] = sentences;
  const documentTitle = wice === undefined ? title : (TITLE.exec(first)?.[1] ?? '');
  const whole = { start: 0, end: text.length, headings: [] };
  const parts =
    wice === undefined
      ? [whole]
      : splitDocument({ text, format: 'markdown', headings: [] }, { size: 1500, overlap: 0 });
  const passages = parts.map(({ start, end }, index) => ({
    passageId: index + 1,
    documentId: 1,
    sourceId: title,
    score: 1,
    start,
    end,
    text: text.slice(start, end),
    format: wice === undefined ? ('prose' as const) : ('markdown' as const),
    languageId: undefined,
    sourceTitle: documentTitle,
    documentTitle,
    documentKey: '',
    headings: [],
    headingSpans: wice === undefined ? [] : markdownHeadingSpans(text, { start, end }),
  }));
  return { passages, spans };
}

/** Returns the sentences with more than half of their text in a span. */
export function sentencesIn(span: Span, sentences: readonly Span[]): number[] {
  return sentences.flatMap((each, index) =>
    overlap(span, each) > (each.end - each.start) / 2 ? [index] : [],
  );
}

function scoreF1(picked: readonly number[], right: readonly number[]): number {
  const hits = picked.filter((sentence) => right.includes(sentence)).length;
  return (2 * hits) / Math.max(1, picked.length + right.length);
}

/** Scores the sentences chosen for claims from abstracts, by their indexes: F1 over all sentences together. */
export function scoreAbstracts(
  cases: readonly Case[],
  picks: readonly (readonly number[])[],
): Record<'F1' | 'precision' | 'recall', number> {
  let hits = 0;
  let count = 0;
  let wanted = 0;
  for (const [i, { label, evidence }] of cases.entries()) {
    if (label === 'NONE') continue;
    const picked = picks[i] ?? [];
    hits += picked.filter((index) => evidence.includes(index)).length;
    count += picked.length;
    wanted += evidence.length;
  }
  return { precision: hits / count, recall: hits / wanted, F1: (2 * hits) / (count + wanted) };
}

/**
 * Scores the sentences chosen from pages: the mean F1 of each claim against its best set, for claims that have sets.
 */
export function scorePages(
  cases: readonly Case[],
  picks: readonly (readonly number[])[],
): Record<'F1', number> {
  const scores = cases.flatMap(({ label, evidence, sets = [evidence] }, i) =>
    label === 'NONE' ? [] : Math.max(...sets.map((set) => scoreF1(picks[i] ?? [], set))),
  );
  return { F1: scores.reduce((sum, score) => sum + score, 0) / scores.length };
}
