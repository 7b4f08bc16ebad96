import type { Citation, Statement } from '../notebook/answer.ts';
import type { TextFormat } from '../language/units.ts';
import type { Span } from '../language/span.ts';
import type {
  Bounds,
  PlanStep,
  Product,
  ProductCheck,
  Research,
  ResearchEntry,
  ResearchOptions,
  ResearchRecord,
} from '../notebook/research.ts';
import type { Replayed } from '../notebook/replayed.ts';
import type { CoverageNode, NextLook } from '../notebook/research-coverage.ts';
import type { PickedPassage } from '../notebook/research-draft.ts';
import type { SourceKind } from '../notebook/source.ts';
import type { AskedScope, CitedTextApi } from './panel.ts';

/** A source as a plan can name it. */
export interface ResearchSource {
  readonly id: string;
  readonly title: string;
  readonly kind: SourceKind;
}

/** A skill as a plan can name it. */
export interface SkillEntry {
  readonly name: string;
  readonly description: string;
  /** Whether steps are done by it. */
  readonly isAction: boolean;
  /** Whether it is used for others' steps. */
  readonly isTool: boolean;
  /** Only people do its steps. */
  readonly isForUser: boolean;
  /** What it takes where it is used for others' steps, as a JSON Schema of an object. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

/** What a skill gave that the user used for a step. */
export interface UsedSkill {
  readonly text: string;
  readonly passages: readonly PassageToCite[];
}

/** A tool of the editor that the user may tick. */
export interface EditorTool {
  readonly name: string;
  readonly description: string;
}

/** What a research is begun with. */
export interface ResearchStart {
  readonly goal: string;
  readonly bounds: Bounds;
  readonly options: ResearchOptions;
}

/** What this window is doing for a research. */
export interface ResearchActivity {
  /** What is going on, in a few words. */
  readonly status: string;
  /** Whether it went on by itself, as the window that worked on it is gone. */
  readonly isTakenOver: boolean;
}

/** Everything that a page of researches shows. */
export interface ResearchPanelState {
  /** The last changed first. */
  readonly researches: readonly ResearchEntry[];
  /** The one that the page shows; undefined on the start page. */
  readonly research: Research | undefined;
  /** Names this window among those that hold steps. */
  readonly window: string;
  /** The steps that the user does in it, by their ids. */
  readonly taken: readonly string[];
  readonly activity: ResearchActivity | undefined;
  readonly sources: readonly ResearchSource[];
  readonly skills: readonly SkillEntry[];
  readonly tools: readonly EditorTool[];
  /** The memories that the plan was made with. */
  readonly memories: readonly { readonly id: string; readonly goal: string; readonly isShared: boolean }[];
  /** The model's name, or undefined where none is picked. */
  readonly model: string | undefined;
  readonly isTrusted: boolean;
  readonly scope: AskedScope;
  /** What the start page begins with. */
  readonly start: Omit<ResearchStart, 'goal'>;
}

/** A change of a plan, as the user makes it. */
export type PlanEdit =
  | {
      readonly kind: 'change';
      readonly stepId: string;
      readonly change: Partial<Omit<PlanStep, 'id' | 'produces'>>;
    }
  /** Behind a step, or before all. */
  | { readonly kind: 'add'; readonly after: string | undefined }
  | { readonly kind: 'remove'; readonly stepId: string }
  /** To a place among the steps, counted without it. */
  | { readonly kind: 'move'; readonly stepId: string; readonly to: number }
  /** Into one for each of these, of which the last joins what the others make. */
  | { readonly kind: 'split'; readonly stepId: string; readonly targets: readonly string[] };

/** What came of a change: the plan's version since, and the step that was added, where one was. */
export interface EditedPlan {
  readonly planVersion: number;
  readonly stepId: string | undefined;
  /** What else had to change, or hangs in the air now: sentences for the user. */
  readonly notes: readonly string[];
}

/** What is done with a research as a whole. */
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

/** A passage that a step of the user's can cite. */
export interface PassageToCite {
  readonly picked: PickedPassage;
  readonly title: string;
  readonly place: string;
  readonly text: string;
  readonly format: TextFormat;
  readonly languageId: string | undefined;
  /** The spans of the text that carry what was looked for. */
  readonly marks: readonly Span[];
}

/** What would be handed in of a draft, checked. */
export interface CheckedDraft {
  readonly text: string;
  readonly statements: readonly Statement[];
  readonly citations: readonly Citation[];
  readonly check: ProductCheck;
}

/** What a page of coverage shows. */
export interface CoverageView {
  readonly nodes: readonly CoverageNode[];
  /** How many sections were left out. */
  readonly omitted: number;
  readonly next: readonly NextLook[];
}

/** What a page of researches asks of the extension. The texts whose citations it shows are products, by their ids, and drafts, by `draft:` and the step's. */
export interface ResearchHostApi extends CitedTextApi {
  /** Said once by a loaded page; nothing is sent to it before. */
  readonly ready: (params: { readonly researchId: string | undefined }) => ResearchPanelState;
  /** Shows another research here; without one the start page. */
  readonly show: (params: { readonly researchId: string | undefined }) => ResearchPanelState;
  readonly begin: (params: ResearchStart) => ResearchPanelState;
  /** `basedOn` is the version of the plan that the user sees. */
  readonly act: (params: { readonly deed: ResearchAction; readonly basedOn: number }) => void;
  readonly changeBounds: (params: { readonly bounds: Bounds }) => void;
  readonly changeOptions: (params: { readonly options: ResearchOptions }) => void;
  /** Changes the plan that has this version. */
  readonly edit: (params: { readonly edit: PlanEdit; readonly basedOn: number }) => EditedPlan;
  readonly stepPlan: (params: { readonly by: -1 | 1 }) => void;
  readonly comment: (params: { readonly stepId: string | undefined; readonly text: string }) => void;
  readonly removeComment: (params: { readonly commentId: string }) => void;

