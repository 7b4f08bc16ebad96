import type { ComponentChildren, JSX } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { ResearchAction, ResearchPanelState } from '../../src/features/research/protocol.ts';
import { errorMessage } from '../../src/core/domain/errors.ts';
import { membersElsewhere, type Research } from '../../src/features/research/model/project.ts';
import { FactCheckLine } from '../shared/fact-check-line.tsx';
import { IconButton, ProgressRing } from '../shared/toolkit.tsx';
import type { Focus } from './focus.ts';
import { Board } from './board.tsx';
import { BoundFields, Notice, OptionFields } from './fields.tsx';
import { ResearchHostContext } from './host.ts';
import { PlanView } from './plan-view.tsx';
import { Records } from './records-view.tsx';
import { ReportView } from './report-view.tsx';
import { isWorkedOn, measures, boundsInTheWay, researchStateInWords, stepsInWords } from './words.ts';

interface ResearchViewProps {
  readonly state: ResearchPanelState;
  readonly research: Research;
  readonly problem: ComponentChildren;
  readonly focus: Focus;
  readonly onOpen: (researchId: string | undefined) => void;
}

type View = 'board' | 'plan' | 'record' | 'report';

const VIEWS: readonly { readonly view: View; readonly name: () => string }[] = [
  { view: 'plan', name: () => t('Plan') },
  { view: 'board', name: () => t('Board') },
  { view: 'report', name: () => t('Report') },
  { view: 'record', name: () => t('Activity Log') },
];

/** Shows a research project: its head, and below it its plan, board, report, or activity log. */
export function ResearchView({ state, research, problem, focus, onOpen }: ResearchViewProps): JSX.Element {
  const isPlanned = research.state === 'planned' || research.state === 'planning';
  const [selected, setView] = useState<View>(isPlanned ? 'plan' : 'board');
  const hasReport = research.report !== undefined;
  const view = selected === 'report' && !hasReport ? 'board' : selected;
  useEffect(() => {
    // Switch to the board after approval, wherever it happened.
    if (research.state === 'running') setView((before) => (before === 'plan' ? 'board' : before));
  }, [research.state]);
  useEffect(() => {
    // Show the report as soon as it is written, or when a project with a report is opened.
    if (hasReport) setView('report');
  }, [hasReport]);
  useEffect(() => {
    if (focus.stepId !== undefined) setView(isPlanned ? 'plan' : 'board');
  }, [focus.count]);
  return (
    <main class="research">
      <Head state={state} research={research} onOpen={onOpen} />
      {problem}
      <div class="views" role="tablist" aria-label={t('Research')} onKeyDown={moveBetweenTabs}>
        {VIEWS.filter((tab) => tab.view !== 'report' || hasReport).map((tab) => (
          <button
            key={tab.view}
            type="button"
            role="tab"
            id={`tab-${tab.view}`}
            aria-selected={view === tab.view}
            aria-controls="view"
            tabIndex={view === tab.view ? 0 : -1}
            onClick={() => setView(tab.view)}
          >
            {tab.name()}
          </button>
        ))}
      </div>
      <div class="view" id="view" role="tabpanel" aria-labelledby={`tab-${view}`}>
        {view === 'plan' && <PlanView state={state} research={research} focus={focus} />}
        {view === 'board' && <Board state={state} research={research} focus={focus} />}
        {view === 'report' && <ReportView research={research} sources={state.sources} />}
        {view === 'record' && <Records revision={research.revision} stepId={undefined} />}
      </div>
    </main>
  );
}

function moveBetweenTabs(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
  const place = tabs.findIndex((tab) => tab === document.activeElement);
  const next = tabs.at((place + (event.key === 'ArrowRight' ? 1 : -1)) % tabs.length);
  next?.focus();
  next?.click();
}

function Head({ state, research, onOpen }: Omit<ResearchViewProps, 'focus' | 'problem'>): JSX.Element {
  const host = useContext(ResearchHostContext);
  const [showsBounds, setShowsBounds] = useState(false);
  const act = (action: ResearchAction): void => host.start('act', { action, basedOn: research.planVersion });
  const steps = research.steps.length;
  const count = (state: string): number => research.steps.filter((step) => step.state === state).length;
  const isWorking = isWorkedOn(state, Date.now());
  const isOver = research.state === 'done' || research.state === 'failed';
  return (
    <header class="head">
      <div class="top">
        <IconButton icon="arrow-left" label={t('All research projects')} onPress={() => onOpen(undefined)} />
        <h1 dir="auto">{research.goal}</h1>
        <div class="actions" role="toolbar" aria-label={t('Research')}>
          {research.state === 'planning' && (
            <IconButton icon="debug-stop" label={t('Stop')} onPress={() => act('stop')} />
          )}
          {research.state === 'running' && (
            <IconButton icon="debug-pause" label={t('Pause')} onPress={() => act('stop')} />
          )}
          {(research.state === 'paused' || research.state === 'failed') && (
            <IconButton icon="debug-continue" label={resumeLabel(research)} onPress={() => act('goOn')} />
          )}
          {isOver && research.report === undefined && steps > 0 && (
            <IconButton
              icon="notebook-template"
              label={t('Write report')}
              onPress={() => act('writeReport')}
            />
          )}
          {research.report !== undefined && (
            <>
              <IconButton icon="note" label={t('Edit report as note')} onPress={() => act('openReport')} />
              <IconButton
                icon="edit"
                label={t('Revise report section…')}
                onPress={() => act('reviseReport')}
              />
              <IconButton icon="export" label={t('Export report…')} onPress={() => act('exportReport')} />
            </>
          )}
          {research.state === 'done' && (
            <IconButton icon="save" label={t('Save plan as skill')} onPress={() => act('saveSkill')} />
          )}
          <IconButton
            icon="settings"
            label={t('Budget and options')}
            pressed={showsBounds}
            onPress={() => setShowsBounds(!showsBounds)}
          />
          <IconButton icon="trash" label={t('Delete this research project')} onPress={() => act('remove')} />
        </div>
      </div>
      <p class="quiet state">
        {isWorking && <ProgressRing />}
        <span>
          {[
            researchStateInWords(research.state, membersElsewhere(research.steps)),
            ...(steps > 0 ? [stepsInWords({ steps, done: count('done'), failed: count('failed') })] : []),
            ...(state.activity?.status ? [state.activity.status] : []),
          ].join(' · ')}
        </span>
      </p>
      <Spent research={research} />
      <Hindrance
        state={state}
        research={research}
        isWorking={isWorking}
        onRaise={() => setShowsBounds(true)}
      />
      {state.factCheckRequest !== undefined && (
        <FactCheckLine
          request={state.factCheckRequest}
          tokens={state.checkTokens}
          onDecide={(agrees) => host.start('decideFactCheck', { agrees })}
        />
      )}
      {showsBounds && (
        <div class="settings">
          <BoundFields
            bounds={research.bounds}
            onChange={(bounds) => host.start('changeBounds', { bounds })}
          />
          <OptionFields
            options={research.options}
            tools={state.tools}
            onChange={(options) => host.start('changeOptions', { options })}
          />
        </div>
      )}
    </header>
  );
}

