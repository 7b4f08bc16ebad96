import type { LanguageModel } from '../../answering/models/language-model.ts';
import type { PassageFinder } from '../../answering/retrieving/passage-finder.ts';
import type { ResearchMemory } from '../../notebook/research.ts';
import type { Source } from '../../notebook/source.ts';
import type { Prices } from '../../notebook/usage.ts';
import type { VerdictMarkStyle } from '../../notebook/verdict-marks.ts';
import type { SkillLibrary } from '../skills/skill.ts';

/** A model that checks facts, and what it costs if that's known. */
interface FactCheckModel {
  readonly model: LanguageModel;
  readonly prices?: Prices | undefined;
}

/** What a research is done with. */
export interface ResearchServices {
  /** The sources that are researched, narrowed to its scope. */
  readonly finder: PassageFinder;
  readonly sources: () => Promise<readonly Source[]>;
  /** Finds passages of one source. */
  readonly finderIn: (sourceId: string) => PassageFinder;
  /** Who plans, works and writes; what it takes and gives is metered by whoever made it. */
  readonly model: LanguageModel;
  /** What the model costs, where that is known. */
  readonly prices?: Prices | undefined;
  readonly library: SkillLibrary;
  /** Whether sentences that no source bears out stay in products, marked. */
  readonly keepsUnsupported: boolean;
  /** The model that checks the statements of products; undefined if rules alone check them. */
  readonly checker?: FactCheckModel | undefined;
  /** How a report marks the verdicts of the fact check. */
  readonly verdictMarks: VerdictMarkStyle;
  /** The titles of what is open in the editor. */
  readonly open?: (() => readonly string[]) | undefined;
  /** What other researches left for all who have the workspace's files. */
  readonly sharedMemories?: (() => Promise<readonly ResearchMemory[]>) | undefined;
  /** Whether a report is written at the end, as a note. */
  readonly writesReport?: boolean | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
