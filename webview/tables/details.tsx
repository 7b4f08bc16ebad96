import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { markdownToHast } from '../../src/core/language/markdown/markdown-tree.ts';
import type { CellView } from '../../src/features/tables/protocol.ts';
import { cellChange, type ExtractionColumn } from '../../src/features/tables/model/extraction-table.ts';
import { renderTree } from '../shared/render.tsx';
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
  readonly onTakeBack: () => void;
  /** Marks a changed answer as seen. */
  readonly onSee: () => void;
}

/** Shows the full text of the active cell, its citations, and its actions. */
export function CellDetails(props: CellDetailsProps): JSX.Element {
  const { row, column, cell, onCitation, onEdit, onAsk, onCheck, onTakeBack, onSee } = props;
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
      {words !== '' && !isEdited && <CellAnswer markdown={words} />}
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
            label={cell?.asked === undefined ? t('Ask') : t('Ask Again')}
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

/** Shows the answer of a cell, which a model wrote in Markdown. */
function CellAnswer({ markdown }: { readonly markdown: string }): JSX.Element {
  const tree = useMemo(() => markdownToHast(markdown), [markdown]);
  return (
    <div class="words markdown" dir="auto">
      {renderTree(tree)}
    </div>
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
      notes.push(t('This answer belongs to a different question: “{0}”.', cell.asked ?? ''));
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
