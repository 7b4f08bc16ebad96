import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { wordF1, lowerWords } from '../support/word-f1.ts';
import { printTable, quantile } from './table.ts';
import { extractors, type Extractor } from './web-peers.ts';

/** Main content of a page according to people. */
interface Truth {
  readonly id: string;
  readonly type: string;
  readonly url: string;
  readonly title: string;
  readonly text: string;
}

interface Page {
  readonly id: string;
  readonly file: string;
  readonly truth: Truth | undefined;
}

interface Outcome {
  readonly text: string;
  readonly title: string;
  readonly milliseconds: number;
}

/**
 * Measures the quality and speed of extracting the main content of pages, compared with other extractors in the same
 * run, for each set. Each folder contains pages (`html/<id>.html.gz` or `.html`, or the same at its top) and, for F1,
 * `truth.jsonl`.
 */
export function measureWeb(folders: readonly string[], out: string | undefined): Promise<void> {
  const lines = folders.flatMap(measureSet);
  if (out !== undefined) writeFileSync(out, lines.map((line) => `${line}\n`).join(''));
  return Promise.resolve();
}

/** Returns the extracted content of each page of a set, as lines of JSON. */
function measureSet(folder: string): string[] {
  const pages = pagesIn(folder);
  if (pages.length === 0) {
    console.error(
      `There are no pages in ${folder}: *.html or *.html.gz are needed, there or in a folder html/.`,
    );
    process.exitCode = 1;
    return [];
  }
  const types = [...new Set(pages.flatMap(({ truth }) => truth?.type ?? []))].sort();
  const lines: string[] = [];
  const rows: string[][] = [];
  for (const [number, extractor] of extractors.entries()) {
    const outcomes = pages.map((page) => run(extractor, page));
    if (number === 0) lines.push(...outcomes.map((outcome, i) => outcomeLine(pages[i]?.id ?? '', outcome)));
    const times = outcomes.map(({ milliseconds }) => milliseconds);
    rows.push([
      extractor.name,
      ...['', ...types].map((type) => meanF1(pages, outcomes, type)),
      mean(times).toFixed(1),
      quantile(times, 0.95).toFixed(1),
    ]);
  }
  console.log(`${basename(folder)}: ${pages.length.toLocaleString('en')} pages, F1 of words`);
  printTable(['', 'all', ...types, 'ms a page', '95 % within'], rows);
  return lines;
}

function run({ extract, text }: Extractor, { file, truth }: Page): Outcome {
  const bytes = readFileSync(file);
  const html = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const began = performance.now();
  try {
    const { title, content } = silently(() => extract(html, truth?.url ?? 'file:///page.html'));
    const milliseconds = performance.now() - began;
    return { text: text(content), title, milliseconds };
  } catch {
    return { text: '', title: '', milliseconds: performance.now() - began };
  }
}

/** Runs an action without console output, because extractors that complain about pages would hide the figures. */
function silently<T>(action: () => T): T {
  const { log, warn, error } = console;
  Object.assign(console, { log: () => undefined, warn: () => undefined, error: () => undefined });
  try {
    return action();
  } finally {
    Object.assign(console, { log, warn, error });
  }
}

function meanF1(pages: readonly Page[], outcomes: readonly Outcome[], type: string): string {
  const scores = pages.flatMap(({ truth }, i) =>
    truth !== undefined && (type === '' || truth.type === type)
      ? [wordF1(lowerWords(outcomes[i]?.text ?? ''), lowerWords(truth.text))]
      : [],
  );
  return scores.length === 0 ? '' : mean(scores).toFixed(3);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function pagesIn(data: string): Page[] {
  const truths = new Map<string, Truth>();
  const truthFile = join(data, 'truth.jsonl');
  if (existsSync(truthFile)) {
    for (const line of readFileSync(truthFile, 'utf8').split('\n')) {
      if (line.trim() === '') continue;
      const truth = JSON.parse(line) as Truth;
      truths.set(truth.id, truth);
    }
  }
  const folder = existsSync(join(data, 'html')) ? join(data, 'html') : data;
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.html?(?:\.gz)?$/.test(name))
    .sort()
    .map((name) => {
      const id = name.replace(/\.html?(?:\.gz)?$/, '');
      return { id, file: join(folder, name), truth: truths.get(id) };
    });
}

function outcomeLine(id: string, { text, title, milliseconds }: Outcome): string {
  return JSON.stringify({ id, text, title, ms: Number(milliseconds.toFixed(2)) });
}
