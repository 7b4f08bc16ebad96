import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TextFormat } from '../../src/core/language/units.ts';
import type { FoundPassage } from '../../src/core/domain/passage.ts';
import { markdownHeadingSpans } from '../unit/answering-fixtures.ts';

const folder = join(import.meta.dirname, '../fixtures/evidence');

interface Pair {
  readonly kind: string;
  readonly document: string;
  readonly sentence: string;
  /** Altered sentence. For the kind `source`, the document that is cited wrongly. */
  readonly altered: string;
}

export function readPairs(): Pair[] {
  const lines = readFileSync(join(folder, 'sentences.txt'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [kind = '', document = '', sentence = '', altered = ''] = line.split('|');
    return { kind, document, sentence, altered };
  });
}

const formats: Record<string, TextFormat> = { md: 'markdown', 'ts.txt': 'code', txt: 'prose' };

/** Returns the documents that the sentences are compared with, in the order of the sentences. */
export function alteredDocuments(): FoundPassage[] {
  return [...new Set(readPairs().map(({ document }) => document))].map(makePassage);
}

function makePassage(name: string, index: number): FoundPassage {
  const text = readFileSync(join(folder, name), 'utf8');
  const format = formats[name.slice(name.indexOf('.') + 1)] ?? 'prose';
  return {
    passageId: index + 1,
    documentId: index + 1,
    sourceId: name,
    score: 1,
    start: 0,
    end: text.length,
    text,
    format,
    languageId: undefined,
    sourceTitle: name,
    documentTitle: name,
    documentKey: '',
    headings: [],
    headingSpans: format === 'markdown' ? markdownHeadingSpans(text, { start: 0, end: text.length }) : [],
  };
}
