import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { ResearchPanelState } from '../../src/features/research/protocol.ts';
import {
  ALL_SOURCES,
  ANY_QUANTITY,
  SOURCE_PREFIX,
  type BoardStep,
  type PlanStep,
  type Research,
  type PlanEdit,
} from '../../src/features/research/model/project.ts';
import { IconButton } from '../shared/toolkit.tsx';
import { GrowingText } from './fields.tsx';
import { Comments, Objections } from './comments.tsx';
import { iconOfStep, isOpen, materialInWords, stepStateInWords } from './words.ts';

interface PlanStepViewProps {
  readonly state: ResearchPanelState;
  readonly research: Research;
  readonly step: BoardStep;
  /** Position in the plan, counted from 1. */
  readonly number: number;
  readonly isDragged: boolean;
  readonly onEdit: (edit: PlanEdit) => void;
  /** Adds a step after this one. */
  readonly onAdd: () => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onDrag: (stepId: string | undefined) => void;
  readonly onDropHere: () => void;
}

/** Shows a step of a plan: its action, target, and materials, and the issues with it. */
export function PlanStepView({
  state,
  research,
  step,
  number,
  isDragged,
  onEdit,
  onAdd,
  onMove,
  onDrag,
  onDropHere,
}: PlanStepViewProps): JSX.Element {
  const [isOver, setIsOver] = useState(false);
  const [remarks, setRemarks] = useState(false);
  /** Targets to split the step into, one per line, while the user edits them. */
  const [parts, setParts] = useState<string>();
  const canChange = isOpen(step) && research.state !== 'planning';
  const change = (changed: Partial<Omit<PlanStep, 'id' | 'produces'>>): void =>
    onEdit({ kind: 'change', stepId: step.id, change: changed });
  const comments = research.comments.filter(({ stepId }) => stepId === step.id);
  const name = t('Step {0}', number.toLocaleString());
  return (
    <li
      class={['plan-step', isDragged && 'dragged', isOver && 'over', !canChange && 'fixed']
        .filter(Boolean)
        .join(' ')}
      data-step={step.id}
      aria-label={name}
      onKeyDown={(event) => {
        if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') || !canChange) return;
        event.preventDefault();
        onMove(event.key === 'ArrowUp' ? -1 : 1);
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        onDropHere();
      }}
    >
      <span
        class="number"
        draggable={canChange}
        title={canChange ? t('Drag to move, or press Alt+Up or Alt+Down') : undefined}
        onDragStart={(event) => {
          event.dataTransfer?.setData('text/plain', step.target);
          onDrag(step.id);
        }}
        onDragEnd={() => onDrag(undefined)}
      >
        {canChange && <span class="codicon codicon-gripper" aria-hidden="true" />}
        {number.toLocaleString()}
      </span>
      <div class="words">
        <GrowingText
          label={t('{0}: task', name)}
          placeholder={t('Describe the task without referring to other steps')}
          value={step.target}
          disabled={!canChange}
          onChange={(target) => change({ target })}
        />
        <div class="parts">
          <ActionField state={state} step={step} name={name} disabled={!canChange} onChange={change} />
          <Chosen
            label={t('Inputs')}
            name={t('{0}: inputs', name)}
            values={step.materials}
            toWords={(material) => materialInWords(material, research, state.sources)}
            choices={materialsFor(step, state, research)}
            adds={t('Add input')}
            disabled={!canChange}
            onChange={(materials) => change({ materials })}
          />
          <Chosen
            label={t('Tools')}
            name={t('{0}: tools', name)}
            values={step.tools}
            toWords={(tool) => tool}
            toTitle={(tool) => state.skills.find(({ name: known }) => known === tool)?.description}
            choices={toolsFor(step, state)}
            adds={t('Add tool')}
            disabled={!canChange}
            onChange={(tools) => change({ tools })}
          />
          <label class="quantity">
            <span>{t('Number of items')}</span>
            <input
              type="number"
              min={1}
              aria-label={t('{0}: number of items', name)}
              placeholder={t('any')}
              disabled={!canChange}
              value={step.quantity === ANY_QUANTITY ? '' : step.quantity}
              onChange={({ currentTarget }) => {
                const quantity = Math.round(Number(currentTarget.value));
                change({ quantity: quantity > 0 ? quantity : ANY_QUANTITY });
              }}
            />
          </label>
          {step.columns !== undefined && (
            <label class="columns">
              <span>{t('Columns')}</span>
              <input
                type="text"
                dir="auto"
                aria-label={t('{0}: columns of the table', name)}
                placeholder={t('Names, separated by commas')}
                disabled={!canChange}
                value={step.columns.join(', ')}
                onChange={({ currentTarget }) => change({ columns: currentTarget.value.split(',') })}
              />
            </label>
          )}
          {!isOpen(step) && (
            <span class={`quiet state ${step.state}`}>
              <span class={`codicon codicon-${iconOfStep(step.state)}`} aria-hidden="true" />
              {stepStateInWords(step.state)}
            </span>
          )}
        </div>
        {parts !== undefined && (
          <form
            class="split"
            onSubmit={(event) => {
              event.preventDefault();
              const targets = parts.split('\n').filter((part) => part.trim() !== '');
              if (targets.length < 2) return;
              setParts(undefined);
              onEdit({ kind: 'split', stepId: step.id, targets });
            }}
          >
            <label>
              <span class="quiet">
                {t('Enter one step per line. The last step combines the results of the others.')}
              </span>
              <textarea
                dir="auto"
                value={parts}
                onInput={({ currentTarget }) => setParts(currentTarget.value)}
              />
            </label>
            <div class="ways">
              <vscode-button onClick={(event: Event) => submitForm(event)}>{t('Split')}</vscode-button>
              <vscode-button appearance="secondary" onClick={() => setParts(undefined)}>
                {t('Cancel')}
              </vscode-button>
            </div>
          </form>
        )}
        <Objections research={research} stepId={step.id} />
        {(remarks || comments.length > 0) && (
          <Comments
            comments={comments}
            stepId={step.id}
            placeholder={t('Comment on step {0}', number.toLocaleString())}
          />
        )}
      </div>
      <div class="actions" role="toolbar" aria-label={name}>
        <IconButton
          icon="comment"
          label={t('Comment on step {0}', number.toLocaleString())}
          onPress={() => setRemarks(!remarks)}
        />
        <IconButton
          icon="arrow-up"
          label={t('Move step {0} up', number.toLocaleString())}
          disabled={!canChange || number === 1}
          onPress={() => onMove(-1)}
        />
        <IconButton
          icon="arrow-down"
          label={t('Move step {0} down', number.toLocaleString())}
          disabled={!canChange || number === research.steps.length}
          onPress={() => onMove(1)}
        />
        <IconButton
          icon="split-vertical"
          label={t('Split step {0}', number.toLocaleString())}
          disabled={!canChange}
          onPress={() => setParts(parts === undefined ? splitTarget(step.target) : undefined)}
        />
        <IconButton
          icon="add"
          label={t('Add a step after step {0}', number.toLocaleString())}
          onPress={onAdd}
        />
        <IconButton
          icon="trash"
          label={t('Delete step {0}', number.toLocaleString())}
          disabled={!canChange}
          onPress={() => onEdit({ kind: 'remove', stepId: step.id })}
        />
      </div>
    </li>
  );
}

