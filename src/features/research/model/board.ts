import type {
  BoardStep,
  Bounds,
  Holder,
  Objection,
  Plan,
  Product,
  RecordedEvent,
  Research,
  ResearchEntry,
  ResearchMemory,
  ResearchOptions,
  RecordPage,
  ResearchRecord,
  ResearchState,
  Spent,
} from './project.ts';
import type { Note } from '../../../core/domain/note.ts';
import type { Scope } from '../../../core/domain/scope.ts';
import type { TokenUsage } from '../../../core/domain/usage.ts';

/** Claimed step. A result has to name the claim. */
export interface Claim {
  readonly token: string;
  readonly step: BoardStep;
  /** Results among its inputs. */
  readonly materials: readonly Product[];
}

/**
 * Outcome of submitting a result. `kept`: it's the step's result. `late`: somebody else was faster, or the step was
 * changed or removed in the meantime; nothing was saved.
 */
export type SubmitOutcome = 'kept' | 'late';

/**
 * Board of a notebook's research projects, which people and workers in all windows use at once. Each call is one
 * transaction. The activity log records the steps that the user claims, releases, and submits. Errors are `not-found`
 * for removed items, and `conflict` if the plan was edited since the version that an edit is based on.
 */
export interface ResearchBoard {
  /** Most recently changed first. */
  readonly researches: () => readonly ResearchEntry[];
  /** Undefined if it was removed. */
  readonly research: (params: { readonly researchId: string }) => Research | undefined;
  readonly product: (params: {
    readonly researchId: string;
    readonly productId: string;
  }) => Product | undefined;
  readonly addResearch: (params: {
    readonly goal: string;
    readonly scope?: Scope | undefined;
    readonly bounds: Bounds;
    readonly options: ResearchOptions;
  }) => { readonly researchId: string };
  readonly removeResearch: (params: { readonly researchId: string }) => void;
  /** Changes only the properties that are set. @throws NotebookError `conflict` if the plan has another version */
  readonly changeResearch: (params: {
    readonly researchId: string;
    /** Version of the plan that the user saw. */
    readonly basedOn?: number | undefined;
    readonly goal?: string;
    readonly state?: ResearchState;
    /** '' removes it. */
    readonly reason?: string;
    readonly bounds?: Bounds;
    readonly options?: ResearchOptions;
    readonly objections?: readonly Objection[];
    readonly memories?: readonly string[];
    readonly report?: string;
  }) => void;
  /**
   * Claims the work on a project as a whole, or renews the claim: on its plan while there is none, or on its report
   * after the last step. `false` if another window has the claim, or if there is nothing left to do. A `hold` of 0
   * releases it.
   */
  readonly claimWhole: (params: {
    readonly researchId: string;
    readonly window: string;
    /** Duration of the claim unless it's renewed, in milliseconds. */
    readonly hold: number;
  }) => boolean;

  /**
   * Saves a report as a note and links the project to it, in one transaction. Returns the note's title, or that of an
   * existing report. Undefined if another window has claimed the report.
   */
  readonly keepReport: (params: {
    readonly researchId: string;
    readonly window: string;
    readonly note: Pick<Note, 'citations' | 'text' | 'title'>;
  }) => string | undefined;

  /**
   * Saves a new version of the plan. A step that is claimed or done has to be in it unchanged: release or rerun it
   * before changing it.
   */
  readonly setPlan: (params: {
    readonly researchId: string;
    readonly plan: Plan;
    /** Version that this one is based on. */
    readonly basedOn: number;
    /** User who edits it, for the activity log. */
    readonly user?: Holder | undefined;
  }) => { readonly planVersion: number };
  /** Goes back to the previous version, or forward again. */
  readonly stepPlan: (params: {
    readonly researchId: string;
    readonly by: -1 | 1;
    /** User who does it, for the activity log. */
    readonly user?: Holder | undefined;
  }) => { readonly planVersion: number };
  readonly commentPlan: (params: {
    readonly researchId: string;
    readonly stepId?: string | undefined;
    readonly text: string;
  }) => void;
  readonly removeComment: (params: { readonly researchId: string; readonly commentId: string }) => void;
  readonly hearComments: (params: {
    readonly researchId: string;
    readonly commentIds: readonly string[];
  }) => void;

