import { t } from '@vscode/l10n';
import { estimateTokens } from '../../../../core/language/tokens.ts';
import { NotebookError, throwIfCanceled } from '../../../../core/domain/errors.ts';
import type { BoardClient } from '../board-client.ts';
import type { Bounds, Research, Spent } from '../../model/project.ts';
import { dollars, estimateCost, type Prices, type TokenUsage } from '../../../../core/domain/usage.ts';
import type {
  ChatMessage,
  LanguageModel,
  StreamOptions,
  ReportedUsage,
} from '../../../../answers/models/language-model.ts';
import { callsAsText } from './calls.ts';
import { countTokens } from './conversation.ts';
import { untilAborted } from '../../../../answers/models/bounded-pieces.ts';

/** Default maximum tokens of a reply. */
const USUAL_REPLY = 4_000;
/** Safety margin for estimates of prompts, which are rarely much too low. */
const MARGIN = 1.1;
/** Factor above the maximum length at which a reply is aborted, because some providers ignore the limit. */
const MAX_OVERRUN_RATIO = 1.5;
/** Maximum milliseconds of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Error for an exceeded budget of a research project. The message is one sentence that names the limit. */
export class BudgetExceededError extends Error {
  override readonly name = 'BudgetExceededError';
  readonly bound: keyof Bounds;

  constructor(bound: keyof Bounds, limit: number) {
    super(boundSentence(bound, limit));
    this.bound = bound;
  }
}

function boundSentence(bound: keyof Bounds, limit: number): string {
  switch (bound) {
    case 'dollars':
      return t('The budget of {0} is used up.', dollars(limit));
    case 'tokens':
      return t('The budget of {0} tokens is used up.', limit.toLocaleString());
    case 'time':
      return t('The budget of {0} minutes of working time is used up.', (limit / 60_000).toLocaleString());
    case 'requests':
      return t('The budget of {0} requests is used up.', limit.toLocaleString());
    case 'toolCalls':
      return t('The budget of {0} tool calls is used up.', limit.toLocaleString());
  }
}

/** Maximum cost of an operation, before it is known. */
type Costs = Omit<Spent, 'time'>;

const NO_COSTS: Costs = { dollars: 0, tokens: 0, requests: 0, toolCalls: 0 };

/** Reservation of costs, which has to be settled whatever the result. */
interface Reservation {
  /** Maximum and remaining working time of the research project, in milliseconds; undefined if it has no limit. */
  readonly time: { readonly maximum: number; readonly left: number } | undefined;
  /** Reports the actual cost to the board; none if the operation wasn't started. */
  readonly settle: (reserved?: ReservedCosts) => Promise<void>;
}

interface ReservedCosts {
  readonly usage?: TokenUsage;
  readonly requests?: number;
  readonly toolCalls?: number;
}

/** Budget that can reserve costs before an operation. */
export type BudgetReserve = Pick<Budget, 'reserve'>;

/** Budget for work without costs, because they were paid at the first run. */
export const FREE: BudgetReserve = {
  reserve: () => Promise.resolve({ time: undefined, settle: () => Promise.resolve() }),
};

/**
 * Remaining budget of a research project, shared by all parallel workers. Each reserves its maximum cost before an
 * operation and settles the actual cost afterward. Reservations of a window that was killed count as spent, because the
 * model may have replied.
 */
export class Budget {
  readonly #board: BoardClient;
  readonly researchId: string;
  readonly #now: () => number;
  /** Number of open reservations in this window. */
  #reserved = 0;
  readonly #waiting = new Set<() => void>();
  #active = 0;
  #since = 0;

  constructor(board: BoardClient, researchId: string, now: () => number) {
    this.#board = board;
    this.researchId = researchId;
    this.#now = now;
  }

  /** Measures the working time, once for any number of parallel workers, until the action ends. */
  async work<T>(doing: () => Promise<T>): Promise<T> {
    if (this.#active++ === 0) this.#since = this.#now();
    try {
      return await doing();
    } finally {
      // The result matters more than the last seconds of working time.
      await this.spendTime().catch(() => undefined);
      this.#active--;
    }
  }

  /**
   * Reserves costs on the board, so that other windows respect them. If reservations in this window may free enough,
   * waits until they are settled.
   * @throws BudgetExceededError if the limit would be exceeded; NotebookError `cancelled` if the project isn't running
   * anymore.
   */
  async reserve(expectedCosts: Partial<Costs>, signal: AbortSignal): Promise<Reservation> {
    const costs = { ...NO_COSTS, ...expectedCosts };
    const { researchId } = this;
    for (;;) {
      throwIfCanceled(signal);
      await this.spendTime();
      const { bounds } = await this.#research(signal);
      const spent = await this.#board.call('spend', { researchId, ...asSpending(costs, 1), reserved: costs });
      const bound = boundReached(bounds, spent, costs);
      if (bound === undefined) {
        this.#reserved++;
        return {
          time:
            bounds.time === undefined
              ? undefined
              : { maximum: bounds.time, left: Math.max(0, bounds.time - spent.time) },
          settle: (reserved = {}) => this.#settle(costs, reserved),
        };
      }
      await this.#board.call('spend', {
        ...{ researchId, ...asSpending(costs, -1) },
        reserved: negative(costs),
      });
      if (bound === 'time' || this.#reserved === 0) throw new BudgetExceededError(bound, bounds[bound] ?? 0);
      await this.#waitForChange(signal);
    }
  }

