import { mayAskForCode } from '../../../core/language/code-questions.ts';
import { inverseDocumentFrequency } from '../../../core/language/words/bm25.ts';
import { abbreviationsOf } from '../../../core/language/words/code-words.ts';
import {
  expandWords,
  prefixedForms,
  shareOfSpelling,
  type IndexedTerms,
} from '../../../core/language/words/other-forms.ts';
import { WordTokenizer } from '../../../core/language/words/tokenizer.ts';
import { lackingTerms, similarWords } from '../../../core/language/words/spelling.ts';
import { Vocabulary } from '../../../core/language/words/vocabulary.ts';
import { fuse } from '../../../index/search/vectors/fusion.ts';
import type { NotebookConnection } from './notebook-connection.ts';
import { PassageScores, type Posting } from './passage-scores.ts';
import { findNear, type VectorQuery } from './points.ts';
import { eachPosting, findTerm, toImpact, unpackWords } from './postings.ts';
import { countSearchable, type DocumentName } from './searchable.ts';

/**
 * Maximum number of passages whose documents are downloaded for a question, and of postings that a question reads, as
 * in memory.
 */
const CANDIDATES = 100;
const MAX_POSTINGS = 1_500_000;

/** Lists with at most this many postings are requested together, which costs less than one request each. */
const FEW_POSTINGS = 65_536;

/** Approximate number of postings in a block. */
const BLOCK = 512;

/** Maximum number of searches if windows are merged meanwhile. */
const MAX_ATTEMPTS = 3;

/**
 * Maximum size of the words that misspelled words are compared with, packed, in bytes. Starts with the largest
 * windows.
 */
const MAX_WORDS = 4 * 2 ** 20;

/** Passage in the team's database, with its number, score, and document. */
interface Candidate extends DocumentName {
  readonly passage: number;
  readonly score: number;
}

/** Passages that were indexed or merged together. */
interface Window {
  readonly base: number;
  readonly passages: number;
}

/** Search term with its statistics, before its long lists are read. */
interface TermStatistics {
  readonly term: string;
  /** Number of passages that contain the term. */
  readonly holding: number;
  /** Maximum weight of the term in a passage, without its rarity. */
  readonly maxWeight: number;
  /** Postings that are already loaded, from windows in which the term shares a row with others. */
  readonly short: readonly { readonly window: Window; readonly postings: Uint8Array }[];
  /** Windows, by their base, in which the term has its own rows. */
  readonly long: ReadonlyMap<number, Window>;
}

interface Weighed {
  readonly statistics: TermStatistics;
  /** Rarity of the term. */
  readonly weight: number;
}

/**
 * Returns the documents of a notebook that match searches best, best first, at most a hundred. Matches by words and, if
 * the database has pgvector, by meaning. A document scores as its best passage, and both scores are combined as in
 * memory.
 */
export async function findDocuments(
  connection: NotebookConnection,
  searches: readonly string[],
  vectorQuery: VectorQuery | undefined,
): Promise<readonly DocumentName[]> {
  const byWords = await findCandidates(connection, searches);
  const near = vectorQuery === undefined ? [] : await findNear(connection, vectorQuery, CANDIDATES);
  const names = new Map<string, { readonly id: number; readonly name: DocumentName }>();
  const number = ({ sourceId, key }: DocumentName): number => {
    const text = `${sourceId}\n${key}`;
    const document = names.get(text) ?? { id: names.size, name: { sourceId, key } };
    names.set(text, document);
    return document.id;
  };
  const best = new Map<number, number>();
  for (const candidate of byWords) {
    const id = number(candidate);
    best.set(id, Math.max(best.get(id) ?? 0, candidate.score));
  }
  const words = Array.from(best, ([id, score]) => ({ id, score }));
  const byMeaning = near.map((document) => ({ id: number(document), score: document.nearness }));
  const documentNames = [...names.values()].map(({ name }) => name);
  if (byMeaning.length === 0) return documentNames;
  return fuse(words, byMeaning, CANDIDATES).flatMap(({ id }) => documentNames[id] ?? []);
}

/**
 * Returns the documents of a notebook whose passages match searches best by BM25, best first. Reads only the postings
 * of the search terms, rare terms first. Common terms are read only for passages that could still be among the best.
 */
export async function findCandidates(
  connection: NotebookConnection,
  searches: readonly string[],
  limit = CANDIDATES,
): Promise<readonly Candidate[]> {
  let passageLimit = limit;
  for (let attempt = 0; ; attempt++) {
    const matches = await find(connection, searches, passageLimit);
    if (attempt === MAX_ATTEMPTS) return matches?.candidates.slice(0, limit) ?? [];
    // The windows were merged meanwhile and have new numbers, so search again.
    if (matches === undefined) continue;
    const { candidates, passages } = matches;
    if (passages < passageLimit || candidates.length >= limit / 2) return candidates.slice(0, limit);
    // Most of the best matches are in removed sources, which are kept because they can be restored.
    passageLimit *= 4;
  }
}

