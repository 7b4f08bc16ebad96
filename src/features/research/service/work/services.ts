import type { LanguageModel } from '../../../../answers/models/language-model.ts';
import type { PassageFinder } from '../../../../answers/retrieving/passage-finder.ts';
import type { ResearchMemory } from '../../model/project.ts';
import type { Source } from '../../../../core/domain/source.ts';
import type { Prices } from '../../../../core/domain/usage.ts';
import type { VerdictMarkStyle } from '../../../../core/domain/verdict-marks.ts';
import type { SkillLibrary } from '../skills/skill.ts';

/** Fact-check model, and its prices if known. */
interface FactCheckModel {
  readonly model: LanguageModel;
  readonly prices?: Prices | undefined;
}

/** Services for a research project. */
export interface ResearchServices {
  /** Finder for the sources of the project's scope. */
  readonly finder: PassageFinder;
  readonly sources: () => Promise<readonly Source[]>;
  /** Finds passages of one source. */
  readonly finderIn: (sourceId: string) => PassageFinder;
  /** Model that plans, works, and writes. Its creator meters its usage. */
  readonly model: LanguageModel;
  /** Prices of the model, if known. */
  readonly prices?: Prices | undefined;
  readonly library: SkillLibrary;
  /** `true` to keep unsupported sentences in products, marked. */
  readonly keepsUnsupported: boolean;
  /** Model that checks the statements of products. Without one, only rules check them. */
  readonly checker?: FactCheckModel | undefined;
  /** Style of the verdict marks in a report. */
  readonly verdictMarks: VerdictMarkStyle;
  /** Returns the titles of open editors. */
  readonly open?: (() => readonly string[]) | undefined;
  /** Memories of other projects, shared through the workspace's files. */
  readonly sharedMemories?: (() => Promise<readonly ResearchMemory[]>) | undefined;
  /** `true` to write a report at the end, as a note. */
  readonly writesReport?: boolean | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