function resumeLabel({ state, steps }: Research): string {
  return state === 'failed' && steps.some((step) => step.state === 'failed')
    ? t('Rerun Failed Steps')
    : t('Resume');
}

/** Shows the used budget, with the share of each limit. */
function Spent({ research }: { readonly research: Research }): JSX.Element {
  return (
    <ul class="spent quiet" aria-label={t('Budget used')}>
      {measures(research.spent, research.bounds)
        .filter(
          ({ bound, spent, key }) =>
            bound !== undefined || (spent !== '0' && key !== 'dollars') || research.spent[key] > 0,
        )
        .map(({ key, name, spent, bound, share }) => (
          <li key={key} class={share !== undefined && share >= 1 ? 'reached' : undefined}>
            {bound === undefined ? t('{0}: {1}', name, spent) : t('{0}: {1} of {2}', name, spent, bound)}
            {share !== undefined && <meter min={0} max={1} value={share} aria-label={name} />}
          </li>
        ))}
    </ul>
  );
}

/** Shows why the project can't continue, with a way out. */
function Hindrance({
  state,
  research,
  isWorking,
  onRaise,
}: {
  readonly state: ResearchPanelState;
  readonly research: Research;
  readonly isWorking: boolean;
  readonly onRaise: () => void;
}): JSX.Element | null {
  const host = useContext(ResearchHostContext);
  const reached = boundsInTheWay(research);
  const act = (action: ResearchAction): void => host.start('act', { action, basedOn: research.planVersion });
  if (!state.isTrusted)
    return (
      <Notice icon="shield">
        <p>{t('Research projects don’t run in Restricted Mode. Trust this workspace, then resume.')}</p>
        <vscode-button
          appearance="secondary"
          onClick={() => host.start('run', { command: 'trustWorkspace' })}
        >
          {t('Manage Workspace Trust')}
        </vscode-button>
      </Notice>
    );
  if (research.state === 'paused' && research.reason && reached.length > 0) {
    const doubled = {
      ...research.bounds,
      ...Object.fromEntries(reached.map(({ key }) => [key, 2 * (research.bounds[key] ?? 0)])),
    };
    return (
      <Notice icon="dashboard">
        <p>{research.reason}</p>
        <div class="ways">
          <vscode-button
            onClick={() => {
              host.client
                .call('changeBounds', { bounds: doubled })
                .then(() => host.client.call('act', { action: 'goOn', basedOn: research.planVersion }))
                .catch((error: unknown) => host.showProblem(errorMessage(error)));
            }}
          >
            {t('Double Budget and Resume')}
          </vscode-button>
          <vscode-button appearance="secondary" onClick={onRaise}>
            {t('Change Budget')}
          </vscode-button>
        </div>
      </Notice>
    );
  }
  if (state.model === undefined && research.state !== 'done')
    return (
      <Notice icon="info">
        <p>{t('No model is picked. You can work on steps yourself, or pick a model to work on them.')}</p>
        <vscode-button appearance="secondary" onClick={() => host.start('run', { command: 'pickModel' })}>
          {t('Pick a Model')}
        </vscode-button>
      </Notice>
    );
  if (research.reason)
    return (
      <Notice icon="warning">
        <p>{research.reason}</p>
        {(research.state === 'paused' || research.state === 'failed') && (
          <vscode-button onClick={() => act('goOn')}>{resumeLabel(research)}</vscode-button>
        )}
      </Notice>
    );
  if (state.activity?.isTakenOver === true)
    return (
      <Notice icon="debug-continue">
        <p>{t('This window took over because the other window closed.')}</p>
        <vscode-button appearance="secondary" onClick={() => act('stop')}>
          {t('Pause')}
        </vscode-button>
      </Notice>
    );
  const waits = research.steps.some((step) => step.state === 'ready');
  if (research.state === 'running' && !isWorking && waits)
    return (
      <Notice icon="info">
        <p>{t('No model is working on this research project in any window.')}</p>
        <vscode-button onClick={() => act('goOn')}>{t('Resume Here')}</vscode-button>
      </Notice>
    );
  return null;
}
