import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { readJson } from '../indexing/store/database/stored-json.ts';
import { isSamePlace, type Annotation, type WantedAnnotations } from '../notebook/annotation.ts';
import { wantedAnnotations } from '../notebook/stored-annotations.ts';
import { mergedText, mergedValue } from './merged-values.ts';
import { pack, unpack } from './packed.ts';
import {
  findBase,
  dropBase,
  isWaiting,
  keepBase,
  markWaiting,
  type Thing,
  type ThingsHere,
} from './thing.ts';

/** What is marked beside a file; in the outbox it is named by the file's URI, in the team by its source and key. */
export const annotationsThing: Thing = {
  toSend(here, uri) {
    const row = here.sql.get('SELECT source_id, key FROM documents WHERE uri = ? ORDER BY id LIMIT 1', uri);
    if (row === undefined) return undefined;
    const id = `${String(row['source_id'])}\n${String(row['key'])}`;
    const base = findBase(here, 'annotations', id);
    const wanted = storedAnnotations(here, uri);
    if (wanted.length === 0) return base && { id, within: '', base: base.revision, value: pack({ wanted }) };
    return { id, within: '', base: base?.revision ?? 0, value: pack({ wanted }) };
  },
  outboxId: (here, { id }) => documentUri(here, id),
  take(here, { id, value, revision }, isChanged) {
    const theirs = value === undefined ? [] : readWanted(unpack(value)['wanted']);
    const base = findBase(here, 'annotations', id);
    const uri = documentUri(here, id);
    let isSame = false;
    if (uri !== undefined) {
      const ours = storedAnnotations(here, uri);
      const merged = isChanged
        ? mergedAnnotations(readWanted(base?.value['wanted'] ?? []), theirs, ours)
        : theirs;
      isSame = isDeepStrictEqual(new Map(merged), new Map(theirs));
      writeAnnotations(here, uri, merged);
    }
    if (value === undefined) dropBase(here, 'annotations', id);
    else keepBase(here, 'annotations', id, { revision, value });
    return isSame;
  },
};

/** Has what the team has marked beside a file that is found here only now be with what was marked here. */
export function placeAnnotations(here: ThingsHere, id: string, uri: string): void {
  if (isWaiting(here, 'annotations', uri)) return;
  const base = findBase(here, 'annotations', id);
  const ours = storedAnnotations(here, uri);
  if (base === undefined && ours.length === 0) return;
  const theirs = readWanted(base?.value['wanted'] ?? []);
  const merged = mergedAnnotations([], theirs, ours);
  if (!isDeepStrictEqual(merged, ours)) writeAnnotations(here, uri, merged);
  if (!isDeepStrictEqual(new Map(merged), new Map(theirs))) markWaiting(here, 'annotations', uri);
}

/** Has what was marked beside a file before it was a document of the team's be sent, too. */
export function sendAnnotations(here: ThingsHere, id: string): void {
  const uri = documentUri(here, id);
  if (uri === undefined || findBase(here, 'annotations', id) !== undefined) return;
  if (storedAnnotations(here, uri).length > 0) markWaiting(here, 'annotations', uri);
}

function documentUri({ sql }: ThingsHere, id: string): string | undefined {
  const at = id.indexOf('\n');
  const row = sql.get(
    "SELECT uri FROM documents WHERE source_id = ? AND key = ? AND uri <> ''",
    id.slice(0, at),
    id.slice(at + 1),
  );
  return row && String(row['uri']);
}

function storedAnnotations({ sql }: ThingsHere, uri: string): WantedAnnotations {
  const row = sql.get('SELECT annotations FROM file_annotations WHERE uri = ?', uri);
  return row === undefined ? [] : readJson(wantedAnnotations, row['annotations'], []);
}

function writeAnnotations({ sql }: ThingsHere, uri: string, wanted: WantedAnnotations): void {
  if (wanted.length === 0) sql.run('DELETE FROM file_annotations WHERE uri = ?', uri);
  else sql.replace('file_annotations', { uri, annotations: JSON.stringify(wanted) });
}

function readWanted(json: unknown): WantedAnnotations {
  return v.parse(v.pipe(wantedAnnotations, v.maxLength(100_000)), json);
}

/** Each annotation as it is where it was changed. */
function mergedAnnotations(
  base: WantedAnnotations,
  theirs: WantedAnnotations,
  ours: WantedAnnotations,
): WantedAnnotations {
  const [from, there, here] = [new Map(base), new Map(theirs), new Map(ours)];
  const keys = new Set([...there.keys(), ...here.keys()]);
  return [...keys].flatMap((key) => {
    const one = mergedAnnotation(from.get(key), there.get(key), here.get(key));
    return one === undefined ? [] : [[key, one] as const];
  });
}

/** Where both changed one, what both remark stays; of one that was taken away and one that was changed the changed one. */
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
