import { plainWords } from '../../core/language/words/folding.ts';
import { roundRobin } from '../../core/domain/round-robin.ts';
import type { Heading } from '../../core/domain/document.ts';
import type { Span } from '../../core/language/span.ts';
import { isOfTheWhole } from '../../core/language/section-headings.ts';
import { isBeside } from '../../core/language/words/word-lists.ts';
import { comparedTermSet, languageOfText, termsIn } from '../../core/language/words/words.ts';
import type { PassagePlace } from '../../core/domain/passage.ts';
import type { Within } from '../store/sources/sources-api.ts';
import type { DocumentCache } from '../store/sources/document-cache.ts';
import type { DocumentStore, StoredPassage } from '../store/sources/document-store.ts';
import type { Row } from '../store/database/database.ts';
import type { Statements } from '../store/database/statements.ts';

/** Maximum number of documents in an overview. */
const MAX_DOCUMENTS = 24;
/** Maximum number of passages of a long document that are compared for its main content. */
const MAX_COMPARED_PASSAGES = 60;
/** Paths of documents that introduce the other ones, in files and on sites. */
const FIRST_PAGE = /(?:^|\/)(?:readme|index|overview|introduction|about|home)(?:\.\w+)?$|\/$/i;
/** Parameters of an overview. */
interface OverviewInput {
  /** Name of a source or document; '' for all. */
  readonly about: string;
  /** Maximum number of passages. */
  readonly limit: number;
  readonly within: Within | undefined;
}

/** Data that an overview reads. */
interface OverviewSources {
  readonly sql: Statements;
  readonly store: DocumentStore;
  readonly cache: DocumentCache;
}

/**
 * Returns the passages that best describe a notebook, a part of it, or the documents with a name. For each document,
 * starts with its beginning, then adds the beginnings of sections, then passages that share the most words with the
 * rest.
 */
export function overviewPlaces({ sql, store, cache }: OverviewSources, input: OverviewInput): PassagePlace[] {
  const documentIds = documentsFor(sql, input);
  const maxPerDocument = Math.ceil(input.limit / Math.max(1, documentIds.length));
  const telling = documentIds.map((id) => {
    const headings = cache.read(id, (document) => document.headings) ?? [];
    const readSpan = ({ start, end }: Span): string =>
      cache.read(id, (document) => document.slice(start, end)) ?? '';
    return tellingPassages({ passages: store.documentPassages(id), headings, readSpan }, maxPerDocument);
  });
  return roundRobin(telling)
    .slice(0, input.limit)
    .map(({ documentId, start, end }) => ({ documentId, span: { start, end } }));
}

/** Returns the first page of each source, then their other documents. */
function documentsFor(sql: Statements, { about, within }: OverviewInput): number[] {
  const rowsInScope = sql
    .all(
      `SELECT d.id, d.key, d.title, d.passages, d.source_id, s.title AS source_title
       FROM documents d JOIN sources s ON s.id = d.source_id
       WHERE d.passages > 0 ORDER BY s.read_at DESC, s.rowid DESC, d.id`,
    )
    .filter(isWithin(within));
  const named = about === '' ? rowsInScope : rowsInScope.filter((row) => goesBy(row, about));
  const rows = named.length > 0 ? named : rowsInScope.filter((row) => isNamedIn(row, about));
  const bySource = Map.groupBy(rows, (row) => String(row['source_id']));
  const ordered = [...bySource.values()].map((documents) =>
    documents.toSorted((a, b) => prominence(b) - prominence(a)).map((row) => Number(row['id'])),
  );
  return roundRobin(ordered).slice(0, MAX_DOCUMENTS);
}

function isWithin(scope: Within | undefined): (row: Row) => boolean {
  if (scope === undefined) return () => true;
  if (scope.kind === 'sources') return (row) => scope.sourceIds.includes(String(row['source_id']));
  const documentIds = new Set(scope.documentIds);
  return (row) => documentIds.has(Number(row['id']));
}

/** Reports whether a source or document has a name, with or without its file extension. */
function goesBy(row: Row, name: string): boolean {
  const bareName = bare(name);
  return bareName !== '' && listTitles(row).some((title) => bare(title) === bareName);
}

/**
 * Reports whether a title of a source or document contains all significant words of a name: "the post-mortem", "minutes
 * of March".
 */
