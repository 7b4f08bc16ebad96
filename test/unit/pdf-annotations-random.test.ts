// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs, { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import files, { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { describe, it, mock } from 'node:test';
import { appendToFile, fileState } from '../../src/features/pdf/editor/append-to-file.ts';
import { HIGHLIGHT_COLORS, type Annotation, type AnnotationEdit } from '../../src/core/domain/annotation.ts';
import { AnnotationStates, type AnnotationBackup } from '../../src/features/pdf/model/annotation-states.ts';
import { annotationsByKey } from '../../src/core/domain/stored-annotations.ts';
import { withFileBytes } from '../../src/parsers/pdf/saving/open-bytes.ts';
import { savableAnnotations, saveAnnotations } from '../../src/parsers/pdf/saving/save-annotations.ts';
import { annotationAt, annotationsIn, asFile } from '../support/annotated-pdf.ts';
import { assertSound, readByPdfium, rewrittenByQpdf } from '../support/other-readers.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import * as v from 'valibot';
import './reading-pdf-fixtures.ts';

const folder = temporaryFolder('annotations-');

const PAGES = 4;
const blank = tinyPdf({
  pages: Array.from({ length: PAGES }, (_, index) => ({
    lines: column(72, 700, [`Page ${String(index + 1)} tells of memory.`]),
  })),
});

