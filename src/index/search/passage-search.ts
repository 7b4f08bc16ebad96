import type { CallContext, Handlers } from '../../core/rpc/rpc.ts';
import type {
  FoundPassage,
  FoundPlace,
  Gathered,
  PassagePlace,
  PlaceSignals,
} from '../../core/domain/passage.ts';
import { estimateTokens } from '../../core/language/tokens.ts';
import { overviewPlaces } from './overview.ts';
import type { AcceptedSearch, IncompleteSearch, SearchApi, SearchLine } from './search-api.ts';
import type { Within } from '../store/sources/sources-api.ts';
import type { QuestionVector } from './vectors/embeddings-api.ts';
import type { DocumentCache } from '../store/sources/document-cache.ts';
import { holds, Narrowing, type NarrowingSource, type ScoredPassage } from './narrowing.ts';
import type { Hit, PassageFilter, PassageIndex } from './lexical/passage-index.ts';
import type { NearPassage, PassageVectors } from './vectors/passage-vectors.ts';
import { quotedPhrases, type Phrase } from './phrases.ts';
import { MAX_HITS } from './lexical/postings.ts';
import type { Statements } from '../store/database/statements.ts';
import { findNamedDocuments, type NamedDocuments } from './lexical/named-documents.ts';
import { NAMED_WEIGHTS } from './lexical/named-weights.ts';
import { TableRanking, yearsIn, type TableSource } from './table-ranking.ts';
import { PlaceRanking, type PlaceQuery, type PlaceSource } from './place-ranking.ts';
import { PLACE_WEIGHTS } from './place-weights.ts';
import { mayAskForCode } from '../../core/language/code-questions.ts';
import type { StoredPassage } from '../store/sources/document-store.ts';
import type { Store } from '../store/store.ts';
import { headingSpansIn } from '../documents/heading-lines.ts';
import { overlap, type Span } from '../../core/language/span.ts';
import { fuse } from './vectors/fusion.ts';
import { addSignals, fuseSignals, type RankedHit } from './signals.ts';

/** Minimum number of passages that are searched for the best sentences. */
const PASSAGES_NARROWED = 20;

/** Number of passages from keyword search, and from semantic search, that are combined into one ranking. */
const PASSAGES_FUSED = 100;

/**
 * Minimum similarity for a passage without a word of the question, in standard deviations above that between the
 * notebook's passages. An example is "How do I stop a car?" for a passage on brakes. Without a minimum, every question
 * would have a closest passage. No data supports the value, as users bring their own embedding models.
 */
const MIN_Z_SCORE = 1.25;

/** Maximum number of passages with a phrase's words that are checked for the phrase itself. */
const MAX_CHECKED_PASSAGES = 100;

/** Number of passages that are searched for excerpts, after code has been ranked lower. */
const PASSAGES_PLACED = 80;

/** A word in more passages isn't looked up as a name. */
const MAX_PASSAGES_OF_NAME = 5_000;

/**
 * Lower bound of tokens per passage, and upper bound of characters per token, to check quickly whether everything fits.
 */
const MIN_PASSAGE_TOKENS = 20;
const MAX_TOKEN_LENGTH = 6;

/** Question, and maximum number of windows. */
interface Search {
  readonly question: string;
  readonly limit: number;
  /** If set, also uses semantic search. */
  readonly vector: QuestionVector | undefined;
  /** If set, limits the search. */
  readonly within?: Within | undefined;
  /** Leaves out passages that touch this place before comparing the others with the best one. */
  readonly without?: PassagePlace | undefined;
}

/** Searches for one question, and maximum number of tokens (see `estimateTokens`) of the passages. */
interface Gathering {
  readonly searches: readonly SearchLine[];
  readonly tokens: number;
  /** If set, limits the search. */
  readonly within?: Within | undefined;
}

/** Questions of a search, its scope, and a function for a search of an incomplete index. */
interface SearchQuestions {
  readonly questions: readonly string[];
  readonly within: Within | undefined;
  readonly onIncomplete: (() => void) | undefined;
}

/** Question for which places are ranked. */
interface PlaceSearch extends SearchLine {
  /** If set, limits the search. */
  readonly within?: Within | undefined;
}

