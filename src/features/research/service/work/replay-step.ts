import { t } from '@vscode/l10n';
import { NotebookError, throwIfCanceled } from '../../../../core/domain/errors.ts';
import type { BoardStep, Product, RecordedEvent, Research, ResearchRecord } from '../../model/project.ts';
import type { Replayed } from '../../model/replayed.ts';
import type { PassageFinder } from '../../../../answers/retrieving/passage-finder.ts';
import type { Source } from '../../../../core/domain/source.ts';
import type { SkillLibrary } from '../skills/skill.ts';
import { FREE } from './budget.ts';
import { doStep, type StepOutcome } from './do-step.ts';
import { FACT_CHECK, replay, type ReplayMismatch } from './record.ts';

interface ReplayInput {
  readonly research: Research;
  /** Step that a model finished or failed. */
  readonly step: BoardStep;
  /** Current products among its materials. */
  readonly materials: readonly Product[];
  /** Product of the step; undefined if it failed. */
  readonly storedProduct: Product | undefined;
  /** Events of the step, oldest first. */
  readonly records: readonly ResearchRecord[];
  readonly finder: PassageFinder;
  readonly sources: () => Promise<readonly Source[]>;
  readonly finderIn: (sourceId: string) => PassageFinder;
  readonly library: SkillLibrary;
  readonly signal: AbortSignal;
}

type SentBack = Extract<RecordedEvent, { kind: 'sent-back' }>;

/**
 * Repeats the last run of a step from its record, without a model, without its tools, and without spending or saving
 * anything. Uses the current rules and sources.
 * @throws NotebookError `cancelled`
 */
export async function replayStep(input: ReplayInput): Promise<Replayed> {
  const {
    research,
    step,
    materials,
    storedProduct: productBefore,
    records,
    finder,
    finderIn,
    sources,
    library,
    signal,
  } = input;
  const { run, before } = lastRun(records);
  const [first] = run;
  if (first === undefined)
    return { kind: 'unable', reason: t('The activity log of this step is no longer available.') };
  if (run.some(({ event }) => (event.kind === 'request' || event.kind === 'tool') && event.isCut === true))
    return {
      kind: 'unable',
      reason: t('Can’t replay this step because some requests or results were too long to record in full.'),
    };
  const recorded = replay(run);
  const isFactChecked = run.some(({ event }) => event.kind === 'request' && event.purpose === FACT_CHECK);
  const sentBackThen = sentBackIn(run);
  const again: SentBack[] = [];
  const attempts = Math.max(0, step.attempts - sentBackThen.length);
  const claimed = {
    ...step,
    attempts,
    reason: attempts > 0 ? sentBackIn(before).at(-1)?.problems.join(' ') : undefined,
  };
  const context = {
    services: {
      finder,
      finderIn,
      sources,
      model: recorded.model,
      library: recorded.recordedLibrary(library),
      keepsUnsupported: research.options.keepsUnsupported,
      checker: isFactChecked ? { model: recorded.checker } : undefined,
      verdictMarks: 'inline' as const,
      now: () => Date.now(),
    },
    budget: FREE,
    record: (event: RecordedEvent) => {
      if (event.kind === 'sent-back') again.push(event);
    },
    signal,
  };
  // Leave out comments that were written later.
  const heard = research.comments.filter(({ writtenAt }) => writtenAt <= first.at);
  let outcome: StepOutcome | undefined;
  try {
    outcome = await doStep({
      context,
      claim: { step: claimed, materials },
      research: { ...research, comments: heard },
      holder: productBefore?.createdBy ?? step.holder ?? { kind: 'model', name: '', window: '' },
      onSentBack: () => Promise.resolve(),
    });
  } catch (error) {
    throwIfCanceled(signal);
    if (!(error instanceof NotebookError)) throw error;
  }
  const [then, now] = [
    describeEnd(productBefore, step.reason),
    outcome && describeEnd(productIn(outcome), reasonIn(outcome)),
  ];
  const isCheckedSo = again.every((sentBackAgain, i) => isSame(sentBackAgain, sentBackThen[i]));
  if (now === undefined && isCheckedSo) return departureInWords(recorded.departure());
  const isSentBackSo = isCheckedSo && again.length === sentBackThen.length;
  if (isSentBackSo && then === now) return { kind: 'same' };
  return {
    kind: 'differs',
    what: isSentBackSo ? 'product' : 'check',
    before: [...sentBackThen.map(sentBackInWords), then].join('\n\n'),
    after: [
      ...again.map(sentBackInWords),
      now ?? t('There are no further entries in the activity log.'),
    ].join('\n\n'),
  };
}

/** Returns the events of a step's last run, and those before it. */
function lastRun(records: readonly ResearchRecord[]): {
  readonly run: readonly ResearchRecord[];
  readonly before: readonly ResearchRecord[];
} {
  let at = records.findLastIndex(({ event }) => beginsRun(event));
  // If a model had a smaller context window than expected, or no tools, its conversation restarted.
  for (;;) {
    const former = records.slice(0, Math.max(0, at)).findLastIndex(({ event }) => event.kind !== 'deed');
    const event = records[former]?.event;
    if (event?.kind !== 'request' || !beginsRun(event)) break;
    if (event.code !== 'too-large' && event.code !== 'no-tools') break;
    at = former;
  }
  return at < 0 ? { run: [], before: records } : { run: records.slice(at), before: records.slice(0, at) };
}

/** Reports whether an event starts a conversation about a step, before any reply. */
function beginsRun(event: RecordedEvent): boolean {
  return (
    event.kind === 'request' &&
    event.purpose === 'act' &&
    event.messages.every(({ role }) => role !== 'assistant')
  );
}

function sentBackIn(records: readonly ResearchRecord[]): SentBack[] {
  return records.flatMap(({ event }) => (event.kind === 'sent-back' ? [event] : []));
}

function isSame(sentBack: SentBack, other: SentBack | undefined): boolean {
  return other !== undefined && sentBackInWords(sentBack) === sentBackInWords(other);
}

function sentBackInWords({ problems, text }: SentBack): string {
  return [t('Returned for revision:'), ...problems.map((problem) => `- ${problem}`), '', text].join('\n');
}

function productIn(outcome: StepOutcome): Product | undefined {
  return outcome.kind === 'done' ? outcome.product : undefined;
}

function reasonIn(outcome: StepOutcome): string | undefined {
  return outcome.kind === 'failed' ? outcome.reason : undefined;
}

/** Describes the outcome of a step: its product with the verdict on each sentence, or the reason for the failure. */
function describeEnd(product: Product | undefined, reason: string | undefined): string {
  if (product === undefined) return `${t('Failed:')}\n${reason ?? ''}`;
  const { text, statements, check } = product;
  return [
    t('Result:'),
    text,
    '',
    t('Fact check:'),
    ...statements.map(({ start, end, verdict }) => `- ${verdict}: ${text.slice(start, end)}`),
    ...check.cut.map((sentence) => `- ${t('removed: {0}', sentence)}`),
    ...(check.notes ?? []).map((note) => `- ${note}`),
  ].join('\n');
}

function departureInWords(departure: ReplayMismatch | undefined): Replayed {
  if (departure?.recorded === undefined)
    return {
      kind: 'unable',
      reason: t('The activity log ends before the step does. Rerun the step instead.'),
    };
  const joinMessages = (messages: ReplayMismatch['sent']): string =>
    messages.map(({ role, content }) => `${role}:\n${content}`).join('\n\n');
  return {
    kind: 'differs',
    what: 'request',
    before: joinMessages(departure.recorded),
    after: joinMessages(departure.sent),
  };
}
