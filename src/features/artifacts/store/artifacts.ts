import { t } from '@vscode/l10n';
import type { Report, Handlers } from '../../../core/rpc/rpc.ts';
import type { Citation } from '../../../core/domain/answer.ts';
import { citationLink } from '../../../core/domain/citation-links.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { sanitizeWords } from '../../../core/domain/sanitize-markdown.ts';
import type { StoredCitation } from '../../../core/domain/note.ts';
import { citationId } from '../../../core/domain/note-markdown.ts';
import {
  type DocumentPlace,
  type DocumentVersion,
  type MapArtifactKind,
  type NoteArtifactKind,
  type ArtifactMap,
  type ArtifactScope,
  type ArtifactKind,
} from '../../../core/domain/artifact.ts';
import { artifactLabels } from '../model/names.ts';
import type { ArtifactGenerator, SheetPiece } from '../model/sheet.ts';
import type { GeneratorDocument } from '../model/generator-document.ts';
import { mapGenerators, noteGenerators } from '../model/generators.ts';
import type { Row } from '../../../index/store/database/database.ts';
import type { DocumentStore } from '../../../index/store/sources/document-store.ts';
import { IN_SCOPE, differences, documentVersions, HASH_LENGTH, MAX_DOCUMENTS } from './document-versions.ts';
import { storedOrigin, LOST_ORIGIN, readJson } from '../../../index/store/database/stored-json.ts';
import { GeneratedNotes } from '../../notes/store/generated-notes.ts';
import { Notes } from '../../notes/store/notes.ts';
import type { Statements } from '../../../index/store/database/statements.ts';
import type { CitedDocuments } from '../../../index/documents/cited-documents.ts';
import { citedTitle } from '../../../index/documents/citing.ts';
import { pausing } from '../../../core/rpc/pausing.ts';
import type { GeneratedNoteState, ArtifactApi, GenerationProgress, WrittenNote } from './artifacts-api.ts';

/** Maximum number of documents whose parts are cached. */
const MAX_PARTS = 300;
/** Maximum number of sources named at the start of a note. */
const MAX_NAMED_SOURCES = 20;
const MAX_LABEL_LENGTH = 60;

/** Document that an artifact can use. */
export interface Listed extends DocumentVersion {
  readonly title: string;
  readonly sourceId: string;
  readonly sourceTitle: string;
  readonly readAt: number;
}

/** Cancellation and progress of a request. */
export interface Asking {
  readonly signal: AbortSignal;
  readonly report: Report<GenerationProgress>;
}

/** Generator of artifacts from a notebook's documents. It yields to other requests while it works. */
export class Artifacts {
  readonly generatedNotes: GeneratedNotes;
  readonly #sql: Statements;
  readonly #notes: Notes;
  readonly #documents: DocumentStore;
  readonly #cited: CitedDocuments;
  /** Cached parts by artifact kind and document, the latest used last. */
  readonly #parts = new Map<
    string,
    { readonly hash: string; readonly title: string; readonly part: unknown }
  >();

  constructor(sql: Statements, documents: DocumentStore, cited: CitedDocuments) {
    this.generatedNotes = new GeneratedNotes(sql);
    this.#sql = sql;
    this.#notes = new Notes(sql);
    this.#documents = documents;
    this.#cited = cited;
  }

  /** @throws NotebookError `empty` */
  async write(
    {
      artifact,
      before,
      ...scope
    }: ArtifactScope & { readonly artifact: NoteArtifactKind; readonly before?: string },
    asking: Asking,
  ): Promise<WrittenNote> {
    const { whole, listed, left } = await this.#make(artifact, noteGenerators[artifact], scope, asking);
    const { pieces, count, omitted } = whole;
    if (count === 0) throw new NotebookError('empty', artifactLabels(artifact).empty);
    const known = before === undefined ? [] : this.#notes.open(before).citations;
    const { text, citations } = await this.#withCitations(pieces, listed.length > 1, known, asking.signal);
    const { name } = artifactLabels(artifact);
    const sources = sourcesLine(listed, omitted + left);
    return {
      text:
        artifact === 'slides'
          ? `${text}\n---\n\n## ${t('Sources')}\n\n${sources}\n`
          : `# ${name}\n\n${sources}\n\n${text.trimEnd()}\n`,
      citations,
      documents: listed.map(toVersion),
      omitted: omitted + left,
    };
  }

  /** @throws NotebookError `empty` */
  async map(
    { artifact, ...scope }: ArtifactScope & { readonly artifact: MapArtifactKind },
    asking: Asking,
  ): Promise<ArtifactMap> {
    const { whole, listed, left } = await this.#make(artifact, mapGenerators[artifact], scope, asking);
    if (whole.nodes.length === 0) throw new NotebookError('empty', artifactLabels(artifact).empty);
    return { nodes: whole.nodes, omitted: whole.omitted + left, documents: listed.map(toVersion) };
  }