interface RankedPassage extends StoredPassage {
  readonly passageId: number;
  readonly score: number;
  readonly signals?: PlaceSignals;
}

interface SearchResult {
  readonly found: FoundPassage[];
  readonly isBehind: boolean;
}

/** Index of a notebook's passages that follows the store. */
interface FollowedIndex {
  readonly index: PassageIndex;
  catchUp(): Promise<void>;
  /** Resolves once the index is complete. */
  rebuilt(): Promise<void>;
  /** Indexes documents with words of some questions first. Returns `false` if such documents may still be missing. */
  prioritize(questions: readonly string[], scope: Within | undefined): Promise<boolean>;
  /** Marks unreadable documents as damaged. */
  noteDamaged(): void;
}

/** Search that finds the sentences that best answer a question. */
export class PassageSearch {
  readonly #sql: Statements;
  readonly #store: Store;
  #prose: { readonly revision: number; readonly count: number } | undefined;
  readonly #documents: DocumentCache;
  readonly #vectors: PassageVectors;
  readonly #followed: FollowedIndex;
  readonly #passageSize: () => number;
  #questions = 0;
  #lastQuestionTime: number | undefined;
  readonly #narrowing = new Narrowing();
  readonly #places = new PlaceRanking();
  readonly #tables = new TableRanking();

  /** `passageSize` is the maximum length of a passage, in UTF-16 code units. */
  constructor(
    sql: Statements,
    store: Store,
    documents: DocumentCache,
    vectors: PassageVectors,
    followed: FollowedIndex,
    passageSize: () => number,
  ) {
    this.#followed = followed;
    this.#passageSize = passageSize;
    this.#sql = sql;
    this.#store = store;
    this.#documents = documents;
    this.#vectors = vectors;
  }

  /**
   * Returns at most `limit` windows of the sentences that best answer a question, best first. With the question's
   * vector, also uses semantic search. `within` limits the search, and `without` leaves out a place. See `#ask` for
   * `onIncomplete`.
   */
  async search(
    question: string,
    limit: number,
    vector?: QuestionVector,
    scope?: Within,
    without?: PassagePlace,
    onIncomplete?: () => void,
  ): Promise<FoundPassage[]> {
    const part = this.#store.documents.resolvePaths(scope);
    const search = { question, limit, vector, within: part, without };
    const request = { questions: [question], within: part, onIncomplete };
    const { found } = await this.#ask(request, (index) => this.#search(index, search));
    return found;
  }