/**
 * Returns the best passages, and the documents of those that exist as candidates; undefined if windows of postings
 * were merged meanwhile.
 */
async function find(
  connection: NotebookConnection,
  searches: readonly string[],
  limit: number,
): Promise<{ readonly candidates: readonly Candidate[]; readonly passages: number } | undefined> {
  const { client, notebookId } = connection;
  const searchable = await countSearchable(connection);
  if (searchable === undefined) return { candidates: [], passages: 0 };
  const tokenizer = new WordTokenizer();
  tokenizer.seen = searchable.languages;
  const questions = searches.map((search) => tokenizer.questionWords(search));
  const terms = [...new Set(questions.flatMap((question) => question.terms))];
  const spellings = questions.flatMap((question) => [
    ...question.spellings,
    ...question.joined.flatMap((letters) => tokenizer.termsOfJoined(letters)),
  ]);
  const shares = new Map(spellings.map((term) => [term, shareOfSpelling(term)]));
  for (const term of terms) shares.set(term, 1);
  const prefixed = questions.flatMap(({ words }) => words.flatMap((word) => prefixedForms(word, () => true)));
  const mayBeCode = searches.some(mayAskForCode);
  const abbreviated = mayBeCode ? terms.flatMap(abbreviationsOf) : [];
  const termStatistics = await lookUp(connection, [
    ...new Set([...shares.keys(), ...prefixed, ...abbreviated]),
  ]);
  const isFound = (term: string): boolean => (termStatistics.get(term)?.holding ?? 0) > 0;
  const missingTerms = lackingTerms(terms, isFound);
  const vocabulary = missingTerms.length === 0 ? new Vocabulary() : await readVocabulary(connection);
  const index: IndexedTerms = {
    isThere: (term) => isFound(term) || vocabulary.find(term) !== undefined,
    startingWith: (letters) => vocabulary.startingWith(letters),
    endingWith: (letters) => vocabulary.endingWith(letters),
    // Other forms are taken as rare until their postings are read.
    rarity: (term) => inverseDocumentFrequency(termStatistics.get(term)?.holding ?? 1, searchable.count),
    // The passages of terms aren’t known here.
    isTogether: () => false,
    isOnlyWith: () => true,
    isEvident: () => true,
    mayBeCode: () => mayBeCode,
  };
  const replaced = new Set<string>();
  for (const question of questions) {
    const others = expandWords(question, index);
    for (const [term, share] of others.terms) if (!shares.has(term)) shares.set(term, share);
    for (const term of others.replaced) replaced.add(term);
  }
  const lacking = missingTerms.filter((term) => !replaced.has(term));
  for (const term of similarWords(lacking, vocabulary.findSimilar(lacking))) shares.set(term, 1);
  const unread = [...shares.keys()].filter((term) => !termStatistics.has(term));
  for (const [term, one] of await lookUp(connection, unread)) termStatistics.set(term, one);
  const scores = await scorePassages(
    connection,
    [...termStatistics.values()].filter(({ term }) => shares.has(term) && !replaced.has(term)),
    { shares, count: searchable.count },
    limit,
  );
  const best = scores.best();
  const passages = best.map(({ id }) => id);
  const scored = new Map(best.map(({ id, score }) => [id, score]));
  // The query also returns the current windows, so it is needed even without any matches.
  const { rows } = await client.query<{
    windows: string;
    passage: number | null;
    source_id: string;
    key: string;
  }>('SELECT windows, passage, source_id, key FROM open_notebook.find_passages($1, $2, $3)', [
    notebookId,
    passages,
    scores.bases(),
  ]);
  if (Number(rows[0]?.windows ?? 0) < scores.bases().length) return undefined;
  return {
    candidates: rows.flatMap(({ passage, source_id: sourceId, key }) =>
      passage === null ? [] : { passage, score: scored.get(passage) ?? 0, sourceId, key },
    ),
    passages: passages.length,
  };
}

/** Looks up terms in all windows. */
async function lookUp(
  { client, notebookId }: NotebookConnection,
  terms: readonly string[],
): Promise<Map<string, TermStatistics>> {
  if (terms.length === 0) return new Map();
  const { rows } = await client.query<
    Window & { term: string; holding: number; most: number; postings: Buffer | null }
  >('SELECT term, base, passages, holding, most, postings FROM open_notebook.find_terms($1, $2)', [
    notebookId,
    terms,
  ]);
  const statisticsByTerm = new Map(
    terms.map((term) => [
      term,
      {
        term,
        holding: 0,
        maxWeight: 0,
        short: [] as { window: Window; postings: Uint8Array }[],
        long: new Map<number, Window>(),
      },
    ]),
  );
  for (const { term, base, passages, holding, most, postings: shared } of rows) {
    const statistics = statisticsByTerm.get(term);
    if (statistics === undefined) continue;
    const window = { base, passages };
    if (shared === null) {
      statistics.holding += holding;
      statistics.maxWeight = Math.max(statistics.maxWeight, toImpact(most));
      statistics.long.set(base, window);
      continue;
    }
    const postings = findTerm(shared, term);
    if (postings === undefined) continue;
    eachPosting(postings, (_, impact) => {
      statistics.holding++;
      statistics.maxWeight = Math.max(statistics.maxWeight, toImpact(impact));
    });
    statistics.short.push({ window, postings });
  }
  return statisticsByTerm;
}

