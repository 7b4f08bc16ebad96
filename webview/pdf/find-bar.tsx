import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { IconButton } from '../shared/toolkit.tsx';
import type { Found } from './found.ts';
import { tellCount } from './found.ts';

export interface FindBarProps {
  /** Grows with each wish to type what to look for. */
  readonly requests: number;
  readonly query: string;
  readonly found: Found;
  readonly onQuery: (query: string) => void;
  readonly onStep: (isBackwards: boolean) => void;
  readonly onClose: () => void;
}

/** What to look for in the PDF, how often it was found, and the ways from match to match. */
export function FindBar({ requests, query, found, onQuery, onStep, onClose }: FindBarProps): JSX.Element {
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
        onInput={(event) => {
          onQuery(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.isComposing || event.key !== 'Enter') return;
          event.preventDefault();
          onStep(event.shiftKey);
        }}
      />
      <span class="count" role="status">
        {tellCount(query, found)}
      </span>
      <IconButton
        icon="arrow-up"
        label={t('Previous match (Shift+F3)')}
        disabled={!isFound}
        onPress={() => {
          onStep(true);
        }}
      />
      <IconButton
        icon="arrow-down"
        label={t('Next match (F3)')}
        disabled={!isFound}
        onPress={() => {
          onStep(false);
        }}
      />
      <IconButton icon="close" label={t('Close (Escape)')} onPress={onClose} />
    </search>
  );
}