  /**
   * Returns whole passages for all searches together, best first, by the sum of their scores. Returns all passages in
   * document order if they fit the tokens. See `#ask` for `onIncomplete`.
   */
  async gather(gathering: Gathering, onIncomplete?: () => void): Promise<Gathered> {
    const scope = this.#store.documents.resolvePaths(gathering.within);
    const questions = gathering.searches.map(({ words }) => words);
    const { passages, isAll } = await this.#ask({ questions, within: scope, onIncomplete }, (index) =>
      this.#gather(index, { ...gathering, within: scope }),
    );
    return { passages, isAll };
  }

  /**
   * Returns the most relevant places for a question, best first, without overlap. See `#ask` for `onIncomplete`.
   */
  async places(search: PlaceSearch, onIncomplete?: () => void): Promise<FoundPlace[]> {
    const scope = this.#store.documents.resolvePaths(search.within);
    const request = { questions: [search.words], within: scope, onIncomplete };
    const { places } = await this.#ask(request, (index) =>
      this.#rankPlaces(index, { ...search, within: scope }),
    );
    return places;
  }

  /** Returns the number of questions so far, and the duration of the last one in milliseconds. */
  get statistics(): { readonly questions: number; readonly lastQuestionTime: number | undefined } {
    return { questions: this.#questions, lastQuestionTime: this.#lastQuestionTime };
  }

  /**
   * Repeats a search if the index turns out to be behind the store. If the index is being rebuilt, waits for its end.
   * With `onIncomplete`, indexes only documents with words of the questions first, and calls it if others may be missing.
   */
  async #ask<T extends { readonly isBehind: boolean }>(
    { questions, within, onIncomplete }: SearchQuestions,
    search: (index: PassageIndex) => Promise<T>,
  ): Promise<T> {
    const started = performance.now();
    if (onIncomplete === undefined) await this.#followed.rebuilt();
    else if (!(await this.#followed.prioritize(questions, within))) onIncomplete();
    let answer = await search(this.#followed.index);
    if (answer.isBehind) {
      await this.#followed.catchUp();
      answer = await search(this.#followed.index);
    }
    this.#followed.noteDamaged();
    this.#questions++;
    this.#lastQuestionTime = performance.now() - started;
    return answer;
  }

  /**
   * Searches the index. The index is behind if the store lacks passages that it found, because they were just removed
   * or split again, perhaps by another window.
   */
  async #search(index: PassageIndex, search: Search): Promise<SearchResult> {
    const phrases = quotedPhrases(search.question);
    if (phrases.length > 0) {
      const quoted = await this.#searchPhrases(index, search, phrases);
      if (quoted.found.length > 0 || quoted.isBehind) return quoted;
    }
    const { question, limit, vector, within, without } = search;
    const filter = this.#makeFilter(within);
    const candidateCount = Math.max(limit, PASSAGES_NARROWED);
    const near = vector === undefined ? [] : this.#vectors.search(vector, PASSAGES_FUSED, within);
    const best = await index.search(question, {
      limit:
        yearsIn(question).length > 0
          ? MAX_HITS
          : Math.max(candidateCount, near.length > 0 ? PASSAGES_FUSED : 0),
      ...filter,
    });
    const weights = index.weighTerms(question);
    return this.#sql.reading(() => {
      const byWords = this.#rankTables(best, question, weights);
      const hits =
        near.length > 0 ? fuseHits(byWords, near, candidateCount) : byWords.slice(0, candidateCount);
      const ranked = this.#readPassages(hits);
      const passages =
        without === undefined ? ranked : ranked.filter((passage) => !touches(passage, without));
      const windows = this.#narrowing.narrow(
        passages,
        weights,
        (documentId, span) => this.#sourceAt(documentId, span),
        { size: this.#passageSize(), limit, byPassage: near.length > 0, years: yearsIn(question) },
      );
      const nearness = new Map(near.map((hit) => [hit.id, hit]));
      const foundPassages = this.#found(windows, passages).map((passage) =>
        withNearness(passage, nearness.get(passage.passageId)),
      );
      return { found: foundPassages, isBehind: ranked.length < hits.length };
    });
  }

  async #gather(
    index: PassageIndex,
    { searches, tokens, within }: Gathering,
  ): Promise<Gathered & { readonly isBehind: boolean }> {
    const allPassages = this.#sql.reading(() => this.#findAll(tokens, within));
    if (allPassages !== undefined) return { passages: allPassages, isAll: true, isBehind: false };
    const filter = this.#makeFilter(within);
    const sums = new Map<number, RankedHit>();
    for (const { words, vector } of searches) {
      const best = await this.#searchNamed(index, words, filter, this.#findNamed(index, words));
      const hits = this.#sql.reading(() => {
        const byWords = this.#rankTables(this.#demoteCode(best, words), words, index.weighTerms(words));
        if (vector === undefined) return byWords;
        const near = this.#vectors.search(vector, PASSAGES_FUSED, within);
        return near.length > 0 ? fuseHits(byWords, near, MAX_HITS) : byWords;
      });
      for (const hit of hits) {
        const sum = sums.get(hit.id);
        sums.set(
          hit.id,
          sum === undefined
            ? hit
            : { ...hit, score: sum.score + hit.score, signals: addSignals(sum.signals, hit.signals) },
        );
      }
    }
    const quoted = await this.#holdingPhrases(index, searches, filter);
    return this.#sql.reading(() => {
      const ranked = [...sums.values()].toSorted(
        (a, b) => Number(quoted.has(b.id)) - Number(quoted.has(a.id)) || b.score - a.score || a.id - b.id,
      );
      const passages: FoundPassage[] = [];
      const texts = new Set<string>();
      let remainingTokens = tokens;
      for (const hit of ranked) {
        if (remainingTokens <= 0) break;
        const ranked = this.#readPassages([quoted.has(hit.id) ? quotedHit(hit) : hit]);
        // Passages that were just removed or split again are found once the index has caught up.
        if (ranked.length === 0) return { passages: [], isAll: false, isBehind: true };
        for (const passage of this.#found(ranked, ranked)) {
          // The same file may be in the notebook both alone and in a folder.
          if (texts.has(passage.text)) continue;
          texts.add(passage.text);
          remainingTokens -= estimateTokens(passage.text);
          if (remainingTokens >= 0 || passages.length === 0) passages.push(passage);
        }
      }
      return { passages, isAll: false, isBehind: false };
    });
  }

  async #rankPlaces(
    index: PassageIndex,
    { words, vector, within }: PlaceSearch,
  ): Promise<{ readonly places: FoundPlace[]; readonly isBehind: boolean }> {
    const filter = this.#makeFilter(within);
    const holding = await this.#holdingPhrases(index, [{ words }], filter);
    const limited = holding.size > 0 ? { passageIds: holding } : filter;
    const named = this.#findNamed(index, words);
    const namedHits = await this.#searchNamed(index, words, limited, named);
    const { weights, shares } = weighTermsBesideNames(index, words, named);
    return this.#sql.reading(() => {
      const ranked = this.#rankTables(this.#demoteCode(namedHits, words), words, weights);
      const hits = this.#selectCandidates(ranked, words);
      const near =
        vector === undefined || holding.size > 0 ? [] : this.#vectors.search(vector, PASSAGES_FUSED, within);
      const known = new Set(hits.map(({ id }) => id));
      const unspoken = near.filter(({ id, zScore = Infinity }) => !known.has(id) && zScore >= MIN_Z_SCORE);
      const allHits: readonly Hit[] = [...hits, ...unspoken];
      const passages = this.#readPassages(allHits);
      const excerpts = this.#places.rank(
        passages,
        {
          question: words,
          years: yearsIn(words),
          weights,
          shares,
          mayAskForCode: mayAskForCode(words),
          named: named?.documentIds,
        },
        near,
        (id) => this.#placeSource(id),
      );
      const nearness = new Map(near.map((hit) => [hit.id, hit]));
      const places = excerpts.flatMap(({ section, marks, headings, ...window }) =>
        this.#foundPassage(holding.size > 0 ? quotedHit(window) : window, headings).map((foundPassage) => ({
          passage: withNearness(foundPassage, nearness.get(foundPassage.passageId)),
          section,
          marks,
        })),
      );
      return { places, isBehind: passages.length < allHits.length };
    });
  }

  /** Counts the passages of prose again when a document was changed, because that reads an entry of each document. */
  #countProse(): number {
    const revision = this.#store.revision();
    if (this.#prose?.revision !== revision)
      this.#prose = { revision, count: this.#store.documents.countProse() };
    return this.#prose.count;
  }

  /** Returns the documents that a question in prose names; names in a question about code are names in code. */
  #findNamed(index: PassageIndex, question: string): NamedDocuments | undefined {
    if (mayAskForCode(question)) return undefined;
    const { documents } = this.#store;
    return this.#sql.reading(() =>
      findNamedDocuments(question, {
        count: (name) => documents.countByDocument(index.passagesHolding(name, MAX_PASSAGES_OF_NAME)),
        countAll: () => this.#countProse(),
      }),
    );
  }

  /** Finds passages, best first; if documents are named, their passages by the rest of the question, and others lower. */
  async #searchNamed(
    index: PassageIndex,
    question: string,
    filter: PassageFilter,
    named: NamedDocuments | undefined,
  ): Promise<readonly Hit[]> {
    const hits = await index.search(question, { limit: MAX_HITS, ...filter });
    if (named === undefined) return hits;
    const documentIds = [...named.documentIds];
    const ofNamed = this.#store.documents.passageIds({ kind: 'documents', documentIds });
    const ids = filter.passageIds;
    const within = ids === undefined ? ofNamed : new Set([...ofNamed].filter((id) => ids.has(id)));
    const scores = new Map(
      hits.map(({ id, score }) => [
        id,
        score * (ofNamed.has(id) ? NAMED_WEIGHTS.names : NAMED_WEIGHTS.others),
      ]),
    );
    for (const { id, score } of await index.search(named.rest, {
      limit: MAX_HITS,
      ...filter,
      passageIds: within,
    }))
      scores.set(id, (scores.get(id) ?? NAMED_WEIGHTS.names * score) + (1 - NAMED_WEIGHTS.names) * score);
    return Array.from(scores, ([id, score]) => ({ id, score }))
      .toSorted((a, b) => b.score - a.score || a.id - b.id)
      .slice(0, MAX_HITS);
  }

  /** Returns the hits, best first, with lower scores for code if the question is in prose. */
  #demoteCode(hits: readonly Hit[], question: string): readonly Hit[] {
    if (mayAskForCode(question)) return hits;
    const code = this.#store.documents.passagesOfCode(hits.map(({ id }) => id));
    if (code.size === 0 || code.size === hits.length) return hits;
    return hits
      .map(({ id, score }) => ({ id, score: code.has(id) ? PLACE_WEIGHTS.codePassage * score : score }))
      .toSorted((a, b) => b.score - a.score || a.id - b.id);
  }

  /**
   * Returns the hits that are searched for excerpts, best first. At most half of them are code, if there are enough others
   * and the question may not ask for code, so that a repository doesn't displace the only note about a subject. In the
   * mixed notebooks of `everyday`, shares of 0, 1/8, 1/2, and 1 differ by two answers of 48, and not in one direction.
   */
  #selectCandidates(hits: readonly RankedHit[], question: string): readonly RankedHit[] {
    if (mayAskForCode(question)) return hits.slice(0, PASSAGES_PLACED);
    const code = this.#store.documents.passagesOfCode(hits.map(({ id }) => id));
    const maxCode = Math.max(PASSAGES_PLACED / 2, PASSAGES_PLACED - (hits.length - code.size));
    let codeCount = 0;
    return hits.filter(({ id }) => !code.has(id) || ++codeCount <= maxCode).slice(0, PASSAGES_PLACED);
  }

  #rankTables(hits: readonly Hit[], question: string, weights: ReadonlyMap<string, number>): RankedHit[] {
    return this.#tables.rank(hits, { years: yearsIn(question), weights }, (id) => this.#findTable(id));
  }

  #findTable(passageId: number): TableSource | undefined {
    const passage = this.#store.documents.passage(passageId);
    if (passage === undefined) return undefined;
    const { documentId, start, end, headings, context = [] } = passage;
    return this.#documents.read(documentId, (document) => {
      if (document.format !== 'markdown') return undefined;
      const around = context.map((span) => document.slice(span.start, span.end)).join('\n');
      return { text: document.slice(start, end), around, heading: headings.at(-1) ?? '' };
    });
  }

  #placeSource(documentId: number): PlaceSource | undefined {
    return this.#documents.read(documentId, (document) => ({
      format: document.format,
      headings: document.headings,
      length: document.length,
      slice: (start, end) => this.#documents.read(documentId, (read) => read.slice(start, end)) ?? '',
      understoodWith: (span) => this.#documents.read(documentId, (read) => read.understoodWith(span)) ?? [],
    }));
  }

  /** Returns all passages, ordered by source and document, if they fit the tokens. */
  #findAll(tokens: number, scope: Within | undefined): FoundPassage[] | undefined {
    const maxPassages = Math.ceil(tokens / MIN_PASSAGE_TOKENS);
    const stored = this.#store.documents.firstPassages(maxPassages + 1, scope);
    const length = stored.reduce((sum, { start, end }) => sum + end - start, 0);
    if (stored.length === 0 || stored.length > maxPassages || length > MAX_TOKEN_LENGTH * tokens)
      return undefined;
    const passages = stored.flatMap((passage) =>
      this.#foundPassage({ ...passage, passageId: passage.id, score: 0 }, passage.headings),
    );
    let remainingTokens = tokens;
    for (const { text } of passages) remainingTokens -= estimateTokens(text);
    return remainingTokens < 0 ? undefined : passages;
  }

  /** Returns the passages that literally contain all quoted phrases of a search. */
  async #holdingPhrases(
    index: PassageIndex,
    searches: readonly SearchLine[],
    filter: PassageFilter,
  ): Promise<ReadonlySet<number>> {
    const holding = new Set<number>();
    for (const { words } of searches) {
      const phrases = quotedPhrases(words);
      if (phrases.length === 0) continue;
      const quoted = phrases.map((phrase) => phrase.words);
      const hits = await index.search(words, { limit: MAX_CHECKED_PASSAGES, phrases: quoted, ...filter });
      this.#sql.reading(() => {
        for (const passage of this.#readPassages(hits)) {
          const source = this.#sourceAt(passage.documentId, passage);
          const patterns = phrases.map(({ pattern }) => pattern);
          if (source !== undefined && holds(source.text, patterns)) holding.add(passage.passageId);
        }
      });
    }
    return holding;
  }

  /** Returns only passages whose text literally contains all phrases; nothing if none does. */
  async #searchPhrases(
    index: PassageIndex,
    { question, limit, within }: Search,
    phrases: readonly Phrase[],
  ): Promise<SearchResult> {
    const words = phrases.map((phrase) => phrase.words);
    const holding = phrases.map(({ pattern }) => pattern);
    const hits = await index.search(question, {
      limit: MAX_HITS,
      phrases: words,
      ...this.#makeFilter(within),
    });
    return this.#sql.reading(() => {
      const passages = this.#readPassages(
        hits.map(({ id, score }) => ({ id, score, signals: { words: score, quoted: true as const } })),
      );
      const checked: RankedPassage[] = [];
      for (const passage of passages.slice(0, MAX_CHECKED_PASSAGES)) {
        if (checked.length === Math.max(limit, PASSAGES_NARROWED)) break;
        const source = this.#sourceAt(passage.documentId, passage);
        if (source !== undefined && holds(source.text, holding)) checked.push(passage);
      }
      const windows = this.#narrowing.narrow(
        checked,
        index.weighTerms(question, words),
        (documentId, span) => this.#sourceAt(documentId, span),
        { size: this.#passageSize(), limit, byPassage: true, holding },
      );
      return { found: this.#found(windows, checked), isBehind: passages.length < hits.length };
    });
  }

  /** Returns at most `limit` passages that describe a notebook, a part of it, or the documents with a name. */
  overview(about: string, limit: number, scope?: Within): FoundPassage[] {
    const stores = { sql: this.#sql, store: this.#store.documents, cache: this.#documents };
    const part = this.#store.documents.resolvePaths(scope);
    return this.passagesAt(overviewPlaces(stores, { about, limit, within: part }));
  }

  /**
   * Returns the text at the given places, cut to the bounds of the documents. Leaves out places that no longer exist.
   */
  passagesAt(places: readonly PassagePlace[]): FoundPassage[] {
    return places.flatMap((place) => this.#at(place) ?? []);
  }

  #at({ documentId, span }: PassagePlace): FoundPassage | undefined {
    const length = this.#documents.read(documentId, (document) => document.length) ?? 0;
    if (span.start >= Math.min(span.end, length)) return undefined;
    const first = this.#store.documents
      .documentPassages(documentId)
      .find((passage) => overlap(passage, span) > 0);
    const end = Math.min(length, span.end);
    const window = { documentId, passageId: first?.id ?? 0, start: span.start, end, score: 0 };
    return this.#foundPassage(window, first?.headings ?? [])[0];
  }

  #makeFilter(scope: Within | undefined): PassageFilter {
    switch (scope?.kind) {
      case undefined:
        return {};
      case 'sources':
        return { sourceIds: scope.sourceIds };
      case 'documents':
        return { passageIds: this.#store.documents.passageIds(scope) };
    }
  }

  #sourceAt(documentId: number, { start, end }: Span): NarrowingSource | undefined {
    return this.#documents.read(documentId, (document) => ({
      text: document.slice(start, end),
      format: document.format,
    }));
  }

  /** Returns the stored passages of hits, without those that no longer exist. */
  #readPassages(hits: readonly (Hit | RankedHit)[]): RankedPassage[] {
    return hits.flatMap(({ id, ...hit }) => {
      const passage = this.#store.documents.passage(id);
      return passage === undefined ? [] : [{ ...passage, ...hit, passageId: id }];
    });
  }

  #found(windows: readonly ScoredPassage[], passages: readonly RankedPassage[]): FoundPassage[] {
    const headingsById = new Map(passages.map(({ passageId, headings }) => [passageId, headings]));
    return windows.flatMap((window) => this.#foundPassage(window, headingsById.get(window.passageId) ?? []));
  }

  #foundPassage(window: ScoredPassage, headings: readonly string[]): FoundPassage[] {
    const { documentId, passageId, start, end, score, signals } = window;
    const source = this.#store.documents.documentSource(documentId);
    const read = this.#documents.read(documentId, (document) => ({
      document,
      text: document.slice(start, end),
      headingSpans: headingSpansIn(document, { start, end }),
    }));
    if (read === undefined || source === undefined) return [];
    const { document, text, headingSpans } = read;
    return [
      {
        passageId,
        documentId,
        sourceId: document.entry.sourceId,
        start,
        end,
        headings,
        score,
        ...(signals && { signals }),
        text,
        headingSpans,
        format: document.format,
        languageId: document.languageId,
        sourceTitle: source.title,
        documentTitle: document.entry.title,
        // Pages of a site are shown by title.
        documentKey: source.origin.kind === 'site' ? '' : document.entry.key,
      },
    ];
  }
}

