import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { ResearchPanelState } from '../../src/features/research/protocol.ts';
import type { BoardStep, Research, StepState } from '../../src/features/research/model/project.ts';
import type { Focus } from './focus.ts';
import { StepPane } from './step-pane.tsx';
import {
  holderInWords,
  makerInWords,
  productCheckInWords,
  iconOfStep,
  numberSteps,
  STATES,
  stepStateInWords,
  stepTimeInWords,
  describeReuse,
  waitingInWords,
} from './words.ts';

interface BoardProps {
  readonly state: ResearchPanelState;
  readonly research: Research;
  readonly focus: Focus;
}

/** Shows the steps by their states, and the selected one next to them. */
export function Board({ state, research, focus }: BoardProps): JSX.Element {
  const [chosen, setChosen] = useState<string | undefined>(focus.stepId);
  const [shown, setShown] = useState<string>();
  const board = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focus.stepId !== undefined) setChosen(focus.stepId);
  }, [focus.count]);
  const { steps } = research;
  const step = steps.find(({ id }) => id === chosen);
  const numbers = numberSteps(research);
  const focusRow = (stepId: string | undefined): void =>
    board.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(stepId ?? '')}"]`)?.focus();
  if (steps.length === 0)
    return (
      <p class="quiet empty">
        {t('The board is empty because the plan has no steps. Add steps to the plan first.')}
      </p>
    );
  const first =
    step?.id ??
    STATES.flatMap((stepState) => steps.filter((candidate) => candidate.state === stepState))[0]?.id;
  return (
    <div class={step === undefined ? 'board-and-step' : 'board-and-step with-step'}>
      <div class="board" ref={board} onKeyDown={moveBetweenRows}>
        <div class="columns">
          {STATES.map((stepState) => {
            const inState = steps.filter((candidate) => candidate.state === stepState);
            return (
              <section
                key={stepState}
                class={`column ${stepState}${inState.length === 0 ? ' none' : ''}`}
                aria-label={stepStateInWords(stepState)}
              >
                <h2>
                  {stepStateInWords(stepState)} <span class="count">{inState.length.toLocaleString()}</span>
                </h2>
                <ul class="plain-list">
                  {inState.map((boardStep) => (
                    <li key={boardStep.id}>
                      <BoardRow
                        state={state}
                        research={research}
                        step={boardStep}
                        numbers={numbers}
                        isChosen={boardStep.id === chosen}
                        isReached={boardStep.id === first}
                        onChoose={() => setChosen(boardStep.id)}
                        onShow={setShown}
                      />
                    </li>
                  ))}
                </ul>
              </section>
            );
          })}
        </div>
        <Dependencies board={board} research={research} stepId={shown} />
      </div>
      {step !== undefined && (
        <StepPane
          key={step.id}
          state={state}
          research={research}
          step={step}
          number={numbers.get(step.id) ?? 0}
          onClose={() => {
            setChosen(undefined);
            focusRow(step.id);
          }}
        />
      )}
    </div>
  );
}

interface RowProps {
  readonly state: ResearchPanelState;
  readonly research: Research;
  readonly step: BoardStep;
  readonly numbers: ReadonlyMap<string, number>;
  readonly isChosen: boolean;
  /** `true` if Tab focuses it. The arrow keys focus the others. */
  readonly isReached: boolean;
  readonly onChoose: () => void;
  readonly onShow: (stepId: string | undefined) => void;
}

/** Shows a step: its target, its holder, and its dependencies. */
function BoardRow({
  state,
  research,
  step,
  numbers,
  isChosen,
  isReached,
  onChoose,
  onShow,
}: RowProps): JSX.Element {
  return (
    <button
      type="button"
      class={isChosen ? 'hoverable row chosen' : 'hoverable row'}
      data-step={step.id}
      aria-pressed={isChosen}
      tabIndex={isReached ? 0 : -1}
      onClick={onChoose}
      onPointerEnter={() => onShow(step.id)}
      onPointerLeave={() => onShow(undefined)}
      onFocus={() => onShow(step.id)}
      onBlur={() => onShow(undefined)}
    >
      <span class={`codicon codicon-${iconOfStep(step.state)}`} aria-hidden="true" />
      <span class="what" dir="auto">
        <span class="number">{(numbers.get(step.id) ?? 0).toLocaleString()}</span>
        {step.target || t('Untitled step')}
      </span>
      <span class="quiet step-status">{describeStep(state, research, step, numbers)}</span>
    </button>
  );
}

