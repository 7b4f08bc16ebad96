import { t } from '@vscode/l10n';
import {
  statementsToCheck,
  type Answer,
  type AnswerEvent,
  type Citation,
  type Statement,
} from '../../notebook/answer.ts';
import { NotebookError, throwIfCancelled } from '../../notebook/errors.ts';
import { cutPassage, type FoundPassage, type PassagePlace } from '../../notebook/passage.ts';
import { withoutOrders } from '../../language/orders.ts';
import { overlap, type Span } from '../../language/span.ts';
import { isTableRow } from '../../language/markdown-lines.ts';
import { cellContext, headerAbove } from '../../language/tables.ts';
import { pausing } from '../../messages/pausing.ts';
import { pointsBack } from '../../language/statement-words.ts';
import { languageOfText } from '../../language/words/words.ts';
import { prepareEvidenceInSteps, type Evidence, type EvidencePassage } from './evidence.ts';
import { nearestSupports } from './nearest.ts';
import type { LanguageModel } from '../models/language-model.ts';
import {
  askVerdicts,
  estimateCheckTokens,
  type EvidencePiece,
  type ModelVerdict,
  type StatementToCheck,
} from './model-verdicts.ts';
import type { PassageFinder } from '../retrieving/passage-finder.ts';
import { tableHeader } from '../retrieving/table-header.ts';

type WrittenAnswer = Extract<Answer, { kind: 'written' }>;

export interface CheckInput {
  readonly answer: Answer;
  readonly model: LanguageModel;
  readonly passages: PassageFinder;
  readonly signal: AbortSignal;
  /** The passages that the answer was written from, if it doesn't list them. */
  readonly read?: readonly FoundPassage[] | undefined;
  /** The statements to check, by their indexes; by default all that claim something and are no quotes. */
  readonly only?: readonly number[];
  /** Gets what the check is doing, and each new verdict. */
  readonly emit: (event: AnswerEvent) => void;
}

/** A statement is checked against as many cited passages, and as many of the others that are nearest to it. */
const MAX_CITED_PIECES = 4;
const MAX_OTHER_PIECES = 2;
/** A statement whose words point back, such as "It fell by half", is checked against this many pieces of the one before it. */
const MAX_INHERITED_PIECES = 2;
/** A piece begins with this many more sentences if its first ones point back. */
const MAX_SENTENCES_BEFORE = 3;
/** Other passages with a smaller share of a statement's words say nothing to it. */
const MIN_OTHER_COVERAGE = 0.3;
/** A shorter passage is shown whole, in UTF-16 code units; of a longer one the cited sentences and their neighbors. */
const SHORT_PASSAGE_LENGTH = 500;

/** A piece of evidence with where it stands. */
interface PlacedPiece extends EvidencePiece {
  readonly passage: FoundPassage;
  /** The start of its text in the document. */
  readonly start: number;
  /** The cited words, or the nearest ones. */
  readonly span: Span;
  readonly isCited: boolean;
}

/** A statement of an answer with its evidence. */
interface PreparedStatement extends StatementToCheck {
  readonly index: number;
  readonly before: Statement;
  readonly evidence: readonly PlacedPiece[];
  /** The start of the statement's own words in the text for the model, behind the header of a table. */
  readonly offset: number;
}

/**
 * Has a model check the statements of an answer, each against the words that it cites and the nearest others that were
 * read, and reports the verdicts by events. Statements without evidence, or without a usable verdict, stay unchecked.
 * @throws NotebookError if the model can't be reached or gives no usable verdict; verdicts reported before stand
 */
