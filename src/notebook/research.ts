import type { Citation, Statement } from './answer.ts';
import type { FoundPassage } from './passage.ts';
import type { Scope } from './scope.ts';

/*
 * What a research is: a goal, the plan that is made for it, the board on which people and models take its steps, and
 * the products that they hand in. Times are milliseconds since 1970.
 */

/** The material that stands for all sources that are researched. */
export const ALL_SOURCES = 'sources';

/** How a plan names one source among a step's materials: `source:` and its id. */
export const SOURCE_PREFIX = 'source:';

/** The quantity of a step that is not told how much to make. */
export const ANY_QUANTITY = -1;

/** A step of a plan: what is done to what, with what, and what comes of it. */
export interface PlanStep {
  /** Unique within the plan, and the same however the plan is edited. */
  readonly id: string;
  /** The name of the skill that it is done by. */
  readonly action: string;
  /** What is to be done, in words that stand alone: who does it sees nothing else of the goal. */
  readonly target: string;
  /** What it is made from: products of other steps by their ids, single sources by `source:ID`, or all `sources`. */
  readonly materials: readonly string[];
  /** The names of the skills that may be used for it. */
  readonly tools: readonly string[];
  /** The id of its product, which no other step produces. */
  readonly produces: string;
  /** How many entries, rows or sections are wanted, or -1 where that is not told. */
  readonly quantity: number;
  /** The columns of the table that is wanted, in their order; undefined if no columns are set. */
  readonly columns?: readonly string[] | undefined;
}

/** Returns a step as the plan has it, without its state on the board. */
export function planStep(step: PlanStep): PlanStep {
  const { id, action, target, materials, tools, produces, quantity, columns } = step;
  return {
    ...{ id, action, target, materials, tools, produces, quantity },
    ...(columns !== undefined && { columns }),
  };
}

/** A part of the goal, and the product that it is reached with. */
export interface GoalPart {
  readonly text: string;
  readonly product: string;
}

export interface Plan {
  /** In the order in which they are shown; what each waits for follows from its materials. */
  readonly steps: readonly PlanStep[];
  readonly parts: readonly GoalPart[];
}

/** What an objection may rest on. */
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

/** What a critic has against a plan. `rule` is `model` where a language model objects. */
export interface Objection {
  /** The step that it is about; undefined where it is about the whole. */
  readonly stepId: string | undefined;
  readonly rule: (typeof OBJECTION_RULES)[number];
  /** One sentence for the user and for the planner. */
  readonly text: string;
}

/** What the user remarks on a plan or on one of its steps; the next round of planning hears it. */
export interface PlanComment {
  readonly id: string;
  readonly stepId: string | undefined;
  readonly text: string;
  readonly writtenAt: number;
  /** Whether a round of planning has heard it. */
  readonly isHeard: boolean;
}

/** `blocked`: a material is not made yet. `ready`: whoever is free may take it. `in-progress`: somebody has it. */
export type StepState = 'blocked' | 'done' | 'failed' | 'in-progress' | 'ready';

/** Who works on a step, and in which window. */
export interface Holder {
  readonly kind: 'model' | 'user';
  /** The worker's name among those of its window; '' for the user. */
  readonly name: string;
  /** Names the window, so that another one can tell whether it is its own. */
  readonly window: string;
}

/** What stands for the window of a holder who is on another machine of the notebook's team. */
export const ELSEWHERE = 'team';

/** A step with what became of it. */
export interface BoardStep extends PlanStep {
  readonly state: StepState;
  /** Who has it, or who did it last. */
  readonly holder: Holder | undefined;
  /** Until when it is held; a holder that does not renew that loses it. */
  readonly heldUntil: number | undefined;
  /** The steps whose products it still waits for, by their ids. */
  readonly waitsFor: readonly string[];
  /** How often it was handed in and sent back. */
  readonly attempts: number;
  /** Why it failed, or what was wrong with it when it was last sent back: one sentence. */
  readonly reason: string | undefined;
  /** What the user wrote for it and has not handed in. */
  readonly draft: string;
  /** The step whose product it took, where the same had been done before; one of another research is `RESEARCH/STEP`. */
  readonly sameAs: string | undefined;
  /** Undefined where that is not known here: who does it is on another machine. */
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
}

/** The members of the notebook's team who have steps on other machines, each once, in the order of these steps. */
export function membersElsewhere(steps: readonly Pick<BoardStep, 'holder' | 'state'>[]): readonly string[] {
  const members = steps.flatMap(({ state, holder }) =>
    state === 'in-progress' && holder?.window === ELSEWHERE ? [holder.name] : [],
  );
  return [...new Set(members)];
}

/** The fact check of a product, counted in statements that claim something. */
export interface ProductCheck {
  readonly claims: number;
  readonly supported: number;
  readonly partly: number;
  /** Statements that no model has checked; undefined in products of earlier versions. */
  readonly unchecked?: number | undefined;
  /** Statements that the sources contradict or don't support, and that were removed. */
  readonly cut: readonly string[];
  /** What else is to be known of how it was made, each one sentence: sources that were gone, what found no room. */
  readonly notes?: readonly string[] | undefined;
}

/** What a step made: Markdown without citation marks, whose statements tell where these belong, as in a written answer. */
export interface Product {
  /** What the step `produces`. */
  readonly id: string;
  readonly text: string;
  readonly statements: readonly Statement[];
  readonly citations: readonly Citation[];
  readonly check: ProductCheck;
  readonly madeBy: Holder;
  readonly madeAt: number;
}

