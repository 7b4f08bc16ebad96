// PDFs of a few objects, and one whose page unpacks to far more than the file contains.
import { deflateSync } from 'node:zlib';

/** Returns a PDF whose only page has this content, compressed repeatedly until it is small. */
export function packedPdf(content: Buffer, times: number): Buffer {
  let packed = content;
  for (let i = 0; i < times; i++) packed = deflateSync(packed, { level: 9 });
  const filters = Array.from({ length: times }, () => '/FlateDecode').join(' ');
  return makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>`,
    [`<< /Length ${String(packed.length)} /Filter [${filters}] >>`, packed],
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);
}

/** Returns a PDF of objects by number. */
export function makePdf(objects: readonly (string | readonly [string, Buffer])[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  const add = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const [words, stream] = typeof object === 'string' ? [object] : object;
    add(Buffer.from(`${String(index + 1)} 0 obj\n${words}\n`));
    if (stream) add(Buffer.concat([Buffer.from('stream\n'), stream, Buffer.from('\nendstream\n')]));
    add(Buffer.from('endobj\n'));
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = String(objects.length + 1);
  add(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${String(length)}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
