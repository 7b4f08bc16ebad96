import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { Turn } from '../../src/notebook/answer.ts';
import { Button } from '../shared/toolkit.tsx';
import { HostContext } from './host.ts';

export interface NothingFoundProps {
  readonly turn: Turn;
  /** The model that is picked. */
  readonly model: string | undefined;
}

/** What to do where the notebook does not answer: add to it, ask all of it, or ask the model all the same. */
export function NothingFound({ turn, model }: NothingFoundProps): JSX.Element {
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
      {model !== undefined && (
        <button
          type="button"
          class="link"
          title={t('{0} answers from what it knows where the notebook has nothing.', model)}
          onClick={() => {
            host.start('retry', { turnId: turn.id, anyway: true });
          }}
        >
          {t('Ask the model anyway')}
        </button>
      )}
    </div>
  );
}
