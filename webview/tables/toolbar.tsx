import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ErrorAction } from '../../src/core/domain/errors.ts';
import { MAX_QUESTION_LENGTH } from '../../src/features/tables/model/extraction-table.ts';
import { dollars } from '../../src/core/domain/usage.ts';
import { Button, IconButton } from '../shared/toolkit.tsx';
import {
  filterCells,
  countUnchecked,
  estimateChecks,
  estimateCells,
  takesColumns,
  type CellStatus,
  type RowFilter,
  type Table,
} from './table.ts';

interface ToolbarProps {
  readonly table: Table;
  readonly shown: number;
  readonly words: string;
  readonly filter: RowFilter | undefined;
  readonly onWords: (words: string) => void;
  readonly onFilter: (filter: RowFilter | undefined) => void;
  /** Adds a column, and resolves to `true` if it was added. */
  readonly onAdd: (question: string) => Promise<boolean>;
  readonly onAsk: (...standings: readonly CellStatus[]) => void;
  readonly onGoOn: () => void;
  /** Lets a model check all cells that no model has checked. */
  readonly onCheck: () => void;
  readonly onStop: () => void;
  readonly onLetBe: () => void;
  /** Marks a changed answer as seen. */
  readonly onSee: () => void;
  readonly onExport: () => void;
  readonly onRename: () => void;
  readonly onPickModel: () => void;
  readonly onRun: (action: ErrorAction) => void;
}

