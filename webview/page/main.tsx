import '@vscode/codicons/dist/codicon.css';
import '../shared/base.css';
import '../shared/markdown.css';
import '../shared/formula.css';
import './page.css';
import { render } from 'preact';
import type {
  PageState,
  SavedPageApi,
  SavedPageHostApi,
  SavedPageView,
} from '../../src/features/pdf/protocol.ts';
import type { Span } from '../../src/core/language/span.ts';
import { ignoreFailure } from '../shared/ignore-failure.ts';
import { connectHost } from '../shared/port.ts';
import { OpenLink } from '../shared/render.tsx';
import { renderProblem } from '../shared/problem.tsx';
import { ReadingView } from './reading-view.tsx';

const root = document.querySelector('#root') ?? document.body;
let view: SavedPageView | undefined;
let mark: Span | undefined;
let reveals = 0;

const { remote, memory } = connectHost<SavedPageApi, SavedPageHostApi, PageState>({
  reveal(params) {
    mark = params.mark;
    reveals++;
    show();
  },
});

function reportUse(): void {
  remote.notify('used', {});
}
window.addEventListener('pointerdown', reportUse, { once: true });
window.addEventListener('keydown', reportUse, { once: true });

function openLink(url: string): void {
  ignoreFailure(remote.call('openLink', { url }));
}

function openFile(): void {
  ignoreFailure(remote.call('openFile', {}));
}

function show(): void {
  if (view === undefined) return;
  render(
    <OpenLink.Provider value={openLink}>
      <ReadingView view={view} mark={mark} reveals={reveals} onOpenFile={openFile} />
    </OpenLink.Provider>,
    root,
  );
}

try {
  view = await remote.call('ready', {});
  memory.keep(view.state);
  mark ??= view.mark;
  document.title = view.title;
  show();
} catch (error) {
  renderProblem(error, root);
}
