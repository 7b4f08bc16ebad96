import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { LOST_ORIGIN, readJson, storedOrigin } from '../../index/store/database/stored-json.ts';
import { StoredAnnotations } from './store/stored-annotations.ts';
import { isSamePlace, type Annotation, type AnnotationsByKey } from '../../core/domain/annotation.ts';
import { annotationsByKey } from '../../core/domain/stored-annotations.ts';
import { mergedText, mergedValue } from '../team/service/merged-values.ts';
import { pack, unpack } from '../team/service/packed.ts';
import {
  findBase,
  dropBase,
  keepBase,
  markPending,
  type EntitySync,
  type LocalContext,
} from '../team/service/synced-entity.ts';

/** Object names that pdf.js gives to annotations of the file itself. */
const KEY_IN_FILE = /^\d+R/;

/**
 * Syncs the highlights of a file. Its outbox ID is the file's URI; the team identifies it by source and document key.
 */
export const annotationsSync: EntitySync = {
  toSend(local, uri) {
    const stored = new StoredAnnotations(local.sql);
    if (!stored.isShared(uri)) return undefined;
    // The user's own source comes first: its document is what they share.
    const row = local.sql.get(
      `SELECT d.source_id, d.key FROM documents d JOIN sources s ON s.id = d.source_id WHERE d.uri = ?
       ORDER BY json_valid(s.origin) AND s.origin ->> '$.kind' = 'copy', d.id LIMIT 1`,
      uri,
    );
    if (row === undefined) return undefined;
    const id = `${String(row['source_id'])}\n${String(row['key'])}`;
    const base = findBase(local, 'annotations', id);
    const annotations = stored.listShared(uri);
    if (annotations.length === 0)
      return base && { id, within: '', base: base.revision, value: pack({ wanted: annotations }) };
    return { id, within: '', base: base?.revision ?? 0, value: pack({ wanted: annotations }) };
  },
  outboxId: (local, { id }) => findPlace(local, id)?.uri,
  take(local, { id, value, revision }) {
    const theirs = value === undefined ? [] : readAnnotations(unpack(value)['wanted']);
    const base = findBase(local, 'annotations', id);
    const place = findPlace(local, id);
    const isSame =
      place !== undefined &&
      mergeAnnotations(local, place, readAnnotations(base?.value['wanted'] ?? []), theirs);
    if (value === undefined) dropBase(local, 'annotations', id);
    else keepBase(local, 'annotations', id, { revision, value });
    return isSame;
  },
};

/** SQL queries for the kind and outbox ID of the highlights of each file, to send a whole notebook. */
export const OUTBOX_ROWS = ["SELECT 'annotations', uri FROM file_annotations"];

/**
 * Shows the team's annotations on a file or page that was just matched to a document of the team. Earlier annotations
 * of the user stay private.
 */
export function placeAnnotations(local: LocalContext, id: string): void {
  const place = findPlace(local, id);
  if (place === undefined) return;
  const theirs = readAnnotations(findBase(local, 'annotations', id)?.value['wanted'] ?? []);
  if (place.isShared) hideAnnotations(local, place.uri, theirs);
  mergeAnnotations(local, place, [], theirs);
}

/** Queues highlights that are older than the team document of their file. */
export function sendAnnotations(local: LocalContext, id: string): void {
  const place = findPlace(local, id);
  if (place === undefined || findBase(local, 'annotations', id) !== undefined) return;
  if (storedAnnotations(local, place.uri).length > 0) markPending(local, 'annotations', place.uri);
}

/** Location of a team's document on this machine. */
interface AnnotatedPlace {
  readonly uri: string;
  /** `true` if the user added the source or agreed to share the highlights of the file. */
  readonly isShared: boolean;
}

function findPlace({ sql }: LocalContext, id: string): AnnotatedPlace | undefined {
  const at = id.indexOf('\n');
  const row = sql.get(
    `SELECT d.uri, s.origin, EXISTS (SELECT 1 FROM team_shared_files f WHERE f.uri = d.uri) AS is_agreed
     FROM documents d JOIN sources s ON s.id = d.source_id WHERE d.source_id = ? AND d.key = ? AND d.uri <> ''`,
    id.slice(0, at),
    id.slice(at + 1),
  );
  if (row === undefined) return undefined;
  const { kind } = readJson(storedOrigin, row['origin'], LOST_ORIGIN);
  return { uri: String(row['uri']), isShared: kind !== 'copy' || Number(row['is_agreed']) === 1 };
}

