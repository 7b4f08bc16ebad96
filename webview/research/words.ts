import { t } from '@vscode/l10n';
import type { ResearchPanelState, ResearchSource } from '../../src/features/research/protocol.ts';
import { statementsInWords } from '../../src/core/domain/counts.ts';
import {
  ALL_SOURCES,
  ELSEWHERE,
  membersElsewhere,
  SOURCE_PREFIX,
  type BoardStep,
  type Bounds,
  type Holder,
  type ProductCheck,
  type ProductEntry,
  type Research,
  type ResearchEntry,
  type ResearchState,
  type Spent,
  type StepState,
} from '../../src/features/research/model/project.ts';
import { dollars } from '../../src/core/domain/usage.ts';
import { duration } from '../shared/words.ts';

export const STATES: readonly StepState[] = ['ready', 'blocked', 'in-progress', 'done', 'failed'];

const STEP_STATES: Record<StepState, () => string> = {
  ready: () => t('Ready'),
  blocked: () => t('Blocked'),
  'in-progress': () => t('In progress'),
  done: () => t('Done'),
  failed: () => t('Failed'),
};

/** Returns the name of a step's state. */
export function stepStateInWords(state: StepState): string {
  return STEP_STATES[state]();
}

const STEP_ICONS: Record<StepState, string> = {
  ready: 'circle-large-outline',
  blocked: 'circle-slash',
  'in-progress': 'sync',
  done: 'pass',
  failed: 'error',
};

/** Returns the codicon of a step's state. */
export function iconOfStep(state: StepState): string {
  return STEP_ICONS[state];
}

const RESEARCH_STATES: Record<ResearchState, () => string> = {
  planning: () => t('Planning…'),
  planned: () => t('Plan awaiting approval'),
  running: () => t('Running'),
  paused: () => t('Paused'),
  done: () => t('Done'),
  failed: () => t('Failed'),
};

/**
 * Describes the state of a research project here. Also names the team members who work on it elsewhere, because then it
 * is in progress.
 */
export function researchStateInWords(state: ResearchState, elsewhere: readonly string[]): string {
  const stateText = RESEARCH_STATES[state]();
  if (elsewhere.length === 0) return stateText;
  const names = new Intl.ListFormat(undefined, { type: 'conjunction' }).format(elsewhere);
  const placeText =
    elsewhere.length === 1 ? t('{0} is working on it', names) : t('{0} are working on it', names);
  return state === 'paused' ? placeText : `${stateText} · ${placeText}`;
}

/** Formats the progress: `3 of 7 steps done, 1 failed`. */
export function stepsInWords({
  steps,
  done,
  failed,
}: Pick<ResearchEntry, 'done' | 'failed' | 'steps'>): string {
  if (steps === 0) return t('no steps yet');
  const finished =
    steps === 1
      ? t('{0} of 1 step done', done.toLocaleString())
      : t('{0} of {1} steps done', done.toLocaleString(), steps.toLocaleString());
  return failed === 0 ? finished : t('{0}, {1} failed', finished, failed.toLocaleString());
}

/** Names the holder or maker of a step. */
export function holderInWords(holder: Holder, window: string): string {
  if (holder.kind === 'model') return t('Model {0}', holder.name);
  // A member of the notebook's team.
  if (holder.name !== '') return holder.name;
  return holder.window === window ? t('You') : t('You, in another window');
}

/** Names the maker of a step. The user's window no longer matters. */
export function makerInWords(maker: Holder): string {
  return holderInWords(maker, maker.window);
}

/** Formats how long a step has been in progress, or took; undefined if that is unknown here. */
export function stepTimeInWords(
  { state, sameAs, startedAt, endedAt }: BoardStep,
  now: number,
): string | undefined {
  if (startedAt === undefined || sameAs !== undefined) return undefined;
  if (state === 'in-progress') return t('for {0}', duration(now - startedAt));
  return endedAt === undefined ? undefined : t('took {0}', duration(endedAt - startedAt));
}

/** Returns the number of each step in the plan, counted from one, by its ID. */
export function numberSteps({ steps }: Pick<Research, 'steps'>): ReadonlyMap<string, number> {
  return new Map(steps.map(({ id }, index) => [id, index + 1]));
}

/** Returns an issue with the numbers of steps instead of their IDs, such as 4 for `s4`. */
export function withStepNumbers(issue: string, research: Pick<Research, 'steps'>): string {
  const numbers = numberSteps(research);
  return issue.replaceAll(/[\p{L}\p{N}_.-]+/gu, (word) => {
    const id = word.endsWith('.') ? word.slice(0, -1) : word;
    const number = numbers.get(id);
    // An ID without a digit may be a word of the issue.
    return number === undefined || !/\d/.test(id) ? word : number.toLocaleString() + word.slice(id.length);
  });
}

/** Formats the dependencies of a step: `waits for 1 and 3`. */
export function waitingInWords(step: BoardStep, numbers: ReadonlyMap<string, number>): string | undefined {
  const waited = step.waitsFor.flatMap((id) => numbers.get(id) ?? []).sort((a, b) => a - b);
  if (waited.length === 0) return undefined;
  const list = new Intl.ListFormat(undefined, { type: 'conjunction' });
  const steps = list.format(waited.map((number) => number.toLocaleString()));
  return waited.length === 1 ? t('waiting for step {0}', steps) : t('waiting for steps {0}', steps);
}

/** Describes a material for display. */
export function materialInWords(
  material: string,
  { steps }: Pick<Research, 'steps'>,
  sources: readonly ResearchSource[],
): string {
  if (material === ALL_SOURCES) return t('all sources');
  if (material.startsWith(SOURCE_PREFIX)) {
    const id = material.slice(SOURCE_PREFIX.length);
    return sources.find((source) => source.id === id)?.title ?? t('a removed source');
  }
  const place = steps.findIndex(({ produces }) => produces === material);
  return place < 0
    ? t('{0} (not produced by any step)', material)
    : t('result of step {0}', (place + 1).toLocaleString());
}

