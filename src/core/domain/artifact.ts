import type { Span } from '../language/span.ts';
import type { Since, Template } from './template.ts';

/** Artifacts that are notes. */
export const NOTE_ARTIFACTS = ['glossary', 'timeline', 'index', 'tables', 'cloze', 'slides'] as const;
/** Artifacts that are drawn in a view. */
export const MAP_ARTIFACTS = ['mindMap', 'conceptMap'] as const;

/** Artifacts for studying. */
export const STUDY_ARTIFACTS = ['cards', 'quiz'] as const;

/** Artifacts that are filled in a view, by a model if there is one. */
export const TABLE_ARTIFACTS = ['matrix'] as const;

export type NoteArtifactKind = (typeof NOTE_ARTIFACTS)[number];
export type MapArtifactKind = (typeof MAP_ARTIFACTS)[number];
export type StudyArtifactKind = (typeof STUDY_ARTIFACTS)[number];
export type TableArtifactKind = (typeof TABLE_ARTIFACTS)[number];
export type ArtifactKind = StudyArtifactKind | MapArtifactKind | NoteArtifactKind | TableArtifactKind;

/** Location of text in a document, in UTF-16 code units. */
export interface DocumentPlace extends Span {
  readonly documentId: number;
}

/** Document used for an artifact, in the version at that time. */
export interface DocumentVersion {
  readonly documentId: number;
  /** SHA-256 of the original's bytes, in hexadecimal. */
  readonly hash: string;
}

/** Sources of an artifact, or parts of them; undefined for all sources of the notebook, including future ones. */
export interface ArtifactScope {
  /** IDs of sources, or of their folders and files as `partId` writes them, with the path after a slash. */
  readonly sourceIds?: readonly string[] | undefined;
}

/** Sources of an artifact, in the versions from which it was generated. */
export interface ArtifactOrigin extends ArtifactScope {
  readonly documents: readonly DocumentVersion[];
}

/** Returns the ID of a folder or file in a source, or that of the source for the path ''. */
export function partId(sourceId: string, path: string): string {
  return path === '' ? sourceId : `${sourceId}/${path}`;
}

/** Splits the ID of a source or of a part of it. */
export function readPartId(id: string): { readonly sourceId: string; readonly path: string } {
  const at = id.indexOf('/');
  return at < 0 ? { sourceId: id, path: '' } : { sourceId: id.slice(0, at), path: id.slice(at + 1) };
}

/** Reports whether an artifact uses a source or a part of it. */
export function involvesSource({ sourceIds }: ArtifactScope, sourceId: string): boolean {
  return sourceIds === undefined || sourceIds.some((id) => readPartId(id).sourceId === sourceId);
}

/** Node of a map. A map is a list of its nodes in reading order; depth 0 is outermost. */
export interface MapNode {
  readonly title: string;
  readonly depth: number;
  /** Location that opens when the user selects the node. */
  readonly place?: DocumentPlace | undefined;
  /** Relation to its parent in a concept map; undefined if the sources only mention both together. */
  readonly relation?: MapRelation | undefined;
  /** Words of a source from one of the two terms to the other. */
  readonly quote?: string | undefined;
}

/** Relation of a node to its parent in the words of a source. */
export interface MapRelation {
  /** Words between the two: "uses", "is a part of". */
  readonly words: string;
  /** `true` if the node is the subject, and its parent the object. */
  readonly isReversed: boolean;
}

/** Returns the relation of a node to its parent as a sentence: "A uses B"; only its title if there is none. */
export function relationStatement(
  { title, relation }: Pick<MapNode, 'relation' | 'title'>,
  parent: string,
): string {
  if (relation === undefined) return title;
  const [subject, object] = relation.isReversed ? [title, parent] : [parent, title];
  return `${subject} ${relation.words} ${object}`;
}

/** Map and its sources. */
export interface ArtifactMap {
  readonly nodes: readonly MapNode[];
  /** Number of nodes that didn't fit. */
  readonly omitted: number;
  readonly documents: readonly DocumentVersion[];
}

/** Kind of a generated note: without a model, or by a model from a template. */
export type GeneratedArtifact =
  | { readonly kind: NoteArtifactKind }
  | { readonly kind: 'template'; readonly template: Template; readonly since?: Since | undefined };

/** Generated note in its original form. */
export type GeneratedNote = GeneratedArtifact &
  ArtifactScope & {
    readonly text: string;
    readonly documents: readonly DocumentVersion[];
    readonly generatedAt: number;
  };

/** Difference between the sources of an artifact and the current ones, in documents. */
export interface SourceDrift {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Reports whether documents were added, changed, or removed. */
export function isChanged({ added, changed, removed }: SourceDrift): boolean {
  return added + changed + removed > 0;
}

/** Compares the documents used for an artifact with the current ones. */
export function compareVersions(
  before: readonly DocumentVersion[],
  currentVersions: readonly DocumentVersion[],
): SourceDrift {
  const hashes = new Map(before.map(({ documentId, hash }) => [documentId, hash]));
  const remaining = currentVersions.filter(({ documentId }) => hashes.has(documentId));
  return {
    added: currentVersions.length - remaining.length,
    changed: remaining.filter(({ documentId, hash }) => hashes.get(documentId) !== hash).length,
    removed: before.length - remaining.length,
  };
}