function isNamedIn(row: Row, name: string): boolean {
  const language = languageOfText(name);
  const nameTerms = termsIn(name, language);
  return listTitles(row).some((title) => {
    const terms = new Set(termsIn(title, language));
    return nameTerms.length > 0 && nameTerms.every((term) => terms.has(term));
  });
}

function listTitles(row: Row): readonly string[] {
  return [String(row['source_title']), String(row['title']), String(row['key']).split('/').at(-1) ?? ''];
}

function bare(name: string): string {
  return plainWords(name.replace(/\.[a-z]\w{0,4}$/i, '')).join(' ');
}

/**
 * Weights of a document's prominence, each of which outweighs all later ones: being a first page ("README.md"), its
 * folder depth ("docs/a.md": 2), and the logarithm of its length.
 */
const PROMINENCE = { firstPage: 100, folder: 10, deepest: 9, longest: 9 };

/** Ranks first pages highest, then less nested documents, then longer ones. */
function prominence(row: Row): number {
  const key = String(row['key']);
  const depth = key.split('/').length;
  return (
    (FIRST_PAGE.test(key) ? PROMINENCE.firstPage : 0) -
    PROMINENCE.folder * Math.min(depth, PROMINENCE.deepest) +
    Math.min(PROMINENCE.longest, Math.log2(Number(row['passages'])))
  );
}

/** Document from which passages are chosen. */
interface Document {
  readonly passages: readonly StoredPassage[];
  readonly headings: readonly Heading[];
  readonly readSpan: (span: Span) => string;
}

function tellingPassages(
  { passages, headings, readSpan }: Document,
  limit: number,
): readonly StoredPassage[] {
  const sections = mainSections(headings).filter(({ title }) => !isBeside(title));
  const ofTheWhole = sections.filter(({ title }) => isOfTheWhole(title));
  const others = sections.filter((section) => !ofTheWhole.includes(section));
  const remainingCount = Math.max(0, limit - 1 - ofTheWhole.length);
  const beginnings = [...ofTheWhole, ...spread(others, remainingCount)].flatMap(({ offset }) => {
    const first = passages.find(({ end }) => end > offset);
    return first === undefined ? [] : [first];
  });
  const chosen = new Set([...passages.slice(0, 1), ...beginnings]);
  if (chosen.size < limit) for (const passage of mostCentral(passages, limit, readSpan)) chosen.add(passage);
  return [...chosen].slice(0, limit);
}

/** Returns the headings of the highest level with several headings. */
function mainSections(headings: readonly Heading[]): readonly Heading[] {
  const named = headings.filter(({ title }) => title.trim() !== '');
  for (const level of [...new Set(named.map((heading) => heading.level))].sort((a, b) => a - b)) {
    const sections = named.filter((heading) => heading.level === level);
    if (sections.length > 1) return sections;
  }
  return named;
}

/** Returns the passages with the most words that many passages of the document share. */
function mostCentral(
  passages: readonly StoredPassage[],
  limit: number,
  readSpan: (span: Span) => string,
): readonly StoredPassage[] {
  const texts = spread(passages, MAX_COMPARED_PASSAGES).map((passage) => ({
    passage,
    text: readSpan(passage),
  }));
  const language = languageOfText(texts.map(({ text }) => text).join('\n'));
  const compared = texts.map(({ passage, text }) => ({ passage, words: comparedTermSet(text, language) }));
  const holding = new Map<string, number>();
  for (const { words } of compared) for (const word of words) holding.set(word, (holding.get(word) ?? 0) + 1);
  const centrality = (words: ReadonlySet<string>): number =>
    [...words].reduce((sum, word) => sum + Math.log(holding.get(word) ?? 1), 0) / Math.sqrt(words.size + 1);
  return compared
    .toSorted((a, b) => centrality(b.words) - centrality(a.words))
    .slice(0, limit)
    .map(({ passage }) => passage);
}

/** Returns `count` items of a list, evenly spread. */
function spread<T>(list: readonly T[], count: number): readonly T[] {
  if (list.length <= count) return list;
  return list.filter(
    (_, i) => Math.floor((i * count) / list.length) !== Math.floor(((i - 1) * count) / list.length),
  );
}
