import type { Citation, Statement } from '../../core/domain/answer.ts';
import type { TextFormat } from '../../core/language/units.ts';
import type { Span } from '../../core/language/span.ts';
import type { Change } from '../../core/rpc/shared-state.ts';
import type {
  Bounds,
  PlanEdit,
  Product,
  ProductCheck,
  Research,
  ResearchEntry,
  ResearchOptions,
  RecordPage,
  ResearchRecord,
} from './model/project.ts';
import type { NoteAnswer } from './model/note-answer.ts';
import type { Replayed } from './model/replayed.ts';
import type { CoverageNode, NextLook } from './model/coverage.ts';
import type { SelectedPassage } from './model/draft.ts';
import type { SourceKind } from '../../core/domain/source.ts';
import type { TokenUsage } from '../../core/domain/usage.ts';
import type { RequestedScope, CitedTextApi, CorrectionApi, FactCheckRequest } from '../chat/protocol.ts';

/** Source that a plan can name. */
export interface ResearchSource {
  readonly id: string;
  readonly title: string;
  readonly kind: SourceKind;
}

/** Skill that a plan can name. */
export interface SkillEntry {
  readonly name: string;
  readonly description: string;
  /** `true` if it can do a step. */
  readonly isAction: boolean;
  /** `true` if it can be used in the steps of other skills. */
  readonly isTool: boolean;
  /** `true` if only people can do its steps. */
  readonly isForUser: boolean;
  /** JSON Schema of its input object as a tool. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

/** Result of a skill that the user used for a step. */
export interface UsedSkill {
  readonly text: string;
  readonly passages: readonly PassageToCite[];
}

/** Tool of the editor that the user can allow. */
export interface EditorTool {
  readonly name: string;
  readonly description: string;
}

/** Settings of a new research project. */
export interface ResearchStart {
  readonly goal: string;
  readonly bounds: Bounds;
  readonly options: ResearchOptions;
}

/** Activity of this window for a project. */
export interface ResearchActivity {
  /** Current activity in a few words. */
  readonly status: string;
  /** `true` if this window resumed it automatically, since the window that worked on it is gone. */
  readonly isTakenOver: boolean;
}

/** Complete state of a research page. */
export interface ResearchPanelState {
  /** Most recently changed first. */
  readonly researches: readonly ResearchEntry[];
  /** Project of the page; undefined on the start page. */
  readonly research: Research | undefined;
  /** Identifies this window among the holders of steps. */
  readonly window: string;
  /** IDs of the steps that the user has claimed in it. */
  readonly claimedSteps: readonly string[];
  readonly activity: ResearchActivity | undefined;
  readonly sources: readonly ResearchSource[];
  readonly skills: readonly SkillEntry[];
  readonly tools: readonly EditorTool[];
  /** Memories that the plan was based on. */
  readonly memories: readonly { readonly id: string; readonly goal: string; readonly isShared: boolean }[];
  /** Name of the model; undefined if none is selected. */
  readonly model: string | undefined;
  readonly isTrusted: boolean;
  /** Model that could check the results, if only the user's consent is missing. */
  readonly factCheckRequest: FactCheckRequest | undefined;
  /** Estimated tokens of that check; undefined if there is nothing to check yet. */
  readonly checkTokens: Pick<TokenUsage, 'input' | 'output'> | undefined;
  readonly scope: RequestedScope;
  /** Initial settings of the start page. */
  readonly start: Omit<ResearchStart, 'goal'>;
}

/** Result of an edit: the plan's new version, and the ID of an added step. */
export interface EditedPlan {
  readonly planVersion: number;
  readonly stepId: string | undefined;
  /** Side effects and unresolved inputs: sentences for the user. */
  readonly notes: readonly string[];
}

/** Actions on a project as a whole. */
export type ResearchAction =
  | 'approve'
  | 'exportReport'
  | 'goOn'
  | 'openReport'
  | 'planAgain'
  | 'remove'
  | 'reviseReport'
  | 'saveSkill'
  | 'stop'
  | 'writeReport';

/** Passage that the user's step can cite. */
export interface PassageToCite {
  readonly picked: SelectedPassage;
  readonly title: string;
  readonly place: string;
  readonly text: string;
  readonly format: TextFormat;
  readonly languageId: string | undefined;
  /** Spans of the text that match the search. */
  readonly marks: readonly Span[];
}

/** Draft as it would be submitted, with its check. */
export interface CheckedDraft {
  readonly text: string;
  readonly statements: readonly Statement[];
  readonly citations: readonly Citation[];
  readonly check: ProductCheck;
}

/** Contents of a coverage page. */
export interface CoverageView {
  readonly nodes: readonly CoverageNode[];
  /** Number of omitted sections. */
  readonly omitted: number;
  readonly next: readonly NextLook[];
}

/**
 * Requests of a research page to the extension. It shows cited text of results, with their IDs, of drafts, with
 * `draft:` and the step's ID, and of the report, with `report`. Statements of results can be corrected.
 */
export interface ResearchHostApi extends CitedTextApi, CorrectionApi {
  /** Reports that the page is loaded, and starts `stateChanged`. */
  readonly ready: () => void;
  /** Shows another project in the page; undefined shows the start page. */
  readonly show: (params: { readonly researchId: string | undefined }) => void;
  readonly begin: (params: ResearchStart) => void;
  /** `basedOn` is the version of the plan on the user's page. */
  readonly act: (params: { readonly action: ResearchAction; readonly basedOn: number }) => void;
  readonly changeBounds: (params: { readonly bounds: Bounds }) => void;
  readonly changeOptions: (params: { readonly options: ResearchOptions }) => void;
  /** Changes the plan if it still has this version. */
  readonly edit: (params: { readonly edit: PlanEdit; readonly basedOn: number }) => EditedPlan;
  readonly stepPlan: (params: { readonly by: -1 | 1 }) => void;
  readonly comment: (params: { readonly stepId: string | undefined; readonly text: string }) => void;
  readonly removeComment: (params: { readonly commentId: string }) => void;