  /** Returns data that a generator finds in a scope, each entry with its citation. @throws NotebookError `empty` */
  async find<Found extends { readonly place: DocumentPlace }>(
    kind: ArtifactKind,
    generator: ArtifactGenerator<readonly Found[]>,
    scope: ArtifactScope,
    asking: Asking,
  ): Promise<{
    found: readonly (Found & { readonly citation: Citation })[];
    documents: readonly DocumentVersion[];
  }> {
    const { whole, listed } = await this.#make(kind, generator, scope, asking);
    const pause = pausing(asking.signal);
    const entries: (Found & { readonly citation: Citation })[] = [];
    for (const entry of whole) {
      await pause();
      entries.push({ ...entry, citation: this.#cite(entry.place) });
    }
    return { found: entries, documents: listed.map(toVersion) };
  }

  /** Returns the current versions of the documents in a scope. */
  currentVersions(scope: ArtifactScope): DocumentVersion[] {
    return documentVersions(this.#sql, scope);
  }

  /** Returns all generated notes, each with its drift from the sources. */
  generatedNoteStates(): GeneratedNoteState[] {
    const difference = differences(this.#sql);
    return this.generatedNotes.list().map(({ title, sourceIds, documents, generatedAt, ...record }) => ({
      ...{ title, sourceIds, generatedAt },
      name: record.kind === 'template' ? record.template.title : artifactLabels(record.kind).name,
      template: record.kind === 'template' ? record.template : undefined,
      difference: difference({ sourceIds, documents }),
    }));
  }

  /** Returns the documents of an artifact, and the number of those that don't fit. @throws NotebookError `empty` */
  listDocuments(scope: ArtifactScope): { readonly listed: readonly Listed[]; readonly left: number } {
    const allDocuments = this.#list(scope);
    if (allDocuments.length === 0)
      throw new NotebookError('empty', t('There are no sources to generate from yet. Add sources first.'), {
        action: 'addSources',
      });
    const listed = allDocuments.slice(0, MAX_DOCUMENTS);
    return { listed, left: allDocuments.length - listed.length };
  }

  /** Returns the documents in a scope, in the order of their sources. */
  #list({ sourceIds }: ArtifactScope): Listed[] {
    return this.#sql
      .all(
        `SELECT d.id, d.hash, d.key, d.title, d.read_at, d.source_id, s.title AS source_title, s.origin
         FROM documents d JOIN sources s ON s.id = d.source_id
         WHERE ${IN_SCOPE} ORDER BY s.added_at, s.rowid, d.key`,
        sourceIds === undefined ? null : JSON.stringify(sourceIds),
      )
      .map(toListed);
  }

  async #make<Whole>(
    kind: ArtifactKind,
    { part, pieces, whole }: ArtifactGenerator<Whole>,
    scope: ArtifactScope,
    { signal, report }: Asking,
  ): Promise<{ whole: Whole; listed: readonly Listed[]; left: number }> {
    const { listed, left } = this.listDocuments(scope);
    const pause = pausing(signal);
    const parts: unknown[] = [];
    for (const [done, one] of listed.entries()) {
      const breathe = (): Promise<void> => pause(() => report({ done, total: listed.length }));
      await breathe();
      parts.push(await this.#makePart(kind, one, { part, pieces, breathe }));
    }
    return { whole: whole(parts), listed, left };
  }

  /**
   * Returns a document's part, which is generated again only if the document changed. Yields to other requests between
   * pieces.
   */
  async #makePart(
    kind: ArtifactKind,
    { documentId, hash, title }: Listed,
    {
      part: make,
      pieces,
      breathe,
    }: Pick<ArtifactGenerator<unknown>, 'part' | 'pieces'> & { readonly breathe: () => Promise<void> },
  ): Promise<unknown> {
    const key = `${kind} ${String(documentId)}`;
    const known = this.#parts.get(key);
    this.#parts.delete(key);
    let part: unknown;
    if (known?.hash === hash && known.title === title) ({ part } = known);
    else if (pieces === undefined) part = make(this.document({ documentId, title }));
    else {
      const entries: unknown[] = [];
      for (const piece of pieces(this.document({ documentId, title }))) {
        for (const entry of piece) entries.push(entry);
        await breathe();
      }
      part = entries;
    }
    this.#parts.set(key, { hash, title, part });
    for (const oldest of this.#parts.keys()) {
      if (this.#parts.size <= MAX_PARTS) break;
      this.#parts.delete(oldest);
    }
    return part;
  }

  /** Returns a document; an empty one if it can't be read, which its entry in the source list reports. */
  document({ documentId, title }: Pick<Listed, 'documentId' | 'title'>): GeneratorDocument {
    const nothing: GeneratorDocument = { documentId, title, text: '', format: 'prose', headings: [] };
    try {
      const stored = this.#documents.document(documentId);
      if (stored === undefined) return nothing;
      const { text, format, headings } = stored;
      return { documentId, title, text, format, headings };
    } catch (error) {
      if (error instanceof NotebookError && error.code === 'damaged') return nothing;
      throw error;
    }
  }

  /** Returns the pieces as Markdown, with cited words as links. Citations that the note already has stay. */
  async #withCitations(
    pieces: readonly SheetPiece[],
    areSeveral: boolean,
    before: readonly StoredCitation[],
    signal: AbortSignal,
  ): Promise<{ text: string; citations: readonly StoredCitation[] }> {
    const pause = pausing(signal);
    const known = new Map(before.map((stored) => [wordsOfCitation(stored.citation), stored]));
    const citations = new Map<string, StoredCitation>();
    let text = '';
    for (const piece of pieces) {
      if (typeof piece === 'string') {
        text += piece;
        continue;
      }
      await pause();
      const citation = this.#cite(piece);
      const stored = known.get(wordsOfCitation(citation)) ?? { id: citationId(citation), citation };
      citations.set(stored.id, stored);
      const gap = /[\])]$/.test(text) ? ' ' : '';
      text += gap + citationLink(citationLabel(stored.citation, areSeveral), stored.id, stored.citation);
    }
    return { text, citations: [...citations.values()] };
  }