/** Describes a step in the line under its text. */
function describeStep(
  { window, researches }: ResearchPanelState,
  { products }: Research,
  step: BoardStep,
  numbers: ReadonlyMap<string, number>,
): string {
  const who = step.holder === undefined ? undefined : holderInWords(step.holder, window);
  const stateDetails: Record<StepState, () => readonly (string | undefined)[]> = {
    ready: () => [step.draft === '' ? undefined : t('with your draft'), step.reason],
    blocked: () => [waitingInWords(step, numbers)],
    'in-progress': () => [
      who,
      stepTimeInWords(step, Date.now()),
      step.attempts === 0 ? undefined : t('attempt {0}', (step.attempts + 1).toLocaleString()),
    ],
    done: () => {
      const product = products.find(({ stepId }) => stepId === step.id);
      return [
        step.sameAs === undefined
          ? step.holder && makerInWords(step.holder)
          : describeReuse(step.sameAs, researches, numbers),
        stepTimeInWords(step, Date.now()),
        product && productCheckInWords(product),
      ];
    },
    failed: () => [who, stepTimeInWords(step, Date.now()), step.reason],
  };
  return stateDetails[step.state]()
    .filter((part) => part !== undefined && part !== '')
    .join(' · ');
}

/**
 * Moves up and down within a column, and left and right between columns. In a single list, all four keys move through
 * it.
 */
function moveBetweenRows(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const row = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('.row') : null;
  if (row === null || !event.key.startsWith('Arrow') || event.altKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.row')];
  const place = rows.indexOf(row);
  const isForth = event.key === 'ArrowDown' || event.key === 'ArrowRight';
  const isAcross = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
  const column = row.closest('.column');
  const ahead = isForth ? rows.slice(place + 1) : rows.slice(0, place).reverse();
  const across = ahead.find((other) => other.closest('.column') !== column);
  const first = across?.closest('.column')?.querySelector<HTMLElement>('.row');
  const next = isAcross ? first : ahead[0];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

interface DependencyLine {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
}

/** Draws thin lines between a step and its dependencies and dependents, while the pointer or the focus is on it. */
function Dependencies({
  board,
  research,
  stepId,
}: {
  readonly board: { readonly current: HTMLElement | null };
  readonly research: Research;
  readonly stepId: string | undefined;
}): JSX.Element | null {
  const [lines, setLines] = useState<readonly DependencyLine[]>([]);
  useLayoutEffect(() => {
    const step = research.steps.find(({ id }) => id === stepId);
    if (step === undefined || board.current === null) {
      setLines([]);
      return;
    }
    const boardRectangle = board.current.getBoundingClientRect();
    const cardPlace = (id: string): DOMRect | undefined =>
      board.current?.querySelector(`[data-step="${CSS.escape(id)}"]`)?.getBoundingClientRect();
    const own = cardPlace(step.id);
    const others = [
      ...research.steps.filter(({ produces }) => step.materials.includes(produces)),
      ...research.steps.filter(({ materials }) => materials.includes(step.produces)),
    ];
    if (own === undefined) return;
    const { scrollLeft, scrollTop } = board.current;
    const at = (x: number, y: number): readonly [number, number] => [
      x - boardRectangle.left + scrollLeft,
      y - boardRectangle.top + scrollTop,
    ];
    setLines(
      others.flatMap(({ id }) => {
        const other = cardPlace(id);
        if (other === undefined) return [];
        const [left, right] = other.left <= own.left ? [other, own] : [own, other];
        const isStacked = right.left < left.right;
        return [
          isStacked
            ? {
                from: at(left.left + 8, (left.top + left.bottom) / 2),
                to: at(right.left + 8, (right.top + right.bottom) / 2),
              }
            : {
                from: at(left.right, (left.top + left.bottom) / 2),
                to: at(right.left, (right.top + right.bottom) / 2),
              },
        ];
      }),
    );
  }, [stepId, research.revision]);
  if (lines.length === 0) return null;
  return (
    <svg class="dependencies" aria-hidden="true">
      {lines.map(({ from: [x1, y1], to: [x2, y2] }, index) => {
        const bend = x1 === x2 || Math.abs(x2 - x1) < 12 ? -16 : (x2 - x1) / 2;
        const path =
          bend < 0
            ? `M${String(x1)} ${String(y1)} C${String(x1 + bend)} ${String(y1)} ${String(x2 + bend)} ${String(y2)} ${String(x2)} ${String(y2)}`
            : `M${String(x1)} ${String(y1)} C${String(x1 + bend)} ${String(y1)} ${String(x2 - bend)} ${String(y2)} ${String(x2)} ${String(y2)}`;
        return <path key={index} d={path} />;
      })}
    </svg>
  );
}
