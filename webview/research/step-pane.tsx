import type { JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { ResearchPanelState } from '../../src/features/research/protocol.ts';
import { errorMessage } from '../../src/core/domain/errors.ts';
import type { BoardStep, Research } from '../../src/features/research/model/project.ts';
import { isRecorded, replayedInWords, type Replayed } from '../../src/features/research/model/replayed.ts';
import { IconButton } from '../shared/toolkit.tsx';
import { Notice } from './fields.tsx';
import { ResearchHostContext } from './host.ts';
import { OwnStep } from './own-step.tsx';
import { Comments } from './comments.tsx';
import { ProductView } from './product-view.tsx';
import { Records } from './records-view.tsx';
import {
  holderInWords,
  iconOfStep,
  materialInWords,
  numberSteps,
  stepStateInWords,
  waitingInWords,
} from './words.ts';

interface StepPaneProps {
  readonly state: ResearchPanelState;
  readonly research: Research;
  readonly step: BoardStep;
  readonly number: number;
  readonly onClose: () => void;
}

/** Shows a step with its result, or the user's own work on it, and its history. */
export function StepPane({ state, research, step, number, onClose }: StepPaneProps): JSX.Element {
  const pane = useRef<HTMLElement>(null);
  const [showsRecord, setShowsRecord] = useState(false);
  useEffect(() => pane.current?.scrollIntoView({ block: 'nearest' }), []);
  const product = research.products.find(({ stepId }) => stepId === step.id);
  const isOwn = state.claimedSteps.includes(step.id);
  return (
    <section
      ref={pane}
      class="step-pane"
      aria-label={t('Step {0}', number.toLocaleString())}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <span class={`codicon codicon-${iconOfStep(step.state)}`} aria-hidden="true" />
        <h2 dir="auto">{step.target}</h2>
        <IconButton icon="close" label={t('Close (Escape)')} onPress={onClose} />
      </header>
      <p class="quiet">{aboutStep(state, research, step, number)}</p>
      {step.reason !== undefined && step.reason !== '' && step.state !== 'done' && (
        <Notice icon={step.state === 'failed' ? 'error' : 'warning'}>
          <p dir="auto">{step.reason}</p>
        </Notice>
      )}
      {isOwn ? (
        <OwnStep state={state} research={research} step={step} />
      ) : (
        <StepActions state={state} research={research} step={step} />
      )}
      {isRecorded(step) && <Replay state={state} stepId={step.id} />}
      {product !== undefined && <ProductView productId={product.id} createdAt={product.createdAt} />}
      {(step.attempts > 0 || step.startedAt !== undefined) && step.holder?.window !== '' && (
        <details class="step-details" onToggle={({ currentTarget }) => setShowsRecord(currentTarget.open)}>
          <summary>{t('Activity details: requests, replies, tools')}</summary>
          {showsRecord && <Records revision={research.revision} stepId={step.id} />}
        </details>
      )}
      {step.state !== 'done' && !isOwn && (
        <Comments
          comments={research.comments.filter(({ stepId }) => stepId === step.id)}
          stepId={step.id}
          placeholder={t('Comment on step {0}', number.toLocaleString())}
        />
      )}
    </section>
  );
}

function aboutStep(
  { sources, window }: ResearchPanelState,
  research: Research,
  step: BoardStep,
  number: number,
): string {
  const list = new Intl.ListFormat(undefined, { type: 'conjunction' });
  const materials = step.materials.map((material) => materialInWords(material, research, sources));
  return [
    t('Step {0}', number.toLocaleString()),
    stepStateInWords(step.state),
    ...(step.holder === undefined ? [] : [holderInWords(step.holder, window)]),
    ...(step.action === '' ? [] : [step.action]),
    ...(materials.length === 0 ? [] : [t('inputs: {0}', list.format(materials))]),
    ...(step.state === 'blocked' ? [waitingInWords(step, numberSteps(research)) ?? ''] : []),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** Shows the actions for a step that isn't assigned to the user. */
function StepActions({
  state,
  research,
  step,
}: {
  readonly state: ResearchPanelState;
  readonly research: Research;
  readonly step: BoardStep;
}): JSX.Element {
  const host = useContext(ResearchHostContext);
  const [remark, setRemark] = useState('');
  const [undoes, setUndoes] = useState<readonly string[]>();
  const numbers = numberSteps(research);
  const mayTake = step.state === 'ready' && research.state !== 'planning';
  const redo = (): void => {
    host.start('redo', { stepId: step.id, remark });
    setRemark('');
    setUndoes(undefined);
  };
  const tryAgain = (): void => {
    host.client
      .call('redo', { stepId: step.id, remark: '' })
      .then(() => host.client.call('take', { stepId: step.id }))
      .catch((error: unknown) => host.showProblem(errorMessage(error)));
  };
  const ask = (): void => {
    host.client
      .call('dependentSteps', { stepId: step.id })
      .then(setUndoes, (error: unknown) => host.showProblem(errorMessage(error)));
  };
  return (
    <div class="deeds">
      {mayTake && (
        <div class="ways">
          <vscode-button onClick={() => host.start('take', { stepId: step.id })}>
            {t('Assign Step to Me')}
          </vscode-button>
        </div>
      )}
      {step.state === 'failed' && (
        <>
          <label class="remark">
            <span>{t('Comment for the next attempt')}</span>
            <input
              type="text"
              dir="auto"
              value={remark}
              onInput={({ currentTarget }) => setRemark(currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !event.isComposing) redo();
              }}
            />
          </label>
          <div class="ways">
            <vscode-button disabled={!state.isTrusted} onClick={redo}>
              {t('Try Again')}
            </vscode-button>
            <vscode-button appearance="secondary" onClick={tryAgain}>
              {t('Assign Step to Me')}
            </vscode-button>
          </div>
        </>
      )}
      {step.state === 'done' && undoes === undefined && (
        <button type="button" class="link" onClick={ask}>
          {t('Rerun step…')}
        </button>
      )}
      {step.state === 'done' && undoes !== undefined && (
        <Notice icon="warning">
          <p>
            {undoneInWords(
              undoes.filter((id) => id !== step.id),
              numbers,
            )}
          </p>
          <div class="ways">
            <vscode-button onClick={redo}>{t('Rerun Step')}</vscode-button>
            <vscode-button appearance="secondary" onClick={() => setUndoes(undefined)}>
              {t('Cancel')}
            </vscode-button>
          </div>
        </Notice>
      )}
    </div>
  );
}

/** Replays a step from its record, and shows whether the result is the same. */
function Replay({
  state,
  stepId,
}: {
  readonly state: ResearchPanelState;
  readonly stepId: string;
}): JSX.Element {
  const host = useContext(ResearchHostContext);
  const [replayed, setReplayed] = useState<Replayed>();
  const [running, setRunning] = useState<AbortController>();
  const showError = (error: unknown): void => host.showProblem(errorMessage(error));
  useEffect(() => () => running?.abort(), [running]);
  const begin = (): void => {
    const controller = new AbortController();
    setReplayed(undefined);
    setRunning(controller);
    host.client
      .call('replay', { stepId }, { signal: controller.signal })
      .then(setReplayed, (error: unknown) => {
        if (!controller.signal.aborted) showError(error);
      })
      .finally(() => setRunning(undefined));
  };
  return (
    <div class="replay">
      {running === undefined ? (
        <button
          type="button"
          class="link"
          title={t('Replays the step from the activity log, without a model and without changing anything')}
          disabled={!state.isTrusted}
          onClick={begin}
        >
          {t('Replay')}
        </button>
      ) : (
        <button type="button" class="link" onClick={() => running.abort()}>
          {t('Stop replay')}
        </button>
      )}
      <span role="status" class="quiet">
        {running !== undefined ? t('Replaying…') : replayed === undefined ? '' : replayedInWords(replayed)}
      </span>
      {replayed?.kind === 'differs' && (
        <button
          type="button"
          class="link"
          onClick={() => void host.client.call('compareReplayed', { stepId, replayed }).catch(showError)}
        >
          {t('Show differences')}
        </button>
      )}
    </div>
  );
}

/** Describes the results that rerunning a step deletes. */
function undoneInWords(stepIds: readonly string[], numbers: ReadonlyMap<string, number>): string {
  const places = stepIds.flatMap((id) => numbers.get(id) ?? []).map((number) => number.toLocaleString());
  if (places.length === 0) return t('This deletes the result of this step. No other step has used it yet.');
  const list = new Intl.ListFormat(undefined, { type: 'conjunction' });
  return places.length === 1
    ? t(
        'This deletes the result of this step and the result of step {0}, which is based on it.',
        places.join(''),
      )
    : t(
        'This deletes the result of this step and the results of steps {0}, which are based on it.',
        list.format(places),
      );
}
