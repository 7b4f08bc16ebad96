import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { PanelCommand, PanelState } from '../../src/features/chat/protocol.ts';
import { Button } from '../shared/toolkit.tsx';
import { HostContext } from './host.ts';
import { Suggestions } from './suggestions.tsx';

const ways: readonly { readonly command: PanelCommand; readonly label: () => string }[] = [
  { command: 'addFiles', label: () => t('Add Files') },
  { command: 'addPage', label: () => t('Add Web Page') },
  { command: 'addText', label: () => t('Add Text') },
  { command: 'trySample', label: () => t('Add Sample Sources') },
];

/** Shows the start of a panel without a conversation: ways to add sources, or suggested questions if there are some. */
export function Welcome({ sources }: { readonly sources: PanelState['sources'] }): JSX.Element {
  const host = useContext(HostContext);
  const isEmpty = sources.ready + sources.working === 0;
  return (
    <main class="welcome">
      <span class="codicon codicon-notebook" aria-hidden="true" />
      <h1>{isEmpty ? t('Ask questions about your sources') : t('Ask about your sources')}</h1>
      <p>{words(sources)}</p>
      {isEmpty ? (
        <div class="ways">
          {ways.map(({ command, label }) => (
            <Button
              key={command}
              label={label()}
              look={command === 'addFiles' ? 'primary' : 'secondary'}
              onPress={() => host.start('run', { command })}
            />
          ))}
        </div>
      ) : (
        <>
          {sources.ready > 0 && <Suggestions of={sources.ready} />}
          <button type="button" class="link" onClick={() => host.start('run', { command: 'pickWayToAdd' })}>
            {t('Add Sources')}
          </button>
        </>
      )}
    </main>
  );
}

function words({ ready, working }: PanelState['sources']): string {
  if (ready > 0)
    return t('Each sentence of an answer shows its source. Select a number to open the cited text.');
  if (working > 0)
    return working === 1
      ? t('Open Notebook is reading 1 source. You can ask questions as soon as it’s ready.')
      : t(
          'Open Notebook is reading {0} sources. You can ask questions as soon as the first one is ready.',
          working.toLocaleString(),
        );
  return t(
    'Add files, PDFs, web pages, or text to this notebook, then ask a question. Every answer cites its sources.',
  );
}
