import { t } from '@vscode/l10n';
import {
  countVerdicts,
  standingCitations,
  type Answer,
  type Quote,
  type Statement,
  type Turn,
} from '../../src/core/domain/answer.ts';
import { distinctCitations } from '../../src/core/domain/answer-markdown.ts';
import { includedInWords, sourcesInWords, statementsInWords } from '../../src/core/domain/counts.ts';
import { dollars, type TokenUsage } from '../../src/core/domain/usage.ts';
import type { RequestedScope, PanelState } from '../../src/features/chat/protocol.ts';
import { splitQuestion } from '../../src/core/domain/question-parts.ts';
import { requestedScope, duration } from '../shared/words.ts';

function excerptsInWords(count: number): string {
  return count === 1 ? t('1 excerpt') : t('{0} excerpts', count.toLocaleString());
}

/** Returns the placeholder of the empty input. */
export function placeholder({ ready, working }: PanelState['sources'], scope: RequestedScope): string {
  if (ready > 0 && scope.kind === 'file') return t('Ask about the open file');
  if (ready > 0 && scope.kind === 'sources') return t('Ask about {0}', requestedScope(scope));
  if (ready > 0) {
    const documents = scope.kind === 'notebook' ? scope.documents : undefined;
    return t('Ask about {0}', includedInWords({ ticked: ready, of: ready, documents }));
  }
  if (working > 0) return t('Reading {0}…', sourcesInWords(working));
  return t('Add sources to ask about them');
}

/** Maximum length of a question in the name of its turn, in UTF-16 code units. */
const MAX_NAME_LENGTH = 200;

/** Converts a question to the name of its turn. */
export function nameOfQuestion(text: string): string {
  const question = splitQuestion(text).find(({ kind }) => kind === 'words')?.text ?? text;
  return question.length <= MAX_NAME_LENGTH ? question : `${question.slice(0, MAX_NAME_LENGTH)}…`;
}

/** Returns the quiet line under an answer, only with its relevant parts. */
export function summary(turn: Turn): string {
  const { answer, state } = turn;
  const parts: string[] = [];
  if (answer?.kind === 'written') {
    parts.push(...checkInWords(answer.statements));
  }
  if (answer?.kind === 'quotes')
    parts.push(
      answer.pages === undefined
        ? excerptsInWords(answer.quotes.length)
        : excerptsInWords(groupPlaces(answer, answer.pages[0] ?? 0).length),
    );
  const sources = answer && new Set(standingCitations(answer).map((i) => answer.citations[i]?.sourceId));
  if (sources !== undefined && sources.size > 0) parts.push(sourcesInWords(sources.size));
  if (answer?.kind === 'written') parts.push(answer.model);
  if (answer?.kind === 'written' && answer.isCut === true)
    parts.push(t('question shortened to fit the context window'));
  if (turn.scope?.kind === 'file') parts.push(t('search scope: {0}', turn.scope.title));
  if (turn.scope?.kind === 'sources')
    parts.push(t('search scope: {0}', sourcesInWords(turn.scope.sourceIds.length)));
  if (state.kind === 'done') parts.push(duration(state.milliseconds));
  return parts.join(' · ');
}

/** Formats the result of the fact check: as many of each verdict as there are marks. */
function checkInWords(statements: readonly Statement[]): string[] {
  const counts = countVerdicts(statements);
  const checkable = statements.length - counts.none;
  if (checkable === 0) return [];
  if (counts.unchecked === checkable) return [t('{0} not fact-checked', statementsInWords(checkable))];
  const checkers = new Set(statements.flatMap(({ checkedBy }) => checkedBy ?? []));
  const countLabels: readonly (readonly [number, (count: string) => string])[] = [
    [counts.partly, (count) => t('{0} partly supported', count)],
    [counts.contradicted, (count) => t('{0} contradicted', count)],
    [counts['not-found'], (count) => t('{0} unsupported', count)],
    [counts.unchecked, (count) => t('{0} not fact-checked', count)],
  ];
  return [
    t('{0} of {1} supported', counts.supported.toLocaleString(), statementsInWords(checkable)),
    ...countLabels.flatMap(([count, format]) => (count === 0 ? [] : [format(count.toLocaleString())])),
    ...(checkers.size === 0 ? [] : [t('fact-checked by {0}', [...checkers].join(', '))]),
  ];
}

/** Formats the token usage of an answer: `1,234 tokens in, 56 out · about $0.0031`. */
export function usage({ input, output, estimated, cost }: TokenUsage): string {
  const tokens =
    input === 1
      ? t('1 token in, {0} out', output.toLocaleString())
      : t('{0} tokens in, {1} out', input.toLocaleString(), output.toLocaleString());
  return [
    estimated > 0 ? t('{0}, estimated', tokens) : tokens,
    ...(cost === undefined ? [] : [t('about {0}', dollars(cost))]),
  ].join(' · ');
}

/** Consecutive quotes from one document, under its title. */
interface QuotedDocument {
  readonly documentId: number | undefined;
  readonly title: string;
  readonly quotes: readonly Quote[];
}

/** Groups the quotes of an answer by document, in order. */
export function quotesByDocument({
  quotes,
  citations,
}: Extract<Answer, { kind: 'quotes' }>): QuotedDocument[] {
  const documents: (QuotedDocument & { quotes: Quote[] })[] = [];
  for (const quote of quotes) {
    const { documentId, title = '' } = citations[quote.citation] ?? {};
    const last = documents.at(-1);
    if (last !== undefined && last.documentId === documentId && last.title === title) last.quotes.push(quote);
    else documents.push({ documentId, title, quotes: [quote] });
  }
  return documents;
}

/** Groups the first excerpts of an answer by location. */
export function groupPlaces({ quotes }: Extract<Answer, { kind: 'quotes' }>, count: number): Quote[][] {
  const places: Quote[][] = [];
  for (const quote of quotes.slice(0, count)) {
    const last = places.at(-1);
    if (last !== undefined && quote.around?.goesOn === true) last.push(quote);
    else places.push([quote]);
  }
  return places;
}

/**
 * Maps excerpts to the citations of their figures. Each figure appears with the first excerpt that contains or names
 * it.
 */
export function figuresShown({
  quotes,
  citations,
}: Extract<Answer, { kind: 'quotes' }>): ReadonlyMap<number, number> {
  const shown = new Map<number, number>();
  const known = new Set<string>();
  for (const { citation, around } of quotes)
    for (const index of around?.citations ?? [citation]) {
      const { documentId, figure } = citations[index] ?? {};
      const key = figure && `${String(documentId)} ${String(figure.start)}`;
      if (key === undefined || known.has(key) || shown.has(citation)) continue;
      known.add(key);
      shown.set(citation, index);
    }
  return shown;
}

/**
 * Returns the numbers of the passages to list under an answer, without duplicates and without those that it shows as
 * excerpts.
 */
export function citationsToList(answer: Answer): number[] {
  const quoted =
    answer.kind === 'quotes' ? answer.quotes.map(({ citation }) => answer.citations[citation]?.number) : [];
  return distinctCitations(answer).filter((index) => !quoted.includes(answer.citations[index]?.number));
}