  /** Deletes a memory, so that no further plan uses it. */
  readonly forgetMemory: (params: { readonly memoryId: string }) => void;

  readonly take: (params: { readonly stepId: string }) => void;
  readonly giveBack: (params: { readonly stepId: string }) => void;
  readonly draft: (params: { readonly stepId: string; readonly draft: string }) => void;
  readonly findPassages: (params: { readonly words: string }) => readonly PassageToCite[];
  /** Uses a skill for a step of the user. */
  readonly useSkill: (params: {
    readonly stepId: string;
    readonly skill: string;
    readonly input: Readonly<Record<string, unknown>>;
  }) => UsedSkill;
  readonly checkDraft: (params: { readonly stepId: string; readonly draft: string }) => CheckedDraft;
  readonly submit: (params: { readonly stepId: string; readonly draft: string }) => void;
  /** Reruns a step, with an optional comment to improve it. */
  readonly redo: (params: { readonly stepId: string; readonly remark: string }) => void;
  /** Returns the steps that a rerun would undo. */
  readonly dependentSteps: (params: { readonly stepId: string }) => readonly string[];
  /** Replays a step from its record, without a model, and returns whether the result is the same. */
  readonly replay: (params: { readonly stepId: string }) => Replayed;
  /** Opens the results of a replay and of the step side by side. */
  readonly compareReplayed: (params: { readonly stepId: string; readonly replayed: Replayed }) => void;
  readonly product: (params: { readonly productId: string }) => Product | undefined;
  /** Returns the records after a record, by its ID. */
  readonly records: (params: {
    readonly stepId: string | undefined;
    readonly after: number;
  }) => readonly ResearchRecord[];
  /** Returns the newest records, or the newest of those before a record, by its ID. */
  readonly latestRecords: (params: {
    readonly stepId: string | undefined;
    readonly before: number | undefined;
  }) => RecordPage;
  /** Returns the report as its note has it now. Fails if there is none, or if its note was deleted. */
  readonly report: () => NoteAnswer;

  readonly coverage: () => CoverageView;
  /** Opens a document at the start of a section. */
  readonly openPlace: (params: { readonly documentId: number; readonly start: number }) => void;
  /** Asks a question in the chat. */
  readonly ask: (params: { readonly question: string }) => void;
  /** Decides whether the requested model may check. If so, it checks the existing results first. */
  readonly decideFactCheck: (params: { readonly agrees: boolean }) => void;
  readonly run: (params: { readonly command: ResearchCommand }) => void;
}

/** Commands of a research page besides its own actions. */
export type ResearchCommand = 'addFiles' | 'pickModel' | 'pickScope' | 'trustWorkspace';

/** Element of a page to focus. */
export interface FocusRequest {
  readonly stepId?: string | undefined;
  readonly goal?: string | undefined;
}

/** Requests of the extension to a research page. */
export interface ResearchPanelApi {
  /** Sends the whole `ResearchPanelState` after `ready`, and then its changes. */
  readonly stateChanged: (params: { readonly change: Change }) => void;
  /** Focuses a step, or the goal of a new project, which gets the text in `goal` if it's set. */
  readonly focus: (params: FocusRequest) => void;
}
