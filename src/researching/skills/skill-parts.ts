import type { PassageFinder } from '../../answering/retrieving/passage-finder.ts';
import type { DocumentEntry } from '../../notebook/source.ts';
import type { Outline } from '../../notebook/suggestions.ts';
import type { Skill } from './skill.ts';

/** A document as skills read it whole. */
export interface SkillDocument {
  readonly sourceId: string;
  readonly title: string;
  readonly text: string;
}

/** What primitive skills ask of a notebook beside finding. */
export interface SkillNotebook {
  readonly documents: (sourceId: string) => Promise<readonly DocumentEntry[]>;
  readonly outlines: (documentIds: readonly number[]) => Promise<readonly Outline[]>;
  /** Undefined where it was removed. */
  readonly document: (documentId: number) => Promise<SkillDocument | undefined>;
  /** Finds in one source alone. */
  readonly finderIn: (sourceId: string) => PassageFinder;
}

/** What primitive skills are made of. */
export interface SkillParts {
  readonly notebook: SkillNotebook;
  /** Skills of the place that it runs in: those of the workspace, and the tools that the user ticked. */
  readonly more?: readonly Skill[] | undefined;
}