/** Splits a step's target into its sentences. A single sentence is followed by an empty line for another. */
function splitTarget(target: string): string {
  const sentences = target.split(/(?<=[.;!?。；])\s+/).filter((part) => part !== '');
  return sentences.length > 1 ? sentences.join('\n') : `${target}\n`;
}

/** Submits a form, because buttons of the toolkit don't. */
function submitForm({ currentTarget }: Event): void {
  if (currentTarget instanceof HTMLElement) currentTarget.closest('form')?.requestSubmit();
}

/** Shows the skill of a step, from those that can do steps. */
function ActionField({
  state,
  step,
  name,
  disabled,
  onChange,
}: {
  readonly state: ResearchPanelState;
  readonly step: BoardStep;
  readonly name: string;
  readonly disabled: boolean;
  readonly onChange: (change: { readonly action: string }) => void;
}): JSX.Element {
  const actions = state.skills.filter(({ isAction }) => isAction);
  const isKnown = actions.some((skill) => skill.name === step.action);
  return (
    <select
      class="action"
      aria-label={t('{0}: skill', name)}
      title={actions.find((skill) => skill.name === step.action)?.description}
      disabled={disabled}
      value={step.action}
      onChange={({ currentTarget }) => onChange({ action: currentTarget.value })}
    >
      {!isKnown && <option value={step.action}>{step.action === '' ? t('Select') : step.action}</option>}
      {actions.map((skill) => (
        <option key={skill.name} value={skill.name} title={skill.description}>
          {skill.isForUser ? t('{0} (you)', skill.name) : skill.name}
        </option>
      ))}
    </select>
  );
}

