import { writeFileSync } from 'node:fs';
import { prepareClaim } from '../../src/answers/checking/claim.ts';
import { prepareEvidence } from '../../src/answers/checking/evidence.ts';
import { matchClaim } from '../../src/answers/checking/matching.ts';
import { joinNeighbors } from '../../src/answers/checking/nearest.ts';
import { chooseCandidates, rankCandidates } from '../../src/answers/checking/relevance.ts';
import { termsIn } from '../../src/core/language/words/words.ts';
import { benchmarkFile } from '../support/benchmarks.ts';
import { scoreAbstracts, scorePages, sentencesIn, joinSentences, type Case } from './claims.ts';
import { readJsonLines } from './json-lines.ts';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import { measureFactCheck } from './fact-check.ts';
import { printTable, quantile } from './table.ts';

/**
 * Measures how well sentences that support or contradict claims are found in abstracts and whole pages, and how well
 * rules and a model judge statements, `count` of them if it's set. Each of `folders` contains a file `claims.jsonl`.
 */
export async function measureEvidence(
  folders: readonly string[],
  out: string | undefined,
  { model, count }: { readonly model: LanguageModel | undefined; readonly count: number | undefined },
): Promise<void> {
  const lines: string[] = [];
  const claims: Case[] = [];
  for (const folder of folders) {
    const file = benchmarkFile(folder, 'claims.jsonl');
    if (file === undefined) continue;
    const own = readJsonLines<Case>(file);
    claims.push(...own);
    // With a model only what it is asked is of interest.
    if (model === undefined) lines.push(...measureClaims(own));
  }
  if (out !== undefined) writeFileSync(out, `${lines.join('\n')}\n`);
  await measureFactCheck(claims, model, count);
}

/** Prints which sentences are chosen for claims. Returns them as a line of JSON for each claim. */
function measureClaims(cases: readonly Case[]): string[] {
  const times: number[] = [];
  const ours = cases.map((each) => pick(each, times));
  const rank = rankByWords(cases);
  const results = new Map([
    ['Open Notebook', ours],
    ...[1, 2, 3].map(
      (limit) => [`BM25, best ${String(limit)}`, cases.map((each) => rank(each).slice(0, limit))] as const,
    ),
  ]);
  const isOfPages = cases.some(({ wice }) => wice !== undefined);
  const lengths = cases.map(({ sentences }) => sentences.length);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / cases.length;
  console.log(
    `${String(cases.length)} claims, each against ${isOfPages ? 'a whole page' : 'an abstract'} of ${mean.toFixed(0)} sentences on average`,
  );
  const score = isOfPages ? scorePages : scoreAbstracts;
  const rows = [...results].map(([name, picked]) => ({ name, figures: score(cases, picked) }));
  printTable(
    ['evidence picked by', ...Object.keys(rows[0]?.figures ?? {})],
    rows.map(({ name, figures }) => [name, ...Object.values(figures).map((figure) => figure.toFixed(3))]),
  );
  const ms = (share: number): string => `${quantile(times, share).toFixed(2)} ms`;
  printTable(
    ['a claim against these sentences', 'median', '95 %', 'longest'],
    [['Open Notebook', ms(0.5), ms(0.95), ms(1)]],
  );
  return cases.map(({ claim }, i) => JSON.stringify({ claim, picked: ours[i] }));
}

/** Chooses the sentences that a model gets for a claim, by their indexes. */
function pick(each: Case, times: number[]): number[] {
  const { passages, spans } = joinSentences(each);
  const evidence = prepareEvidence(passages);
  const began = performance.now();
  const match = matchClaim(prepareClaim(each.claim, evidence), evidence);
  const chosen = chooseCandidates(rankCandidates(match, evidence.passages));
  times.push(performance.now() - began);
  const picked = new Set(joinNeighbors(chosen).flatMap(({ span }) => sentencesIn(span, spans)));
  return [...picked].sort((a, b) => a - b);
}

/** Ranks sentences by BM25 over the sentences of all cases. */
function rankByWords(cases: readonly Case[]): (each: Case) => number[] {
  const documents = new Map(cases.map(({ title, sentences }) => [title, sentences]));
  const frequency = new Map<string, number>();
  let count = 0;
  let length = 0;
  for (const sentences of documents.values()) {
    for (const sentence of sentences) {
      const terms = termsIn(sentence);
      count++;
      length += terms.length;
      for (const term of new Set(terms)) frequency.set(term, (frequency.get(term) ?? 0) + 1);
    }
  }
  const weigh = (term: string): number => {
    const holding = frequency.get(term) ?? 0;
    return Math.log(1 + (count - holding + 0.5) / (holding + 0.5));
  };
  return ({ claim, sentences }) => {
    const claimTerms = new Set(termsIn(claim));
    const scores = sentences.map((sentence) => {
      const terms = termsIn(sentence);
      let score = 0;
      for (const term of claimTerms) {
        const times = terms.filter((each) => each === term).length;
        score +=
          (weigh(term) * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * terms.length * count) / length));
      }
      return score;
    });
    return [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  };
}
