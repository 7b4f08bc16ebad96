import { t } from '@vscode/l10n';
import {
  doubtfulStatements,
  type Answer,
  type AnswerEvent,
  type Citation,
  type Statement,
} from '../../notebook/answer.ts';
import { NotebookError, throwIfCancelled } from '../../notebook/errors.ts';
import type { FoundPassage, PassagePlace } from '../../notebook/passage.ts';
import { overlap, type Span } from '../../language/span.ts';
import { nearestSupports } from './checker.ts';
import { prepareEvidence } from './evidence.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { askVerdicts, type ModelVerdict } from './model-verdicts.ts';
import type { PassageFinder } from '../retrieving/passage-finder.ts';
import { wordsHeld } from '../retrieving/provenance.ts';

type WrittenAnswer = Extract<Answer, { kind: 'written' }>;

export interface CheckInput {
  readonly answer: Answer;
  readonly model: LanguageModel;
  readonly passages: PassageFinder;
  readonly signal: AbortSignal;
  /** Gets what the check is doing, and each new verdict. */
  readonly emit: (event: AnswerEvent) => void;
}

/** Passages that one sentence is held against. */
const MOST_PASSAGES = 4;

/**
 * Asks a model about the sentences of an answer that the checker doubts, in one request: each against the passages that
 * it cites and the nearest of those that were read. Rejects with a `NotebookError`; verdicts told until then stand.
 * @throws NotebookError
 */
export async function checkWithModel({
  answer,
  model,
  passages: finder,
  signal,
  emit,
}: CheckInput): Promise<void> {
  if (answer.kind !== 'written') return;
  const read = await readPassages(answer, finder);
  const doubtful = doubtfulStatements(answer, model.name).flatMap((index) => {
    const statement = answer.statements[index];
    if (statement === undefined) return [];
    const wordsAt = ({ start, end }: Span): string => answer.text.slice(start, end);
    const sentence = wordsAt(statement);
    const missing = (statement.missing ?? []).map(wordsAt);
    return { index, statement, sentence, missing, passages: passagesFor(sentence, statement, answer, read) };
  });
  throwIfCancelled(signal);
  emit({
    kind: 'status',
    text:
      doubtful.length === 1
        ? t('Checking 1 statement with {0}…', model.name)
        : t('Checking {0} statements with {1}…', doubtful.length, model.name),
  });
  const citations = [...answer.citations];
  const understood = new Set<number>();
  for await (const { doubt, ...verdict } of askVerdicts(model, doubtful, signal)) {
    const own = doubtful[doubt];
    if (own === undefined || understood.has(doubt)) continue;
    understood.add(doubt);
    const event = await checkedEvent({ ...own, verdict }, citations, model.name, finder);
    throwIfCancelled(signal);
    citations.push(...event.newCitations);
    emit(event);
  }
  if (doubtful.length > 0 && understood.size === 0)
    throw new NotebookError(
      'unsupported',
      read.length === 0
        ? t(
            'The notebook holds none of the passages that this answer rests on, so there is nothing to check it against.',
          )
        : t(
            '{0} gave no verdict that could be read, so the answer stays as it was. Try another model.',
            model.name,
          ),
    );
}

/** The passages that the answer cites or was written from, as they stand now; those that changed since are left out. */
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

/** What a sentence cites, then what of the rest shares most with it. */
function passagesFor(
  sentence: string,
  statement: Statement,
  answer: WrittenAnswer,
  read: readonly FoundPassage[],
): readonly FoundPassage[] {
  const cited = statement.citations.flatMap((index) => {
    const citation = answer.citations[index];
    if (citation === undefined) return [];
    const place = { documentId: citation.documentId, span: citation.passage };
    return read.find((passage) => isAt(passage, place)) ?? [];
  });
  const shared = ({ text }: FoundPassage): number => wordsHeld(sentence, text).length;
  const rest = read.filter((passage) => !cited.includes(passage)).toSorted((a, b) => shared(b) - shared(a));
  return [...new Set([...cited, ...rest])].slice(0, MOST_PASSAGES);
}

interface Judged {
  readonly index: number;
  readonly statement: Statement;
  readonly sentence: string;
  readonly verdict: ModelVerdict;
  readonly passages: readonly FoundPassage[];
}

/** The statement with the model's verdict. It cites the passage that decided it, if it did not before. */
async function checkedEvent(
  { index, statement: before, sentence, verdict: { verdict, passage: named }, passages }: Judged,
  citations: readonly Citation[],
  checkedBy: string,
  finder: PassageFinder,
): Promise<Extract<AnswerEvent, { kind: 'checked' }>> {
  const { missing, ...whole } = before;
  const statement = verdict === 'partly' && missing !== undefined ? before : whole;
  const cited = statement.citations.flatMap((each) => citations[each] ?? []);
  // A sentence that cites nothing gets the passage that shares most with it, where the model names none.
  const passage = named ?? (cited.length === 0 ? passages[0] : undefined);
  const isCited =
    passage === undefined ||
    cited.some(({ documentId, passage: span }) => isAt(passage, { documentId, span }));
  if (verdict === 'not-found' || isCited) {
    const kept = verdict === 'not-found' ? [] : statement.citations;
    return {
      kind: 'checked',
      index,
      statement: { ...statement, verdict, citations: kept, checkedBy },
      newCitations: [],
    };
  }
  const newCitations = await finder.cite([
    { number: findNumber(passage, citations), passage, span: deciding(sentence, passage) },
  ]);
  const { start, end } = statement;
  const added = newCitations.map((_, i) => citations.length + i);
  const isMoved = cited.length > 0;
  return {
    kind: 'checked',
    index,
    statement: { start, end, verdict, citations: added, ...(isMoved && { moved: true }), checkedBy },
    newCitations,
  };
}

/** The number of a passage that is cited already, or the next. */
function findNumber(passage: FoundPassage, citations: readonly Citation[]): number {
  const known = citations.find(({ documentId, passage: span }) => isAt(passage, { documentId, span }));
  return known?.number ?? 1 + Math.max(0, ...citations.map(({ number }) => number));
}

/** The words of a passage that are nearest to a sentence; all of it where none are. */
function deciding(sentence: string, passage: FoundPassage): Span {
  const [nearest] = nearestSupports(sentence, prepareEvidence([passage]));
  return nearest?.span ?? { start: passage.start, end: passage.end };
}
