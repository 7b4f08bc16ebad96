import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findDates } from '../../src/core/language/dates.ts';
import { findDefinitions } from '../../src/core/language/definitions.ts';
import { MAP_ARTIFACTS, NOTE_ARTIFACTS } from '../../src/core/domain/artifact.ts';
import { readMarkdown } from '../../src/parsers/markdown.ts';
import type { GeneratorDocument } from '../../src/features/artifacts/model/generator-document.ts';
import { mapGenerators, noteGenerators } from '../../src/features/artifacts/model/generators.ts';
import { findEnds, foldedAtFirst, layoutMap } from '../../webview/maps/layout.ts';
import { printTable } from './table.ts';

/** Number of entries of real texts to print, for judging them. */
const SHOWN = 12;

/** Measures artifacts of real texts and the time for them, prints some for judging, and measures a large map. */
export function measureStudio(folders: readonly string[]): void {
  const documents = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md') && name !== 'README.md')
      .map((name, index): GeneratorDocument => {
        const { text, format, headings } = readMarkdown(readFileSync(join(folder, name), 'utf8'));
        return { documentId: index, title: name, text, format, headings };
      }),
  );
  const characters = documents.reduce((sum, { text }) => sum + text.length, 0);
  const rows = [...NOTE_ARTIFACTS, ...MAP_ARTIFACTS].map((kind) => {
    const isNote = kind in noteGenerators;
    const started = performance.now();
    const result = isNote
      ? noteGenerators[kind as keyof typeof noteGenerators]
      : mapGenerators[kind as keyof typeof mapGenerators];
    const parts = documents.map((document) => result.part(document));
    const whole = result.whole(parts);
    const entries = 'nodes' in whole ? whole.nodes.length : whole.count;
    const time = performance.now() - started;
    return [
      kind,
      String(entries),
      String(whole.omitted),
      time.toFixed(0),
      ((time / characters) * 1e6).toFixed(0),
    ];
  });
  console.log(`${String(documents.length)} documents, ${String(characters)} characters`);
  printTable(['made', 'entries', 'left out', 'ms', 'ms a million characters'], rows);
  const dates = documents.flatMap(({ text }) =>
    findDates(text).map(
      ({ start, end, from, to }) => `${from}${to === undefined ? '' : `/${to}`}: ${around(text, start, end)}`,
    ),
  );
  const definitions = documents.flatMap(({ text, format }) =>
    findDefinitions(text, format).map(
      ({ term, sentence }) =>
        `${text.slice(term.start, term.end)}: ${text.slice(sentence.start, sentence.end).replaceAll(/\s+/g, ' ').slice(0, 120)}`,
    ),
  );
  for (const [name, found] of [
    ['dates', dates],
    ['definitions', definitions],
  ] as const) {
    console.log(`${String(found.length)} ${name}, some of them:`);
    const step = Math.ceil(found.length / SHOWN);
    for (const [index, one] of found.entries()) if (index % step === 0) console.log(`  ${one}`);
  }
  const nodes = Array.from({ length: 5_000 }, (_, n) => ({
    title: `Heading ${String(n)}`,
    depth: n % 50 === 0 ? 0 : n % 5 === 0 ? 1 : 2,
  }));
  const started = performance.now();
  const ends = findEnds(nodes);
  const folded = foldedAtFirst(nodes, ends, 60);
  layoutMap(nodes, ends, () => false);
  console.log(
    `\nA map of 5,000 headings is laid out in ${(performance.now() - started).toFixed(1)} ms, ${String(folded.size)} folded at first.`,
  );
}

function around(text: string, start: number, end: number): string {
  return text
    .slice(Math.max(0, start - 40), end + 20)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
