import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { PanelCommand, PanelState } from '../../src/messages/panel.ts';
import { Button } from '../shared/toolkit.tsx';
import { HostContext } from './host.ts';
import { Suggestions } from './suggestions.tsx';
import { count } from './words.ts';

const ways: readonly { readonly command: PanelCommand; readonly label: string }[] = [
  { command: 'addFiles', label: 'Add Files' },
  { command: 'addPage', label: 'Add Web Page' },
  { command: 'addText', label: 'Add Text' },
];

/** What stands in a panel without a conversation: what to do, and the buttons that do it. */
export function Welcome({ sources }: { readonly sources: PanelState['sources'] }): JSX.Element {
  const host = useContext(HostContext);
  const isEmpty = sources.ready + sources.working === 0;
  return (
    <main class="welcome">
      <span class="codicon codicon-notebook" aria-hidden="true" />
      <h1>{isEmpty ? 'Ask the sources you work with' : 'Ask about your sources'}</h1>
      <p>{words(sources)}</p>
      <div class="ways">
        {ways.map(({ command, label }) => (
          <Button
            key={command}
            label={label}
            look={isEmpty ? 'primary' : 'secondary'}
            onPress={() => {
              host.start('run', { command });
            }}
          />
        ))}
      </div>
      {sources.ready > 0 && <Suggestions of={sources.ready} />}
    </main>
  );
}

function words({ ready, working }: PanelState['sources']): string {
  if (ready > 0)
    return 'Each sentence of an answer shows where it comes from. Select a number to open the source at the very words.';
  if (working > 0)
    return `${count(working, 'source is', 'sources are')} being read. You can ask as soon as the first is ready.`;
  return 'Add files, PDFs, web pages or text to this notebook, then ask. Answers cite the very words they rest on.';
}