/** Returns the existing words of at least four letters, those of the largest windows first. */
async function readVocabulary({ client, notebookId }: NotebookConnection): Promise<Vocabulary> {
  const { rows } = await client.query<{ words: Buffer }>(
    'SELECT words FROM open_notebook.read_words($1, $2)',
    [notebookId, MAX_WORDS],
  );
  const vocabulary = new Vocabulary();
  for (const { words } of rows) for (const word of unpackWords(words)) vocabulary.assignNumber(word);
  return vocabulary;
}

/**
 * Scores passages so that the best `limit` are the same as with all postings. `shares` has the terms whose weight counts
 * in part, and `count` is the number of passages.
 */
async function scorePassages(
  connection: NotebookConnection,
  terms: readonly TermStatistics[],
  { shares, count }: { readonly shares: ReadonlyMap<string, number>; readonly count: number },
  limit: number,
): Promise<PassageScores> {
  const scores = new PassageScores(limit);
  const rest: Weighed[] = [];
  let remainingPostings = MAX_POSTINGS;
  // Prefers the rarest terms if there are many, or very common ones.
  for (const statistics of terms.toSorted((a, b) => a.holding - b.holding)) {
    if (statistics.holding === 0) continue;
    remainingPostings -= statistics.holding;
    if (remainingPostings < 0 && remainingPostings + statistics.holding < MAX_POSTINGS) break;
    const weight = (shares.get(statistics.term) ?? 1) * inverseDocumentFrequency(statistics.holding, count);
    for (const { window, postings } of statistics.short) scores.add(window, postings, weight);
    if (statistics.long.size > 0) rest.push({ statistics, weight });
  }
  const bound = (): number =>
    rest.reduce((sum, { statistics: { maxWeight }, weight }) => sum + weight * maxWeight, 0);
  // Read whole lists as long as the remaining terms could move any passage into the best ones.
  while (rest.length > 0 && scores.least() <= bound()) {
    const together = rest.splice(0, 1);
    let postings = together[0]?.statistics.holding ?? 0;
    while (rest[0] !== undefined && (postings += rest[0].statistics.holding) <= FEW_POSTINGS)
      together.push(...rest.splice(0, 1));
    await addLists(connection, together, scores);
  }
  for (;;) {
    if (rest.reduce((sum, { statistics: { holding } }) => sum + holding, 0) <= FEW_POSTINGS)
      await addLists(connection, rest.splice(0), scores);
    const candidates = scores.reaching(scores.least() - bound());
    const [next] = rest.splice(0, 1);
    if (next === undefined) return scores;
    if (candidates.length < next.statistics.holding / BLOCK / 2)
      await addBlocks(connection, next, candidates, scores);
    else await addLists(connection, [next], scores);
  }
}

/** Adds all rows that the terms don't share. */
async function addLists(
  { client, notebookId }: NotebookConnection,
  weighed: readonly Weighed[],
  scores: PassageScores,
): Promise<void> {
  if (weighed.length === 0) return;
  const byTerm = new Map(weighed.map((weighedTerm) => [weighedTerm.statistics.term, weighedTerm]));
  const lists = weighed.flatMap(({ statistics: { term, long } }) =>
    [...long.keys()].map((base) => ({ term, base })),
  );
  const { rows } = await client.query<{ term: string; base: number; postings: Buffer }>(
    'SELECT term, base, postings FROM open_notebook.read_lists($1, $2, $3)',
    [notebookId, lists.map(({ term }) => term), lists.map(({ base }) => base)],
  );
  for (const { term, base, postings } of rows) {
    const weighedTerm = byTerm.get(term);
    const window = weighedTerm?.statistics.long.get(base);
    if (weighedTerm !== undefined && window !== undefined) scores.add(window, postings, weighedTerm.weight);
  }
}

/** Adds only those rows of a term that contain candidates. */
async function addBlocks(
  { client, notebookId }: NotebookConnection,
  { statistics: { term, long }, weight }: Weighed,
  candidates: readonly Posting[],
  scores: PassageScores,
): Promise<void> {
  const present = candidates.filter(({ base }) => long.has(base));
  const { rows } = await client.query<{ base: number; postings: Buffer }>(
    'SELECT base, postings FROM open_notebook.read_blocks($1, $2, $3, $4)',
    [notebookId, term, present.map(({ base }) => base), present.map(({ place }) => place)],
  );
  for (const { base, postings } of rows) {
    const window = long.get(base);
    if (window !== undefined) scores.add(window, postings, weight);
  }
}
