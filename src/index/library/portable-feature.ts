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
  readonly origin: <T extends ArtifactOrigin>(origin: T) => T;
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

/** Entities in the head of an exported notebook, where older versions ignore unknown fields. */
export interface EntitiesInHead {
  /** Returns the entities for export. `roots` are URIs of workspace folders. */
  readonly exported: (sql: Statements, roots: readonly string[]) => ExportedEntities;
  /** Adds exported entities. @throws ValiError, SyntaxError, RangeError if they aren't valid */
  readonly imported: (
    sql: Statements,
    parts: readonly string[],
    places: ImportedPlaces,
    limits: FeatureLimits,
  ) => void;
}

/** Entities that are lines of an exported notebook, after those of its documents. */
export interface EntitiesInLines {
  /** Maximum number of lines of each type, as a small file can expand to millions. */
  readonly limits: Readonly<Record<string, number>>;
  /** Yields the lines for export, each with its type. `roots` are URIs of workspace folders. */
  readonly exported: (sql: Statements, roots: readonly string[]) => Iterable<object>;
  /** Returns a function that adds the entity of each line. It throws an error if the line isn't valid. */
  readonly importer: (sql: Statements, places: ImportedPlaces) => (json: unknown) => void;
}

/** Export, import, and merging of a feature's entities. */
export interface PortableFeature {
  /** Name of the entities: their field in the head of an exported notebook, and in the result of merging. */
  readonly field: string;
  readonly head?: EntitiesInHead;
  readonly lines?: EntitiesInLines;
  /** Adds the entities of a notebook to another one. Returns the new ones. */
  readonly merge: (
    origin: Statements,
    target: Statements,
    renumbering: Renumbering,
  ) => readonly AddedEntity[];
  /** Removes entities that were added by merging, except those that were changed since. */
  readonly unmerge: (sql: Statements, added: readonly AddedEntity[]) => void;
  /** Resets in a copied notebook what only holds for the original, such as claims of its windows. */
  readonly resetCopy?: (sql: Statements) => void;
  /** Yields the entities that are exported as Markdown files. */
  readonly asMarkdown?: (sql: Statements, style: VerdictMarkStyle) => Iterable<EntityAsMarkdown>;
}
