import type { Statement, Citation } from './answer.ts';
import type { PassagePlace } from './passage.ts';
import type { DocumentVersion, ArtifactScope } from './artifact.ts';
import type { Template, Since } from './template.ts';

/** Request for a text that a model writes from sources. */
export interface WritingRequest extends ArtifactScope {
  readonly template: Template;
  readonly since?: Since | undefined;
}

/** Text that was started and isn't finished; some of its parts may be. */
export interface UnfinishedWriting extends WritingRequest {
  /** Title of the note. */
  readonly title: string;
  readonly done: number;
  readonly total: number;
  readonly begunAt: number;
}

/** Part of the sources that a model reads at once. */
export interface PlannedPart {
  /** Key that only changes with the content of the part. */
  readonly key: string;
  /** Subject in a few words. */
  readonly title: string;
  readonly documents: readonly DocumentVersion[];
  readonly places: readonly PassagePlace[];
  /** Estimated number of tokens. */
  readonly tokens: number;
  /** `true` if notes on it are cached. */
  readonly isSaved: boolean;
}

/** Plan by which a model reads sources from start to end. */
export interface WritingPlan {
  readonly parts: readonly PlannedPart[];
  /** All documents of the artifact, including parts that aren't read. */
  readonly documents: readonly DocumentVersion[];
  /** One line about the sources. */
  readonly sources: string;
  /** Text written about earlier versions of the sources, if the template is about changes since then. */
  readonly earlier: string;
}

/** A model's notes on a part: Markdown whose statements are checked. */
export interface PartNotes {
  readonly text: string;
  readonly statements: readonly Statement[];
  readonly citations: readonly Citation[];
}