  #cite({ documentId, start, end }: DocumentPlace): Citation {
    const span = { start, end };
    const quote = this.#cited.document(documentId).text.slice(start, end);
    const [citation] = this.#cited.cite([{ number: 1, documentId, passage: span, span, quote }]);
    if (citation === undefined) throw new Error('A document that was read just now can’t be cited.');
    return citation;
  }
}

/** Citations are equal if their document, location, and quote are. */
function wordsOfCitation({ documentId, place, quote }: Citation): string {
  return [String(documentId), place, quote].join('\n');
}

/** Returns the text of a link in a note: the location, with the document's title if there are several documents. */
function citationLabel({ title, place }: Citation, areSeveral: boolean): string {
  const label = areSeveral || place === '' ? [title, place].filter((part) => part !== '').join(', ') : place;
  const plain = label
    .replaceAll(/[[\]\\`*_<>|]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return (
    sanitizeWords(
      plain.length > MAX_LABEL_LENGTH ? `${plain.slice(0, MAX_LABEL_LENGTH).toWellFormed()}…` : plain,
    ) || '…'
  );
}

/** Formats the sources of an artifact, their versions, and the number of omitted entries. */
export function sourcesLine(listed: readonly Listed[], omitted: number): string {
  const sources = new Map<string, { title: string; readAt: number }>();
  for (const { sourceId, sourceTitle, readAt } of listed) {
    const latest = Math.max(readAt, sources.get(sourceId)?.readAt ?? 0);
    sources.set(sourceId, { title: sourceTitle, readAt: latest });
  }
  const named = [...sources.values()]
    .slice(0, MAX_NAMED_SOURCES)
    .map(({ title, readAt }) => `${sanitizeWords(title)} (${new Date(readAt).toISOString().slice(0, 10)})`);
  const further = sources.size - named.length;
  return [
    t('Sources: {0}.', [...named, ...(further > 0 ? [t('{0} more', further)] : [])].join(', ')),
    ...(omitted > 0 ? [t('Entries not shown: {0}.', omitted)] : []),
  ].join(' ');
}

function toVersion({ documentId, hash }: Listed): DocumentVersion {
  return { documentId, hash };
}

function toListed(row: Row): Listed {
  const source = {
    title: String(row['source_title']),
    origin: readJson(storedOrigin, row['origin'], LOST_ORIGIN),
  };
  return {
    documentId: Number(row['id']),
    hash: String(row['hash']).slice(0, HASH_LENGTH),
    title: citedTitle({ key: String(row['key']), title: String(row['title']) }, source),
    sourceId: String(row['source_id']),
    sourceTitle: source.title,
    readAt: Number(row['read_at']),
  };
}

/** Returns the index worker's handlers for artifacts of the open notebook. */
export function artifactHandlers(notebook: () => { readonly artifacts: Artifacts }): Handlers<ArtifactApi> {
  return {
    writeArtifact: (params, context) => notebook().artifacts.write(params, context),
    mapArtifact: (params, context) => notebook().artifacts.map(params, context),
    currentVersions: (scope) => notebook().artifacts.currentVersions(scope),
    saveGeneratedNote: ({ title, generated }) => notebook().artifacts.generatedNotes.keep(title, generated),
    generatedNote: ({ title }) => notebook().artifacts.generatedNotes.find(title),
    generatedNotes: () => notebook().artifacts.generatedNoteStates(),
  };
}
