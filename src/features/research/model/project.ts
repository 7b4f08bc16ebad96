import type { RecordedRequest } from '../../../core/domain/recorded-request.ts';
import type { Citation, Statement, StatementCounts, UncorrectedAnswer } from '../../../core/domain/answer.ts';
import type { FoundPassage } from '../../../core/domain/passage.ts';
import type { Scope } from '../../../core/domain/scope.ts';

/*
 * Research projects: a goal, its plan, the board on which people and models claim its steps, and the results that they
 * submit. Times are milliseconds since 1970.
 */

/** Input that means all sources of the project. */
export const ALL_SOURCES = 'sources';

/** Prefix of a single source among a step's inputs: `source:` and its ID. */
export const SOURCE_PREFIX = 'source:';

/** Quantity of a step without a set quantity. */
export const ANY_QUANTITY = -1;

/** Step of a plan: its action, target, inputs, and result. */
export interface PlanStep {
  /** Unique within the plan, and unchanged by edits of the plan. */
  readonly id: string;
  /** Name of the skill that does the step. */
  readonly action: string;
  /** Task in words that don't need context, because the worker sees nothing else of the goal. */
  readonly target: string;
  /** Inputs: results of other steps by ID, single sources by `source:ID`, or all `sources`. */
  readonly materials: readonly string[];
  /** Names of the skills that the step can use. */
  readonly tools: readonly string[];
  /** ID of its result, unique among the steps. */
  readonly produces: string;
  /** Wanted number of entries, rows, or sections, or -1 if it isn't set. */
  readonly quantity: number;
  /** Wanted columns of the table, in order; undefined if no columns are set. */
  readonly columns?: readonly string[] | undefined;
}

/** Returns a step as in the plan, without its state on the board. */
export function planStep(step: PlanStep): PlanStep {
  const { id, action, target, materials, tools, produces, quantity, columns } = step;
  return {
    ...{ id, action, target, materials, tools, produces, quantity },
    ...(columns !== undefined && { columns }),
  };
}

/** Part of the goal, and the result that fulfills it. */
export interface GoalPart {
  readonly text: string;
  readonly product: string;
}

export interface Plan {
  /** Steps in display order. Their inputs determine which ones they wait for. */
  readonly steps: readonly PlanStep[];
  readonly parts: readonly GoalPart[];
}

/** Edit of a plan by the user. */
export type PlanEdit =
  | {
      readonly kind: 'change';
      readonly stepId: string;
      readonly change: Partial<Omit<PlanStep, 'id' | 'produces'>>;
    }
  /** Adds a step after another one; undefined adds it before all. */
  | { readonly kind: 'add'; readonly after: string | undefined }
  | { readonly kind: 'remove'; readonly stepId: string }
  /** `to` is an index among the other steps. */
  | { readonly kind: 'move'; readonly stepId: string; readonly to: number }
  /** Splits a step into one for each target; the last joins the results of the others. */
  | { readonly kind: 'split'; readonly stepId: string; readonly targets: readonly string[] };

/** Reasons for an issue. */
export const OBJECTION_RULES = [
  'circle',
  'duplicate',
  'empty',
  'goal-part',
  'material',
  'material-or-tool',
  'model',
  'quantity',
  'skill',
  'unused',
  'words',
] as const;

/** Issue of a critic with a plan. `rule` is `model` if a language model raised it. */
export interface Objection {
  /** Step of the issue; undefined if it concerns the whole plan. */
  readonly stepId: string | undefined;
  readonly rule: (typeof OBJECTION_RULES)[number];
  /** One sentence for the user and for the planner. */
  readonly text: string;
}

/** User's comment on a plan or on one of its steps, for the next round of planning. */
export interface PlanComment {
  readonly id: string;
  readonly stepId: string | undefined;
  readonly text: string;
  readonly writtenAt: number;
  /** `true` if a round of planning has read it. */
  readonly isHeard: boolean;
}

/** `blocked`: an input doesn't exist yet. `ready`: anyone can claim it. `in-progress`: somebody has claimed it. */
export type StepState = 'blocked' | 'done' | 'failed' | 'in-progress' | 'ready';

