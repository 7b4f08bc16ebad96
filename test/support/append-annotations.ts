// Saves annotations in a PDF, one after the other, until killed.
import { readFileSync } from 'node:fs';
import { appendToFile, fileState } from '../../src/features/pdf/editor/append-to-file.ts';
import { saveAnnotations } from '../../src/parsers/pdf/saving/save-annotations.ts';
import { annotationAt, asFile } from './annotated-pdf.ts';

const [, , path = '', name = ''] = process.argv;
for (let count = 0; ; count++) {
  const annotation = annotationAt(1, [72, 40 + count, 100, 41 + count]);
  const changes = [{ kind: 'add' as const, key: `${name} ${String(count)}`, annotation }];
  const { tail } = saveAnnotations(asFile(readFileSync(path)), changes, 'file.pdf', new Date());
  await appendToFile({ from: path, to: path, state: await fileState(path), name: 'file.pdf' }, tail);
  if (count === 0) process.send?.('begun');
}