/**
 * Returns the terms of a question with their weights, and the shares of them that count. Names that it has of documents
 * have a lower share.
 */
function weighTermsBesideNames(
  index: PassageIndex,
  question: string,
  named: NamedDocuments | undefined,
): Pick<PlaceQuery, 'shares' | 'weights'> {
  const weights = index.weighTerms(question);
  const shares = index.shareTerms(question);
  if (named === undefined) return { weights, shares };
  const rest = index.shareTerms(named.rest);
  const lower = (values: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
    new Map(
      Array.from(values, ([term, value]) => [term, rest.has(term) ? value : NAMED_WEIGHTS.names * value]),
    );
  return { weights: lower(weights), shares: lower(shares) };
}

/** Combines the results of keyword search and semantic search into one ranking. */
function fuseHits(byWords: readonly RankedHit[], near: readonly Hit[], limit: number): RankedHit[] {
  const known = new Map(byWords.map(({ id, signals }) => [id, signals]));
  return fuse(byWords, near, limit).map((hit) => ({
    id: hit.id,
    score: hit.score,
    signals: fuseSignals(known.get(hit.id) ?? { words: 0 }, hit),
  }));
}

function quotedHit<T extends { readonly signals: PlaceSignals }>(hit: T): T {
  return { ...hit, signals: { ...hit.signals, quoted: true } };
}

function withNearness(passage: FoundPassage, near: NearPassage | undefined): FoundPassage {
  if (near === undefined) return passage;
  const { score: nearness, zScore } = near;
  return { ...passage, nearness, ...(zScore !== undefined && { zScore }) };
}

function touches(passage: RankedPassage, { documentId, span }: PassagePlace): boolean {
  return passage.documentId === documentId && overlap(passage, span) > 0;
}

/** Returns the index worker's handlers for searches in the open notebook. */
export function searchHandlers(
  notebook: () => { readonly passageSearch: PassageSearch },
): Handlers<SearchApi> {
  const passages = (): PassageSearch => notebook().passageSearch;
  const onIncomplete = (
    { acceptsIncomplete = false }: AcceptedSearch,
    { report }: CallContext<IncompleteSearch>,
  ): (() => void) | undefined => (acceptsIncomplete ? () => report({ isIncomplete: true }) : undefined);
  return {
    search: (search, context) =>
      passages().search(
        search.question,
        search.limit,
        search.vector,
        search.within,
        search.without,
        onIncomplete(search, context),
      ),
    gather: (gathering, context) => passages().gather(gathering, onIncomplete(gathering, context)),
    places: (search, context) => passages().places(search, onIncomplete(search, context)),
    passagesAt: ({ places }) => passages().passagesAt(places),
    overview: ({ about, limit, within }) => passages().overview(about, limit, within),
  };
}
