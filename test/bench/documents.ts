import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentEngines, type BenchDocument } from './document-peers.ts';
import { printTable } from './table.ts';

export interface JudgedQuestion {
  readonly id: string;
  readonly text: string;
  /** Relevance of documents by name; other documents aren't relevant. */
  readonly relevance: ReadonlyMap<string, number>;
}

const RETRIEVED = 100;
const FILES = ['corpus.jsonl', 'queries.jsonl', join('qrels', 'test.tsv')] as const;

/** Returns the first missing file in a folder of documents and judged questions; undefined if all exist. */
export function missingIn(data: string): string | undefined {
  const missing = FILES.find((file) => !existsSync(join(data, file)));
  return missing && join(data, missing);
}

/** Reads the documents and judged questions of a folder in the layout of BEIR. */
export function readJudged(data: string): {
  readonly documents: readonly BenchDocument[];
  readonly questions: readonly JudgedQuestion[];
} {
  return {
    documents: readDocuments(join(data, FILES[0])),
    questions: readQuestions(join(data, FILES[1]), join(data, FILES[2])),
  };
}

/** Measures the ranking of whole documents, compared with other engines in the same run. */
export async function measureDocuments(data: string | undefined, out: string | undefined): Promise<void> {
  const missing = data === undefined ? undefined : missingIn(data);
  if (data === undefined || missing !== undefined) {
    console.error(
      data === undefined
        ? 'The documents are missing: name a folder with corpus.jsonl, queries.jsonl and qrels/test.tsv with --data.'
        : `The documents are incomplete: there is no ${missing ?? ''}.`,
    );
    process.exitCode = 1;
    return;
  }
  const { documents, questions } = readJudged(data);
  const rows: string[][] = [];
  for (const [engineNumber, engine] of documentEngines.entries()) {
    const search = await engine.build(documents);
    const lines: string[] = [];
    const sums = [0, 0, 0, 0];
    const began = performance.now();
    for (const { id, text, relevance } of questions) {
      const ranked = await search(text, RETRIEVED);
      const retrieved = ranked.flatMap(({ document, score }) => {
        const matching = documents[document];
        return matching === undefined
          ? []
          : [{ document: matching.id, start: 0, end: matching.text.length, score }];
      });
      lines.push(JSON.stringify({ id, question: text, retrieved }));
      const names = retrieved.map(({ document }) => document);
      for (const [i, figure] of rankScores(names, relevance).entries()) sums[i] = (sums[i] ?? 0) + figure;
    }
    const milliseconds = (performance.now() - began) / questions.length;
    if (engineNumber === 0 && out !== undefined) writeFileSync(out, `${lines.join('\n')}\n`);
    rows.push([
      engine.name,
      ...sums.map((sum) => (sum / questions.length).toFixed(3)),
      milliseconds.toFixed(1),
    ]);
  }
  console.log(
    `${questions.length.toLocaleString('en')} questions over ${documents.length.toLocaleString('en')} documents`,
  );
  printTable(['', 'nDCG@10', 'Recall@10', 'Recall@100', 'MRR@10', 'ms a question'], rows);
}

/** Returns nDCG@10, Recall@10, Recall@100, and MRR@10 of a question's documents, best first. */
export function rankScores(names: readonly string[], relevance: ReadonlyMap<string, number>): number[] {
  const gains = names.map((name) => relevance.get(name) ?? 0);
  const ideal = [...relevance.values()].sort((a, b) => b - a);
  const recall = (depth: number): number =>
    gains.slice(0, depth).filter((gain) => gain > 0).length / relevance.size;
  const first = gains.slice(0, 10).findIndex((gain) => gain > 0);
  return [
    discountedGain(gains) / discountedGain(ideal),
    recall(10),
    recall(100),
    first < 0 ? 0 : 1 / (first + 1),
  ];
}

/** Returns the discounted gain of the first ten documents. */
function discountedGain(gains: readonly number[]): number {
  return gains.slice(0, 10).reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0);
}

function readDocuments(file: string): BenchDocument[] {
  return readLines(file).map((line) => {
    const document = JSON.parse(line) as { _id: string; title?: string; text: string };
    return { id: document._id, title: document.title ?? '', text: document.text };
  });
}

/** Reads the questions with at least one relevant document. */
function readQuestions(file: string, judgements: string): JudgedQuestion[] {
  const relevanceOf = new Map<string, Map<string, number>>();
  for (const line of readLines(judgements)) {
    const [question = '', document = '', grade] = line.split('\t');
    if (!(Number(grade) > 0)) continue;
    const relevance = relevanceOf.get(question) ?? new Map<string, number>();
    relevanceOf.set(question, relevance.set(document, Number(grade)));
  }
  return readLines(file).flatMap((line) => {
    const { _id: id, text } = JSON.parse(line) as { _id: string; text: string };
    const relevance = relevanceOf.get(id);
    return relevance === undefined ? [] : [{ id, text, relevance }];
  });
}

function readLines(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
