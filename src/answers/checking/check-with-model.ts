import { t } from '@vscode/l10n';
import {
  statementsToCheck,
  type Answer,
  type AnswerEvent,
  type Citation,
  type Statement,
} from '../../core/domain/answer.ts';
import { NotebookError, throwIfCanceled } from '../../core/domain/errors.ts';
import { cutPassage, type FoundPassage, type PassagePlace } from '../../core/domain/passage.ts';
import { stripInjectedInstructions } from '../../core/language/prompt-injection.ts';
import { overlap, type Span } from '../../core/language/span.ts';
import { isTableRow } from '../../core/language/markdown-lines.ts';
import { cellContext, headerAbove } from '../../core/language/tables.ts';
import { pausing } from '../../core/rpc/pausing.ts';
import { chooseEvidence, rangeSpan, type EvidencePlace, type EvidenceRange } from './choose-evidence.ts';
import { prepareEvidenceInSteps, type Evidence } from './evidence.ts';
import type { LanguageModel } from '../models/language-model.ts';
import {
  askVerdicts,
  estimateCheckTokens,
  REQUEST_TIMEOUT_MINUTES,
  type EvidencePiece,
  type ModelVerdict,
  type StatementToCheck,
} from './model-verdicts.ts';
import type { PassageFinder } from '../retrieving/passage-finder.ts';
import { tableHeader } from '../retrieving/table-header.ts';
import { contextOfStatements } from './statement-context.ts';
import { textAbove } from './text-above.ts';

type WrittenAnswer = Extract<Answer, { kind: 'written' }>;

export interface CheckInput {
  readonly answer: Answer;
  /** Question that the answer is about, which a short statement such as "In March" needs. */
  readonly question?: string | undefined;
  readonly model: LanguageModel;
  readonly passages: PassageFinder;
  readonly signal: AbortSignal;
  /** Passages that the answer was written from, if it doesn't list them. */
  readonly read?: readonly FoundPassage[] | undefined;
  /** Indexes of the statements to check; by default, all that claim something and aren't quotes. */
  readonly only?: readonly number[];
  /** Receives the status of the check, and each new verdict. */
  readonly emit: (event: AnswerEvent) => void;
}

/** Maximum number of cited places to check a statement against. */
const MAX_CITED_PIECES = 4;
/** Maximum length of a question in a request, in UTF-16 code units; a longer one has quoted text at its end. */
const MAX_QUESTION_LENGTH = 500;
/** Maximum number of pieces from the previous statement for a statement that refers back, such as "It fell by half". */
const MAX_INHERITED_PIECES = 2;

/** Piece of evidence with its location. */
interface PlacedPiece extends EvidencePiece {
  readonly passage: FoundPassage;
  /** Start of its text in the document. */
  readonly start: number;
  /** Cited text, or the nearest text. */
  readonly span: Span;
  readonly isCited: boolean;
}

/** Statement of an answer with its evidence. */
export interface PreparedStatement extends StatementToCheck {
  readonly index: number;
  readonly before: Statement;
  readonly evidence: readonly PlacedPiece[];
  /** Start of the statement's own text in the text for the model, after the header of a table. */
  readonly offset: number;
}

/**
 * Lets a model check the statements of an answer against their cited text and the nearest other passages, and reports
 * the verdicts by events. Statements without evidence or a usable verdict stay unchecked.
 * @throws NotebookError if the model can't be reached, takes too long, or returns no usable verdict; verdicts reported
 * before stay valid
 */
export async function checkWithModel({
  answer,
  question,
  model,
  passages: finder,
  signal,
  read,
  only = statementsToCheck(answer),
  emit,
}: CheckInput): Promise<void> {
  if (answer.kind !== 'written') return;
  const count = only.length;
  if (count === 0) return;
  throwIfCanceled(signal);
  emit({
    kind: 'status',
    text:
      count === 1
        ? t('Checking 1 statement with {0}…', model.name)
        : t('Checking {0} statements with {1}…', count, model.name),
  });
  const prepared = await prepareStatements(answer, { question, finder, signal, only, read });
  const citations = [...answer.citations];
  let events = Promise.resolve();
  let verdicts = 0;
  let hasTimedOut = false;
  try {
    hasTimedOut = await askVerdicts(model, prepared, signal, (i, verdict) => {
      const own = prepared[i];
      if (own === undefined) return;
      verdicts++;
      events = events.then(async () => {
        const event = await checkedEvent(own, verdict, citations, model.name, finder);
        if (signal.aborted) return;
        citations.push(...event.newCitations);
        emit(event);
      });
      // A failure is thrown below, after the model has finished.
      events.catch(() => undefined);
    });
  } finally {
    // A failure is thrown below.
    await events.catch(() => undefined);
  }
  await events;
  throwIfCanceled(signal);
  if (prepared.length === 0)
    throw new NotebookError(
      'unsupported',
      t('Can’t check this answer because its passages are no longer in the notebook.'),
    );
  if (verdicts === 0 && hasTimedOut)
    throw new NotebookError(
      'timeout',
      t(
        '{0} took longer than {1} minutes, so the answer isn’t fact-checked. Try again, or pick a faster fact-check model.',
        model.name,
        REQUEST_TIMEOUT_MINUTES,
      ),
      { action: 'pickModel' },
    );
  if (verdicts === 0)
    throw new NotebookError(
      'unsupported',
      t(
        '{0} didn’t return usable verdicts, so the answer isn’t fact-checked. Pick another fact-check model.',
        model.name,
      ),
      { action: 'pickModel' },
    );
}