  /** Forgets a memory, which no plan is made with any more. */
  readonly forgetMemory: (params: { readonly memoryId: string }) => void;

  readonly take: (params: { readonly stepId: string }) => void;
  readonly giveBack: (params: { readonly stepId: string }) => void;
  readonly draft: (params: { readonly stepId: string; readonly draft: string }) => void;
  readonly findPassages: (params: { readonly words: string }) => readonly PassageToCite[];
  /** Uses a skill for a step that the user does. */
  readonly useSkill: (params: {
    readonly stepId: string;
    readonly skill: string;
    readonly input: Readonly<Record<string, unknown>>;
  }) => UsedSkill;
  readonly checkDraft: (params: { readonly stepId: string; readonly draft: string }) => CheckedDraft;
  readonly handIn: (params: { readonly stepId: string; readonly draft: string }) => void;
  /** Does a step anew, which a remark may help. */
  readonly redo: (params: { readonly stepId: string; readonly remark: string }) => void;
  /** The steps that doing one anew would undo. */
  readonly madeFrom: (params: { readonly stepId: string }) => readonly string[];
  /** Does a step again from its record, without a model, and tells whether the same comes of it. */
  readonly replay: (params: { readonly stepId: string }) => Replayed;
  /** Opens what came of a replay beside what came of the step. */
  readonly compareReplayed: (params: { readonly stepId: string; readonly replayed: Replayed }) => void;
  readonly product: (params: { readonly productId: string }) => Product | undefined;
  readonly records: (params: { readonly stepId: string | undefined }) => readonly ResearchRecord[];

  readonly coverage: () => CoverageView;
  /** Opens the document where a section begins. */
  readonly openPlace: (params: { readonly documentId: number; readonly start: number }) => void;
  /** Asks in the chat. */
  readonly ask: (params: { readonly question: string }) => void;
  readonly run: (params: { readonly command: ResearchCommand }) => void;
}

/** What a page of researches can start beside its own deeds. */
export type ResearchCommand = 'addFiles' | 'pickModel' | 'pickScope' | 'trustWorkspace';

/** What of a page is to have the focus. */
export interface FocusWish {
  readonly stepId?: string | undefined;
  readonly goal?: string | undefined;
}

/** What the extension tells a page of researches. */
export interface ResearchPanelApi {
  readonly stateChanged: (params: ResearchPanelState) => void;
  /** Puts the focus on a step, or on the goal where one begins, which takes these words where they are given. */
  readonly focus: (params: FocusWish) => void;
}