/** Shows the toolbar of a table: filling, its cost and progress, search, and export. */
export function Toolbar(props: ToolbarProps): JSX.Element {
  const { table, shown, words, filter } = props;
  const { head, rows } = table;
  const { usage, isFilling, stopped, omitted } = head;
  const waiting = filterCells(table, 'waiting', 'asking');
  const empty = filterCells(table, 'empty', 'failed');
  const changed = filterCells(table, 'changed');
  const reworded = filterCells(table, 'reworded');
  const unchecked = isFilling || head.model === undefined ? 0 : countUnchecked(table);
  const checks = estimateChecks(unchecked);
  const total = rows.length * head.columns.length;
  const done = total - waiting.length - empty.length;
  return (
    <header>
      <div class="line">
        <h1 class="ellipsis">{head.title}</h1>
        <IconButton icon="edit" label={t('Rename Extraction Table')} onPress={props.onRename} />
        <IconButton icon="export" label={t('Export Extraction Table…')} onPress={props.onExport} />
      </div>
      <Asking {...props} />
      {stopped !== undefined && (
        <p class="stopped" role="alert">
          <span>
            <span class="codicon codicon-error" aria-hidden="true" /> {stopped.message}
          </span>
          {stopped.action !== undefined && stopped.action !== 'tryAgain' && (
            <ActionLink action={stopped.action} onRun={props.onRun} />
          )}
        </p>
      )}
      <div class="line">
        <span class="progress" role="status">
          {total === 0 ? '' : filledInWords(done, total)}
        </span>
        {isFilling ? (
          <Button look="secondary" label={t('Stop')} onPress={props.onStop} />
        ) : (
          <>
            {waiting.length > 0 && (
              <>
                <Button label={t('Resume ({0})', waiting.length.toLocaleString())} onPress={props.onGoOn} />
                <Button look="secondary" label={t('Cancel Pending Cells')} onPress={props.onLetBe} />
                <Cost table={table} places={waiting} />
              </>
            )}
            {waiting.length === 0 && empty.length > 0 && (
              <>
                <Button
                  label={t('Fill Empty Cells ({0})', empty.length.toLocaleString())}
                  onPress={() => props.onAsk('empty', 'failed')}
                />
                <Cost table={table} places={empty} />
              </>
            )}
            {changed.length > 0 && (
              <>
                <Button
                  look="secondary"
                  label={t('Update Changed Cells ({0})', changed.length.toLocaleString())}
                  onPress={() => props.onAsk('changed')}
                />
                <Cost table={table} places={changed} />
              </>
            )}
          </>
        )}
        {checks !== undefined && head.factCheckRequest === undefined && (
          <>
            <Button
              look="secondary"
              label={t('Fact-Check Cells ({0})', unchecked.toLocaleString())}
              onPress={props.onCheck}
            />
            <span class="note">
              {t('About {0} tokens.', (checks.input + checks.output).toLocaleString())}
            </span>
          </>
        )}
        {reworded.length > 0 && (
          <Button
            look="secondary"
            label={t('Mark New Answers as Seen ({0})', reworded.length.toLocaleString())}
            onPress={props.onSee}
          />
        )}
        {usage !== undefined && (
          <span class="note">
            {t('{0} tokens used so far', (usage.input + usage.output).toLocaleString())}
            {usage.cost !== undefined && ` (${dollars(usage.cost)})`}
          </span>
        )}
      </div>
      {omitted > 0 && <p class="note">{t('Rows not shown: {0}.', omitted.toLocaleString())}</p>}
      <div class="line">
        <input
          type="search"
          placeholder={t('Search table')}
          aria-label={t('Search table')}
          value={words}
          onInput={(event) => props.onWords(event.currentTarget.value)}
        />
        <select
          aria-label={t('Filter rows')}
          value={filter ?? ''}
          onChange={(event) => {
            const { value } = event.currentTarget;
            props.onFilter(rowFilters().find(([name]) => name === value)?.[0]);
          }}
        >
          <option value="">{t('All rows')}</option>
          {rowFilters().map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
        <span class="note" role="status">
          {words.trim() === '' && filter === undefined ? '' : t('Rows: {0}', shown.toLocaleString())}
        </span>
      </div>
    </header>
  );
}

/** Shows the field that adds a column, with its cost. */
function Asking({
  table,
  onAdd,
  onPickModel,
}: Pick<ToolbarProps, 'onAdd' | 'onPickModel' | 'table'>): JSX.Element {
  const [question, setQuestion] = useState('');
  const { head, rows } = table;
  const add = (): void => {
    const trimmed = question.trim();
    if (trimmed === '') return;
    setQuestion('');
    onAdd(trimmed).then(
      (isAdded) => {
        if (!isAdded) setQuestion(trimmed);
      },
      () => setQuestion(trimmed),
    );
  };
  const places = rows.map(({ id }) => ({ rowId: id }));
  return (
    <>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <input
          class="question"
          placeholder={t('Ask a question about each row')}
          aria-label={t('New question')}
          maxLength={MAX_QUESTION_LENGTH}
          disabled={!takesColumns(head)}
          value={question}
          onInput={(event) => setQuestion(event.currentTarget.value)}
        />
        <Button label={t('Add Column')} onPress={add} />
      </form>
      <p class="note">
        {head.model === undefined
          ? t('Without a model, each cell shows the top excerpt from its row.')
          : t('Answered by {0}.', head.model.name)}{' '}
        {head.model !== undefined && rows.length > 0 && <Cost table={table} places={places} />}{' '}
        <button type="button" class="link" onClick={onPickModel}>
          {t('Pick Model…')}
        </button>
      </p>
    </>
  );
}

/** Shows the cost of filling some cells. */
function Cost({
  table,
  places,
}: {
  readonly table: Table;
  readonly places: readonly { readonly rowId: string }[];
}): JSX.Element | null {
  if (table.head.model === undefined || places.length === 0) return null;
  const { tokens, cost } = estimateCells(table, places);
  const tokenText =
    places.length === table.rows.length
      ? t('A column uses about {0} tokens.', tokens.toLocaleString())
      : t('About {0} tokens.', tokens.toLocaleString());
  return <span class="note">{cost === undefined ? tokenText : `${tokenText} (${dollars(cost)})`}</span>;
}

function ActionLink({
  action,
  onRun,
}: {
  readonly action: ErrorAction;
  readonly onRun: (action: ErrorAction) => void;
}): JSX.Element | null {
  const labels: Partial<Record<ErrorAction, string>> = {
    addSources: t('Add Sources'),
    openSettings: t('Open Settings'),
    pickModel: t('Pick Model…'),
    setApiKey: t('Set API Key'),
    showLog: t('Show Log'),
  };
  const label = labels[action];
  if (label === undefined) return null;
  return (
    <button type="button" class="link" onClick={() => onRun(action)}>
      {label}
    </button>
  );
}

function rowFilters(): (readonly [RowFilter, string])[] {
  return [
    ['notStated', t('With “not stated” cells')],
    ['marked', t('With unsupported or contradicted cells')],
    ['empty', t('With empty cells')],
    ['changed', t('With out-of-date cells')],
    ['reworded', t('With new answers')],
    ['failed', t('With failed cells')],
    ['edited', t('With edited cells')],
    ['waiting', t('With pending cells')],
  ];
}

function filledInWords(done: number, total: number): string {
  return total === 1
    ? t('{0} of 1 cell filled', done.toLocaleString())
    : t('{0} of {1} cells filled', done.toLocaleString(), total.toLocaleString());
}
