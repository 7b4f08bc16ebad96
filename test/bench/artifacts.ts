// Measures the quality of artifacts that are generated without a model, by labels from people.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { MAP_ARTIFACTS, NOTE_ARTIFACTS, type MapNode } from '../../src/core/domain/artifact.ts';
import { readPage } from '../../src/parsers/html.ts';
import { readMarkdown } from '../../src/parsers/markdown.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';
import type { SheetPiece } from '../../src/features/artifacts/model/sheet.ts';
import type { GeneratorDocument } from '../../src/features/artifacts/model/generator-document.ts';
import { mapGenerators, noteGenerators } from '../../src/features/artifacts/model/generators.ts';
import { root } from '../support/paths.mjs';
import { printTable, quantile } from './table.ts';

/** Manuals, reports, papers, minutes, and articles: paths below the benchmarks, or below the repository. */
const DOCUMENTS: readonly string[] = [
  'everyday/git--user-manual.md',
  'everyday/git--githooks.md',
  'everyday/r--R-intro.md',
  'pdf/redp5110_sampled.md',
  'pdf/multi_page.md',
  '../papers/voyager.txt',
  '../papers/odyssey.txt',
  'passages/wikitexts.md',
  'passages/state_of_the_union.md',
  'web/html/0493.html.gz',
  'web/html/4268.html.gz',
  'test/fixtures/floors/en/minutes.txt',
];

/** Further documents, of which only the index and the slides are labeled. Some rules were adjusted after reading seven. */
const HELD_OUT: readonly string[] = [
  'everyday/r--R-data.md',
  'everyday/git--gittutorial.md',
  'everyday/minisearch--DESIGN_DOCUMENT.md',
  '../papers/jarvis-1.txt',
  'web/html/0478.html.gz',
  'web/html/0685.html.gz',
  'everyday/git--gitworkflows.md',
  'everyday/git--gitattributes.md',
  'web/html/0239.html.gz',
  'web/html/4591.html.gz',
  'web/html/4403.html.gz',
];
const HELD_OUT_ARTIFACTS: readonly Artifact[] = ['index', 'slides'];

/** Entries of one artifact of one document that are labeled: those with the smallest hashes, which no version of the rules can choose. */
const SAMPLE_SIZE = 10;
const MAX_ENTRY_LENGTH = 320;
const LABELS = join(import.meta.dirname, '../fixtures/studio/artifact-labels.tsv');

type Artifact = (typeof MAP_ARTIFACTS)[number] | (typeof NOTE_ARTIFACTS)[number];

interface Generated {
  readonly artifact: Artifact;
  readonly document: string;
  readonly entries: readonly string[];
  /** UTF-16 code units of the note without its citations; 0 for a map. */
  readonly length: number;
}

/**
 * Generates each artifact of 12 real documents and prints the number of entries and the share of good ones among the
 * labeled ones, then the same for documents that no rule is based on.
 * @param out file for the sampled entries without a label, one per line
 */
export function measureArtifacts(folder: string, out: string | undefined): void {
  const labels = readLabels();
  console.log(`${String(labels.size)} labels`);
  const unlabeled = [
    ...measureDocuments(folder, DOCUMENTS, [...NOTE_ARTIFACTS, ...MAP_ARTIFACTS], labels),
    ...measureDocuments(folder, HELD_OUT, HELD_OUT_ARTIFACTS, labels),
  ];
  if (out !== undefined) writeFileSync(out, unlabeled.map((line) => `${line}\n`).join(''));
}

/** Prints a table of the precision of some artifacts of documents, and returns their entries that have no label. */
function measureDocuments(
  folder: string,
  paths: readonly string[],
  artifacts: readonly Artifact[],
  labels: ReadonlyMap<string, boolean>,
): string[] {
  const generated = paths.flatMap((path) => {
    const document = readDocument(folder, path);
    return document === undefined ? [] : generateAll(document);
  });
  const unlabeled: string[] = [];
  const rows = artifacts.map((artifact) => {
    const all = generated.filter((one) => one.artifact === artifact);
    const some = all.filter(({ entries }) => entries.length > 0);
    let [good, labeled, missing] = [0, 0, 0];
    for (const { document, entries } of some) {
      for (const entry of sample(entries)) {
        const key = [artifact, document, entry].join('\t');
        const label = labels.get(key);
        if (label === undefined) {
          missing++;
          unlabeled.push([artifact, document, '?', entry].join('\t'));
          continue;
        }
        labeled++;
        if (label) good++;
      }
    }
    const counts = some.map(({ entries }) => entries.length);
    return [
      artifact,
      String(some.length),
      ...[0.5, 1].map((share) => (counts.length === 0 ? '–' : String(quantile(counts, share)))),
      String(Math.max(0, ...some.map(({ length }) => length))),
      String(labeled),
      String(missing),
      labeled === 0 ? '–' : (good / labeled).toFixed(3),
    ];
  });
  console.log(`\n${paths === HELD_OUT ? 'Held-out documents' : 'Documents'}: ${String(paths.length)}`);
  printTable(
    [
      'artifact',
      'documents',
      'entries (median)',
      'most',
      'longest note',
      'labeled',
      'unlabeled',
      'precision',
    ],
    rows,
  );
  return unlabeled;
}