export async function checkWithModel({
  answer,
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
  throwIfCancelled(signal);
  emit({
    kind: 'status',
    text:
      count === 1
        ? t('Checking 1 statement with {0}…', model.name)
        : t('Checking {0} statements with {1}…', count, model.name),
  });
  const prepared = await prepareStatements(answer, { finder, signal, only, read });
  const citations = [...answer.citations];
  let events = Promise.resolve();
  let verdicts = 0;
  try {
    await askVerdicts(model, prepared, signal, (i, verdict) => {
      const own = prepared[i];
      if (own === undefined) return;
      verdicts++;
      events = events.then(async () => {
        const event = await checkedEvent(own, verdict, citations, model.name, finder);
        if (signal.aborted) return;
        citations.push(...event.newCitations);
        emit(event);
      });
      // A failure is thrown below, once the model has ended.
      events.catch(() => undefined);
    });
  } finally {
    await events.catch(() => undefined);
  }
  await events;
  throwIfCancelled(signal);
  if (prepared.length === 0)
    throw new NotebookError(
      'unsupported',
      t('Can’t check this answer because its passages are no longer in the notebook.'),
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

/** Estimates what the check of an answer takes and gives, in tokens. */
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

interface Preparation extends Pick<CheckInput, 'read' | 'signal'> {
  readonly finder: PassageFinder;
  readonly only: readonly number[];
}

/** Words of a passage that may be evidence of a statement. */
interface EvidencePlace {
  readonly source: EvidencePassage;
  readonly span: Span;
}

/** Finds the evidence of statements of an answer; those without any are left out. */
export async function prepareStatements(
  answer: WrittenAnswer,
  { finder, signal, only, read }: Preparation,
): Promise<readonly PreparedStatement[]> {
  const evidence = await prepareEvidenceInSteps(read ?? (await readPassages(answer, finder)));
  const pause = pausing();
  const prepared: PreparedStatement[] = [];
  for (const index of only) {
    throwIfCancelled(signal);
    const before = answer.statements[index];
    if (before === undefined) continue;
    const sentence = answer.text.slice(before.start, before.end);
    const cited = citedPlaces(before, answer, evidence);
    const others = nearestSupports(sentence, evidence)
      .filter(
        ({ passage, coverage }) =>
          coverage >= MIN_OTHER_COVERAGE && !cited.some(({ source }) => source.passage === passage),
      )
      .sort((a, b) => b.coverage - a.coverage)
      .slice(0, MAX_OTHER_PIECES)
      .flatMap(({ passage, span }) => {
        const source = evidence.passages.find((each) => each.passage === passage);
        return source === undefined ? [] : [{ source, span }];
      });
    const context = contextOf(index, answer);
    const inherited =
      context !== undefined || cited.length + others.length === 0
        ? placesBefore(index, answer, evidence).slice(0, MAX_INHERITED_PIECES)
        : [];
    const pieces: PlacedPiece[] = [];
    for (const place of [...cited, ...others, ...inherited]) {
      const piece = await pieceAround(
        place,
        cited.some(({ source }) => source === place.source),
        finder,
      );
      if (!pieces.some(({ start, text }) => start === piece.start && text === piece.text)) pieces.push(piece);
    }
    const above = answer.text.slice(0, before.start);
    const header = isTableRow(sentence) ? headerAbove(above, sentence)?.header : undefined;
    const cell = cellContext(answer.text, before);
    const prefix = header === undefined ? cell.before : `${header.trimEnd()}\n`;
    const statement = prefix + sentence + cell.after;
    if (pieces.length > 0)
      prepared.push({
        ...{ index, before, statement, offset: prefix.length, evidence: pieces },
        ...(context !== undefined && { context }),
      });
    await pause();
  }
  return prepared;
}

/** The words that a statement cites. */
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

/** The statement before one whose words point back; undefined if it stands alone. */
function contextOf(index: number, { text, statements }: WrittenAnswer): string | undefined {
  const [previous, own] = [statements[index - 1], statements[index]];
  if (previous === undefined || own === undefined) return undefined;
  const sentence = text.slice(own.start, own.end);
  return pointsBack(sentence, languageOfText(text)) ? text.slice(previous.start, previous.end) : undefined;
}

/** The words that the last statement before another one cites; of an answer without citations the first that was read. */
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

/** The passages that the answer cites or was written from; those that changed since are left out. */
async function readPassages(answer: WrittenAnswer, finder: PassageFinder): Promise<readonly FoundPassage[]> {
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

/** The sentences at a span of a document, with their neighbors, and the header of the table they are rows of. */
async function pieceAround(
  { source: { passage, units, language }, span }: EvidencePlace,
  isCited: boolean,
  finder: PassageFinder,
): Promise<PlacedPiece> {
  const own = { start: span.start - passage.start, end: span.end - passage.start };
  const touched = units.flatMap((unit, place) =>
    unit.start < own.end && own.start < unit.end ? [place] : [],
  );
  const isShort = passage.text.length <= SHORT_PASSAGE_LENGTH;
  let from = isShort ? 0 : Math.max(0, (touched[0] ?? 0) - 1);
  for (let more = 0; more < MAX_SENTENCES_BEFORE && from > 0; more++) {
    const { kind, text } = units[from] ?? {};
    if (kind === 'row' || !pointsBack(text ?? '', language)) break;
    from--;
  }
  const first = units[from];
  const last = isShort ? units.at(-1) : (units[(touched.at(-1) ?? 0) + 1] ?? units.at(-1));
  const start = first?.start ?? 0;
  const end = last?.end ?? passage.text.length;
  const shown = { start: passage.start + start, end: passage.start + end };
  const header = await tableHeader({ passage, span: shown }, finder);
  const { sourceTitle, documentTitle, documentKey, headings } = passage;
  const titles = new Set([sourceTitle, documentKey === '' ? documentTitle : documentKey, ...headings]);
  return {
    passage,
    start: shown.start,
    text: withoutOrders(passage.text).slice(start, end),
    from: [...titles].filter((title) => title !== '').join(' › '),
    header: header === undefined ? '' : `${header}\n`,
    span,
    isCited,
  };
}

/**
 * The statement with the model's verdict. Its first citation is of the words that decide; if the answer didn't cite them,
 * they come after what it cites.
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
  // A model that names no words decided by all that it was shown.
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

/** The sentences or rows of a passage that have some words. */
function sentenceAt(passage: FoundPassage, words: Span): Span {
  const units = cutPassage(passage).filter(
    ({ start, end }) => passage.start + start < words.end && words.start < passage.start + end,
  );
  const [first, last] = [units[0], units.at(-1)];
  if (first === undefined || last === undefined) return words;
  return { start: passage.start + first.start, end: passage.start + last.end };
}

/** The number of a passage that is cited already, or the next. */
function findNumber(passage: FoundPassage, citations: readonly Citation[]): number {
  const known = citations.find(({ documentId, passage: span }) => isAt(passage, { documentId, span }));
  return known?.number ?? 1 + Math.max(0, ...citations.map(({ number }) => number));
}
