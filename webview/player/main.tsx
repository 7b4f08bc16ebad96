import '@vscode/codicons/dist/codicon.css';
import '../shared/base.css';
import './player.css';
import { render } from 'preact';
import type { Span } from '../../src/language/span.ts';
import type { PlayerApi, PlayerHostApi, PlayerState, PlayerView } from '../../src/messages/player.ts';
import { errorMessage } from '../../src/notebook/errors.ts';
import { connectHost } from '../shared/port.ts';
import { renderProblem } from '../shared/problem.tsx';
import { PlayerApp } from './app.tsx';

const root = document.querySelector('#root') ?? document.body;
let view: PlayerView | undefined;
let mark: Span | undefined;
let reveals = 0;
let problem: string | undefined;

const { remote, memory } = connectHost<PlayerApi, PlayerHostApi, PlayerState>({
  reveal(params) {
    mark = params.mark;
    reveals++;
    show();
  },
  update(params) {
    // The offsets of the mark are those of the former transcript.
    mark = undefined;
    ({ view } = params);
    show();
  },
});

function reportUse(): void {
  remote.notify('used', {});
}
window.addEventListener('pointerdown', reportUse, { once: true });
window.addEventListener('keydown', reportUse, { once: true });

function tell(said: string | undefined): void {
  problem = said;
  show();
}

function saveClip(span: Span): void {
  tell(undefined);
  remote.call('saveClip', { span }).catch((error: unknown) => tell(errorMessage(error)));
}

function generateChapters(): void {
  tell(undefined);
  remote.call('generateChapters', {}).catch((error: unknown) => tell(errorMessage(error)));
}

function renameSpeakers(): void {
  tell(undefined);
  remote.call('renameSpeakers', {}).catch((error: unknown) => tell(errorMessage(error)));
}

function openPage(seconds: number): void {
  tell(undefined);
  remote.call('openPage', { seconds }).catch((error: unknown) => tell(errorMessage(error)));
}

function openFile(): void {
  tell(undefined);
  remote.call('openFile', {}).catch((error: unknown) => tell(errorMessage(error)));
}

function show(): void {
  if (view === undefined) return;
  const { state } = view;
  render(
    <PlayerApp
      view={view}
      mark={mark}
      reveals={reveals}
      startAt={memory.recall()?.at}
      problem={problem}
      onPlace={(at) => memory.keep({ ...state, at })}
      onOpenFile={openFile}
      onOpenPage={openPage}
      onSaveClip={saveClip}
      onRenameSpeakers={renameSpeakers}
      onGenerateChapters={generateChapters}
    />,
    root,
  );
}

try {
  view = await remote.call('ready', {});
  mark ??= view.mark;
  memory.keep({ ...view.state, at: memory.recall()?.at });
  document.title = view.title;
  show();
} catch (error) {
  renderProblem(error, root);
}
