import { t } from '@vscode/l10n';
import type { JSX } from 'preact';

export interface SelectionBarProps {
  readonly onPress: (command: 'addSelection' | 'askAboutSelection') => void;
}

/** What can be done with selected text. */
export function SelectionBar({ onPress }: SelectionBarProps): JSX.Element {
  return (
    <div role="toolbar" aria-label={t('Selection')}>
      <button
        type="button"
        title={t('Add the selected text to the notebook (A)')}
        onClick={() => {
          onPress('addSelection');
        }}
      >
        <span class="codicon codicon-add" aria-hidden="true" />
        {t('Add Selection')}
      </button>
      <button
        type="button"
        title={t('Ask about the selected text (Q)')}
        onClick={() => {
          onPress('askAboutSelection');
        }}
      >
        <span class="codicon codicon-comment" aria-hidden="true" />
        {t('Ask about Selection…')}
      </button>
    </div>
  );
}
