import '@vscode/codicons/dist/codicon.css';
import '../shared/base.css';
import './player.css';
import { render } from 'preact';
import type { Span } from '../../src/core/language/span.ts';
import type {
  PlayerApi,
  PlayerHostApi,
  PlayerState,
  PlayerView,
} from '../../src/features/recordings/protocol.ts';
import { errorMessage } from '../../src/core/domain/errors.ts';
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

function showProblem(message: string | undefined): void {
  problem = message;
  show();
}

/** Runs a request, and shows why it failed. */
function run(request: Promise<void>): void {
  showProblem(undefined);
  request.catch((error: unknown) => showProblem(errorMessage(error)));
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
      onOpenFile={() => run(remote.call('openFile', {}))}
      onOpenPage={(seconds) => run(remote.call('openPage', { seconds }))}
      onSaveClip={(span) => run(remote.call('saveClip', { span }))}
      onRenameSpeakers={() => run(remote.call('renameSpeakers', {}))}
      onGenerateChapters={() => run(remote.call('generateChapters', {}))}
      onRemoveChapters={() => run(remote.call('removeChapters', {}))}
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
