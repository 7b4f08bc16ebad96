import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { ByteRanges, RANGE_SIZE } from '../../webview/figure/byte-ranges.ts';
import { pagesToDrop } from '../../webview/pdf/page-budget.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';

describe('drawn pages', () => {
  const drawn = (...pages: number[]) => pages.map((page) => ({ page, bytes: 10 }));

  it('are dropped furthest from the view first, until they fit the memory limit', () => {
    assert.deepEqual(pagesToDrop(drawn(1, 2, 9, 10, 11, 40), { first: 9, last: 11 }, 40), [40, 1]);
    assert.deepEqual(pagesToDrop(drawn(1, 2, 3), { first: 2, last: 2 }, 30), []);
  });

  it('are never dropped if they are to be kept', () => {
    assert.deepEqual(pagesToDrop(drawn(4, 5, 6, 7), { first: 5, last: 6 }, 5), [7, 4].sort());
    assert.deepEqual(pagesToDrop(drawn(5, 6), { first: 5, last: 6 }, 0), []);
  });
});

describe('a large PDF', () => {
  const line =
    'Every valve is opened by hand, and what it lets through is written down at the end of the day.';
  const file = tinyPdf({
    pages: Array.from({ length: 40 }, (_, index) => ({
      lines: column(72, 700, [`Valve number ${String(index + 1)}`, ...Array<string>(2_000).fill(line)]),
    })),
  });

  it('is read in parts, and only as far as requested', async () => {
    let bytes = RANGE_SIZE;
    const lost: unknown[] = [];
    const read = (begin: number, end: number): Promise<Uint8Array> => {
      bytes += end - begin;
      return Promise.resolve(file.slice(begin, end));
    };
    const range = new ByteRanges(file.length, file.slice(0, RANGE_SIZE), read, (reason) => lost.push(reason));
    const task = getDocument({
      range,
      rangeChunkSize: RANGE_SIZE,
      disableAutoFetch: true,
      disableStream: true,
    });
    const pdf = await task.promise;
    const text = async (page: number): Promise<unknown> => {
      const { items } = await (await pdf.getPage(page)).getTextContent();
      return 'str' in (items[0] ?? {}) && items[0];
    };
    const afterOpening = bytes;
    assert.match(JSON.stringify(await text(40)), /Valve number 40/);
    assert.ok(bytes - afterOpening <= 3 * RANGE_SIZE, `${String(bytes - afterOpening)} bytes for one page`);
    await task.destroy();
    assert.deepEqual(lost, []);
  });

  it('reports that it became shorter while it is read', async () => {
    const lost = await new Promise((resolve) => {
      const range = new ByteRanges(
        1_000,
        new Uint8Array(10),
        () => Promise.resolve(new Uint8Array(5)),
        resolve,
      );
      range.requestDataRange(10, 100);
    });
    assert.match(String(lost), /The file changed while Open Notebook was reading it/);
  });
});
