import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Client } from '../../src/core/rpc/rpc.ts';
import type { CellView, TableHostApi } from '../../src/features/tables/protocol.ts';
import {
  cellChange,
  cellKey,
  type ExtractionColumn,
} from '../../src/features/tables/model/extraction-table.ts';
import { AnswerContext } from '../cited/citation-chips.tsx';
import { CorrectionView } from '../cited/correction-view.tsx';
import { WrittenAnswer } from '../cited/written-answer.tsx';
import { Button } from '../shared/toolkit.tsx';
import { cellWords, isUnchecked, type ShownRow } from './table.ts';

/** Maximum length of a quote, in UTF-16 code units. */
const MAX_QUOTE_LENGTH = 300;

interface CellDetailsProps {
  readonly row: ShownRow;
  readonly column: ExtractionColumn;
  readonly cell: CellView | undefined;
  readonly onCitation: (citation: number, beside: boolean) => void;
  readonly onEdit: () => void;
  readonly onAsk: () => void;
  /** Lets a model check the cell; undefined without a model. */
  readonly onCheck: (() => void) | undefined;
  readonly remote: Client<TableHostApi>;
  readonly hasModel: boolean;
  readonly onTakeBack: () => void;
  /** Marks a changed answer as seen. */
  readonly onSee: () => void;
}

/** Shows the full text of the active cell, its citations, and its actions. */
export function CellDetails(props: CellDetailsProps): JSX.Element {
  const { row, column, cell, remote, hasModel } = props;
  const { onCitation, onEdit, onAsk, onCheck, onTakeBack, onSee } = props;
  const isEdited = cell?.edited !== undefined;
  const words = cellWords(cell);
  return (
    <section class="details" aria-label={t('Cell')}>
      <h2>
        {row.title} · {column.question}
      </h2>
      {words === '' && <p class="note">{t('No answer yet.')}</p>}
      {words !== '' && isEdited && (
        <p class="words edited" dir="auto">
          {words}
        </p>
      )}
      {cell !== undefined && words !== '' && !isEdited && (
        <CellAnswer cell={cell} remote={remote} hasModel={hasModel} />
      )}
      {cell?.was !== undefined && (
        <p class="was" dir="auto">
          <span class="note">{t('Previous answer:')}</span> <del>{cell.was}</del>
        </p>
      )}
      {cellNotes(props).map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      {cell !== undefined && cell.citations.length > 0 && (
        <ol class="citations">
          {cell.citations.map(({ title, place, quote }, index) => (
            <li key={index}>
              <button
                type="button"
                class="link"
                onClick={(event) => onCitation(index, event.ctrlKey || event.metaKey)}
              >
                {[title, place].filter(Boolean).join(', ')}
              </button>{' '}
              <q dir="auto">
                {quote.length > MAX_QUOTE_LENGTH ? `${quote.slice(0, MAX_QUOTE_LENGTH)}…` : quote}
              </q>
            </li>
          ))}
        </ol>
      )}
      <div class="deeds">
        <Button look="secondary" label={t('Edit Cell')} onPress={onEdit} />
        {!row.isGone && (
          <Button
            look="secondary"
            label={cell?.question === undefined ? t('Ask') : t('Ask Again')}
            onPress={onAsk}
          />
        )}
        {onCheck !== undefined && isUnchecked(cell) && (
          <Button look="secondary" label={t('Fact-Check')} onPress={onCheck} />
        )}
        {cell?.was !== undefined && <Button look="secondary" label={t('Mark as Seen')} onPress={onSee} />}
        {isEdited && <Button look="secondary" label={t('Discard My Edit')} onPress={onTakeBack} />}
      </div>
    </section>
  );
}

interface CellAnswerProps {
  readonly cell: CellView;
  readonly remote: Client<TableHostApi>;
  readonly hasModel: boolean;
}

/** Shows the answer of a cell in Markdown, with the marks of the fact check and a way to correct its statements. */
function CellAnswer({ cell, remote, hasModel }: CellAnswerProps): JSX.Element {
  const [corrected, setCorrected] = useState<number>();
  const key = cellKey(cell);
  const { written } = cell;
  const answer = useMemo(
    () => ({
      ...{ kind: 'written' as const, model: '', citations: [], text: written?.text ?? cellWords(cell) },
      // The list below the answer has its citations.
      statements: (written?.statements ?? []).map((statement) => ({ ...statement, citations: [] })),
    }),
    [cell],
  );
  const isResting = cell.state === 'resting';
  const canCorrect = hasModel && isResting;
  // A proposed correction is of no use for another answer.
  useEffect(() => {
    if (!canCorrect) setCorrected(undefined);
  }, [canCorrect]);
  const context = useMemo(
    () => ({
      ...{ turnId: key, citations: [], isChecking: false },
      correct: canCorrect ? setCorrected : undefined,
    }),
    [key, canCorrect],
  );
  return (
    <>
      <AnswerContext.Provider value={context}>
        <div class="words markdown" dir="auto">
          <WrittenAnswer answer={answer} isGrowing={false} />
        </div>
      </AnswerContext.Provider>
      <CorrectionView
        client={remote}
        turnId={key}
        statement={corrected}
        isCorrected={isResting && cell.isCorrected === true}
        onClose={() => setCorrected(undefined)}
      />
    </>
  );
}

/** Returns notes on a cell in addition to its text, as sentences. */
function cellNotes({ row, column, cell }: Pick<CellDetailsProps, 'cell' | 'column' | 'row'>): string[] {
  if (cell === undefined) return [];
  const notes: string[] = [];
  if (cell.edited !== undefined)
    notes.push(t('You edited this cell. Its text is kept unless you ask again.'));
  else {
    const change = cellChange(cell, row.isGone ? undefined : row, column);
    if (change === 'source')
      notes.push(t('The source has changed since this answer. Ask again to update the cell.'));
    if (change === 'question')
      notes.push(t('This answer belongs to a different question: “{0}”.', cell.question ?? ''));
    if (change === 'gone') notes.push(t('The source is no longer in the notebook. This answer is kept.'));
    const verdicts = new Set(cell.pieces.map(({ verdict }) => verdict));
    if (verdicts.has('contradicted')) notes.push(t('The source contradicts the marked text.'));
    if (verdicts.has('unchecked')) notes.push(t('Not fact-checked'));
    if (verdicts.has('partly')) notes.push(t('The source supports only a part of the marked text.'));
    if (verdicts.has('not-found')) notes.push(t('The source doesn’t support the marked text.'));
  }
  if (cell.failure !== undefined) notes.push(cell.failure.message);
  return notes;
}

interface ColumnDetailsProps {
  readonly column: ExtractionColumn;
  readonly onSort: () => void;
  readonly onEdit: () => void;
  readonly onAsk: () => void;
  readonly onRemove: () => void;
}

/** Shows the actions for the active column. */
export function ColumnDetails({ column, onSort, onEdit, onAsk, onRemove }: ColumnDetailsProps): JSX.Element {
  return (
    <section class="details" aria-label={t('Column')}>
      <h2>{column.question}</h2>
      <div class="deeds">
        <Button look="secondary" label={t('Sort by Column')} onPress={onSort} />
        <Button look="secondary" label={t('Edit Question')} onPress={onEdit} />
        <Button look="secondary" label={t('Ask Again for All Rows')} onPress={onAsk} />
        <Button look="secondary" label={t('Remove Column')} onPress={onRemove} />
      </div>
    </section>
  );
}
