import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { Turn } from '../../src/notebook/answer.ts';
import { Button } from '../shared/toolkit.tsx';
import { HostContext } from './host.ts';

/** What to do where the notebook does not answer: add to it, or ask all of it. */
export function NothingFound({ turn }: { readonly turn: Turn }): JSX.Element {
  const host = useContext(HostContext);
  return (
    <div class="nothing-found">
      <div class="ways">
        <Button
          label={t('Add Files')}
          look="secondary"
          onPress={() => {
            host.start('run', { command: 'addFiles' });
          }}
        />
        <Button
          label={t('Add Web Page')}
          look="secondary"
          onPress={() => {
            host.start('run', { command: 'addPage' });
          }}
        />
      </div>
      {turn.scope !== undefined && (
        <button
          type="button"
          class="link"
          onClick={() => {
            host.start('retry', { turnId: turn.id, whole: true });
          }}
        >
          {t('Ask the whole notebook')}
        </button>
      )}
    </div>
  );
}
