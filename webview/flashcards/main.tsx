import '@vscode/codicons/dist/codicon.css';
import '../shared/base.css';
import '../shared/markdown.css';
import '../shared/formula.css';
import './flashcards.css';
import { render } from 'preact';
import type {
  CardsHostApi,
  CardsPageApi,
  CardsState,
  CardsView,
} from '../../src/features/flashcards/protocol.ts';
import { ignoreFailure } from '../shared/ignore-failure.ts';
import { connectHost } from '../shared/port.ts';
import { OpenLink } from '../shared/render.tsx';
import { renderProblem } from '../shared/problem.tsx';
import { DeckPage } from './deck-page.tsx';
import { CardsHost } from './host.ts';
import { QuizPage } from './quiz-page.tsx';

const root = document.querySelector('#root') ?? document.body;
const changes = new Set<() => void>();

const { remote, memory } = connectHost<CardsPageApi, CardsHostApi, CardsState>({
  changed() {
    for (const listener of changes) listener();
  },
});

function show(view: CardsView): void {
  memory.keep(view.state);
  const openLink = (url: string): void => ignoreFailure(remote.call('openLink', { url }));
  render(
    <OpenLink.Provider value={openLink}>
      <CardsHost.Provider value={{ client: remote, changes }}>
        {view.kind === 'deck' ? <DeckPage first={view.learning} /> : <QuizPage first={view.shown} />}
      </CardsHost.Provider>
    </OpenLink.Provider>,
    root,
  );
}

try {
  show(await remote.call('ready', {}));
} catch (error) {
  renderProblem(error, root);
}