  /**
   * Claims the named step, or the first that is ready. Models claim steps only while the project is running; the user
   * can also claim them while it waits. Undefined if no step is available. Steps with an expired claim become ready
   * first.
   */
  readonly claimStep: (params: {
    readonly researchId: string;
    readonly stepId?: string | undefined;
    readonly holder: Holder;
    /** Duration of the claim unless it's renewed, in milliseconds. */
    readonly hold: number;
    /** Actions that this holder doesn't do. */
    readonly without?: readonly string[] | undefined;
    /** Actions and tools with inputs that change unnoticed, so that their results in other projects aren't reused. */
    readonly fresh?: readonly string[] | undefined;
  }) => Claim | undefined;
  /** Renews the claim on a step; `false` if it was lost. */
  readonly renewStep: (params: { readonly token: string; readonly hold: number }) => boolean;
  readonly giveBackStep: (params: { readonly token: string }) => void;
  /** Saves the user's draft for a claimed step. */
  readonly draftStep: (params: {
    readonly researchId: string;
    readonly stepId: string;
    readonly draft: string;
  }) => void;
  /**
   * Saves a step's result and unblocks the steps that waited for it. After the last step, the project is done. `of`
   * names the step in the activity log if a user submits the result too late.
   */
  readonly submitStep: (params: {
    readonly token: string;
    readonly product: Product;
    readonly of?: { readonly researchId: string; readonly stepId: string } | undefined;
  }) => SubmitOutcome;
  /** Records that a submitted result was sent back. */
  readonly sendBackStep: (params: { readonly token: string; readonly reason: string }) => void;
  readonly failStep: (params: { readonly token: string; readonly reason: string }) => void;
  /** Marks a failed or finished step to be rerun, together with the steps that depend on its result. */
  readonly redoStep: (params: {
    readonly researchId: string;
    readonly stepId: string;
    /** User who reruns it, for the activity log. */
    readonly user?: Holder | undefined;
  }) => void;
  /** Returns the steps that a rerun would undo; finished ones with their results. */
  readonly dependentSteps: (params: {
    readonly researchId: string;
    readonly stepId: string;
  }) => readonly string[];
  /** Replaces the text of a result, for example with a revision by the user. */
  readonly putProduct: (params: { readonly researchId: string; readonly product: Product }) => void;

  /**
   * Adds to the costs of a project, and returns their total. `reserved` is the part that is only reserved, or negative
   * to settle a reservation; the project shows its costs without it.
   */
  readonly spend: (params: {
    readonly researchId: string;
    readonly reserved?: Omit<Spent, 'time'> | undefined;
    readonly usage?: TokenUsage | undefined;
    readonly time?: number | undefined;
    readonly requests?: number | undefined;
    readonly toolCalls?: number | undefined;
  }) => Spent;
  readonly record: (params: {
    readonly researchId: string;
    readonly stepId?: string | undefined;
    readonly event: RecordedEvent;
  }) => void;
  /** Oldest first; for one step, or for the whole project. `after` is the ID of the last record that is known. */
  readonly records: (params: {
    readonly researchId: string;
    readonly stepId?: string | undefined;
    readonly after?: number | undefined;
  }) => readonly ResearchRecord[];
  /** Returns the newest records; with `before`, the newest of those before a record, by its ID. */
  readonly latestRecords: (params: {
    readonly researchId: string;
    readonly stepId?: string | undefined;
    readonly before?: number | undefined;
  }) => RecordPage;

  /** Most recently saved first. */
  readonly memories: () => readonly ResearchMemory[];
  readonly keepMemory: (params: Omit<ResearchMemory, 'id' | 'keptAt'>) => { readonly memoryId: string };
  readonly forgetMemory: (params: { readonly memoryId: string }) => void;
}
