import type { Answer, Citation } from '../../core/domain/answer.ts';
import type { Scope } from '../../core/domain/scope.ts';
import type { ArtifactOrigin } from '../../core/domain/artifact.ts';
import type { VerdictMarkStyle } from '../../core/domain/verdict-marks.ts';
import type { FeatureLimits } from '../../features/types.ts';
import type { Statements } from '../store/database/statements.ts';
import type { AddedEntity } from './library-api.ts';
import type { ImportedPlaces } from './read-citations.ts';

/** Converts references to documents and sources for another notebook. */
export interface Renumbering {
  readonly citation: (citation: Citation) => Citation;
  readonly answer: (answer: Answer) => Answer;
  readonly origin: (origin: ArtifactOrigin) => ArtifactOrigin;
  readonly scope: (scope: Scope) => Scope;
  /** Returns the ID of a source in the other notebook. */
  readonly sourceId: (sourceId: string) => string;
  /** Returns the number of a document in the other notebook; undefined if it wasn't copied. */
  readonly documentId: (documentId: number) => number | undefined;
}

/** Entities of a feature for an exported notebook. */
export interface ExportedEntities {
  /** Entities in parts, each as JSON. */
  readonly exported: readonly string[];
  /** Titles of the entities that didn't fit. */
  readonly leftOut: readonly string[];
}

/** Entity as a Markdown file. */
export interface EntityAsMarkdown {
  readonly folder: string;
  readonly title: string;
  readonly text: string;
}

/** Export, import, and merging of a feature's entities. */
export interface PortableFeature {
  /** Field of the entities in the head of an exported notebook. Older versions ignore unknown fields. */
  readonly field: string;
  /** Returns the entities for export. `roots` are URIs of workspace folders. */
  readonly exported: (sql: Statements, roots: readonly string[]) => ExportedEntities;
  /** Adds exported entities. @throws ValiError, SyntaxError, RangeError if they aren't valid */
  readonly imported: (
    sql: Statements,
    parts: readonly string[],
    places: ImportedPlaces,
    limits: FeatureLimits,
  ) => void;
  /** Adds the entities of a notebook to another one. Returns the new ones. */
  readonly merge: (
    origin: Statements,
    target: Statements,
    renumbering: Renumbering,
  ) => readonly AddedEntity[];
  /** Removes entities that were added by merging, except those that were changed since. */
  readonly unmerge: (sql: Statements, added: readonly AddedEntity[]) => void;
  /** Releases in a copied notebook what windows of the original have claimed. */
  readonly releaseClaims?: (sql: Statements) => void;
  /** Yields the entities that are exported as Markdown files. */
  readonly asMarkdown?: (sql: Statements, style: VerdictMarkStyle) => Iterable<EntityAsMarkdown>;
}
