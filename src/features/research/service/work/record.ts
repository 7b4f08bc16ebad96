import { t } from '@vscode/l10n';
import { NotebookError } from '../../../../core/domain/errors.ts';
import type { RecordedEvent, ResearchRecord } from '../../model/project.ts';
import type {
  ChatMessage,
  LanguageModel,
  StreamOptions,
  ReportedUsage,
  ToolCall,
} from '../../../../answers/models/language-model.ts';
import { estimateTokens } from '../../../../core/language/tokens.ts';
import type { Skill, SkillInput, SkillLibrary, SkillResult } from '../skills/skill.ts';
import { callKey, callsAsText } from './calls.ts';
import { countTokens } from './conversation.ts';

/** Records an event. A failure to save it doesn't stop anything. */
export type Recorder = (event: RecordedEvent) => void;

type RequestEvent = Extract<RecordedEvent, { kind: 'request' }>;
type ToolEvent = Extract<RecordedEvent, { kind: 'tool' }>;

/** Wraps a model so that each request is recorded with its purpose, whatever its result. */
export function recordedModel(
  model: LanguageModel,
  purpose: string,
  record: Recorder,
  now: () => number,
): LanguageModel {
  return {
    ...model,
    stream: (messages, options) => recordedStream({ model, purpose, record, now }, messages, options),
  };
}

interface RecordedParts {
  readonly model: LanguageModel;
  readonly purpose: string;
  readonly record: Recorder;
  readonly now: () => number;
}

async function* recordedStream(
  { model, purpose, record, now }: RecordedParts,
  messages: readonly ChatMessage[],
  options: StreamOptions,
): AsyncIterable<string> {
  const began = now();
  const calls: ToolCall[] = [];
  let reportedUsage: ReportedUsage | undefined;
  let reply = '';
  let error: unknown;
  try {
    const pieces = model.stream(messages, {
      ...options,
      onUsage: (usage) => {
        reportedUsage = usage;
        options.onUsage?.(usage);
      },
      onToolCall: (call) => {
        calls.push(call);
        options.onToolCall?.(call);
      },
    });
    for await (const piece of pieces) {
      reply += piece;
      yield piece;
    }
  } catch (reason) {
    error = reason;
    throw reason;
  } finally {
    const storedRequest = storedMessages(messages);
    record({
      kind: 'request',
      purpose,
      model: model.name,
      messages: storedRequest,
      reply,
      ...(calls.length > 0 && { calls }),
      input: reportedUsage?.input ?? messages.reduce((sum, message) => sum + countTokens(message), 0),
      output: reportedUsage?.output ?? estimateTokens(reply + callsAsText(calls)),
      time: now() - began,
      ...(error !== undefined && { error: error instanceof Error ? error.message : 'unknown' }),
      ...(error instanceof NotebookError && { code: error.code }),
      ...(model.windowTokens !== undefined && { windowTokens: model.windowTokens }),
      ...(model.takesTools !== undefined && { takesTools: model.takesTools }),
    });
  }
}

/** Converts messages for the activity log: calls come after the text. */
function storedMessages(messages: readonly ChatMessage[]): RequestEvent['messages'] {
  return messages.map(({ role, content, calls = [] }) => ({ role, content: content + callsAsText(calls) }));
}

/** Matches the random names of fences by `newFence`. */
const FENCE = /\b([a-z]+-)\d{9}\b/g;

function withoutChance(messages: RequestEvent['messages']): RequestEvent['messages'] {
  return messages.map(({ role, content }) => ({ role, content: content.replace(FENCE, '$1…') }));
}

function keyOfRequest(messages: RequestEvent['messages']): string {
  return JSON.stringify(withoutChance(messages).map(({ role, content }) => [role, content]));
}

/** Request that isn't in a record, and the recorded request in its place. */
export interface ReplayMismatch {
  readonly sent: RequestEvent['messages'];
  readonly recorded: RequestEvent['messages'] | undefined;
}