/** Estimates the input and output tokens for checking an answer. */
export async function estimateCheck(
  answer: Answer,
  finder: PassageFinder,
  signal: AbortSignal,
): Promise<{ readonly input: number; readonly output: number }> {
  return estimateCheckTokens(
    answer.kind === 'written'
      ? await prepareStatements(answer, { finder, signal, only: statementsToCheck(answer) })
      : [],
  );
}

interface Preparation extends Pick<CheckInput, 'question' | 'read' | 'signal'> {
  readonly finder: PassageFinder;
  readonly only: readonly number[];
}

/** Finds the evidence for statements of an answer; omits statements without any. */
export async function prepareStatements(
  answer: WrittenAnswer,
  { question, finder, signal, only, read }: Preparation,
): Promise<readonly PreparedStatement[]> {
  const evidence = await prepareEvidenceInSteps(read ?? (await readPassages(answer, finder)));
  const contextOf = contextOfStatements(answer.text, answer.statements);
  const pause = pausing();
  const prepared: PreparedStatement[] = [];
  for (const index of only) {
    throwIfCanceled(signal);
    const before = answer.statements[index];
    if (before === undefined) continue;
    const sentence = answer.text.slice(before.start, before.end);
    const cited = citedPlaces(before, answer, evidence);
    const { under, after, pointsBack, isShort } = contextOf(index);
    const above = answer.text.slice(0, before.start);
    const header = isTableRow(sentence) ? headerAbove(above, sentence)?.header : undefined;
    const cell = cellContext(answer.text, before);
    const prefix = header === undefined ? cell.before : `${header.trimEnd()}\n`;
    // A few words match too much text, or the wrong row of a table, without the words around them.
    const topic = isShort ? [question, ...under, cell.before].filter(Boolean).join('\n') : '';
    const searched = topic === '' ? sentence : `${topic}\n${sentence}`;
    const inherited = placesBefore(index, answer, evidence).slice(0, MAX_INHERITED_PIECES);
    const chosen = chooseEvidence(searched, evidence, cited, pointsBack ? inherited : []);
    const ranges = chosen.length > 0 ? chosen : chooseEvidence(searched, evidence, [], inherited);
    const pieces = await Promise.all(
      ranges.map((range) =>
        toPiece(
          range,
          cited.some(({ source }) => source === range.source),
          finder,
        ),
      ),
    );
    if (pieces.length > 0)
      prepared.push({
        ...{ index, before, statement: prefix + sentence + cell.after, offset: prefix.length },
        ...{ evidence: pieces, under, after },
        // The first statement often continues the question.
        ...((isShort || after === undefined) && {
          question: question?.slice(0, MAX_QUESTION_LENGTH),
        }),
      });
    await pause();
  }
  return prepared;
}

/** Returns the cited spans of a statement. */
function citedPlaces(
  { citations }: Statement,
  answer: WrittenAnswer,
  evidence: Evidence,
): readonly EvidencePlace[] {
  return citations
    .flatMap((each) => answer.citations[each] ?? [])
    .flatMap(({ documentId, passage: span, span: words }) => {
      const source = evidence.passages.find(({ passage }) => isAt(passage, { documentId, span }));
      return source === undefined ? [] : [{ source, span: words }];
    })
    .slice(0, MAX_CITED_PIECES);
}

/**
 * Returns the cited spans of the last statement with citations before another one. Without any, returns the start of
 * the first passage.
 */
function placesBefore(index: number, answer: WrittenAnswer, evidence: Evidence): readonly EvidencePlace[] {
  for (const statement of answer.statements.slice(0, index).toReversed()) {
    const places = citedPlaces(statement, answer, evidence);
    if (places.length > 0) return places;
  }
  return evidence.passages.slice(0, 1).map((source) => {
    const { start } = source.passage;
    return { source, span: { start, end: start + 1 } };
  });
}

/** Returns the unchanged passages that the answer cites or was written from. */
export async function readPassages(
  answer: WrittenAnswer,
  finder: PassageFinder,
): Promise<readonly FoundPassage[]> {
  const places: (PassagePlace & { readonly holds: string })[] = [
    ...answer.citations.map(({ documentId, passage, quote }) => ({
      documentId,
      span: passage,
      holds: quote,
    })),
    ...(answer.read ?? []).map(({ documentId, span, begins }) => ({ documentId, span, holds: begins })),
  ];
  const passages: FoundPassage[] = [];
  for (const place of places) {
    if (passages.some((passage) => isAt(passage, place))) continue;
    const [passage] = await finder.at([place]);
    if (passage?.text.includes(place.holds) === true) passages.push(passage);
  }
  return passages;
}

