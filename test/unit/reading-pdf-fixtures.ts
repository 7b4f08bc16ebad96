import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { OffsetMap, ReadDocument } from '../../src/core/domain/document.ts';
import { locate, type PageRectangle } from '../../src/core/domain/locator.ts';
import { setPdfResources } from '../../src/parsers/pdf/engine.ts';
import { readDocument } from '../../src/parsers/registry.ts';
import { tinyPdf, type TinyPage } from '../support/tiny-pdf.ts';

setPdfResources(fileURLToPath(new URL('../../node_modules/pdfjs-dist/', import.meta.url)));

type PdfMap = Extract<OffsetMap, { kind: 'pdf' }>;

export const fixture = async (name: string): Promise<Uint8Array> =>
  new Uint8Array(await readFile(new URL(`../fixtures/reading/${name}`, import.meta.url)));

export const read = (bytes: Uint8Array, minimumLength = 1): Promise<ReadDocument> =>
  readDocument({ bytes, name: 'file.pdf', minimumLength }, {});

export const readLocked = (bytes: Uint8Array, password: string): Promise<ReadDocument> =>
  readDocument({ bytes, name: 'file.pdf', minimumLength: 1, password }, {});

export const readPages = (...pages: readonly TinyPage[]): Promise<ReadDocument> => read(tinyPdf({ pages }));

export function pdfMap(document: ReadDocument): PdfMap {
  assert.ok(document.map.kind === 'pdf');
  return document.map;
}

export function findRectangles(document: ReadDocument, words: string): readonly PageRectangle[] {
  const start = document.text.indexOf(words);
  assert.notEqual(start, -1, `“${words}” is not in the text`);
  const locator = locate(document.text, document.map, { start, end: start + words.length });
  assert.ok(locator.kind === 'pdf');
  return locator.rectangles;
}

export function assertRunsAreWords({ text, map }: ReadDocument): void {
  const { starts, ends, boxes, pageOf, pages } = map as PdfMap;
  let last = 0;
  for (const [run, start] of starts.entries()) {
    const end = ends[run]!;
    assert.ok(start >= last && end > start && end <= text.length, `run ${String(run)} is out of order`);
    assert.match(text.slice(start, end), /^\S+$/);
    const page = pages[pageOf[run]!]!;
    const [x, y, width, height] = boxes.subarray(4 * run, 4 * run + 4);
    assert.ok(width! > 0 && height! > 0);
    assert.ok(x! > -1 && y! > -1 && x! + width! < page.width + 1 && y! + height! < page.height + 1);
    last = end;
  }
  // The runs leave out only spaces and the marks of tables and code.
  let rest = '';
  for (let run = 0, at = 0; run <= starts.length; at = ends[run++] ?? 0) rest += text.slice(at, starts[run]);
  assert.match(rest, /^(?:\s|\||-(?= \|)|```)*$/);
}
