import type { ComponentChildren, JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { ResearchPanelState, ResearchStart } from '../../src/features/research/protocol.ts';
import { requestedScope } from '../shared/words.ts';
import { Button } from '../shared/toolkit.tsx';
import type { Focus } from './focus.ts';
import { Coverage } from './coverage-view.tsx';
import { BoundFields, Notice, OptionFields } from './fields.tsx';
import { ResearchHostContext } from './host.ts';
import { researchStateInWords, stepsInWords } from './words.ts';

interface StartPageProps {
  readonly state: ResearchPanelState;
  readonly problem: ComponentChildren;
  readonly focus: Focus;
  readonly onOpen: (researchId: string) => void;
}

/** Shows the start of a research project: its goal, budget, and options. Below are existing projects and proposals. */
export function StartPage({ state, problem, focus, onOpen }: StartPageProps): JSX.Element {
  const host = useContext(ResearchHostContext);
  const [start, setStart] = useState<ResearchStart>({ goal: '', ...state.start });
  const [isBeginning, setIsBeginning] = useState(false);
  const goal = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    goal.current?.focus();
    if (focus.goal !== undefined) setStart((before) => ({ ...before, goal: focus.goal ?? '' }));
  }, [focus.count]);

  const isPossible = state.isTrusted && state.model !== undefined && state.sources.length > 0;
  const begin = (): void => {
    if (start.goal.trim() === '' || !isPossible || isBeginning) return;
    setIsBeginning(true);
    host.start('begin', start, () => setIsBeginning(false));
  };
  return (
    <main class="start">
      <h1>{t('Research')}</h1>
      <p class="quiet">
        {t(
          'Open Notebook turns your goal into a plan that you can edit. You and the models work on its steps on a board. Open Notebook checks every sentence of the report against your sources.',
        )}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          begin();
        }}
      >
        <textarea
          ref={goal}
          rows={3}
          dir="auto"
          aria-label={t('Goal')}
          placeholder={t(
            'Describe what you want to find out or write. For example: Compare how the reports count birds, as a table with the figures.',
          )}
          value={start.goal}
          onInput={({ currentTarget }) => setStart({ ...start, goal: currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
            event.preventDefault();
            begin();
          }}
        />
        <Hindrance state={state} />
        {problem}
        <div class="below">
          <button
            type="button"
            class="choice"
            title={t('Model that writes the plan and works on the steps. Select to change it.')}
            onClick={() => host.start('run', { command: 'pickModel' })}
          >
            {state.model ?? t('No model')}
          </button>
          <button
            type="button"
            class="choice"
            title={t('Search scope. Select to change it.')}
            onClick={() => host.start('run', { command: 'pickScope' })}
          >
            {requestedScope(state.scope)}
          </button>
          <vscode-button
            title={t('Create Plan (Ctrl+Enter)')}
            disabled={!isPossible || start.goal.trim() === '' || isBeginning}
            onClick={begin}
          >
            {start.options.approves ? t('Create Plan') : t('Create Plan and Start')}
          </vscode-button>
        </div>
        <details>
          <summary>{t('Budget and options')}</summary>
          <BoundFields bounds={start.bounds} onChange={(bounds) => setStart({ ...start, bounds })} />
          <OptionFields
            options={start.options}
            tools={state.tools}
            onChange={(options) => setStart({ ...start, options })}
          />
        </details>
      </form>
      <Researches state={state} onOpen={onOpen} />
      <section aria-label={t('Explore next')}>
        <h2>{t('Explore next')}</h2>
        <Coverage
          hasSources={state.sources.length > 0}
          onResearch={(words) => {
            setStart({ ...start, goal: words });
            goal.current?.focus();
          }}
        />
      </section>
    </main>
  );
}

/** Shows why no project can be started, with a way out. */
function Hindrance({ state }: { readonly state: ResearchPanelState }): JSX.Element | null {
  const host = useContext(ResearchHostContext);
  if (!state.isTrusted)
    return (
      <Notice icon="shield">
        <p>{t('Research projects don’t run in Restricted Mode. Trust this workspace, then start.')}</p>
        <Button
          label={t('Manage Workspace Trust')}
          look="secondary"
          onPress={() => host.start('run', { command: 'trustWorkspace' })}
        />
      </Notice>
    );
  if (state.sources.length === 0)
    return (
      <Notice icon="info">
        <p>{t('This notebook has no sources yet. Add sources to start a research project.')}</p>
        <Button
          label={t('Add Files…')}
          look="secondary"
          onPress={() => host.start('run', { command: 'addFiles' })}
        />
      </Notice>
    );
  if (state.model === undefined)
    return (
      <Notice icon="info">
        <p>{t('A research project needs a language model to write the plan and work on its steps.')}</p>
        <Button
          label={t('Pick a Model')}
          look="secondary"
          onPress={() => host.start('run', { command: 'pickModel' })}
        />
      </Notice>
    );
  return null;
}

function Researches({ state, onOpen }: Pick<StartPageProps, 'onOpen' | 'state'>): JSX.Element | null {
  if (state.researches.length === 0) return null;
  return (
    <section aria-label={t('Research projects')}>
      <h2>{t('Research projects')}</h2>
      <ul class="plain-list researches">
        {state.researches.map((entry) => (
          <li key={entry.id}>
            <button type="button" class="hoverable" onClick={() => onOpen(entry.id)}>
              <span class="ellipsis" dir="auto">
                {entry.goal}
              </span>
              <span class="quiet">{`${researchStateInWords(entry.state, entry.elsewhere)} · ${stepsInWords(entry)}`}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