function isAt(passage: FoundPassage, { documentId, span }: PassagePlace): boolean {
  return passage.documentId === documentId && overlap(passage, span) === span.end - span.start;
}

/** Returns a range as a piece for the model, with the header of its table, and the line above its list. */
async function toPiece(range: EvidenceRange, isCited: boolean, finder: PassageFinder): Promise<PlacedPiece> {
  const {
    source: { passage },
    span,
  } = range;
  const { start, end } = rangeSpan(range);
  const shown = { start: passage.start + start, end: passage.start + end };
  const header = await tableHeader({ passage, span: shown }, finder);
  const { sourceTitle, documentTitle, documentKey } = passage;
  const { headings, leads } = textAbove(range.source, range.first);
  const titles = new Set([sourceTitle, documentKey === '' ? documentTitle : documentKey, ...headings]);
  return {
    passage,
    start: shown.start,
    text: stripInjectedInstructions(passage.text).slice(start, end),
    from: [...titles].filter((title) => title !== '').join(' › '),
    header: [...leads, ...(header === undefined ? [] : [header])].map((line) => `${line}\n`).join(''),
    span,
    isCited,
  };
}

/**
 * Returns the event for a statement with the model's verdict. If the answer cites the text that decided the verdict,
 * that citation comes first. Otherwise, the event adds a citation of the text.
 */
async function checkedEvent(
  { index, before, offset, evidence }: PreparedStatement,
  { verdict, deciding, missing }: ModelVerdict,
  citations: readonly Citation[],
  checkedBy: string,
  finder: PassageFinder,
): Promise<Extract<AnswerEvent, { kind: 'checked' }>> {
  const { start, end, computed } = before;
  const checked: Omit<Statement, 'citations'> = {
    start,
    end,
    verdict,
    ...(computed !== undefined && { computed }),
    ...(missing !== undefined &&
      missing.start >= offset &&
      missing.end - offset <= end - start && {
        missing: [{ start: start + missing.start - offset, end: start + missing.end - offset }],
      }),
    ...(deciding?.span && {
      deciding: evidence[deciding.piece]?.text.slice(deciding.span.start, deciding.span.end) ?? '',
    }),
    checkedBy,
  };
  const event = (own: readonly number[], newCitations: readonly Citation[] = [], isMoved = false) => ({
    kind: 'checked' as const,
    index,
    statement: { ...checked, citations: own, ...(isMoved && { moved: true as const }) },
    newCitations,
  });
  if (verdict === 'not-found') return event([]);
  const piece = evidence[deciding?.piece ?? 0];
  // If the model doesn't name the deciding text, the whole evidence counts.
  if (piece === undefined || (deciding === undefined && before.citations.length > 0))
    return event(before.citations);
  const span = deciding?.span
    ? sentenceAt(piece.passage, {
        start: piece.start + deciding.span.start,
        end: piece.start + deciding.span.end,
      })
    : piece.span;
  const same = before.citations.find((each) => {
    const citation = citations[each];
    return (
      citation?.documentId === piece.passage.documentId &&
      overlap(citation.span, span) === span.end - span.start
    );
  });
  const isOf = (each: number): boolean => {
    const citation = citations[each];
    return (
      citation !== undefined &&
      isAt(piece.passage, { documentId: citation.documentId, span: citation.passage })
    );
  };
  if (same !== undefined) return event([same, ...before.citations.filter((each) => each !== same)]);
  const newCitations = await finder.cite([
    { number: findNumber(piece.passage, citations), passage: piece.passage, span },
  ]);
  const added = newCitations.map((_, i) => citations.length + i);
  if (!piece.isCited && before.citations.length > 0)
    return event([...before.citations, ...added], newCitations, true);
  return event([...added, ...before.citations.filter((each) => !isOf(each))], newCitations);
}

/** Returns the sentences or rows of a passage that contain a span. */
function sentenceAt(passage: FoundPassage, words: Span): Span {
  const units = cutPassage(passage).filter(
    ({ start, end }) => passage.start + start < words.end && words.start < passage.start + end,
  );
  const [first, last] = [units[0], units.at(-1)];
  if (first === undefined || last === undefined) return words;
  return { start: passage.start + first.start, end: passage.start + last.end };
}

/** Returns the number of a passage that is already cited, or the next number. */
function findNumber(passage: FoundPassage, citations: readonly Citation[]): number {
  const known = citations.find(({ documentId, passage: span }) => isAt(passage, { documentId, span }));
  return known?.number ?? 1 + Math.max(0, ...citations.map(({ number }) => number));
}