  /** Replaces reserved costs by the actual ones. */
  async #settle(costs: Costs, { usage, requests = 0, toolCalls = 0 }: ReservedCosts): Promise<void> {
    try {
      await this.#board.call('spend', {
        researchId: this.researchId,
        usage: {
          input: (usage?.input ?? 0) - costs.tokens,
          output: usage?.output ?? 0,
          estimated: usage?.estimated ?? 0,
          cost: (usage?.cost ?? 0) - costs.dollars,
        },
        requests: requests - costs.requests,
        toolCalls: toolCalls - costs.toolCalls,
        reserved: negative(costs),
      });
    } finally {
      this.#reserved--;
      for (const wake of this.#waiting) wake();
    }
  }

  async #research(signal: AbortSignal): Promise<Research> {
    const research = await this.#board.call('research', { researchId: this.researchId }, { signal });
    if (research === undefined)
      throw new NotebookError('not-found', t('This research project is no longer in the notebook.'));
    if (research.state === 'paused' || research.state === 'planned')
      throw new NotebookError('cancelled', t('Stopped.'));
    return research;
  }

  /** Reports the working time since the last report to the board. */
  async spendTime(): Promise<void> {
    if (this.#active === 0) return;
    const now = this.#now();
    const time = now - this.#since;
    this.#since = now;
    if (time > 0) await this.#board.call('spend', { researchId: this.researchId, time });
  }

  #waitForChange(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}

function negative({ dollars, tokens, requests, toolCalls }: Costs): Costs {
  return { dollars: -dollars, tokens: -tokens, requests: -requests, toolCalls: -toolCalls };
}

/** Converts costs for the board, to add or to subtract them. */
function asSpending({ dollars: cost, tokens, requests, toolCalls }: Costs, sign: -1 | 1): ReservedCosts {
  return {
    usage: { input: sign * tokens, output: 0, estimated: 0, cost: sign * cost },
    requests: sign * requests,
    toolCalls: sign * toolCalls,
  };
}

/** Returns the limit that additional costs would exceed. */
function boundReached(bounds: Bounds, spent: Spent, costs: Costs): keyof Bounds | undefined {
  if (bounds.time !== undefined && spent.time >= bounds.time) return 'time';
  return (['dollars', 'tokens', 'requests', 'toolCalls'] as const).find((bound) => {
    const limit = bounds[bound];
    return limit !== undefined && costs[bound] > 0 && spent[bound] > limit + (bound === 'dollars' ? 1e-9 : 0);
  });
}

/**
 * Wraps a model so that each request reserves its cost before and settles it afterward. Throws the model's errors and
 * `BudgetExceededError`.
 */
export function boundedModel(
  model: LanguageModel,
  budget: BudgetReserve,
  prices: Prices | undefined,
): LanguageModel {
  return {
    ...model,
    stream: (messages, options) => boundedStream({ model, budget, prices }, messages, options),
  };
}

interface BoundedParts {
  readonly model: LanguageModel;
  readonly budget: BudgetReserve;
  readonly prices: Prices | undefined;
}

async function* boundedStream(
  { model, budget, prices }: BoundedParts,
  messages: readonly ChatMessage[],
  options: StreamOptions,
): AsyncIterable<string> {
  const mostTokens = options.mostTokens ?? USUAL_REPLY;
  const { tools = [] } = options;
  const input =
    messages.reduce((sum, message) => sum + countTokens(message), 0) +
    (tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools)));
  const most = { input: Math.ceil(MARGIN * input), output: mostTokens };
  const reservation = await budget.reserve(
    {
      requests: 1,
      tokens: most.input + most.output,
      dollars: prices === undefined ? 0 : estimateCost(most, prices),
    },
    options.signal,
  );
  const { time } = reservation;
  const late = new AbortController();
  const expire = (): void => late.abort();
  const timer = time && setTimeout(expire, Math.min(time.left, MAX_TIMER_MS));
  let reportedUsage: ReportedUsage | undefined;
  let reply = '';
  let called = '';
  let isOver = false;
  try {
    const signal = AbortSignal.any([options.signal, late.signal]);
    const pieces = model.stream(messages, {
      ...options,
      mostTokens,
      signal,
      onUsage: (usage) => {
        reportedUsage = usage;
        options.onUsage?.(usage);
      },
      onToolCall: (call) => {
        called += callsAsText([call]);
        options.onToolCall?.(call);
      },
    });
    for await (const piece of untilAborted(pieces, signal)) {
      reply += piece;
      yield piece;
      // A token seldom has more than four characters. Check that first, because counting tokens takes time.
      if (
        reply.length > 4 * MAX_OVERRUN_RATIO * mostTokens &&
        estimateTokens(reply) > MAX_OVERRUN_RATIO * mostTokens
      )
        break;
    }
    isOver = true;
  } catch (error) {
    if (time !== undefined && late.signal.aborted && !options.signal.aborted)
      throw new BudgetExceededError('time', time.maximum);
    throw error;
  } finally {
    clearTimeout(timer);
    const counted = { input, output: estimateTokens(reply + called) };
    // A rejected request used nothing. An aborted one used the prompt, and the reply so far.
    const usage =
      reportedUsage !== undefined
        ? { ...reportedUsage, estimated: 0 }
        : isOver || reply !== ''
          ? { ...counted, estimated: counted.input + counted.output }
          : { input: 0, output: 0, estimated: 0 };
    const cost = prices === undefined ? {} : { cost: estimateCost(usage, prices) };
    await reservation.settle({ usage: { ...usage, ...cost }, requests: 1 });
  }
}
