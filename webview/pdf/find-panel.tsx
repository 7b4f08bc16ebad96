import { h, type JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { PdfFind } from './find.ts';
import { IconButton } from '../shared/toolkit.tsx';
import { formatMatchCount, type MatchState } from './match-state.ts';

const NOTHING_FOUND: MatchState = { isSearching: false, current: 0, total: 0 };

/** Maximum length of a selection that becomes the query. */
const MAX_QUERY_LENGTH = 100;

/** Search in a viewer: whether it is open, its query, and its result. */
export class FindPanel {
  readonly #find: PdfFind;
  readonly #container: HTMLElement;
  readonly #onChange: () => void;
  #isOpen = false;
  /** Increases with each request to focus the query. */
  #requests = 0;
  #query = '';
  #found = NOTHING_FOUND;

  constructor(find: PdfFind, container: HTMLElement, onChange: () => void) {
    this.#find = find;
    this.#container = container;
    this.#onChange = onChange;
  }

  /** Opens the search, with the selected words as the query. */
  open(): void {
    const selected = document.getSelection()?.toString().trim() ?? '';
    const isQuery = selected !== '' && selected.length < MAX_QUERY_LENGTH && !selected.includes('\n');
    if (isQuery) this.#query = selected;
    this.#isOpen = true;
    this.#requests++;
    if (this.#query !== '') this.#find.search(this.#query);
    this.#onChange();
  }

  /** Goes to the next match or the previous one. Opens the search first if it is closed. */
  step(isBackwards: boolean): void {
    if (this.#isOpen) this.#find.step(isBackwards);
    else this.open();
  }

  /** Closes the search, and reports whether it was open. */
  close(): boolean {
    if (!this.#isOpen) return false;
    this.#isOpen = false;
    this.#onChange();
    this.#container.focus();
    void this.#find.close();
    return true;
  }

  /** Updates the state of the search. */
  update(state: MatchState): void {
    this.#found = state;
    this.#onChange();
  }

  /** Search bar; undefined while the search is closed. */
  get bar(): JSX.Element | undefined {
    if (!this.#isOpen) return undefined;
    return h(FindBar, {
      requests: this.#requests,
      query: this.#query,
      found: this.#found,
      onQuery: (typed) => {
        this.#query = typed;
        this.#found = NOTHING_FOUND;
        this.#find.search(typed);
        this.#onChange();
      },
      onStep: (isBackwards) => this.step(isBackwards),
      onClose: () => this.close(),
    });
  }
}

interface FindBarProps {
  /** Increases with each request to focus the query. */
  readonly requests: number;
  readonly query: string;
  readonly found: MatchState;
  readonly onQuery: (query: string) => void;
  readonly onStep: (isBackwards: boolean) => void;
  readonly onClose: () => void;
}

/** Shows the search field, the number of matches, and buttons to move between them. */
function FindBar({ requests, query, found, onQuery, onStep, onClose }: FindBarProps): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [requests]);
  const isFound = found.total > 0;
  return (
    <search class="find">
      <input
        ref={field}
        type="text"
        aria-label={t('Find in PDF')}
        placeholder={t('Find')}
        value={query}
        spellcheck={false}
        aria-invalid={query !== '' && !isFound && !found.isSearching}
        onInput={(event) => onQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.isComposing || event.key !== 'Enter') return;
          event.preventDefault();
          onStep(event.shiftKey);
        }}
      />
      <span class="count" role="status">
        {formatMatchCount(query, found)}
      </span>
      <IconButton
        icon="arrow-up"
        label={t('Previous match (Shift+F3)')}
        disabled={!isFound}
        onPress={() => onStep(true)}
      />
      <IconButton
        icon="arrow-down"
        label={t('Next match (F3)')}
        disabled={!isFound}
        onPress={() => onStep(false)}
      />
      <IconButton icon="close" label={t('Close (Escape)')} onPress={onClose} />
    </search>
  );
}