/** Purpose of fact-check requests. */
export const FACT_CHECK = 'fact check';

/** Model and skills that reply from a record. */
interface Replay {
  readonly model: LanguageModel;
  /** The model for fact checks, with its name and context window. */
  readonly checker: LanguageModel;
  /** Returns the skills of a library. Recorded skills repeat their results. */
  readonly recordedLibrary: (library: SkillLibrary) => SkillLibrary;
  /** Returns the last request that the record didn't contain. */
  readonly departure: () => ReplayMismatch | undefined;
}

/**
 * Returns a model and skills that repeat their recorded replies, oldest first, so that a step can run again without a
 * model. They reject with `unsupported` if the record doesn't contain a request, because the step, its materials, or
 * its skills have changed.
 */
export function replay(records: readonly ResearchRecord[]): Replay {
  const recordedRequests = records.flatMap(({ event }) => (event.kind === 'request' ? [event] : []));
  const requests = queues(recordedRequests, ({ messages }) => keyOfRequest(messages));
  const calls = queues(
    records.flatMap(({ event }) => (event.kind === 'tool' ? [event] : [])),
    ({ skill, input }) => callKey({ name: skill, input }),
  );
  const first = recordedRequests[0];
  const firstCheck = recordedRequests.find(({ purpose }) => purpose === FACT_CHECK);
  let departure: ReplayMismatch | undefined;
  const model: LanguageModel = {
    name: first?.model ?? '',
    windowTokens: first?.windowTokens,
    takesTools: first?.takesTools ?? recordedRequests.some(({ calls: toolCalls }) => toolCalls !== undefined),
    async *stream(messages, { onToolCall, onUsage }) {
      await Promise.resolve();
      const sentMessages = storedMessages(messages);
      const event = requests.get(keyOfRequest(sentMessages))?.shift();
      if (event === undefined) {
        const [next] = [...requests.values()]
          .flat()
          .sort((a, b) => recordedRequests.indexOf(a) - recordedRequests.indexOf(b));
        departure = { sent: withoutChance(sentMessages), recorded: next && withoutChance(next.messages) };
        throw notRecorded();
      }
      onUsage?.({ input: event.input, output: event.output });
      yield event.reply;
      for (const call of event.calls ?? []) onToolCall?.(call);
      if (event.error !== undefined)
        throw new NotebookError(
          event.code === 'too-large' || event.code === 'no-tools' ? event.code : 'server',
          event.error,
        );
    },
  };
  return {
    departure: () => departure,
    model,
    checker: { ...model, name: firstCheck?.model ?? '', windowTokens: firstCheck?.windowTokens },
    recordedLibrary: (library) => ({
      ...library,
      skills: library.skills.map((skill) => replaySkill(skill, calls)),
    }),
  };
}

function replaySkill(skill: Skill, calls: ReadonlyMap<string, ToolEvent[]>): Skill {
  if (skill.run === undefined) return skill;
  return {
    ...skill,
    run: async (input: SkillInput): Promise<SkillResult> => {
      await Promise.resolve();
      const event = calls.get(callKey({ name: skill.name, input }))?.shift();
      if (event === undefined) throw notRecorded();
      if (event.error !== undefined) throw new NotebookError('unsupported', event.error);
      return { text: event.result, ...(event.passages && { passages: event.passages }) };
    },
  };
}

function queues<T>(items: readonly T[], toKey: (item: T) => string): Map<string, T[]> {
  const byKey = new Map<string, T[]>();
  for (const item of items) {
    const key = toKey(item);
    byKey.set(key, [...(byKey.get(key) ?? []), item]);
  }
  return byKey;
}

function notRecorded(): NotebookError {
  return new NotebookError(
    'unsupported',
    t('The activity log doesn’t match because the step or its inputs have changed. Rerun the step instead.'),
  );
}
