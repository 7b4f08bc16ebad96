import { t } from '@vscode/l10n';
import type { Verdict } from './answer.ts';

/** Styles of verdict marks outside of the chat: a word in brackets after the statement, or a footnote. */
export const VERDICT_MARK_STYLES = ['footnote', 'inline'] as const;

export type VerdictMarkStyle = (typeof VERDICT_MARK_STYLES)[number];

interface VerdictMark {
  /** Name of the footnote, the same in every language, so that a note still works after the language changes. */
  readonly id: string;
  readonly label: () => string;
  readonly explanation: () => string;
}

/** The marks by verdict; undefined for verdicts that need none. */
const MARKS: Readonly<Record<Verdict, VerdictMark | undefined>> = {
  contradicted: {
    id: 'contradicted',
    label: () => t('contradicted'),
    explanation: () => t('the sources contradict this statement.'),
  },
  'not-found': {
    id: 'unsupported',
    label: () => t('unsupported'),
    explanation: () => t('the sources don’t support this statement.'),
  },
  partly: {
    id: 'partly-supported',
    label: () => t('partly supported'),
    explanation: () => t('the sources support only part of this statement.'),
  },
  unchecked: {
    id: 'not-fact-checked',
    label: () => t('not fact-checked'),
    explanation: () => t('no model has checked this statement.'),
  },
  none: undefined,
  supported: undefined,
};

const ALL_MARKS = Object.values(MARKS).filter((mark) => mark !== undefined);

/** Returns the word for a verdict, such as `unsupported`; undefined for verdicts that need no mark. */
export function verdictLabel(verdict: Verdict): string | undefined {
  return MARKS[verdict]?.label();
}

/** Returns the sentence that explains a verdict; '' for verdicts that need no mark. */
export function verdictExplanation(verdict: Verdict): string {
  const mark = MARKS[verdict];
  return mark === undefined ? '' : explain(mark);
}

/** Returns the mark to write behind a statement, such as ` [unsupported]` or `[^unsupported]`; '' if it needs none. */
export function verdictMark(verdict: Verdict, style: VerdictMarkStyle): string {
  const mark = MARKS[verdict];
  if (mark === undefined) return '';
  return style === 'inline' ? ` [${mark.label()}]` : footnoteMark(mark);
}

/** Returns the footnotes for the marks in a text, except those that the text or the text `above` it already has. */
export function verdictFootnotes(text: string, above = ''): string[] {
  return ALL_MARKS.filter(
    (mark) => text.includes(footnoteMark(mark)) && !hasFootnote(text, mark) && !hasFootnote(above, mark),
  ).map((mark) => `${footnoteMark(mark)}: ${explain(mark)}`);
}

/** Returns a note's text with the footnotes that its marks need at its end. */
export function withVerdictFootnotes(text: string): string {
  const footnotes = verdictFootnotes(text);
  return footnotes.length === 0 ? text : `${text.trimEnd()}\n\n${footnotes.join('\n')}\n`;
}

/** Mark of a verdict in a note. Offsets are UTF-16 code units of the note's text. */
export interface PlacedVerdictMark {
  readonly start: number;
  readonly end: number;
  readonly verdict: Verdict;
}

/** Returns the marks of verdicts in a note, in order, without those that begin a footnote. */
export function verdictMarksIn(text: string): PlacedVerdictMark[] {
  const marks: PlacedVerdictMark[] = [];
  for (const [verdict, mark] of Object.entries(MARKS) as [Verdict, VerdictMark | undefined][]) {
    if (mark === undefined) continue;
    for (const written of [footnoteMark(mark), ` [${mark.label()}]`])
      for (let start = text.indexOf(written); start >= 0; start = text.indexOf(written, start + 1)) {
        const end = start + written.length;
        if (!(text[end] === ':' && (start === 0 || text[start - 1] === '\n')))
          marks.push({ start, end, verdict });
      }
  }
  return marks.sort((a, b) => a.start - b.start);
}

/** Returns a text without the footnotes of marks that it no longer contains. */
export function withoutUnusedVerdictFootnotes(text: string): string {
  const used = new Set(verdictMarksIn(text).map(({ verdict }) => MARKS[verdict]));
  const unused = ALL_MARKS.filter((mark) => !used.has(mark));
  const lines = text.split('\n');
  const remaining = lines.filter((line) => !unused.some((mark) => hasFootnote(line, mark)));
  return remaining.length === lines.length ? text : `${remaining.join('\n').trimEnd()}\n`;
}

/** Returns a text without the marks of verdicts and their footnotes. */
export function withoutVerdictMarks(text: string): string {
  const lines = text.split('\n').filter((line) => !ALL_MARKS.some((mark) => hasFootnote(line, mark)));
  return ALL_MARKS.reduce(
    (plain, mark) => plain.replaceAll(footnoteMark(mark), '').replaceAll(` [${mark.label()}]`, ''),
    lines.join('\n'),
  );
}

function explain({ explanation }: VerdictMark): string {
  return `${t('Fact check:')} ${explanation()}`;
}

function footnoteMark({ id }: VerdictMark): string {
  return `[^${id}]`;
}

function hasFootnote(text: string, mark: VerdictMark): boolean {
  return `\n${text}`.includes(`\n${footnoteMark(mark)}:`);
}
