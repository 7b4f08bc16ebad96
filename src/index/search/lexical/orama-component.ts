import { create, type AnyIndexStore, type IDocumentsStore, type IIndex, type Orama } from '@orama/orama';
import { languageByTag } from '../../../core/language/words/languages.ts';
import type { Ranking } from '../../../core/language/words/bm25.ts';
import { HIGHEST_SLOT } from './posting-reader.ts';
import type { PassageTable } from './passage-table.ts';
import type { Postings } from './postings.ts';
import type { WordTokenizer } from '../../../core/language/words/tokenizer.ts';

/** Orama's index store: our postings, and the table that filters by source. */
interface PassageStore extends AnyIndexStore {
  readonly postings: Postings;
  readonly table: PassageTable;
}

const SCHEMA = { terms: 'string', source: 'enum' } as const;

/** Passage for Orama. `id` is its slot in the postings. */
export interface OramaPassage {
  readonly id: string;
  readonly row: number;
  readonly terms: string;
  readonly source: string;
}

export type PassageDatabase = Orama<typeof SCHEMA, IIndex<PassageStore>, IDocumentsStore<PassageTable>>;

/** Parts of an index, on which Orama's components work. */
export interface IndexParts {
  readonly tokenizer: WordTokenizer;
  readonly postings: Postings;
  readonly table: PassageTable;
  /**
   * Returns a function that reports whether one of some slots has a passage of prose; `undefined` if the question may
   * ask for code.
   */
  readonly proseTest: (question: string) => ((slots: Iterable<number>) => boolean) | undefined;
}

/**
 * Creates an Orama database on these parts. Orama's own index expands each word to all words with that prefix, and
 * ranks by a share of the text. Ours finds exact terms and ranks by BM25. It doesn't store texts.
 */
export function createDatabase(parts: IndexParts): PassageDatabase {
  const database: PassageDatabase = create({
    schema: SCHEMA,
    sort: { enabled: false },
    components: {
      tokenizer: parts.tokenizer,
      index: indexComponent(parts),
      documentsStore: documentsComponent(parts.table),
    },
  });
  database.internalDocumentIDStore.idToInternalId = new NumbersById();
  database.internalDocumentIDStore.internalIdToId = listIds();
  return database;
}

/** Internal numbers of Orama's passages, which are their IDs here. Orama would save two entries per passage. */
class NumbersById extends Map<string, number> {
  override get(id: string): number {
    return Number(id);
  }
}

/** Returns a list of all IDs by their internal numbers, without saving them. */
function listIds(): string[] {
  return new Proxy<string[]>([], {
    get: (ids, key) => {
      if (key === 'length') return HIGHEST_SLOT;
      const index = typeof key === 'string' ? Number(key) : NaN;
      return Number.isInteger(index) ? String(index + 1) : (Reflect.get(ids, key) as unknown);
    },
  });
}

/** Parameters of a search, which Orama passes on to its index. */
export interface Relevance extends Ranking {
  /** Ignored; part of Orama's type. */
  readonly d: number;
  /** Maximum number of hits. */
  readonly limit: number;
}

/** Filters of a search: passages of these sources, in these rows, and with the words of all these phrases. */
export interface Filters {
  readonly source?: { in: string[] };
  readonly rows?: ReadonlySet<number>;
  readonly terms?: string[];
}

/** Set of slots that tests each slot with a function instead of listing them, with the terms of the phrases. */
class AcceptedSlots extends Set<number> {
  readonly #accepts: (slot: number) => boolean;
  readonly terms: readonly string[];

  constructor(accepts: (slot: number) => boolean, terms: readonly string[]) {
    super();
    this.#accepts = accepts;
    this.terms = terms;
  }

  override has(slot: number): boolean {
    return this.#accepts(slot);
  }
}

function indexComponent({ tokenizer: words, postings, table, proseTest }: IndexParts): IIndex<PassageStore> {
  const store: PassageStore = { vectorIndexes: {}, postings, table };
  return {
    create: () => store,
    insert(_component, _store, property, _id, slot, value, _type, language) {
      if (property === 'terms')
        postings.add(
          slot,
          words.numbersOfPassage(value as string, postings.vocabulary, languageByTag(language)),
        );
      else table.setSource(slot, value as string);
    },
    remove: (_component, _store, property, _id, slot) => property !== 'terms' || postings.remove(slot),
    search(
      _store,
      question,
      _tokenizer,
      _language,
      _properties,
      _exact,
      _tolerance,
      _boost,
      relevance,
      _count,
      where,
    ) {
      const accepts = where && ((slot: number): boolean => where.has(slot));
      const terms = postings.foundTerms(words.questionWords(question), words, proseTest(question));
      const required = where instanceof AcceptedSlots ? where.terms : [];
      return postings.search([...new Set([...terms.keys(), ...required])], relevance, accepts, terms);
    },
    searchByWhereClause(_store, _tokenizer, filters) {
      const { source, rows, terms: phrases = [] } = filters as Filters;
      const needed = phrases.flatMap((phrase) => words.termsOfPhrase(phrase));
      const isHolding = postings.holding(needed);
      const isOfSource = source === undefined ? () => true : table.ofSources(source.in);
      const isOfRows = rows === undefined ? () => true : (slot: number) => rows.has(table.rowIn(slot) ?? 0);
      return new AcceptedSlots(
        (slot) => isOfSource(slot) && isOfRows(slot) && isHolding(slot),
        needed.flatMap(({ anyOf }) => anyOf),
      );
    },
    getSearchableProperties: () => Object.keys(SCHEMA),
    getSearchablePropertiesWithTypes: () => SCHEMA,
    load: () => store,
    save: notSupported,
    insertDocumentScoreParameters: notSupported,
    insertTokenScoreParameters: notSupported,
    removeDocumentScoreParameters: notSupported,
    removeTokenScoreParameters: notSupported,
    calculateResultScores: notSupported,
  };
}

function documentsComponent(table: PassageTable): IDocumentsStore<PassageTable> {
  const get = (
    _store: PassageTable,
    slot: string | number,
  ): Pick<OramaPassage, 'row' | 'terms' | 'source'> | undefined => {
    const row = table.rowIn(Number(slot));
    // Orama removes a passage's schema properties from the index.
    return row === undefined ? undefined : { row, terms: '', source: '' };
  };
  return {
    create: () => table,
    get,
    getMultiple: (store, slots) => slots.map((slot) => get(store, slot)),
    getAll: notSupported,
    store(_store, _id, slot, passage) {
      if (table.rowIn(slot) !== undefined) return false;
      table.setRow(slot, (passage as OramaPassage).row);
      return true;
    },
    remove: (_store, _id, slot) => table.remove(slot),
    count: () => table.size,
    load: () => table,
    save: notSupported,
  };
}

/** Throws for Orama functions that only its own index needs, or that snapshots replace here. */
function notSupported(): never {
  throw new Error('This index neither lists its passages nor saves itself through Orama.');
}