/** A product in a list. */
export interface ProductEntry {
  readonly id: string;
  readonly stepId: string;
  /** How it begins, in plain words. */
  readonly begins: string;
  readonly check: ProductCheck;
  readonly citations: number;
  readonly madeBy: Holder;
  readonly madeAt: number;
}

/** What a research may take at most; a bound that is left out is none. */
export interface Bounds {
  /** US dollars, as far as prices are known. */
  readonly dollars?: number | undefined;
  readonly tokens?: number | undefined;
  /** Of work, in milliseconds: the time that steps were in progress, not that of waiting for the user. */
  readonly time?: number | undefined;
  /** Requests to models. */
  readonly requests?: number | undefined;
  readonly toolCalls?: number | undefined;
}

/** What it took. */
export interface Spent {
  readonly dollars: number;
  readonly tokens: number;
  readonly time: number;
  readonly requests: number;
  readonly toolCalls: number;
}

export const NOTHING_SPENT: Spent = { dollars: 0, tokens: 0, time: 0, requests: 0, toolCalls: 0 };

/** How a research is done. */
export interface ResearchOptions {
  /** Whether the user has to approve the plan before anything runs. */
  readonly approves: boolean;
  /** Whether sentences that no source bears out stay in products, marked; else they are cut. */
  readonly keepsUnsupported: boolean;
  /** How many steps models do at once. */
  readonly workers: number;
  /** The names of the editor's tools that may be used, as the user ticked them. */
  readonly tools: readonly string[];
}

/** What a research may take on the machine that pays for it, and how it is done there. */
export interface ResearchLimits {
  readonly bounds: Bounds;
  readonly options: ResearchOptions;
}

/**
 * `planning`: a plan is made. `planned`: it waits for the user. `running`: workers take steps. `paused`: nobody takes any
 * before the user goes on. `done`, `failed`: it is over; `reason` says why it failed.
 */
export type ResearchState = 'done' | 'failed' | 'paused' | 'planned' | 'planning' | 'running';

/** A research in a list. */
export interface ResearchEntry {
  readonly id: string;
  readonly goal: string;
  readonly state: ResearchState;
  /** One sentence that says why it failed or was paused, unless the user paused it. */
  readonly reason: string | undefined;
  /** Grows with every edit of the plan; 0 while there is none. */
  readonly planVersion: number;
  readonly createdAt: number;
  readonly changedAt: number;
  /** Until when somebody holds, or held, its planning or the writing of its report; undefined where nobody began. */
  readonly wholeUntil?: number | undefined;
  readonly steps: number;
  readonly done: number;
  readonly failed: number;
  /** The members of the notebook's team who have steps of it on other machines. */
  readonly elsewhere: readonly string[];
}

/** A research as the board shows it. */
export interface Research extends Omit<ResearchEntry, 'done' | 'elsewhere' | 'failed' | 'steps'> {
  /** Grows with every change of it, whoever made it. */
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
  /** The ids of the memories that the plan was made with. */
  readonly memories: readonly string[];
  /** The title of the note that its report was written to; undefined where its products changed since. */
  readonly report: string | undefined;
}

/** Something that happened in a research, kept so that it can be looked into and replayed. */
export type RecordedEvent =
  | {
      readonly kind: 'request';
      /** What it was for: `plan`, `critic`, `act`, `explain`, `self-check` and the like. */
      readonly purpose: string;
      readonly model: string;
      readonly messages: readonly { readonly role: string; readonly content: string }[];
      readonly reply: string;
      /** The tools that were called with the reply, where the model calls them by itself. */
      readonly calls?: readonly {
        readonly id: string;
        readonly name: string;
        readonly input: Readonly<Record<string, unknown>>;
      }[];
      /** Tokens. */
      readonly input: number;
      readonly output: number;
      /** Milliseconds. */
      readonly time: number;
      readonly error?: string;
      /** What kind of error it was, where that changes how it is gone on. */
      readonly code?: string;
      /** What the model took at once, in tokens, and whether it took tools: prompts are made by that. */
      readonly windowTokens?: number;
      readonly takesTools?: boolean;
      /** Some of its texts were too long to be kept whole. */
      readonly isCut?: boolean;
    }
  | {
      readonly kind: 'tool';
      readonly skill: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly result: string;
      /** What it found that can be cited. */
      readonly passages?: readonly FoundPassage[];
      readonly time: number;
      readonly error?: string;
      /** Some of its texts were too long to be kept whole. */
      readonly isCut?: boolean;
    }
  /** A step was handed in and sent back, with what was wrong with it. */
  | { readonly kind: 'sent-back'; readonly problems: readonly string[]; readonly text: string }
  /** Something was done by somebody: a step taken, given back, handed in, done again, the plan edited. */
  | {
      readonly kind: 'deed';
      readonly deed: string;
      readonly by: Holder;
      /** What was written and is kept nowhere else. */
      readonly text?: string;
    };

export interface ResearchRecord {
  readonly id: number;
  readonly stepId: string | undefined;
  readonly at: number;
  readonly event: RecordedEvent;
}

/** What a research left for those after it. */
export interface ResearchMemory {
  readonly id: string;
  readonly goal: string;
  /** What the notebook held then, and what was open in the editor: titles. */
  readonly situation: { readonly sources: readonly string[]; readonly open: readonly string[] };
  readonly plan: Plan;
  /** How each product begins, by its id. */
  readonly products: Readonly<Record<string, string>>;
  /** Numbers that were found, with the sentence that says what they count, and the product that it stands in. */
  readonly figures?:
    | readonly { readonly product: string; readonly numbers: readonly string[]; readonly text: string }[]
    | undefined;
  readonly spent: Spent;
  readonly keptAt: number;
  /** Whether it came with the workspace's files, which a team shares. */
  readonly isShared: boolean;
}