/** Holder of a step, and its window. */
export interface Holder {
  readonly kind: 'model' | 'user';
  /** Name of the worker among those of its window; '' for the user. */
  readonly name: string;
  /** Identifies the window, so that others can recognize their own. */
  readonly window: string;
}

/** Placeholder for the window of a holder on another machine of the team. */
export const ELSEWHERE = 'team';

/** Step with its state. */
export interface BoardStep extends PlanStep {
  readonly state: StepState;
  /** Current or last holder. */
  readonly holder: Holder | undefined;
  /** End of the claim; a holder that doesn't renew the claim loses it. */
  readonly heldUntil: number | undefined;
  /** IDs of the steps whose results it still waits for. */
  readonly waitsFor: readonly string[];
  /** Number of times that its result was submitted and sent back. */
  readonly attempts: number;
  /** Reason why it failed, or why its result was last sent back: one sentence. */
  readonly reason: string | undefined;
  /** User's text for it that isn't submitted yet. */
  readonly draft: string;
  /** Step whose result it reused, if the same work was already done; `RESEARCH/STEP` for a step of another project. */
  readonly sameAs: string | undefined;
  /** Undefined if it's unknown, since the holder is on another machine. */
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
}

/** Returns the team members who hold steps on other machines, each once, in step order. */
export function membersElsewhere(steps: readonly Pick<BoardStep, 'holder' | 'state'>[]): readonly string[] {
  const members = steps.flatMap(({ state, holder }) =>
    state === 'in-progress' && holder?.window === ELSEWHERE ? [holder.name] : [],
  );
  return [...new Set(members)];
}

/** Fact check of a result. */
export interface ProductCheck extends StatementCounts {
  /** Statements that the sources contradict or don't support, and that were removed. */
  readonly cut: readonly string[];
  /** Other remarks on its creation, for example, missing sources, passages that didn't fit, or a failed fact check. */
  readonly notes?: readonly string[] | undefined;
}

/**
 * Result of a step: Markdown without citation marks; as in a written answer, its statements contain their positions.
 */
export interface Product {
  /** The step's `produces`. */
  readonly id: string;
  readonly text: string;
  readonly statements: readonly Statement[];
  readonly citations: readonly Citation[];
  readonly check: ProductCheck;
  readonly createdBy: Holder;
  readonly createdAt: number;
  /** Text before its last correction, which can be undone. Exports and team members don't get it. */
  readonly beforeCorrection?: UncorrectedAnswer | undefined;
}

/** Result in a list. */
export interface ProductEntry {
  readonly id: string;
  readonly stepId: string;
  /** Beginning in plain text. */
  readonly begins: string;
  readonly check: ProductCheck;
  readonly citations: number;
  readonly createdBy: Holder;
  readonly createdAt: number;
}

/** Budget of a project; undefined limits don't apply. */
export interface Bounds {
  /** US dollars, for models with known prices. */
  readonly dollars?: number | undefined;
  readonly tokens?: number | undefined;
  /** Working time, in milliseconds: the time of steps in progress, without waiting for the user. */
  readonly time?: number | undefined;
  readonly requests?: number | undefined;
  readonly toolCalls?: number | undefined;
}

/** Costs so far. */
export interface Spent {
  readonly dollars: number;
  readonly tokens: number;
  readonly time: number;
  readonly requests: number;
  readonly toolCalls: number;
}

export const NOTHING_SPENT: Spent = { dollars: 0, tokens: 0, time: 0, requests: 0, toolCalls: 0 };

/** Options of a project. */
export interface ResearchOptions {
  /** `true` if the user has to approve the plan before anything runs. */
  readonly approves: boolean;
  /** `true` to mark sentences that no source supports; otherwise results omit them. */
  readonly keepsUnsupported: boolean;
  /** Number of steps that models do at once. */
  readonly workers: number;
  /** Names of the editor's tools that the user allowed. */
  readonly tools: readonly string[];
}

