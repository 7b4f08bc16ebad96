import * as v from 'valibot';
import { NOTE_ARTIFACTS, type GeneratedNote } from '../../../core/domain/artifact.ts';
import { noteTitle, type NoteEntry, type StoredCitation } from '../../../core/domain/note.ts';
import { noteAsMarkdown } from '../../../core/domain/note-markdown.ts';
import { sanitizeMarkdown } from '../../../core/domain/sanitize-markdown.ts';
import { finite, optional, title } from '../../../index/library/exported-values.ts';
import type { AddedEntity } from '../../../index/library/library-api.ts';
import type { PortableFeature, Renumbering } from '../../../index/library/portable-feature.ts';
import { renumberOrigin } from '../../../index/library/portable-origins.ts';
import { portableCitation } from '../../../index/library/portable-places.ts';
import { readCitation, type ImportedPlaces } from '../../../index/library/read-citations.ts';
import {
  storedDocumentVersions,
  storedTexts,
  storedWritingWish,
} from '../../../index/store/database/stored-json.ts';
import type { Statements } from '../../../index/store/database/statements.ts';
import { GeneratedNotes } from './generated-notes.ts';
import { Notes } from './notes.ts';

const common = {
  sourceIds: optional(storedTexts),
  madeOf: storedDocumentVersions,
  text: v.string(),
  madeAt: finite,
};

/** Schema for the sources and settings of an exported note; undefined if it's invalid or a newer version wrote it. */
export const exportedGeneratedNote = v.fallback(
  optional(
    v.pipe(
      v.union([
        v.pipe(
          v.object({ ...common, thing: v.picklist(NOTE_ARTIFACTS) }),
          v.transform(({ thing: kind, ...note }) => ({ ...note, kind })),
        ),
        v.pipe(
          v.object({ ...common, thing: v.literal('template'), wish: storedWritingWish }),
          v.transform(({ thing: kind, wish: { template, since }, ...note }) => ({
            ...note,
            kind,
            template,
            since,
          })),
        ),
      ]),
      v.transform(({ madeOf: documents, madeAt: generatedAt, ...note }) => ({
        ...note,
        documents,
        generatedAt,
      })),
    ),
  ),
  undefined,
);

const exportedNote = v.pipe(
  v.object({
    title,
    text: v.pipe(v.string(), v.transform(sanitizeMarkdown)),
    createdAt: finite,
    changedAt: finite,
    citations: v.array(v.unknown()),
    made: exportedGeneratedNote,
  }),
  v.transform(({ made: generated, ...note }) => ({ ...note, generated })),
);

const exportedCitation = v.object({
  id: v.pipe(v.string(), v.regex(/^[\da-f]{16}$/)),
  citation: v.unknown(),
});

/** Returns a note's sources and settings for its exported line. Documents have their exported numbers. */
export function portableGeneratedNote(generated: GeneratedNote): object {
  const { kind, sourceIds, documents, text, generatedAt } = generated;
  const exported = { thing: kind, sourceIds, madeOf: documents, text, madeAt: generatedAt };
  if (generated.kind !== 'template') return exported;
  const { template, since } = generated;
  return { ...exported, wish: { template, since } };
}

/** Returns the line of a note. */
export function noteLine(
  notes: Notes,
  { title: name }: Pick<NoteEntry, 'title'>,
  roots: readonly string[],
): object {
  const { text, createdAt, changedAt, citations } = notes.open(name);
  const portable = citations.map(({ id, citation }) => ({ id, citation: portableCitation(citation, roots) }));
  return { type: 'note', title: name, text, createdAt, changedAt, citations: portable };
}

/** Parses a citation of an exported note. @throws ValiError if it isn't valid */
export function readNoteCitation(json: unknown, places: ImportedPlaces): StoredCitation {
  const { id, citation } = v.parse(exportedCitation, json);
  return { id, citation: readCitation(citation, places) };
}

/** Yields the lines of all notes, the oldest first. */
function* exportedLines(sql: Statements, roots: readonly string[]): Generator<object> {
  const notes = new Notes(sql);
  const generatedNotes = new GeneratedNotes(sql);
  for (const entry of notes.list().reverse()) {
    const generated = generatedNotes.find(entry.title);
    yield { ...noteLine(notes, entry, roots), made: generated && portableGeneratedNote(generated) };
  }
}

/** Returns a function that adds the note of a line. */
function lineImporter(sql: Statements, places: ImportedPlaces): (json: unknown) => void {
  const notes = new Notes(sql);
  const generatedNotes = new GeneratedNotes(sql);
  return (json) => {
    const { title: name, text, createdAt, changedAt, citations, generated } = v.parse(exportedNote, json);
    const note = notes.add({
      title: noteTitle(name) || 'Note',
      text,
      createdAt,
      changedAt,
      citations: citations.map((citation) => readNoteCitation(citation, places)),
    });
    if (generated !== undefined)
      generatedNotes.keep(note.title, renumberOrigin(generated, places.documentIds));
  };
}

/** Adds the notes that the other notebook lacks, the oldest first. Notes with the same text are equal. */
function mergeNotes(origin: Statements, target: Statements, renumbering: Renumbering): AddedEntity[] {
  const [here, there] = [new Notes(origin), new Notes(target)];
  const [originNotes, targetNotes] = [new GeneratedNotes(origin), new GeneratedNotes(target)];
  return here
    .list()
    .reverse()
    .flatMap(({ title: name }) => {
      const { text, createdAt, changedAt, citations } = here.open(name);
      // A note whose title got a number is recognized by its creation time.
      const same = 'SELECT 1 FROM notes WHERE text = ? AND (title = ? OR created_at = ?)';
      if (target.get(same, text, name, createdAt) !== undefined) return [];
      const renumbered = citations.map(({ id, citation }) => ({
        id,
        citation: renumbering.citation(citation),
      }));
      const note = there.add({ title: name, text, createdAt, changedAt, citations: renumbered });
      const generated = originNotes.find(name);
      if (generated !== undefined) targetNotes.keep(note.title, renumbering.origin(generated));
      return [{ id: note.id, changedAt: note.changedAt }];
    });
}

/** Export, import, and merging of notes. */
export const portableNotes: PortableFeature = {
  field: 'notes',
  lines: { limits: { note: 20_000 }, exported: exportedLines, importer: lineImporter },
  merge: mergeNotes,
  unmerge(sql, added) {
    for (const { id, changedAt = null } of added)
      sql.run('DELETE FROM notes WHERE id = ? AND changed_at = ?', id, changedAt);
  },
  *asMarkdown(sql) {
    const notes = new Notes(sql);
    for (const { title: name } of notes.list()) {
      const { text, citations } = notes.open(name);
      yield { folder: 'Notes', title: name, text: noteAsMarkdown(text, citations) };
    }
  },
};
