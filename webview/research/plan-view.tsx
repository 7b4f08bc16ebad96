import type { JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { ResearchPanelState } from '../../src/features/research/protocol.ts';
import type { BoardStep, PlanEdit, Research } from '../../src/features/research/model/project.ts';
import { IconButton } from '../shared/toolkit.tsx';
import { Notice } from './fields.tsx';
import { ResearchHostContext } from './host.ts';
import type { Focus } from './focus.ts';
import { PlanStepView } from './plan-step.tsx';
import { usePlanEdits } from './use-plan-edits.ts';
import { isOpen } from './words.ts';
import { Comments, Objections } from './comments.tsx';

interface PlanViewProps {
  readonly state: ResearchPanelState;
  readonly research: Research;
  readonly focus: Focus;
}

/** Shows the plan, in which each step is edited in place. */
export function PlanView({ state, research, focus }: PlanViewProps): JSX.Element {
  const host = useContext(ResearchHostContext);
  const list = useRef<HTMLOListElement>(null);
  const [wished, setWished] = useState<string>();
  const [dragged, setDragged] = useState<string>();
  const { edit, withEdits } = usePlanEdits(research.planVersion);
  const { steps } = research;

  useEffect(() => {
    if (focus.stepId !== undefined) setWished(focus.stepId);
  }, [focus.count]);
  useEffect(() => {
    // A new step appears with the next state.
    const field = list.current?.querySelector<HTMLElement>(
      `[data-step="${CSS.escape(wished ?? '')}"] textarea`,
    );
    if (wished === undefined || !field) return;
    field.focus();
    field.scrollIntoView({ block: 'nearest' });
    setWished(undefined);
  }, [wished, research.revision]);

  const add = (after: string | undefined): void =>
    void edit({ kind: 'add', after }).then((edited) => setWished(edited?.stepId));
  const [notes, setNotes] = useState<readonly string[]>([]);
  const change = (planEdit: PlanEdit): void => {
    setNotes([]);
    void edit(planEdit).then((edited) => setNotes(edited?.notes ?? []));
  };
  const move = (step: BoardStep, to: number): void => {
    if (to < 0 || to >= steps.length) return;
    change({ kind: 'move', stepId: step.id, to });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isTyped = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
    if (isTyped || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
    event.preventDefault();
    const by = event.shiftKey ? 1 : -1;
    if (by === 1 ? research.canRedo : research.canUndo) host.start('stepPlan', { by });
  };
  const begun = steps.filter((step) => !isOpen(step)).length;
  return (
    <div class="plan" onKeyDown={onKeyDown}>
      <div class="bar">
        <div class="actions" role="toolbar" aria-label={t('Plan')}>
          <IconButton icon="add" label={t('Add a step at the end')} onPress={() => add(steps.at(-1)?.id)} />
          <IconButton
            icon="discard"
            label={t('Undo the last change to the plan')}
            disabled={!research.canUndo}
            onPress={() => host.start('stepPlan', { by: -1 })}
          />
          <IconButton
            icon="redo"
            label={t('Redo')}
            disabled={!research.canRedo}
            onPress={() => host.start('stepPlan', { by: 1 })}
          />
        </div>
        {begun > 0 && <span class="quiet">{t('You can only change steps that haven’t started.')}</span>}
      </div>
      {notes.length > 0 && (
        <div role="status">
          <Notice icon="info">
            {notes.map((note, index) => (
              <p key={index}>{note}</p>
            ))}
          </Notice>
        </div>
      )}
      {steps.length === 0 && (
        <p class="quiet empty">
          {research.state === 'planning'
            ? (state.activity?.status ?? t('Creating the plan…'))
            : t('No steps yet. Add a step to start the plan.')}
        </p>
      )}
      <Memories state={state} />
      <Objections research={research} stepId={undefined} />
      <ol class="plain-list" ref={list} aria-label={t('Steps')}>
        {steps.map((step, index) => (
          <PlanStepView
            key={step.id}
            state={state}
            research={research}
            step={withEdits(step)}
            number={index + 1}
            isDragged={dragged === step.id}
            onEdit={change}
            onAdd={() => add(step.id)}
            onMove={(by) => move(step, index + by)}
            onDrag={setDragged}
            onDropHere={() => {
              const from = steps.findIndex(({ id }) => id === dragged);
              const draggedStep = steps[from];
              setDragged(undefined);
              if (draggedStep !== undefined && from !== index) move(draggedStep, index);
            }}
          />
        ))}
      </ol>
      <Comments
        comments={research.comments.filter(({ stepId }) => stepId === undefined)}
        stepId={undefined}
        placeholder={t('Comment on the whole plan')}
      />
      {research.state === 'planned' && <Approval state={state} research={research} />}
    </div>
  );
}

/** Shows the recalled memories of the plan, each with a button to forget it. */
function Memories({ state }: { readonly state: ResearchPanelState }): JSX.Element | null {
  const host = useContext(ResearchHostContext);
  if (state.memories.length === 0) return null;
  return (
    <ul class="memories" aria-label={t('Research memories used')}>
      {state.memories.map(({ id, goal, isShared }) => (
        <li key={id}>
          <span class="codicon codicon-history" aria-hidden="true" />
          <span class="quiet" dir="auto">
            {t('Based on a plan that worked before: {0}', goal)}
          </span>
          {!isShared && (
            <IconButton
              icon="thumbsdown"
              label={t('Delete this research memory, so that new plans don’t use it')}
              onPress={() => host.start('forgetMemory', { memoryId: id })}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Shows the actions for a plan that waits for approval. */
function Approval({ state, research }: Pick<PlanViewProps, 'research' | 'state'>): JSX.Element {
  const host = useContext(ResearchHostContext);
  const canWork = state.isTrusted && state.model !== undefined;
  const unheard = research.comments.filter(({ isHeard }) => !isHeard).length;
  return (
    <div class="ways approval">
      <vscode-button
        disabled={!canWork || research.steps.length === 0}
        onClick={() => host.start('act', { action: 'approve', basedOn: research.planVersion })}
      >
        {t('Approve and Start')}
      </vscode-button>
      <vscode-button
        appearance="secondary"
        disabled={!canWork}
        onClick={() => host.start('act', { action: 'planAgain', basedOn: research.planVersion })}
      >
        {unheard === 0
          ? t('Regenerate Plan')
          : unheard === 1
            ? t('Regenerate Plan with 1 Comment')
            : t('Regenerate Plan with {0} Comments', unheard.toLocaleString())}
      </vscode-button>
    </div>
  );
}