/** Formats the fact check of a product: `7 of 8 statements supported · 1 not fact-checked`. */
export function checkInWords({ claims, supported, partly, cut, unchecked = 0 }: ProductCheck): string {
  const supportedWords =
    claims === 0
      ? t('no statements to check')
      : t('{0} of {1} supported', supported.toLocaleString(), statementsInWords(claims));
  return [
    supportedWords,
    ...(partly === 0 ? [] : [t('{0} partly supported', partly.toLocaleString())]),
    ...(unchecked === 0 ? [] : [t('{0} not fact-checked', unchecked.toLocaleString())]),
    ...(cut.length === 0 ? [] : [t('{0} removed', cut.length.toLocaleString())]),
  ].join(' · ');
}

/** Returns how a product was checked; undefined for what a person wrote without support of a source. */
export function productCheckInWords({
  createdBy,
  check,
}: Pick<ProductEntry, 'check' | 'createdBy'>): string | undefined {
  const isOwn = createdBy.kind === 'user' && check.supported === 0 && check.partly === 0;
  return isOwn ? undefined : checkInWords(check);
}

/** Resource that a research project uses, with its limit if it has one. */
interface Measure {
  readonly key: keyof Bounds;
  readonly name: string;
  readonly spent: string;
  readonly bound: string | undefined;
  /** Used share of the limit; undefined without a limit. */
  readonly share: number | undefined;
}

const MINUTE = 60_000;

const MEASURES: readonly {
  readonly key: keyof Bounds;
  readonly name: () => string;
  readonly write: (amount: number) => string;
}[] = [
  { key: 'dollars', name: () => t('Cost'), write: (amount) => dollars(amount) },
  { key: 'tokens', name: () => t('Tokens'), write: (amount) => amount.toLocaleString() },
  { key: 'time', name: () => t('Working time'), write: (amount) => (amount < 1 ? '0' : duration(amount)) },
  { key: 'requests', name: () => t('Requests'), write: (amount) => amount.toLocaleString() },
  { key: 'toolCalls', name: () => t('Tool calls'), write: (amount) => amount.toLocaleString() },
];

/** Returns the usage of a research project and its limits. */
export function measures(spent: Spent, bounds: Bounds): Measure[] {
  return MEASURES.map(({ key, name, write }) => {
    const bound = bounds[key];
    return {
      key,
      name: name(),
      spent: write(spent[key]),
      bound: bound === undefined ? undefined : write(bound),
      share: bound === undefined || bound <= 0 ? undefined : Math.min(1, spent[key] / bound),
    };
  });
}

/** Formats a limit for an input field: minutes for milliseconds, other values unchanged. */
export function boundAsTyped(key: keyof Bounds, value: number | undefined): string {
  if (value === undefined) return '';
  return String(key === 'time' ? value / MINUTE : value);
}

/** Parses a limit from an input field; undefined if it is empty or isn't a limit. */
export function boundOfTyped(key: keyof Bounds, typed: string): number | undefined {
  const value = Number(typed.trim().replace(',', '.'));
  if (typed.trim() === '' || !Number.isFinite(value) || value <= 0) return undefined;
  return key === 'time' ? value * MINUTE : value;
}

/** Share of a limit from which another request may exceed it, so that none is started. */
const NEAR = 0.8;

/** Returns the limits that are reached, or too near for the next request. */
export function boundsInTheWay({ spent, bounds }: Pick<Research, 'bounds' | 'spent'>): Measure[] {
  return measures(spent, bounds).filter(({ share }) => share !== undefined && share >= NEAR);
}

/** Reports whether a step can be changed, because it hasn't started. */
export function isOpen({ state }: Pick<BoardStep, 'state'>): boolean {
  return state !== 'done' && state !== 'in-progress';
}

/** Reports whether any worker, here or elsewhere, is working on a research project. */
export function isWorkedOn({ research, activity }: ResearchPanelState, now: number): boolean {
  return (
    activity !== undefined ||
    (research?.steps ?? []).some(
      ({ state, holder, heldUntil = 0 }) =>
        state === 'in-progress' &&
        // Workers elsewhere don't report each renewal, but they report when they stop.
        (holder?.window === ELSEWHERE || (holder?.kind === 'model' && heldUntil > now)),
    )
  );
}

/** Returns the announcement for screen readers when steps advance: at most one sentence. */
export function announcement({ research, activity }: ResearchPanelState): string {
  if (research === undefined) return '';
  const { state, steps, reason } = research;
  const stateText = researchStateInWords(state, membersElsewhere(steps));
  if (state === 'planning') return activity?.status ?? stateText;
  const done = steps.filter((step) => step.state === 'done').length;
  const failed = steps.filter((step) => step.state === 'failed').length;
  return [
    stateText,
    stepsInWords({ steps: steps.length, done, failed }),
    ...(reason === undefined || reason === '' ? [] : [reason]),
  ].join('. ');
}

/** Describes the origin of a reused result: another step of the same project, or a step of another one. */
export function describeReuse(
  sameAs: string,
  researches: readonly Pick<ResearchEntry, 'goal' | 'id'>[],
  numbers: ReadonlyMap<string, number>,
): string {
  const number = numbers.get(sameAs);
  if (number !== undefined) return t('same result as step {0}', number.toLocaleString());
  const other = researches.find(({ id }) => sameAs.startsWith(`${id}/`));
  return other === undefined
    ? t('reused from another research project')
    : t('reused from the research project “{0}”', other.goal);
}
