import '@vscode/codicons/dist/codicon.css';
import '../shared/base.css';
import '../shared/markdown.css';
import '../shared/formula.css';
import '../shared/choice.css';
import '../cited/statements.css';
import '../cited/card.css';
import '../cited/correction.css';
import '../cited/code-block.css';
import '../cited/diagram.css';
import '../cited/figure.css';
import './research.css';
import './start.css';
import './plan.css';
import './board.css';
import './step.css';
import './coverage.css';
import { render } from 'preact';
import { applyChange } from '../../src/core/rpc/shared-state.ts';
import type {
  ResearchHostApi,
  ResearchPanelApi,
  ResearchPanelState,
} from '../../src/features/research/protocol.ts';
import { connectHost } from '../shared/port.ts';
import { App } from './app.tsx';
import type { Focus } from './focus.ts';
import { pageHost } from '../shared/page-host.ts';

/** State that survives a restart of the window: the research project on the page. */
interface SavedState {
  readonly researchId: string | undefined;
}

const root = document.querySelector('#root') ?? document.body;
let state: ResearchPanelState | undefined;
let problem: string | undefined;
let focus: Focus = { count: 0 };

const { remote, memory } = connectHost<ResearchPanelApi, ResearchHostApi, SavedState>({
  stateChanged: ({ change }) => {
    // A change without a state was for the page before a reload.
    if (state === undefined && !('value' in change)) return;
    state = applyChange(state, change) as ResearchPanelState;
    memory.keep({ researchId: state.research?.id });
    show();
  },
  focus: (wish) => {
    focus = { ...wish, count: focus.count + 1 };
    show();
  },
});

const host = pageHost(remote, setProblem);

function setProblem(message: string | undefined): void {
  problem = message;
  show();
}

function show(): void {
  if (state === undefined && problem === undefined) return;
  render(<App state={state} host={host} problem={problem} focus={focus} />, root);
}

host.start('ready', {});