interface Choice {
  readonly value: string;
  readonly words: string;
}

/** Shows a list of chosen items, each with a button to remove it, and a field to add another. */
function Chosen({
  label,
  name,
  values,
  toWords,
  toTitle,
  choices,
  adds,
  disabled,
  onChange,
}: {
  readonly label: string;
  readonly name: string;
  readonly values: readonly string[];
  readonly toWords: (value: string) => string;
  readonly toTitle?: (value: string) => string | undefined;
  readonly choices: readonly Choice[];
  readonly adds: string;
  readonly disabled: boolean;
  readonly onChange: (values: string[]) => void;
}): JSX.Element | null {
  if (disabled && values.length === 0) return null;
  return (
    <span class="chosen" role="group" aria-label={name}>
      <span class="quiet">{label}</span>
      {values.map((value) => (
        <span key={value} class="token" title={toTitle?.(value)}>
          <span class="ellipsis" dir="auto">
            {toWords(value)}
          </span>
          {!disabled && (
            <button
              type="button"
              aria-label={t('Remove {0}', toWords(value))}
              title={t('Remove {0}', toWords(value))}
              onClick={() => onChange(values.filter((other) => other !== value))}
            >
              <span class="codicon codicon-close" aria-hidden="true" />
            </button>
          )}
        </span>
      ))}
      {!disabled && choices.length > 0 && (
        <select
          class="adds"
          aria-label={adds}
          title={adds}
          value=""
          onChange={({ currentTarget }) => {
            const { value } = currentTarget;
            currentTarget.value = '';
            if (value !== '') onChange([...values, value]);
          }}
        >
          <option value="">+</option>
          {choices.map(({ value, words }) => (
            <option key={value} value={value} title={toTitle?.(value)}>
              {words}
            </option>
          ))}
        </select>
      )}
    </span>
  );
}

/** Returns the further possible materials of a step: all sources, single ones, and products of other steps. */
function materialsFor(step: BoardStep, { sources }: ResearchPanelState, research: Research): Choice[] {
  const inputs = [
    ALL_SOURCES,
    ...research.steps.filter(({ id }) => id !== step.id).map(({ produces }) => produces),
    ...sources.map(({ id }) => SOURCE_PREFIX + id),
  ];
  return inputs
    .filter((value) => !step.materials.includes(value))
    .map((value) => ({ value, words: materialInWords(value, research, sources) }));
}

function toolsFor(step: BoardStep, { skills }: ResearchPanelState): Choice[] {
  return skills
    .filter(({ isTool, name }) => isTool && !step.tools.includes(name))
    .map(({ name, description }) => ({ value: name, words: `${name}: ${shortenWords(description)}` }));
}

/** Maximum length of a description next to the name, in UTF-16 code units. */
const MAX_SHOWN_LENGTH = 90;

function shortenWords(words: string): string {
  return words.length > MAX_SHOWN_LENGTH ? `${words.slice(0, MAX_SHOWN_LENGTH).trimEnd()}…` : words;
}
