import '@vscode/codicons/dist/codicon.css';
import '../shared/base.css';
import '../shared/markdown.css';
import '../shared/formula.css';
import '../shared/choice.css';
import './chat.css';
import '../cited/statements.css';
import './quotes.css';
import './answer-end.css';
import '../cited/card.css';
import '../cited/correction.css';
import './welcome.css';
import './input.css';
import './drop-target.css';
import '../cited/code-block.css';
import '../cited/diagram.css';
import '../cited/figure.css';
import './question.css';
import './scope.css';
import { t } from '@vscode/l10n';
import { render } from 'preact';
import { errorMessage } from '../../src/core/domain/errors.ts';
import type { DrawnFigure } from '../../src/core/rpc/figure.ts';
import type { HostApi, PanelApi } from '../../src/features/chat/protocol.ts';
import { connectHost } from '../shared/port.ts';
import { App } from './app.tsx';
import { draw } from '../cited/drawn-figures.ts';
import { pageHost } from '../shared/page-host.ts';
import type { ReadingPlace } from './reading-place.ts';
import { markCopies, selectedAnswer } from './selected-answer.ts';
import { SUGGESTIONS_CHANGED } from './suggestions.tsx';
import { applyUpdates, type ChatState, type Update } from './state.ts';

/** Time after which a page without its state says that it is loading, in milliseconds. */
const SLOW_MS = 500;

const root = document.querySelector('#root') ?? document.body;
const WAITING: Update[] = [];
let state: ChatState | undefined;
/** `true` after the reply to `ready`. */
let isReady = false;
let problem: string | undefined;
/** `true` if the page has waited long enough to say so. */
let isSlow = false;
let focusRequests = 0;
let draft = '';
/** Increases with each draft of another page of the chat that replaces the draft of this page. */
let draftsReplaced = 0;
let insertTarget: string | undefined;

/** Shows everything that arrives within a frame at once, so that fast answers stay smooth. */
function receive(update: Update): void {
  if (WAITING.push(update) === 1) requestAnimationFrame(showWaiting);
}

function showWaiting(): void {
  // The reply to `ready` follows the whole state and has the draft to show with it.
  if (!isReady) return;
  // Clear the queue first, so that an update that fails doesn't block later ones.
  const updates = WAITING.splice(0);
  state = applyUpdates(state, updates);
  show();
}

const { remote, memory } = connectHost<PanelApi, HostApi, ReadingPlace | undefined>({
  stateChanged: ({ change }) => receive({ kind: 'state', change }),
  turnChanged: ({ turn }) => receive({ kind: 'turn', turn }),
  answerEvent: ({ turnId, event }) => receive({ kind: 'event', turnId, event }),
  insertTargetChanged(params) {
    insertTarget = params.insertTarget;
    show();
  },
  drawFigure: ({ source, limits }): Promise<DrawnFigure> => draw(remote, source, limits),
  suggestionsChanged() {
    window.dispatchEvent(new Event(SUGGESTIONS_CHANGED));
  },
  selection: selectedText,
  focusInput() {
    focusRequests++;
    show();
  },
  draftReplaced(params) {
    draft = params.draft;
    draftsReplaced++;
    show();
  },
});
followSelection();
markCopies(() => state?.turns ?? []);
let isUseReported = false;
/**
 * Reports that the user uses the panel. The focus alone isn't enough, because the editor moves it when one of its boxes
 * closes.
 */
function reportUse(): void {
  if (!isUseReported) remote.notify('used', {});
  isUseReported = true;
}
window.addEventListener('pointerdown', reportUse, { capture: true });
window.addEventListener('keydown', reportUse, { capture: true });
window.addEventListener('blur', () => {
  isUseReported = false;
});

const host = pageHost(remote, setProblem);

function setProblem(message: string | undefined): void {
  problem = message;
  show();
}

function show(): void {
  if (state === undefined && problem === undefined) {
    if (isSlow)
      render(
        <p class="loading" role="status">
          {t('Loading the conversation…')}
        </p>,
        root,
      );
    return;
  }
  render(
    <App
      state={state}
      host={host}
      problem={problem}
      focusRequests={focusRequests}
      draft={draft}
      draftsReplaced={draftsReplaced}
      insertTarget={insertTarget}
      place={memory}
      onDraft={(changed) => {
        draft = changed;
        remote.notify('draftChanged', { draft });
      }}
    />,
    root,
  );
}

/** Requests the whole state and shows it. */
async function load(): Promise<void> {
  try {
    const ready = await remote.call('ready', {});
    // A later request was answered first.
    if (state !== undefined) return;
    ({ draft, insertTarget } = ready);
    isReady = true;
    showWaiting();
  } catch (error) {
    setProblem(errorMessage(error));
  }
}

// VS Code can drop messages to a page that it hides. Without another request, the page would stay blank.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && state === undefined) void load();
});
setTimeout(() => {
  isSlow = true;
  show();
}, SLOW_MS);
await load();

/** Returns the selected words of answers with the verdicts of the fact check; '' if nothing is selected. */
function selectedText(): string {
  return selectedAnswer(state?.turns ?? [])?.copy.textContent.trim() ?? '';
}

/** Reports to the context menu of the page whether text is selected. */
function followSelection(): void {
  document.addEventListener('selectionchange', () => {
    const hasSelection = window.getSelection()?.isCollapsed === false;
    document.body.dataset['vscodeContext'] = JSON.stringify({ hasSelection });
  });
}
