import type { Annotation } from '../../src/core/domain/annotation.ts';
import { annotationsOn, quadAround, type FileAnnotation } from '../../src/core/domain/read-annotations.ts';
import { loadPdf } from '../../src/parsers/pdf/engine.ts';
import type { FileBytes } from '../../src/parsers/pdf/saving/file-index.ts';

/** Returns the annotations of a PDF as a new pdf.js instance reads them. */
export async function annotationsIn(bytes: Uint8Array): Promise<FileAnnotation[]> {
  const task = await loadPdf(bytes);
  try {
    const pdf = await task.promise;
    const all: FileAnnotation[] = [];
    for (let page = 1; page <= pdf.numPages; page++) {
      const rawAnnotations = await (await pdf.getPage(page)).getAnnotations();
      all.push(...annotationsOn(page, rawAnnotations));
    }
    return all;
  } finally {
    await task.destroy();
  }
}

/** Returns bytes in memory as a file that is read in parts and counts the bytes read. */
export function asFile(bytes: Uint8Array): FileBytes & { count: number } {
  return {
    length: bytes.length,
    count: 0,
    read(begin, end) {
      this.count += Math.min(end, bytes.length) - begin;
      return bytes.subarray(begin, end);
    },
  };
}

/** Returns an annotation over a rectangle of a page, given as left, bottom, right, and top. */
export function annotationAt(
  page: number,
  rect: readonly [number, number, number, number],
  more: Partial<Annotation> = {},
): Annotation {
  return {
    kind: 'highlight',
    page,
    quads: [quadAround(rect)],
    colour: '#ffe066',
    words: '',
    remark: '',
    ...more,
  };
}