/** Marks the team's missing annotations of a file as not shared, unless another document already shares them. */
function hideAnnotations(local: LocalContext, uri: string, theirs: AnnotationsByKey): void {
  const isSharedBefore = local.sql.has(
    `SELECT 1 FROM documents d JOIN sources s ON s.id = d.source_id
     WHERE d.uri = ? AND NOT (json_valid(s.origin) AND s.origin ->> '$.kind' = 'copy') LIMIT 1 OFFSET 1`,
    uri,
  );
  if (isSharedBefore) return;
  const known = new Map(theirs);
  for (const [key, one] of storedAnnotations(local, uri))
    if (!isDeepStrictEqual(one, known.get(key))) local.sql.replace('team_private_marks', { uri, key });
}

/**
 * Merges the team's annotations with the local ones. Annotations in a file that the user doesn't share, or from
 * before the document arrived, stay unchanged. Returns whether the team has all that it may see.
 */
function mergeAnnotations(
  local: LocalContext,
  { uri, isShared }: AnnotatedPlace,
  base: AnnotationsByKey,
  theirs: AnnotationsByKey,
): boolean {
  const ours = storedAnnotations(local, uri);
  const before = new Map(base);
  const hidden = isShared
    ? new StoredAnnotations(local.sql).privateKeys(uri)
    : new Set(ours.flatMap(([key, one]) => (isDeepStrictEqual(one, before.get(key)) ? [] : [key])));
  // Other members can't delete what the user's own file contains.
  const accepted = isShared ? theirs : theirs.filter(([key, one]) => one !== null && !KEY_IN_FILE.test(key));
  const isSeen = ([key]: AnnotationsByKey[number]): boolean => !hidden.has(key);
  const merged = mergedAnnotations(base.filter(isSeen), accepted.filter(isSeen), ours.filter(isSeen));
  writeAnnotations(local, uri, [...ours.filter((entry) => !isSeen(entry)), ...merged]);
  return !isShared || isDeepStrictEqual(new Map(merged), new Map(theirs));
}

function storedAnnotations({ sql }: LocalContext, uri: string): AnnotationsByKey {
  return new StoredAnnotations(sql).of(uri);
}

function writeAnnotations({ sql }: LocalContext, uri: string, annotations: AnnotationsByKey): void {
  if (annotations.length === 0) sql.run('DELETE FROM file_annotations WHERE uri = ?', uri);
  else sql.replace('file_annotations', { uri, annotations: JSON.stringify(annotations) });
}

function readAnnotations(json: unknown): AnnotationsByKey {
  return v.parse(v.pipe(annotationsByKey, v.maxLength(100_000)), json);
}

/** Returns each annotation in its changed version. */
function mergedAnnotations(
  base: AnnotationsByKey,
  theirs: AnnotationsByKey,
  ours: AnnotationsByKey,
): AnnotationsByKey {
  const [from, there, here] = [new Map(base), new Map(theirs), new Map(ours)];
  const keys = new Set([...there.keys(), ...here.keys()]);
  return [...keys].flatMap((key) => {
    const merged = mergedAnnotation(from.get(key), there.get(key), here.get(key));
    return merged === undefined ? [] : [[key, merged] as const];
  });
}

/**
 * Merges two versions: if both changed an annotation, both comments stay. A changed annotation wins over a deleted one.
 */
function mergedAnnotation(
  base: Annotation | null | undefined,
  theirs: Annotation | null | undefined,
  ours: Annotation | null | undefined,
): Annotation | null | undefined {
  if (isDeepStrictEqual(ours, base)) return theirs;
  if (isDeepStrictEqual(theirs, base)) return ours;
  if (!theirs || !ours) return theirs ?? ours;
  const isMoved = !base || !isSamePlace(ours, base);
  return {
    ...(isMoved ? ours : theirs),
    colour: mergedValue(base?.colour, theirs.colour, ours.colour) ?? ours.colour,
    remark: mergedText(base?.remark ?? '', theirs.remark, ours.remark),
  };
}
