import { t } from '@vscode/l10n';
import type { CitationChange } from '../../src/features/chat/protocol.ts';
import { shownVerdict, type Citation, type Statement, type Verdict } from '../../src/core/domain/answer.ts';

const VERDICTS: Record<Exclude<Verdict, 'none'>, () => string> = {
  contradicted: () => t('Contradicted'),
  'not-found': () => t('Unsupported'),
  partly: () => t('Partly supported'),
  supported: () => t('Supported'),
  unchecked: () => t('Not fact-checked'),
};

/** Returns the name of a verdict; empty for a statement without a claim. */
export function verdictName(verdict: Verdict): string {
  return verdict === 'none' ? '' : VERDICTS[verdict]();
}

/** Describes the verdict on a statement with the evidence; undefined if there is nothing to say. */
export function verdictInWords(statement: Statement): string | undefined {
  const { checkedBy, computed, deciding } = statement;
  const verdict = shownVerdict(statement);
  if (verdict === 'none') return undefined;
  const details = [
    ...(computed === undefined ? [] : [t('calculated: {0}', computed)]),
    ...(computed !== undefined && checkedBy === undefined
      ? []
      : [
          checkedBy === undefined
            ? VERDICTS[verdict]()
            : t('{0}, according to {1}', VERDICTS[verdict](), checkedBy),
        ]),
    ...(deciding === undefined ? [] : [`“${deciding}”`]),
  ];
  return details.join(' · ');
}

/** Minimum length of a word to compare. Shorter words are rarely specific. */
const MIN_WORD_LENGTH = 4;
const MAX_FOUND_WORDS = 12;

/** Returns the words and numbers of a statement that a quote also contains. */
export function findWords(statement: string, quote: string): string[] {
  const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const quoted = new Set(wordsIn(quote).map((word) => word.toLowerCase()));
  const contentWords = wordsIn(statement).filter(
    (word) => (word.length >= MIN_WORD_LENGTH || /\d/.test(word)) && quoted.has(word.toLowerCase()),
  );
  return [...new Set(contentWords)].slice(0, MAX_FOUND_WORDS);
}

/** Describes the change of a citation since it was made; undefined if it still holds. */
export function changeInWords(kind: CitationChange['kind'] | undefined): string | undefined {
  switch (kind) {
    case 'changed':
      return t('The source has changed since it was cited');
    case 'removed':
      return t('No longer in the notebook');
    case 'renamed':
    case undefined:
      return undefined;
  }
}

/** Citation chip: its label, and the indices of the answer's citations that it represents. */
export interface Chip {
  readonly label: string;
  readonly citations: readonly number[];
}

/** Returns the chips of a statement, by number. Combines three or more consecutive numbers. */
export function chips(indexes: readonly number[], citations: readonly Citation[]): Chip[] {
  const byNumber = new Map<number, number[]>();
  for (const index of indexes) {
    const number = citations[index]?.number;
    if (number !== undefined) byNumber.set(number, [...(byNumber.get(number) ?? []), index]);
  }
  const runs: { first: number; last: number; citations: number[][] }[] = [];
  for (const [number, behind] of [...byNumber].sort(([a], [b]) => a - b)) {
    const run = runs.at(-1);
    if (run?.last === number - 1) {
      run.last = number;
      run.citations.push(behind);
    } else runs.push({ first: number, last: number, citations: [behind] });
  }
  return runs.flatMap(({ first, last, citations: behind }) =>
    last - first >= 2
      ? [{ label: `${first.toLocaleString()}–${last.toLocaleString()}`, citations: behind.flat() }]
      : behind.map((each, index) => ({ label: (first + index).toLocaleString(), citations: each })),
  );
}

/** Returns the codicon of a citation's source, or of a source itself. */
export function sourceIcon({ sourceKind, mediaType }: Pick<Citation, 'mediaType' | 'sourceKind'>): string {
  if (mediaType === 'application/pdf') return 'file-pdf';
  if (sourceKind === 'page' || sourceKind === 'site') return 'globe';
  if (sourceKind === 'text') return 'note';
  if (mediaType === 'application/x-ipynb+json') return 'notebook';
  if (mediaType === 'text/markdown') return 'markdown';
  return 'file';
}