/** Budget of a project on the machine that pays for it, and its options there. */
export interface ResearchLimits {
  readonly bounds: Bounds;
  readonly options: ResearchOptions;
}

/**
 * `planning`: the plan is being generated. `planned`: it waits for the user. `running`: workers claim steps. `paused`:
 * nobody claims steps until the user resumes. `done`, `failed`: it's over; `reason` says why it failed.
 */
export type ResearchState = 'done' | 'failed' | 'paused' | 'planned' | 'planning' | 'running';

/** Research project in a list. */
export interface ResearchEntry {
  readonly id: string;
  readonly goal: string;
  readonly state: ResearchState;
  /** Reason why it failed or was paused, in one sentence, unless the user paused it. */
  readonly reason: string | undefined;
  /** Increases with every edit of the plan; 0 if there is none. */
  readonly planVersion: number;
  readonly createdAt: number;
  readonly changedAt: number;
  /** End of the current or last claim on its planning or its report; undefined if nobody has claimed it. */
  readonly wholeUntil?: number | undefined;
  readonly steps: number;
  readonly done: number;
  readonly failed: number;
  /** Team members who hold steps of it on other machines. */
  readonly elsewhere: readonly string[];
}

/** Research project on the board. */
export interface Research extends Omit<ResearchEntry, 'done' | 'elsewhere' | 'failed' | 'steps'> {
  /** Increases with every change by anyone. */
  readonly revision: number;
  readonly scope: Scope | undefined;
  readonly bounds: Bounds;
  readonly spent: Spent;
  readonly options: ResearchOptions;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly parts: readonly GoalPart[];
  readonly steps: readonly BoardStep[];
  readonly objections: readonly Objection[];
  readonly comments: readonly PlanComment[];
  readonly products: readonly ProductEntry[];
  /** IDs of the memories that the plan was based on. */
  readonly memories: readonly string[];
  /** Title of the note with its report; undefined if its results changed since. */
  readonly report: string | undefined;
  /** Time of the last change of that note; undefined if it doesn't exist. */
  readonly reportChangedAt: number | undefined;
}

/** Event in a project, recorded for inspection and replay. */
export type RecordedEvent =
  | RecordedRequest
  | {
      readonly kind: 'tool';
      readonly skill: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly result: string;
      /** Passages found that can be cited. */
      readonly passages?: readonly FoundPassage[];
      readonly time: number;
      readonly error?: string;
      /** `true` if some of its texts were too long to save in full. */
      readonly isCut?: boolean;
    }
  /** A submitted result was sent back, with its problems. */
  | { readonly kind: 'sent-back'; readonly problems: readonly string[]; readonly text: string }
  /** Somebody did something: claimed, released, submitted, or reran a step, or edited the plan. */
  | {
      readonly kind: 'deed';
      readonly deed: string;
      readonly by: Holder;
      /** Text that isn't stored anywhere else. */
      readonly text?: string;
    };

export interface ResearchRecord {
  readonly id: number;
  readonly stepId: string | undefined;
  readonly at: number;
  readonly event: RecordedEvent;
}

/** Consecutive records of the activity log, oldest first. */
export interface RecordPage {
  readonly records: readonly ResearchRecord[];
  /** `true` if there are records before these. */
  readonly hasEarlier: boolean;
}

/** Memory of a project for later ones. */
export interface ResearchMemory {
  readonly id: string;
  readonly goal: string;
  /** Titles of the notebook's sources and of the open editors at that time. */
  readonly situation: { readonly sources: readonly string[]; readonly open: readonly string[] };
  readonly plan: Plan;
  /** Beginning of each result, by ID. */
  readonly products: Readonly<Record<string, string>>;
  /** Numbers that were found, with the sentence about their meaning and the result that contains it. */
  readonly figures?:
    | readonly { readonly product: string; readonly numbers: readonly string[]; readonly text: string }[]
    | undefined;
  readonly spent: Spent;
  readonly keptAt: number;
  /** `true` if it came with the workspace's files, which a team shares. */
  readonly isShared: boolean;
}