/** Returns a function for random numbers from 0 to below `most`, the same ones each time. */
function dice(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** The annotations of a window on a PDF. */
class Desk {
  readonly path: string;
  states = new AnnotationStates();
  readonly done: AnnotationEdit[] = [];
  #backup = '';

  constructor(path: string) {
    this.path = path;
  }

  do(edit: AnnotationEdit): void {
    this.states.apply(edit);
    this.done.push(edit);
    this.#backup = JSON.stringify(this.states.backup);
  }

  undo(): void {
    const edit = this.done.pop();
    if (edit !== undefined) this.states.undo(edit);
    this.#backup = JSON.stringify(this.states.backup);
  }

  async save(): Promise<void> {
    const state = await fileState(this.path);
    const changes = this.states.changes();
    const { tail, refs } = saveAnnotations(asFile(readFileSync(this.path)), changes, 'file.pdf', new Date());
    await appendToFile({ from: this.path, to: this.path, state, name: 'file.pdf' }, tail);
    this.states.markSaved(changes, refs);
    this.#backup = JSON.stringify(this.states.backup);
  }

  /** Kills the window, and opens another on its backup. */
  kill(): void {
    this.done.length = 0;
    if (this.#backup === '') return;
    const { current, inFile, refs } = JSON.parse(this.#backup) as AnnotationBackup;
    this.states = new AnnotationStates();
    this.states.restore({
      current: v.parse(annotationsByKey, current),
      inFile: v.parse(annotationsByKey, inFile),
      refs,
    });
  }
}

const describeAnnotation = ({ kind, page, quads, colour, remark }: Annotation): string =>
  JSON.stringify([kind, page, quads.map((quad) => quad.map(Math.round)), colour, remark]);

const pageWords = Array.from({ length: PAGES }, (_, index) => `Page ${String(index + 1)} tells`);

/** Asserts that another program finds exactly the expected annotations on each page. */
async function assertReadByOthers(bytes: Uint8Array, { states }: Desk): Promise<void> {
  const { pages } = await readByPdfium(bytes);
  const wanted = states.current.flatMap(([, annotation]) => annotation ?? []);
  for (const [index, { text, annotations }] of pages.entries()) {
    assert.match(text, new RegExp(pageWords[index] ?? ''));
    assert.deepEqual(
      annotations.map(({ kind, colour, remark }) => `${kind} ${colour} ${remark}`).toSorted(),
      wanted
        .filter(({ page }) => page === index + 1)
        .map(({ kind, colour, remark }) => `${kind} ${colour} ${remark}`)
        .toSorted(),
    );
  }
}

describe('after a hundred edits, saves, and kills', () => {
  for (const seed of [1, 2, 3])
    it(`loses and duplicates nothing (${String(seed)})`, async () => {
      const path = join(folder, `random-${String(seed)}.pdf`);
      writeFileSync(path, blank);
      const desk = new Desk(path);
      const random = dice(seed);
      let rewritten = 0;
      const pickAnnotation = (): readonly [string, Annotation] | undefined => {
        const there = desk.states.current.flatMap(([key, found]) => (found ? [[key, found] as const] : []));
        return there[random(there.length)];
      };
      for (let step = 0; step < 100; step++) {
        const colour = HIGHLIGHT_COLORS[random(4)]?.colour ?? '#ffffff';
        const deed = random(11);
        const picked = pickAnnotation();
        if (deed < 4 || picked === undefined) {
          const kind = (['highlight', 'underline', 'box', 'strikeout'] as const)[random(4)] ?? 'box';
          const y = 40 + 6 * step;
          const rect = [72, y, 100 + random(300), y + 5] as const;
          const created = annotationAt(1 + random(PAGES), rect, { kind, colour });
          desk.do({ key: `key ${String(step)}`, before: null, after: created });
        } else if (deed < 6) {
          const remark = `Remark ${String(step)} – ünï (\\)`;
          desk.do({ key: picked[0], before: picked[1], after: { ...picked[1], colour, remark } });
        } else if (deed === 6) desk.do({ key: picked[0], before: picked[1], after: null });
        else if (deed === 7) desk.undo();
        else if (deed === 8) desk.kill();
        else {
          await desk.save();
          // Another program rewrites the file with other object numbers.
          const turn = random(6);
          if (turn === 0) {
            writeFileSync(path, await rewrittenByQpdf(readFileSync(path)));
            rewritten++;
          } else if (turn === 1) await assertReadByOthers(readFileSync(path), desk);
        }
      }
      await desk.save();
      const expected = desk.states.current.flatMap(([, annotation]) =>
        annotation ? [describeAnnotation(annotation)] : [],
      );
      const bytes = readFileSync(path);
      const descriptions = (await annotationsIn(bytes)).map(({ annotation }) =>
        describeAnnotation(annotation),
      );
      assert.ok(expected.length > 5);
      assert.deepEqual(
        descriptions.toSorted(),
        expected.toSorted(),
        `${String(rewritten)} times written again`,
      );
      await assertReadByOthers(bytes, desk);
      await assertSound(bytes, pageWords);
    });

  it('keeps a file from before or after a save when its writer is killed', async () => {
    const path = join(folder, 'killed.pdf');
    writeFileSync(path, blank);
    const random = dice(7);
    let last = 0;
    for (let round = 0; round < 6; round++) {
      const writer = fork(
        join(import.meta.dirname, '../support/append-annotations.ts'),
        [path, String(round)],
        {
          execArgv: ['--no-warnings'],
          stdio: 'ignore',
        },
      );
      await once(writer, 'message');
      await new Promise((resolve) => setTimeout(resolve, random(60)));
      writer.kill('SIGKILL');
      await once(writer, 'exit');
      const count = (await annotationsIn(readFileSync(path))).length;
      assert.ok(count >= last, `${String(count)} are left of ${String(last)}`);
      last = count;
    }
    assert.ok(last > 0);
    assert.deepEqual(readFileSync(path).subarray(0, blank.length), Buffer.from(blank));
    assert.ok(readdirSync(folder).filter((name) => name.startsWith('killed.pdf.')).length <= 6);
  });

  it('doesn’t overwrite a file that changed meanwhile', async () => {
    const path = join(folder, 'changed.pdf');
    writeFileSync(path, blank);
    const state = await fileState(path);
    writeFileSync(path, Buffer.concat([blank, Buffer.from('% more\n')]));
    await assert.rejects(
      appendToFile({ from: path, to: path, state, name: 'changed.pdf' }, Buffer.from('tail')),
      { code: 'conflict', message: /Can’t save changed\.pdf because another program just changed it/ },
    );
    assert.match(readFileSync(path, 'latin1'), /% more\n$/);
  });
});

/** File access of some work in this thread. */
interface FileWork {
  /** Functions that waited for the disk in this thread. */
  readonly blocking: readonly string[];
  /** Functions that had a whole file in memory. */
  readonly whole: readonly string[];
  /** Size of each written chunk, in bytes. */
  readonly written: readonly number[];
  /** Number of reads. */
  readonly read: number;
}

async function measureWork(path: string, action: () => Promise<void>): Promise<FileWork> {
  const file = await open(path);
  const handle = Object.getPrototypeOf(file) as typeof file;
  await file.close();
  const [blocking, whole]: [string[], string[]] = [[], []];
  const watch = (of: object, name: string, changes: string[]): void => {
    const before = Reflect.get(of, name) as (...args: unknown[]) => unknown;
    mock.method(of as Record<string, typeof before>, name, function (this: unknown, ...args: unknown[]) {
      changes.push(name);
      return before.apply(this, args);
    });
  };
  for (const [name, one] of Object.entries(fs))
    if (name.endsWith('Sync') && typeof one === 'function') watch(fs, name, blocking);
  for (const name of ['readFile', 'writeFile', 'appendFile']) {
    watch(files, name, whole);
    watch(handle, name, whole);
  }
  const writes = mock.method(handle, 'write');
  const reads = mock.method(handle, 'read');
  syncBuiltinESMExports();
  try {
    await action();
    const written = writes.mock.calls.map(({ arguments: [bytes] }) => Buffer.byteLength(bytes));
    return { blocking: [...blocking], whole: [...whole], written, read: reads.mock.callCount() };
  } finally {
    mock.restoreAll();
    syncBuiltinESMExports();
  }
}

describe('a PDF of a hundred megabytes', () => {
  it('accepts a highlight without blocking, and is read only in small part', async () => {
    const path = join(folder, 'large.pdf');
    const length = 100 * 2 ** 20;
    // Puts the same objects after a stream of zeros.
    const [head, rest] = ['%PDF-1.7\n', Buffer.from(blank).toString('latin1').slice('%PDF-1.7\n'.length)];
    const before = `${head}90 0 obj\n<< /Length ${String(length)} >>\nstream\n`;
    const between = '\nendstream\nendobj\n';
    const shift = before.length + length + between.length - head.length;
    const moved = rest
      .replace(
        /^(\d{10}) 00000 n /gm,
        (_, at: string) => `${String(Number(at) + shift).padStart(10, '0')} 00000 n `,
      )
      .replace(/startxref\n(\d+)/, (_, at: string) => `startxref\n${String(Number(at) + shift)}`);
    writeFileSync(
      path,
      Buffer.concat([Buffer.from(before), Buffer.alloc(length), Buffer.from(between + moved)]),
    );

    const state = await fileState(path);
    const changes = [{ kind: 'add' as const, key: 'a', annotation: annotationAt(4, [72, 697, 200, 709]) }];
    let read = 0;
    const { tail } = await withFileBytes({ kind: 'path', path }, 'large.pdf', (file) =>
      saveAnnotations(
        {
          length: file.length,
          read(begin, end) {
            read += end - begin;
            return file.read(begin, end);
          },
        },
        changes,
        'large.pdf',
        new Date(),
      ),
    );
    assert.ok(read < 200_000, `${String(read)} bytes were read`);
    assert.ok(tail.length < 3_000);
    const done = await measureWork(path, () =>
      appendToFile({ from: path, to: path, state, name: 'large.pdf' }, tail),
    );
    // This thread is blocked only while it writes these bytes. The system copies the rest in parallel.
    assert.deepEqual(done, { blocking: [], whole: [], written: [tail.length], read: 0 });
    const saved = await withFileBytes({ kind: 'path', path }, 'large.pdf', savableAnnotations);
    assert.deepEqual(saved, { kind: 'yes', isSigned: false });
    assert.equal((await fileState(path)).size, state.size + tail.length);
  });
});