/** Labels by artifact, document, and entry. */
function readLabels(): Map<string, boolean> {
  const labels = new Map<string, boolean>();
  if (!existsSync(LABELS)) return labels;
  for (const line of readFileSync(LABELS, 'utf8').split('\n')) {
    const [artifact, document, label, entry] = line.split('\t');
    if (entry !== undefined && !line.startsWith('#'))
      labels.set([artifact, document, entry].join('\t'), label === '+');
  }
  return labels;
}

function readDocument(folder: string, path: string): GeneratorDocument | undefined {
  const file = [join(folder, path), join(root, path)].find((candidate) => existsSync(candidate));
  if (file === undefined) {
    console.error(`There is no ${join(folder, path)}.`);
    process.exitCode = 1;
    return undefined;
  }
  const bytes = readFileSync(file);
  const { text, format, headings } = file.endsWith('.gz')
    ? readPage(gunzipSync(bytes).toString('utf8'), 'https://example.org/page')
    : file.endsWith('.md')
      ? readMarkdown(bytes.toString('utf8'))
      : readPlainText(bytes.toString('utf8'), 'text/plain');
  return { documentId: 1, title: basename(path), text, format, headings };
}

function generateAll(document: GeneratorDocument): Generated[] {
  const notes = NOTE_ARTIFACTS.map((artifact): Generated => {
    const { part, whole } = noteGenerators[artifact];
    const { pieces, count } = whole([part(document)]);
    const text = toMarkdown(count === 0 ? [] : pieces);
    const entries = unique(readEntries(artifact, text));
    return { artifact, document: document.title, entries, length: text.length };
  });
  const maps = MAP_ARTIFACTS.map((artifact): Generated => {
    const { part, whole } = mapGenerators[artifact];
    const { nodes } = whole([part(document)]);
    return { artifact, document: document.title, entries: unique(readNodes(nodes)), length: 0 };
  });
  return [...notes, ...maps];
}

function toMarkdown(pieces: readonly SheetPiece[]): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : '')).join('');
}

/** Returns the entries of a note, each with its context for judging it. */
function readEntries(artifact: Artifact, text: string): string[] {
  const lines = text.split('\n');
  switch (artifact) {
    case 'glossary': {
      let term = '';
      return lines.flatMap((line) => {
        if (line.startsWith('**')) term = line;
        return line.startsWith('- ') ? [`${term} ${line}`] : [];
      });
    }
    case 'tables':
      // A table is judged by its name, its columns, and its first and last rows.
      return text
        .split(/^## /m)
        .slice(1)
        .map((table) => {
          const [name = '', ...rows] = table.split('\n').filter((line) => line.trim() !== '');
          return [name, rows[0], rows[2], rows.length > 3 ? rows.at(-1) : ''].join(' / ');
        });
    case 'slides': {
      let title = '';
      return lines.flatMap((line) => {
        if (line.startsWith('#')) title = line.replace(/^#+ /, '');
        return line.startsWith('- ') ? [`${title}: ${line.slice(2)}`] : [];
      });
    }
    default:
      return lines.filter((line) => /^\s*- /.test(line)).map((line) => line.trim());
  }
}

/** Returns the titles of a map's nodes, each with its parent's title. */
function readNodes(nodes: readonly MapNode[]): string[] {
  const open: string[] = [];
  return nodes.map(({ title, depth }) => {
    open.length = depth;
    open.push(title);
    return open.slice(-2).join(' > ');
  });
}

/** Returns the distinct entries, each on one line. */
function unique(entries: readonly string[]): string[] {
  return [
    ...new Set(
      entries.map((entry) => entry.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_ENTRY_LENGTH).toWellFormed()),
    ),
  ];
}

function sample(entries: readonly string[]): string[] {
  const hash = (entry: string): string => createHash('sha256').update(entry).digest('hex');
  return entries
    .map((entry) => ({ entry, hash: hash(entry) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .slice(0, SAMPLE_SIZE)
    .map(({ entry }) => entry);
}
