import type { Citation } from '../../notebook/answer.ts';
import type { ArtifactOrigin } from '../../notebook/studio.ts';
import type { Statements } from '../store/database/statements.ts';
import type { ImportedPlaces } from './read-citations.ts';

/** Converts references to documents and sources for another notebook. */
export interface Renumbering {
  readonly citation: (citation: Citation) => Citation;
  readonly origin: (origin: ArtifactOrigin) => ArtifactOrigin;
}

/** Export, import, and merging of a feature's entities. */
export interface PortableFeature {
  /** Field of the entities in the head of an exported notebook. Older versions ignore unknown fields. */
  readonly field: string;
  /** Returns the entities, in parts, each as JSON. `roots` are URIs of workspace folders. */
  readonly exported: (sql: Statements, roots: readonly string[]) => readonly string[];
  /** Adds exported entities. @throws ValiError, SyntaxError, RangeError if they aren't valid */
  readonly imported: (sql: Statements, parts: readonly string[], places: ImportedPlaces) => void;
  /** Adds the entities of a notebook to another one. Returns the IDs of the new ones. */
  readonly merge: (origin: Statements, target: Statements, renumbering: Renumbering) => readonly string[];
  /** Removes entities that were added by merging, except those that were changed since. */
  readonly unmerge: (sql: Statements, ids: readonly string[]) => void;
}
