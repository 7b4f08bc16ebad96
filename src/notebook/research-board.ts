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
  ResearchRecord,
  ResearchState,
  Spent,
} from './research.ts';
import type { Note } from './note.ts';
import type { Scope } from './scope.ts';
import type { TokenUsage } from './usage.ts';

/** A step that somebody took: what is handed in for it has to name the claim. */
export interface Claim {
  readonly token: string;
  readonly step: BoardStep;
  /** The products among its materials. */
  readonly materials: readonly Product[];
}

/**
 * What became of what was handed in. `kept`: it is the step's product. `late`: somebody else was faster, or the step was
 * changed or removed since it was taken; nothing was kept.
 */
export type HandedIn = 'kept' | 'late';

/**
 * The board of a notebook's researches as people and workers in all windows use it at once. Each call is one transaction;
 * what the user takes, gives back and hands in is recorded; errors are `not-found` for what was removed, and `conflict` where a plan was edited since the one that an edit rests on.
 */
export interface ResearchBoard {
  /** The last changed first. */
  readonly researches: () => readonly ResearchEntry[];
  /** Undefined where it was removed. */
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
  /** Changes what is given and leaves the rest as it is. @throws NotebookError `conflict` if the plan has another version */
  readonly changeResearch: (params: {
    readonly researchId: string;
    /** The version of the plan that the user saw. */
    readonly basedOn?: number | undefined;
    readonly goal?: string;
    readonly state?: ResearchState;
    /** Taken away by ''. */
    readonly reason?: string;
    readonly bounds?: Bounds;
    readonly options?: ResearchOptions;
    readonly objections?: readonly Objection[];
    readonly memories?: readonly string[];
    readonly report?: string;
  }) => void;
  /**
   * Takes what is done for a research as a whole, or goes on holding it: its plan while there is none, its report once it
   * is over. False where another window has it, and where that is done or not to be done. Who lets go of it holds it for
   * 0 milliseconds.
   */
  readonly claimWhole: (params: {
    readonly researchId: string;
    readonly window: string;
    /** How long it is held unless that is renewed, in milliseconds. */
    readonly hold: number;
  }) => boolean;

  /**
   * Keeps a report as a note, and the research as reported, together. Gives the title that the note got; one that was kept
   * before stays. Undefined where another window has the writing of it by now.
   */
  readonly keepReport: (params: {
    readonly researchId: string;
    readonly window: string;
    readonly note: Pick<Note, 'citations' | 'text' | 'title'>;
  }) => string | undefined;

  /**
   * Keeps another version of the plan. A step that somebody has, or that is done, has to be in it as it is: it is given
   * back, or done anew, before it is changed.
   */
  readonly setPlan: (params: {
    readonly researchId: string;
    readonly plan: Plan;
    /** The version that this one was made from. */
    readonly basedOn: number;
    /** The user who edits it: that is recorded. */
    readonly user?: Holder | undefined;
  }) => { readonly planVersion: number };
  /** Goes back to the version before, or forth again. */
  readonly stepPlan: (params: {
    readonly researchId: string;
    readonly by: -1 | 1;
    /** The user who does: that is recorded. */
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
   * Takes a step: that one, or the first that is ready. Models take steps of a research that runs, the user also of one
   * that waits. Undefined where there is none to be had. Steps whose hold has run out are ready again before.
   */
  readonly claimStep: (params: {
    readonly researchId: string;
    readonly stepId?: string | undefined;
    readonly holder: Holder;
    /** How long it is held unless that is renewed, in milliseconds. */
    readonly hold: number;
    /** Actions that this holder does not do. */
    readonly without?: readonly string[] | undefined;
    /** Actions and tools that look at what changes unseen: what they made in other researches is made anew. */
    readonly fresh?: readonly string[] | undefined;
  }) => Claim | undefined;
  /** Goes on holding a step; false where it was lost. */
  readonly renewStep: (params: { readonly token: string; readonly hold: number }) => boolean;
  readonly giveBackStep: (params: { readonly token: string }) => void;
  /** Keeps what the user wrote for a step that is held. */
  readonly draftStep: (params: {
    readonly researchId: string;
    readonly stepId: string;
    readonly draft: string;
  }) => void;
  /**
   * Keeps a step's product, and makes ready what waited for it. Where it is the last, the research is done. What a user hands
   * in too late is recorded with the step that is given with it.
   */
  readonly handInStep: (params: {
    readonly token: string;
    readonly product: Product;
    readonly of?: { readonly researchId: string; readonly stepId: string } | undefined;
  }) => HandedIn;
  /** Tells that what was handed in was sent back. */
  readonly sendBackStep: (params: { readonly token: string; readonly reason: string }) => void;
  readonly failStep: (params: { readonly token: string; readonly reason: string }) => void;
  /** A step that failed or is done is to be done anew, and with it what was made from it. */
  readonly redoStep: (params: {
    readonly researchId: string;
    readonly stepId: string;
    /** The user who has it done anew: that is recorded. */
    readonly user?: Holder | undefined;
  }) => void;
  /** The steps, done ones with their products, that doing one anew would undo. */
  readonly madeFrom: (params: { readonly researchId: string; readonly stepId: string }) => readonly string[];
  /** Puts another text in the place of a product, such as one that the user revised. */
  readonly putProduct: (params: { readonly researchId: string; readonly product: Product }) => void;

  /**
   * Adds to what a research took, and returns all it took. `reserved` is the part that is only set aside, or negative if
   * it is settled; the research shows what it took without it.
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
  /** Oldest first; of one step, or of all of it. */
  readonly records: (params: {
    readonly researchId: string;
    readonly stepId?: string | undefined;
  }) => readonly ResearchRecord[];

  /** The last kept first. */
  readonly memories: () => readonly ResearchMemory[];
  readonly keepMemory: (params: Omit<ResearchMemory, 'id' | 'keptAt'>) => { readonly memoryId: string };
  readonly forgetMemory: (params: { readonly memoryId: string }) => void;
}
